"""The program among others: signals, pipes, full disks, terminals."""

import os
import pty
import re
import signal
import subprocess
import time

import pytest

ENDLESS = ["generate", "s1", "--rows", "2000000000", "-o", "big.csv"]


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_nothing(fsieve, number):
    process = fsieve.start(*ENDLESS)
    wait_for(fsieve.files)  # the temporary file
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert out == b"" and err == b"fsieve: error: interrupted\n"
    assert fsieve.files() == []


def test_an_interrupted_reduce_keeps_the_old_files(fsieve, write):
    fsieve("generate", "s1", "--rows", "100000", "-o", "s.parquet", "-q")
    write("out.csv", "old\n")
    before = fsieve.files()
    process = fsieve.start("reduce", "s.parquet", "--stages", "4", "-o", "out.csv")
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    assert fsieve.files() == before
    assert (fsieve.folder / "out.csv").read_text() == "old\n"


def test_an_interrupt_while_waiting_for_input(fsieve):
    process = fsieve.start("reduce", "-", "-o", "out.csv", stdin=subprocess.PIPE)
    process.stdin.write(b"a,b\n1,2\n")
    process.stdin.flush()
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 130
    assert process.stderr.read() == b"fsieve: error: interrupted\n"
    assert process.stdout.read() == b"" and fsieve.files() == []
    process.stdin.close()


def test_a_full_disk_behind_standard_output(fsieve, cars):
    fsieve("reduce", cars.name, "--save", "r.json")
    for command in [["--help"], ["demo"], ["reduce", cars.name, "--json"], ["show", "r.json"],
                    ["apply", "r.json", cars.name]]:  # fmt: skip
        with open("/dev/full", "wb") as full:
            process = fsieve.start(*command, "-q" if command[0] != "--help" else "--help", stdout=full)
            _, err = process.communicate(timeout=20)
        assert process.returncode == 1, command
        lines = err.decode().splitlines()
        assert lines[-1].startswith("fsieve: error: ") and "standard output" in lines[-1]
        assert len([line for line in lines if "error" in line]) == 1


def test_closed_standard_output(fsieve, cars):
    done = subprocess.run(
        ["sh", "-c", f"{fsieve.path} reduce {cars} --json -q >&-"], capture_output=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith(b"fsieve: error: ") and done.stderr.count(b"\n") == 1


def test_a_reader_that_leaves_is_no_error(fsieve):
    fsieve("generate", "s1", "--rows", "20000", "-o", "s.csv", "-q")
    fsieve("reduce", "s.csv", "--save", "r.json", "--stages", "1", "-q")
    process = fsieve.start("apply", "r.json", "s.csv", "-q")
    process.stdout.read(100)
    process.stdout.close()
    err = process.stderr.read()
    assert process.wait(timeout=20) == 0
    assert err == b""


def test_a_pipeline(fsieve, cars):
    fsieve("reduce", cars.name, "--save", "r.json", "-q")
    done = subprocess.run(
        ["sh", "-c", f"cat {cars} | {fsieve.path} apply r.json - | {fsieve.path} reduce - --json -q"],
        capture_output=True, cwd=fsieve.folder, check=True,
    )  # fmt: skip
    assert b'"name": "litres"' in done.stdout


def on_terminal(fsieve, *arguments, env=None):
    """What a person sees: both outputs on one terminal."""
    parent, child = pty.openpty()
    process = fsieve.start(
        *arguments, stdin=child, stdout=child, stderr=child,
        env={**os.environ, "TERM": "xterm", "NO_COLOR": "", **(env or {})},
    )  # fmt: skip
    os.close(child)
    seen = b""
    try:
        while chunk := os.read(parent, 65536):
            seen += chunk
    except OSError:  # the other end is closed
        pass
    os.close(parent)
    assert process.wait(timeout=20) == 0
    return seen.decode()


def test_colours_on_a_terminal_only(fsieve, cars):
    assert "\033[1m" in on_terminal(fsieve, "reduce", cars.name)
    assert "\033" not in on_terminal(fsieve, "reduce", cars.name, env={"NO_COLOR": "1"})
    assert "\033" not in fsieve("reduce", cars.name)


def test_the_summary_is_not_said_twice_on_a_terminal(fsieve, cars):
    assert on_terminal(fsieve, "reduce", cars.name).count("features kept") == 1


def test_progress_after_a_second(fsieve):
    seen = on_terminal(fsieve, "generate", "s1", "--rows", "300000", "-o", "s.csv")
    if "%" in seen:  # slow enough to be seen
        assert re.search(r"\r.*\[#*\.*\] +\d+ %\033\[K", seen)
        assert "\r\033[K" in seen
    assert "%" not in on_terminal(fsieve, "generate", "s1", "--rows", "300000", "-o", "s.csv", "--quiet")
