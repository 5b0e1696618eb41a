"""The program among others: signals, pipes, full disks, terminals."""

import os
import pty
import re
import signal
import subprocess

import numpy as np
import pytest

from running import cpu_seconds, wait_for, wait_for_work

ENDLESS = ["generate", "s1", "--rows", "2000000000", "-o", "big.csv"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_leaves_nothing(fsieve, number):
    # What runs under nohup ignores a hang-up, and so does what it starts.
    process = fsieve.start(*ENDLESS, preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    wait_for(fsieve.files)  # the temporary file
    process.send_signal(number)
    try:
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode == 130
    assert out == b"" and err == b"fsieve: error: interrupted\n"
    assert fsieve.files() == []


def test_blas_starts_no_threads(fsieve):
    """A thread per core looked for work for a tenth of a second before main() began; there was one less where this variable says so."""
    np.save(fsieve.folder / "s.npy", np.random.default_rng(0).standard_normal((5000, 100)))
    counts = []
    for env in ({"OPENBLAS_NUM_THREADS": "1"}, {"OPENBLAS_NUM_THREADS": "8"}):
        process = fsieve.start("reduce", "s.npy", "--stages", "3:100", "--threads", "1", env={**os.environ, **env})  # takes minutes
        wait_for_work(process)
        counts.append(len(os.listdir(f"/proc/{process.pid}/task")))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert counts[0] == counts[1]


def test_an_interrupted_reduce_keeps_the_old_files(fsieve, write):
    np.save(fsieve.folder / "s.npy", np.random.default_rng(0).standard_normal((5000, 100)))
    write("out.csv", "old\n")
    before = fsieve.files()
    process = fsieve.start("reduce", "s.npy", "--stages", "3:100", "-o", "out.csv")  # takes minutes
    wait_for_work(process)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    assert fsieve.files() == before
    assert (fsieve.folder / "out.csv").read_text() == "old\n"


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


class Terminal:
    """The program as a person sees it: both outputs on one terminal."""

    def __init__(self, fsieve, *arguments, env=None):
        self.screen, child = pty.openpty()
        self.process = fsieve.start(
            *arguments, stdin=child, stdout=child, stderr=child,
            env={**os.environ, "TERM": "xterm", "NO_COLOR": "", **(env or {})},
        )  # fmt: skip
        os.close(child)
        self.seen = ""

    def read(self, until=None):
        """Reads on until this pattern was seen, or to the end of the program."""
        try:
            while until is None or not re.search(until, self.seen):
                chunk = os.read(self.screen, 65536)
                if not chunk:
                    break
                self.seen += chunk.decode()
        except OSError:  # the other end is closed
            pass
        return self.seen

    def end(self):
        """The exit code, when all was read."""
        self.read()
        os.close(self.screen)
        return self.process.wait(timeout=20)


def on_terminal(fsieve, *arguments, env=None):
    """What a person sees of a whole run."""
    terminal = Terminal(fsieve, *arguments, env=env)
    assert terminal.end() == 0
    return terminal.seen


def test_colours_on_a_terminal_only(fsieve, cars):
    assert "\033[1m" in on_terminal(fsieve, "reduce", cars.name)
    assert "\033" not in on_terminal(fsieve, "reduce", cars.name, env={"NO_COLOR": "1"})
    assert "\033" not in fsieve("reduce", cars.name)


def test_the_summary_is_not_said_twice_on_a_terminal(fsieve, cars):
    assert on_terminal(fsieve, "reduce", cars.name).count("features kept") == 1


def test_progress_after_a_second(fsieve):
    terminal = Terminal(fsieve, *ENDLESS)
    assert re.search(r"\r.*\[#*\.*\] +\d+ %", terminal.read(until=r"% *\d* .*\033\[K"))
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == 130
    assert terminal.seen.replace("\r\n", "\n").endswith("\r\033[Kfsieve: error: interrupted\n")


def test_no_progress_when_quiet(fsieve):
    # Progress is drawn after a second. One thread that makes rows and one that writes them take longer for this work,
    # however many cores there are.
    terminal = Terminal(fsieve, *ENDLESS, "--quiet", "--threads", "1")
    wait_for(lambda: cpu_seconds(terminal.process) > 3)
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.end() == 130
    assert "%" not in terminal.seen
