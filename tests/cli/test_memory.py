"""A file-backed run never holds the file: its peak memory does not grow with the number of rows."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from conftest import ROOT, SANITIZED


pytestmark = pytest.mark.skipif(SANITIZED, reason="a sanitizer takes memory of its own")

# What a process held before it became another program counts too, and the tests themselves hold much by then.
WATCHER = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def peak_mib(command, code=0):
    """Runs a command to its end and returns the most memory it held."""
    watched = subprocess.run([sys.executable, "-c", WATCHER, *command], capture_output=True, text=True, check=True)
    ended, peak = map(int, watched.stdout.split())
    assert ended == code, command
    return peak / 1024


# Parquet's reader keeps what row groups took, up to some size.
@pytest.mark.parametrize(("extension", "many"), [("csv", 360_000), ("parquet", 720_000)])
def test_peak_memory_does_not_grow_with_rows(fsieve, tmp_path, extension, many):
    few = 120_000
    peaks = {}
    for rows in (few, many):
        path = tmp_path / f"{rows}.{extension}"
        fsieve("generate", "s1", "--rows", rows, "--seed", 1, "-o", path)
        # Depth 1 and 2: all passes there are, on few rows per second of test.
        peaks[rows] = peak_mib([fsieve.path, "reduce", str(path), "--label", "y",
                                "--stages", "1,2:50", "--memory", "1M", "--json"])
    table = many * 31 * 8 / 2**20
    assert peaks[many] < peaks[few] + table / 3, peaks


def test_a_damaged_page_takes_no_memory(fsieve, write):
    """540 bytes that fuzzing found: the head of a page says that 1.4 GB follow, and these were taken."""
    seed = (ROOT / "fuzz" / "seeds" / "parquet" / "large_page").read_bytes()
    path = write("t.parquet", seed[seed.index(b"PAR1"):])
    assert peak_mib([fsieve.path, "reduce", str(path)], code=1) < 200
    assert fsieve.run("reduce", path).err.endswith("not a Parquet file, or a damaged or truncated one\n")


def test_streaming_gives_the_same_bytes_as_memory(fsieve, tmp_path):
    for extension in ("csv", "csv.gz", "parquet", "feather", "npy"):
        path = tmp_path / f"a.{extension}"
        fsieve("generate", "s1", "--rows", 9_000, "--seed", 3, "-o", path)
        outputs = set()
        for memory in ("1M", "512M"):
            for threads in (1, 2, 7):
                outputs.add(fsieve("reduce", path, "--json", "--no-timing", "--memory", memory,
                                   "--threads", threads))
        assert len(outputs) == 1, extension


LEARNERS = [["-k", "2"], ["-k", "2", "--basis", "product"], ["-k", "2", "--learner", "erm"],
            ["-k", "1", "--learner", "low-degree"], ["-k", "3", "--search", "greedy"],
            ["-k", "3", "--search", "beam:3"], ["-k", "2", "--binarize", "mean"],
            ["-k", "2", "--binarize", "0.5", "--missing", "mean"]]


def mixed_table(path, rows):
    """Numbers, skewed and tied ones, texts, gaps, and a label of two classes."""
    random = np.random.default_rng(7)
    x = random.normal(size=(rows, 3))
    text = random.choice(["red", "green", "blue", ""], size=rows, p=[0.5, 0.3, 0.19, 0.01])
    tied = np.where(x[:, 1] > 1, 1.5, 0.0)
    label = np.where((x[:, 0] > 0) ^ (text == "red"), "yes", "no")
    with open(path, "w", encoding="utf-8") as file:
        file.write("a,b,c,tied,text,y\n")
        for i in range(rows):
            b = "" if i % 311 == 5 else f"{np.exp(9 * x[i, 1]):.6g}"
            file.write(f"{x[i, 0]:.6f},{b},{x[i, 2]:.2f},{tied[i]},{text[i]},{label[i]}\n")


@pytest.mark.parametrize("options", LEARNERS, ids=" ".join)
def test_learning_from_a_file_gives_the_same_bytes_as_memory(fsieve, tmp_path, options):
    path = tmp_path / "mixed.csv"
    mixed_table(path, 30_000)
    missing = [] if "--missing" in options else ["--missing", "drop"]
    outputs = {fsieve("learn", path, "--label", "y", "--json", "--no-timing", "--memory", memory,
                      "--threads", threads, *missing, *options)
               for memory in ("1M", "512M") for threads in (1, 3)}
    assert len(outputs) == 1


def write_normals(path, rows, columns=30):
    """Normal numbers x0, x1, …, and a label y that x0 and x1 decide. In parts, since what this
    process holds when it starts the program counts as the program's."""
    random = np.random.default_rng(rows)
    schema = pa.schema([*((f"x{j}", pa.float64()) for j in range(columns)), ("y", pa.int8())])
    with parquet.ParquetWriter(path, schema) as writer:
        for _ in range(0, rows, 20_000):
            x = random.normal(size=(20_000, columns))
            y = ((x[:, 0] > 0) ^ (x[:, 1] > 0)).astype(np.int8)
            writer.write_table(pa.table([*x.T.copy(), y], schema=schema))


def test_learning_holds_bits_not_numbers(fsieve, tmp_path):
    peaks = {}
    for rows in (100_000, 400_000):
        path = tmp_path / f"{rows}.parquet"
        write_normals(path, rows)
        peaks[rows] = peak_mib([fsieve.path, "learn", str(path), "--label", "y", "-k", "2",
                                "--memory", "1M", "--json"])
    table = 300_000 * 31 * 8 / 2**20
    assert peaks[400_000] < peaks[100_000] + table / 3, peaks


def test_bits_that_do_not_fit_are_refused_before_the_search(fsieve, tmp_path):
    names = "abcdefgh"
    with open(tmp_path / "wide.csv", "w", encoding="utf-8") as file:
        file.write(",".join(names) + ",y\n")
        for i in range(100_000):
            cells = [f"t{(i + i // 100 * k) % 100}" for k in range(len(names))]
            file.write(",".join(cells) + f",{i % 7 % 2}\n")
    fsieve.fails(1, ["792 two-valued features", "--memory 11M"], "learn", "wide.csv",
                 "--label", "y", "-k", "1", "--memory", "1M")
