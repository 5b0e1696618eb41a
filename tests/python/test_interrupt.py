"""Ctrl-C ends long work with KeyboardInterrupt, and the estimator can be used again."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from places import BUILD

from fsieve import _core

BOUND = 5  # seconds from a Ctrl-C to its answer

# Says when a step of the work is under way; the signals come from outside.
SCRIPT = """
import time
import warnings
import numpy as np
from fsieve import GFA, GFS, SFFS, UFFS, JuntaClassifier

warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
{data}
y = (rng.random(len(x)) < 0.5).astype(int)
estimator = {estimator}

for attempt in range(2):
    said, first = set(), {{}}
    def show(what, done, total):
        now = time.monotonic()
        if now - first.setdefault(what, now) >= {seconds_into} and what not in said:
            print(what, flush=True)
            said.add(what)
    estimator._watched = lambda work, label=None: work(show)
    outcome = "finished"
    try:
        try:
            {work}
        except KeyboardInterrupt:
            outcome = "interrupted"
    except KeyboardInterrupt:  # a second one, when the first was answered already
        outcome = "interrupted"
    print(outcome, flush=True)
del estimator._watched
estimator.set_params(**{small_parameters})
estimator.fit(x[:200, :5], y[:200])
print("usable", flush=True)
"""

NUMBERS = "x = rng.normal(size=(5000, 100))"
LONG = "x = rng.normal(size=(20000, 100))"
WIDE = "x = rng.normal(size=(200, 10000))"
SIGNS = "x = np.where(rng.random((20000, 200)) < 0.5, -1.0, 1.0)"
FEWER_SIGNS = "x = np.where(rng.random((20000, 100)) < 0.5, -1.0, 1.0)"
LEVELS = "x = np.floor(5 * rng.random((5000, 100)))"
CATEGORIES = "x = rng.integers(0, 40, size=(20000, 60))"
UNION = 'search="union", reduce="none", folds=0'

# The step that is interrupted, which lasts seconds; the data, the estimator, and what makes it quick.
WORK = {
    "gram": ("inner products", NUMBERS, 'UFFS(stages="3", engine="gram")', {"stages": "1"}),
    "sample": ("orthogonalising", NUMBERS, 'UFFS(stages="3", engine="sample")', {"stages": "1"}),
    "relations": ("rows to look for relations on", WIDE, 'UFFS(stages="1")', {}),
    "clusters": ("rows to look for relations on", WIDE, "UFFS(clusters=0.3)", {}),
    "equations": ("equations", WIDE, 'GFS(family="polynomial:3", engine="sample")', {}),
    "gfs": ("inner products", NUMBERS, 'GFS(family="polynomial:4")', {"family": "multilinear:1"}),
    "gfa": ("inner products", NUMBERS, 'GFA(family="multilinear:3")', {"family": "multilinear:1"}),
    "scan": ("searching", SIGNS, "SFFS(k=40, depth=3, folds=0)", {"k": 1}),
    "curves": ("searching", LONG, "SFFS(k=40, folds=0)", {"k": 1}),
    "auto": ("cross-validating", LONG, "SFFS()", {"k": 1}),
    "stability": ("choosing from half-samples", NUMBERS, "SFFS(k=3, stability=1000, folds=0)", {"stability": 2}),
    "permutations": ("searching", NUMBERS, "SFFS(k=5, permutations=1000000, folds=0)", {"permutations": 0}),
    "beam": ("searching", LONG, 'SFFS(k=30, search="beam:20", folds=0)', {"k": 1}),
    "union": ("subsets", NUMBERS, f"SFFS(k=5, depth=4, {UNION})", {"depth": 1}),
    "union, cells": ("subsets", LEVELS, f"SFFS(k=5, depth=4, {UNION})", {"depth": 1}),
    "union, l2": ("subsets", LONG, f'SFFS(k=5, depth=3, score="l2", {UNION})', {"depth": 1}),
    "junta": ("subsets", SIGNS, "JuntaClassifier(k=6)", {"k": 1}),
    "junta, erm": ("subsets", SIGNS, 'JuntaClassifier(k=5, learner="erm")', {"k": 1}),
    "junta, beam": ("steps", SIGNS, 'JuntaClassifier(k=6, search="beam:20000")', {"k": 1}),
    "junta, permutations": ("shuffles", SIGNS, "JuntaClassifier(k=2, permutations=100000)", {"permutations": 0}),
    "junta, low degree": ("coefficients", FEWER_SIGNS, 'JuntaClassifier(k=3, learner="low-degree")', {"k": 1}),
}  # fmt: skip


def interrupted(step, data, estimator, small_parameters, work="estimator.fit(x, y)", seconds_into=0):
    """Pressed twice within the step, in two runs of it one after the other."""
    script = SCRIPT.format(
        data=data, estimator=estimator, work=work, small_parameters=small_parameters, seconds_into=seconds_into,
    )  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(BUILD / "python")}
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        for _ in range(2):
            while (said := process.stdout.readline()) != step + "\n":
                assert said not in ("", "finished\n")
            sent = time.monotonic()
            for _ in range(2):
                process.send_signal(signal.SIGINT)
            while (said := process.stdout.readline()) != "interrupted\n":
                assert said not in ("", "finished\n")
            assert time.monotonic() - sent < BOUND
        assert process.stdout.readline() == "usable\n"
        assert process.wait(timeout=60) == 0


@pytest.mark.parametrize("what", WORK)
def test_ctrl_c(what):
    interrupted(*WORK[what])


def test_ctrl_c_while_categories_are_judged():
    """Of 40 levels each: two of them have 1600 functions."""
    interrupted("cross-validating", CATEGORIES, 'SFFS(categorical=["*"])', {"k": 1}, seconds_into=4)


def test_ctrl_c_while_predicting():
    data = "x = np.where(rng.random((2000, 8)) < 0.5, -1, 1).astype(np.int8)"
    estimator = "JuntaClassifier(k=6).fit(x, y); many = np.tile(x, (5000, 1))"
    interrupted("predicting", data, estimator, {"k": 1}, "estimator.predict(many)")


def test_ctrl_c_while_a_chunk_is_added():
    interrupted("inner products", NUMBERS, 'UFFS(stages="2")', {"stages": "1"}, "estimator.partial_fit(x)")


def test_what_progress_raises_is_raised():
    table = _core.Table()
    table.add_numbers([f"x{j}" for j in range(100)], np.random.default_rng(0).normal(size=(5000, 100)))

    def show(what, done, total):
        raise RuntimeError(what)

    with pytest.raises(RuntimeError):
        _core.run(table, "reduce", {"stages": "3"}, np.empty(0), show)
