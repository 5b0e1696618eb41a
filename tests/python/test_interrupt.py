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

# Says when a fit is under way; the signals come from outside.
SCRIPT = """
import numpy as np
from fsieve import {imports}

rng = np.random.default_rng(0)
{data}
estimator = {estimator}

for attempt in range(2):
    said = []
    def show(what, done, total):
        if not said:
            print("fitting", flush=True)
        said.append(what)
    estimator._watched = lambda work, label=None: work(show)
    outcome = "finished"
    try:
        try:
            estimator.fit({fitted})
        except KeyboardInterrupt:
            outcome = "interrupted"
    except KeyboardInterrupt:  # a second one, when the first was answered already
        outcome = "interrupted"
    print(outcome, flush=True)
del estimator._watched
estimator.set_params(**{small_parameters})
estimator.fit({small})
print("usable", flush=True)
"""

# Each takes minutes.
NUMBERS = "x = rng.normal(size=(5000, 100)); y = (rng.random(5000) < 0.5).astype(int)"
SIGNS = "x = np.where(rng.random((20000, 200)) < 0.5, -1.0, 1.0); y = (rng.random(20000) < 0.5).astype(int)"
WORK = {
    "gram": ("UFFS", NUMBERS, 'UFFS(stages="3", engine="gram")', "x", {"stages": "1"}),
    "sample": ("UFFS", NUMBERS, 'UFFS(stages="3", engine="sample")', "x", {"stages": "1"}),
    "gfs": ("GFS", NUMBERS, 'GFS(family="polynomial:4")', "x", {"family": "multilinear:1"}),
    "scan": ("SFFS", NUMBERS, "SFFS(k=5, depth=4)", "x, y", {"depth": 1}),
    "permutations": ("SFFS", NUMBERS, "SFFS(k=5, permutations=1000000)", "x, y", {"permutations": 0}),
    "union": ("SFFS", NUMBERS, 'SFFS(k=5, depth=4, search="union", reduce="none")', "x, y", {"depth": 1}),
    "junta": ("JuntaClassifier", SIGNS, "JuntaClassifier(k=6)", "x, y", {"k": 1}),
}


def small(fitted):
    return ", ".join(f"{name}[:200]" for name in fitted.split(", "))


@pytest.mark.parametrize("what", WORK)
def test_ctrl_c(what):
    """Pressed twice, in two fits one after the other."""
    imports, data, estimator, fitted, parameters = WORK[what]
    script = SCRIPT.format(
        imports=imports, data=data, estimator=estimator, fitted=fitted, small=small(fitted),
        small_parameters=parameters,
    )  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(BUILD / "python")}
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        for _ in range(2):
            assert process.stdout.readline() == "fitting\n"
            sent = time.monotonic()
            for _ in range(2):
                process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "interrupted\n"
            assert time.monotonic() - sent < BOUND
        assert process.stdout.readline() == "usable\n"
        assert process.wait(timeout=60) == 0


def test_what_progress_raises_is_raised():
    table = _core.Table()
    table.add_numbers([f"x{j}" for j in range(100)], np.random.default_rng(0).normal(size=(5000, 100)))

    def show(what, done, total):
        raise RuntimeError(what)

    with pytest.raises(RuntimeError):
        _core.run(table, "reduce", {"stages": "3"}, np.empty(0), show)
