"""Checkpoints of learn: killed searches go on, and no other file is ever taken for one or removed."""

import json
import os
import random
import signal
import stat
import subprocess
import time

import numpy as np
import pytest

from running import wait_for

ARGUMENTS = ["learn", "slow.csv", "--label", "y", "-k", 5, "--no-timing", "--top", 30, "--json"]
SMALL = ["--label", "y", "-k", 2, "--no-timing", "--json"]
SIGNALS = [signal.SIGKILL, signal.SIGINT, signal.SIGTERM]


@pytest.fixture
def slow(write):
    """A second of search for one core; it saves itself after a tenth."""
    rng = np.random.default_rng(9)
    x = np.where(rng.random((4000, 110)) < rng.uniform(0.2, 0.8, 110), 1, 0)
    y = (x[:, 3] ^ x[:, 40] ^ x[:, 57]) ^ (rng.random(4000) < 0.1)
    lines = [",".join(f"x{j + 1}" for j in range(110)) + ",y"]
    lines += [",".join(map(str, [*row, int(label)])) for row, label in zip(x, y)]
    return write("slow.csv", "\n".join(lines) + "\n")


@pytest.fixture
def rule(write):
    """40 rows where y is a and b."""
    rows = [(i & 1, i >> 1 & 1, i >> 2 & 1, i % 5 % 2) for i in range(40)]
    return write("rule.csv", "a,b,c,d,y\n" + "".join(f"{a},{b},{c},{d},{a & b}\n" for a, b, c, d in rows))


def when_saved(process, path):
    """Waits until the running search has saved itself, or is over."""
    while process.poll() is None and not path.exists():
        time.sleep(0.005)


def test_killed_again_and_again(fsieve, slow):
    undisturbed = fsieve(*ARGUMENTS, "-o", "whole.json")
    checkpoint, model = fsieve.folder / "run.json", fsieve.folder / "m.json"
    random.seed(4)

    def killed(number, moment):
        """Whether the kill struck the search: it may come too late."""
        process = fsieve.start(*ARGUMENTS, "-o", "m.json", "--checkpoint", "run.json", "--threads", 1)
        moment(process)
        process.send_signal(number)
        out, err = process.communicate()
        assert process.returncode in (0, 130, -number), err
        if process.returncode == 0:
            assert out.decode() == undisturbed
        if model.exists():  # whole, or not there
            assert model.read_bytes() == (fsieve.folder / "whole.json").read_bytes()
            model.unlink()
        return process.returncode != 0

    def killed_once_saved(number):
        """A search from the beginning, killed when it has saved itself for the first time."""
        checkpoint.unlink(missing_ok=True)
        return killed(number, lambda process: when_saved(process, checkpoint)) and checkpoint.exists()

    for turn in range(15):
        number = SIGNALS[turn % 3]
        if turn % 5 == 0:  # with each of the signals; again where a busy machine let it pass
            assert any(killed_once_saved(number) for _ in range(20))
        else:
            killed(number, lambda process: time.sleep(random.uniform(0, 0.4)))
    assert fsieve(*ARGUMENTS, "-o", "m.json", "--checkpoint", "run.json") == undisturbed
    assert model.read_bytes() == (fsieve.folder / "whole.json").read_bytes()
    # No checkpoint, no lock, nothing half-written but what kill -9 leaves where it strikes while a model is written.
    left = [name for name in fsieve.files() if not name.startswith("m.json.fsieve-")]
    assert left == ["m.json", "slow.csv", "whole.json"]


def waiting(fsieve, *arguments, name="run.json"):
    """A search that has its checkpoint and waits for its table."""
    process = fsieve.start("learn", "-", *SMALL, "--checkpoint", name, *arguments, stdin=subprocess.PIPE)

    def locked():
        locks = [path for path in fsieve.folder.iterdir() if path.name.endswith(".fsieve-lock")]
        return process.poll() is not None or (locks and locks[0].read_text().endswith("\n"))

    wait_for(locked)
    assert process.poll() is None, process.stderr.read()
    return process


def same_answer(out, expected):
    found, expected = json.loads(out), json.loads(expected)
    assert found["data"].pop("source") == "-" and expected["data"].pop("source") == "rule.csv"
    assert found == expected


def test_one_search_at_a_time(fsieve, rule):
    undisturbed = fsieve("learn", "rule.csv", *SMALL)
    first = waiting(fsieve)
    said = fsieve.fails(1, ["run.json is in use by process", "name another file"],
                        "learn", "rule.csv", *SMALL, "--checkpoint", "run.json")  # fmt: skip
    assert f"process {first.pid};" in said
    out, _ = first.communicate(rule.read_bytes())
    assert first.returncode == 0
    same_answer(out, undisturbed)
    assert fsieve.files() == ["rule.csv"]


