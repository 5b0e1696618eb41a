"""Which system calls are made about output files, in which order, and what is left where several of them fail
(tests/faults/fault_shim.c; every single one fails in test_faults.py)."""

import os
import stat
from pathlib import Path

import pytest
from conftest import SANITIZED
from running import reader_of

pytestmark = pytest.mark.skipif(SANITIZED, reason="a sanitizer must be loaded before the library that sees calls")

OLD = "old\n"


@pytest.fixture
def shim(fsieve):
    """The environment in which calls fail and are told (tests/faults/fault_shim.c)."""
    library = Path(fsieve.path).parent / "tests" / "libfault_shim.so"
    if not library.exists():
        pytest.skip("built without the library that sees calls")
    return {"LD_PRELOAD": str(library)}


def calls_of(fsieve, shim, *arguments):
    """The calls about files that are written, each with its kind and its files."""
    with open(fsieve.folder / "calls", "w+b") as log:
        process = fsieve.start(*arguments, "-q", env={**os.environ, **shim, "FSIEVE_FAULT_LOG": str(log.fileno())},
                               pass_fds=[log.fileno()])  # fmt: skip
        process.communicate(timeout=60)
        assert process.returncode == 0
        log.seek(0)
        calls = [line.split(" ") for line in log.read().decode().splitlines()]
    (fsieve.folder / "calls").unlink()
    return [(kind, *(os.path.basename(name) for name in names)) for kind, *names in calls]


def renamed(calls):
    """Which files got their names: (what happened to the temporary file until then, the name)."""
    done = {}
    for kind, name, *more in calls:
        if kind == "rename":
            yield done.pop(name, []), more[0]
        else:
            done.setdefault(name, []).append(kind)


def check_on_the_disk(calls, names):
    """Each of these files is synced, when all of it is written, before it gets its name."""
    assert {name for _, name in renamed(calls)} == set(names), calls
    for happened, name in renamed(calls):
        assert happened[0] == "open" and "write" in happened, (name, calls)
        assert [kind for kind in happened if kind in ("write", "fsync")][-1] == "fsync", (name, calls)


def test_files_are_on_the_disk_before_they_replace_others(fsieve, cars, write, shim):
    """Nobody can pull the plug here, so the order of the calls has to do."""
    write("s.json", OLD)
    calls = calls_of(fsieve, shim, "reduce", cars.name, "-o", cars.name, "--save", "s.json")
    check_on_the_disk(calls, [cars.name, "s.json"])
    kinds = [kind for kind, *_ in calls if kind in ("fsync", "rename")]
    assert kinds == ["fsync", "fsync", "rename", "rename"]


def test_checkpoints_are_on_the_disk_before_they_have_their_name(fsieve, write, shim):
    write("l.csv", "a,b,y\n" + "".join(f"{i % 2},{i // 2 % 2},{i % 2}\n" for i in range(40)))
    calls = calls_of(fsieve, shim, "learn", "l.csv", "--label", "y", "-k", "1", "--checkpoint", "run.json")
    check_on_the_disk(calls, ["run.json"])


def test_a_file_that_cannot_be_put_back_is_named(fsieve, cars, write, shim):
    """The second rename fails, and so does that which would put the first file back."""
    old = cars.read_bytes()
    write("s.json", OLD)
    done = fsieve.run("reduce", cars.name, "-o", cars.name, "--save", "s.json",
                      env={**shim, "FSIEVE_FAULT": "rename:2+:5"})  # fmt: skip
    assert done.code == 1
    said, _, kept = done.err.splitlines()[-1].partition("; its old content is in ")
    assert f"{cars.name}: is new although another output failed" in said
    assert (fsieve.folder / kept).read_bytes() == old
    assert (fsieve.folder / "s.json").read_text() == OLD
    assert fsieve.files() == sorted([cars.name, "s.json", os.path.basename(kept)])


@pytest.mark.parametrize("fault", ["copy:1:28", "copy:1:5", "copy:1:short", "copy:1:interrupt"])
def test_an_old_file_is_copied_where_links_fail(fsieve, cars, write, shim, fault):
    """A copy that fails leaves all as it was; what is copied can be put back."""
    old = cars.read_bytes()
    write("s.json", OLD)
    arguments = ["reduce", cars.name, "-o", cars.name, "--save", "s.json"]
    env = {**shim, "FSIEVE_FAULT": f"link:1+:1,rename:2:5,{fault}"}
    fsieve.fails(1, "cannot be written", *arguments, env=env)
    assert fsieve.files() == [cars.name, "s.json"]
    assert cars.read_bytes() == old and (fsieve.folder / "s.json").read_text() == OLD


def test_a_pipe_outlives_a_rename_that_fails(fsieve, cars, write, shim):
    """It was written by then, which cannot be taken back, and it is no file that was put there."""
    write("s.json", OLD)
    os.mkfifo(fsieve.folder / "o.csv")
    with reader_of(fsieve.folder / "o.csv"):
        fsieve.fails(1, "s.json", "reduce", cars.name, "-o", "o.csv", "--save", "s.json",
                     env={**shim, "FSIEVE_FAULT": "rename:1:5"})  # fmt: skip
    assert stat.S_ISFIFO(os.lstat(fsieve.folder / "o.csv").st_mode)
    assert (fsieve.folder / "s.json").read_text() == OLD
