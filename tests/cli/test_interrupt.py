"""Ctrl-C is answered: code 130, one line, nothing left behind, within five seconds whatever the work is (half a
second on a quiet machine: bench/interrupt)."""

import os
import signal
import subprocess

import numpy as np
import pytest

from running import unread_bytes, wait_for, wait_for_work, wait_until_it_waits

BOUND = 5  # seconds


def interrupt(fsieve, process, before):
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=BOUND)
    assert process.returncode == 130, err
    assert out == b"" and err == b"fsieve: error: interrupted\n"
    assert fsieve.files() == before


def save(fsieve, rows, columns, make=np.random.Generator.standard_normal, classes=2):
    """A table of noise without names, its label last; gives back the label's name."""
    rng = np.random.default_rng(1)
    label = rng.integers(0, classes, rows)
    np.save(fsieve.folder / "t.npy", np.column_stack([make(rng, (rows, columns)), label]))
    return f"x{columns + 1}"


def signs(rng, size):
    return np.where(rng.random(size) < 0.5, -1.0, 1.0)


def levels(rng, size):
    return np.floor(5 * rng.random(size))


# Each takes minutes on any machine.
UNION = ["-k", 5, "--search", "union", "--reduce", "none"]
SELECT = {
    "a scan of triples": (2000, 300, np.random.Generator.standard_normal, ["-k", 9, "--depth", 3]),
    "permutations": (200, 3000, np.random.Generator.standard_normal, ["-k", 3, "--permutations", 30000]),
    "many features": (200, 20000, np.random.Generator.standard_normal, ["-k", 3]),
    "projections": (5000, 300, np.random.Generator.standard_normal, [*UNION, "--depth", 3]),
    "squares": (5000, 300, np.random.Generator.standard_normal, [*UNION, "--depth", 4, "--score", "l2"]),
    "cells": (20000, 200, levels, [*UNION, "--depth", 4]),
    "two levels": (20000, 400, signs, [*UNION, "--depth", 4]),
    "folds": (5000, 400, np.random.Generator.standard_normal, ["-k", "auto", "--folds", 20]),
}


@pytest.mark.parametrize("what", SELECT)
def test_select(fsieve, what):
    rows, columns, make, options = SELECT[what]
    if "--folds" not in options:
        options = [*options, "--folds", 0]  # the search itself, not its estimate
    label = save(fsieve, rows, columns, make)
    before = fsieve.files()
    process = fsieve.start("select", "t.npy", "--label", label, *options, "-o", "o.csv")
    wait_for_work(process)
    interrupt(fsieve, process, before)


def test_report(fsieve):
    label = save(fsieve, 2000, 300)
    before = fsieve.files()
    process = fsieve.start("report", "t.npy", "--label", label, "-k", 9, "--depth", 3, "-o", "page.html")
    wait_for_work(process)
    interrupt(fsieve, process, before)


@pytest.mark.parametrize(
    "options",
    [["--stages", "3:80", "--engine", "gram"], ["--stages", "3:80", "--engine", "sample"],
     ["--method", "gfs", "--family", "polynomial:4"], ["--method", "gfa", "--family", "multilinear:4"]],
    ids=["gram", "sample", "gfs", "gfa"],
)  # fmt: skip
def test_reduce(fsieve, options):
    save(fsieve, 5000, 100)
    before = fsieve.files()
    process = fsieve.start("reduce", "t.npy", *options, "-o", "o.csv")
    wait_for_work(process)
    interrupt(fsieve, process, before)


@pytest.mark.parametrize(
    "options",
    [["-k", 6], ["-k", 6, "--learner", "erm"], ["-k", 6, "--basis", "correlated"],
     ["-k", 6, "--search", "beam:100000"], ["-k", 2, "--learner", "low-degree"],
     ["-k", 2, "--permutations", 1000000000]],
    ids=["fourier", "erm", "correlated", "beam", "low-degree", "shuffles"],
)  # fmt: skip
def test_learn(fsieve, options):
    label = save(fsieve, 20_000, 80 if options[1] == 6 else 600, signs)
    before = fsieve.files()
    process = fsieve.start("learn", "t.npy", "--label", label, *options, "-o", "m.json")
    wait_for_work(process)
    interrupt(fsieve, process, before)


def test_a_pipe_that_gives_nothing_more(fsieve):
    process = fsieve.start("reduce", "-", "-o", "out.csv", stdin=subprocess.PIPE)
    process.stdin.write(b"a,b\n1,2\n")
    process.stdin.flush()
    wait_for(lambda: unread_bytes(process.stdin) == 0)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=BOUND) == 130
    assert process.stderr.read() == b"fsieve: error: interrupted\n"
    assert process.stdout.read() == b"" and fsieve.files() == []
    process.stdin.close()


@pytest.mark.parametrize(
    "arguments", [["reduce", "fifo", "-o", "o.csv"], ["show", "fifo"], ["predict", "fifo", "t.csv"]], ids=lambda a: a[0]
)
def test_a_fifo_that_nobody_writes(fsieve, write, arguments):
    os.mkfifo(fsieve.folder / "fifo")
    write("t.csv", "a,b\n1,2\n")
    before = fsieve.files()
    process = fsieve.start(*arguments)
    wait_until_it_waits(process)
    interrupt(fsieve, process, before)


def test_a_fifo_that_nobody_reads(fsieve):
    os.mkfifo(fsieve.folder / "made.csv")
    before = fsieve.files()
    process = fsieve.start("generate", "s1", "--rows", 1000, "-o", "made.csv")
    wait_until_it_waits(process)
    interrupt(fsieve, process, before)


def test_a_reader_that_reads_nothing(fsieve):
    fsieve("generate", "s1", "--rows", 20000, "-o", "s.csv", "-q")
    fsieve("reduce", "s.csv", "--save", "r.json", "--stages", 1, "-q")
    process = fsieve.start("apply", "r.json", "s.csv", "-q")
    wait_until_it_waits(process)  # the pipe is full
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=BOUND) == 130
    process.stdout.close()
    assert process.stderr.read() == b"fsieve: error: interrupted\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_leaves_nothing_either(fsieve, number):
    process = fsieve.start("generate", "s1", "--rows", 2_000_000_000, "-o", "big.csv")
    wait_for(fsieve.files)  # the temporary file
    process.send_signal(number)
    process.send_signal(number)
    out, err = process.communicate(timeout=BOUND)
    assert process.returncode == 130
    assert out == b"" and err == b"fsieve: error: interrupted\n"
    assert fsieve.files() == []
