"""A small file that says it is a huge table is refused in one sentence, with little memory."""

import gzip
import resource

import pyarrow as pa
import pytest
from conftest import SANITIZED
from pyarrow import feather

LIMIT = 1 << 30  # bytes of address space; the program alone takes a quarter of that


def limit_memory():
    if not SANITIZED:  # a sanitizer takes terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))


def run_limited(fsieve, *arguments):
    """Runs the program with a limit on its memory."""
    process = fsieve.start(*arguments, "--threads", "2", preexec_fn=limit_memory)
    out, err = process.communicate(timeout=60)
    return process.returncode, out.decode(), err.decode()


def packed(*pieces):
    """gzip of (text, times) pairs, made without holding what they unpack to."""
    return b"".join(gzip.compress(text * times) if times else gzip.compress(text) for text, times in pieces)


MEGABYTE = 1 << 20

BOMBS = {
    "commas": (packed((b"," * MEGABYTE, 1)) * 300, "more than 1000000 columns"),
    "tabs": (packed((b"\t" * MEGABYTE, 1)) * 300, "more than 1000000 columns"),
    "name": (packed((b"x" * MEGABYTE, 1)) * 300, "longer than 16 MiB"),
    "quoted": (packed((b'"', 0)) + packed((b"," * MEGABYTE, 1)) * 300, "longer than 16 MiB"),
    "commas in a row": (packed((b"a,b\n1,2\n", 0)) + packed((b"," * MEGABYTE, 1)) * 300, "longer than 64 MiB"),
    "cell": (packed((b"a,b\n1,2\n3,", 0)) + packed((b"x" * MEGABYTE, 1)) * 300, "longer than 64 MiB"),
    "short cell": (packed((b"a,b\n1,2\n3,", 0)) + packed((b"x" * MEGABYTE, 1)) * 20 + packed((b"\n", 0)),
                   'column "b", row 2: a cell is longer than 16 MiB'),
}


@pytest.mark.parametrize("name", BOMBS)
def test_packed_text(fsieve, write, name):
    content, says = BOMBS[name]
    assert len(content) < 700_000
    write("bomb.csv.gz", content)
    code, out, err = run_limited(fsieve, "reduce", "bomb.csv.gz")
    assert code == 1 and out == "", err
    lines = err.splitlines()
    assert lines[-1].startswith("fsieve: error: bomb.csv.gz: ") and says in lines[-1]
    assert "memory" not in lines[-1]


@pytest.mark.parametrize(
    "header, says",
    [
        ("'shape': (-60, 4), 'descr': '<f8'", "shape is (-60, 4)"),
        ("'shape': (60, 4), 'descr': '<f-8'", "type <f-8 are not supported"),
        ("'shape': (1, 4000000000), 'descr': '|b1'", "more than 1000000 columns"),
        ("'shape': (4000000000, 4000000000), 'descr': '<f8'", "more than 1000000 columns"),
        ("'shape': (18446744073709551615, 4), 'descr': '<f8'", "truncated"),
    ],
)
def test_numpy_headers(fsieve, write, header, says):
    text = ("{" + header + ", 'fortran_order': False}\n").encode()
    write("t.npy", b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + b"\0" * 4096)
    code, out, err = run_limited(fsieve, "reduce", "t.npy")
    assert code == 1 and out == "" and says in err.splitlines()[-1], err


def test_many_columns_are_no_bomb(fsieve, write):
    width = 20_000
    write("wide.csv", ",".join(f"c{j}" for j in range(width)) + "\n" + (",".join("1" for _ in range(width)) + "\n") * 3)
    code, _, err = run_limited(fsieve, "reduce", "wide.csv", "--json", "--no-equations")
    assert code == 0, err


@pytest.mark.parametrize("scale", [-(2**31), -16_777_218, -400, 400, 16_777_218, 2**31 - 1])
def test_decimals_of_any_scale(fsieve, tmp_path, scale):
    """Found by fuzzing: Arrow looks for the power of ten behind the end of its table."""
    digits = pa.py_buffer(b"".join((i % 7 + 1).to_bytes(16, "little") for i in range(12)))
    table = pa.table({
        "d": pa.Array.from_buffers(pa.decimal128(5, scale), 12, [None, digits]),
        "a": [float(i * 5 % 11) for i in range(12)],
    })  # fmt: skip
    feather.write_feather(table, tmp_path / "t.feather", compression="uncompressed")
    if scale < 0:
        fsieve.fails(1, 'column "d", row 1: infinite value', "reduce", "t.feather")
    else:
        assert fsieve.json("reduce", "t.feather")["removed"][0]["equation"]["text"] == "d = 0"