@pytest.mark.parametrize("name", ["n" * 255, "é" * 127 + "n"], ids=["ascii", "accents"])
def test_the_longest_legal_name(fsieve, rule, write, name):
    """Those of its lock and of its temporary file are cut, and are the same for every process."""
    undisturbed = fsieve("learn", "rule.csv", *SMALL)
    assert fsieve("learn", "rule.csv", *SMALL, "--checkpoint", name) == undisturbed
    assert fsieve.files() == ["rule.csv"]
    first = waiting(fsieve, name=name)
    for other in [name, f"./{name}", f"{fsieve.folder}/{name}", f"../{fsieve.folder.name}/{name}"]:
        fsieve.fails(1, f"is in use by process {first.pid};", "learn", "rule.csv", *SMALL, "--checkpoint", other)
    write(name, "")  # its whole path is another than before it was there
    fsieve.fails(1, f"is in use by process {first.pid};", "learn", "rule.csv", *SMALL, "--checkpoint", name)
    out, _ = first.communicate(rule.read_bytes())
    assert first.returncode == 0
    same_answer(out, undisturbed)
    assert fsieve.files() == ["rule.csv"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("times", [1, 2])
def test_an_interrupt_leaves_no_lock(fsieve, rule, number, times):
    """Also where the search cannot answer, because it waits for its table."""
    process = waiting(fsieve)
    for _ in range(times):
        process.send_signal(number)
    assert process.wait(timeout=20) == 130
    assert process.stderr.read() == b"fsieve: error: interrupted\n"
    assert fsieve.files() == ["rule.csv"]
    process.stdin.close()


def test_many_at_once(fsieve, rule):
    """Each of them ends well or says that the file is in use; none dies of the others."""
    arguments = ["learn", "rule.csv", *SMALL]
    expected = fsieve(*arguments)
    running = [fsieve.start(*arguments, "--checkpoint", "run.json") for _ in range(16)]
    ended = [(p.communicate(), p.returncode) for p in running]
    assert any(code == 0 for _, code in ended)
    for (out, err), code in ended:
        if code == 0:
            assert out.decode() == expected
        else:
            assert code == 1 and "run.json is in use by" in err.decode(), (code, err)
    assert fsieve.files() == ["rule.csv"]


def test_lock_of_a_dead_process_does_not_matter(fsieve, rule, write):
    write("run.json.fsieve-lock", "fsieve lock: process 1 elsewhere\n")
    fsieve("learn", "rule.csv", "--label", "y", "-k", 2, "--checkpoint", "run.json")
    assert fsieve.files() == ["rule.csv"]


def refused(fsieve, name, says):
    return fsieve.fails(1, [name, says], "learn", "rule.csv", "--label", "y", "-k", 2, "--checkpoint", name)


def test_what_is_no_regular_file_is_refused(fsieve, rule):
    os.mkfifo(fsieve.folder / "pipe")
    (fsieve.folder / "folder").mkdir()
    (fsieve.folder / "link").symlink_to("pipe")
    refused(fsieve, "folder", "folder")
    for name in ["pipe", "link"]:
        refused(fsieve, name, "is not a regular file")
    assert stat.S_ISFIFO(os.stat(fsieve.folder / "pipe").st_mode)


def test_a_device_stays(fsieve, rule):
    try:
        os.mknod(fsieve.folder / "null", 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("only root makes devices")
    refused(fsieve, "null", "is not a regular file")
    assert stat.S_ISCHR(os.stat(fsieve.folder / "null").st_mode)


def test_what_is_no_checkpoint_is_left_alone(fsieve, rule, write):
    for name, text in {
        "notes.json": '{"precious": true}',
        "notes.txt": "precious",
        "deep.json": "[" * 100000,
        "old.json": json.dumps({"fsieve": "0.1.0", "schema": 1, "kind": "checkpoint", "run": "0" * 32}),
    }.items():
        path = write(name, text)
        refused(fsieve, name, "not a checkpoint")
        assert path.read_text() == text
    fsieve.fails(1, "no folder", "learn", "rule.csv", "--label", "y", "-k", 2, "--checkpoint", "nowhere/c.json")


def test_another_search_and_damage_are_named(fsieve, rule, write, full):
    # A result that cannot be written leaves the checkpoint of the finished search.
    arguments = ["learn", "rule.csv", "--label", "y", "-k", 2, "--checkpoint", "run.json"]
    assert fsieve.run(*arguments, "-o", full).code == 1
    path = fsieve.folder / "run.json"
    text = path.read_text()
    saved = json.loads(text)
    assert saved["format"] == "fsieve checkpoint" and saved["version"] == 2
    assert saved["done"] == [[0, 6]] and len(saved["best"]) == 6
    assert saved["search"]["k"] == 2 and saved["search"]["features"] == 4
    fsieve.fails(1, ["run.json", "k is 2 there and 1 here"], *arguments[:5], 1, *arguments[6:])
    fsieve.fails(1, ["run.json", 'learner is "fourier" there and "erm" here'], *arguments, "--learner", "erm")
    fsieve.fails(1, ["run.json", "top is 20 there and 3 here"], *arguments, "--top", 3)
    write("rule.csv", rule.read_text().replace("\n0,0,0,0,0", "\n0,0,0,1,0", 1))
    fsieve.fails(1, ["run.json", "its data are others"], *arguments)
    write("run.json", text.replace('"k": 2', '"k": 3'))
    fsieve.fails(1, ["run.json", "checksum"], *arguments)
    write("run.json", text[: len(text) // 2])
    fsieve.fails(1, "error: run.json is not a checkpoint", *arguments)
    write("run.json", "")
    fsieve(*arguments)
    assert not path.exists()
