"""What is around the methods: the order of arrays in Python, and starting the program."""

import os
import resource
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from common.program import PROGRAM
from fsieve import SFFS, UFFS
from rivals.row import Row, best

START = 0.020


def orders(quick):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50_000 if quick else 400_000, 50))
    y = X[:, 0] * X[:, 1] + rng.normal(size=len(X)) > 0
    for name, fit in (("UFFS, depth 1", lambda Z: UFFS(stages="1", sample="all", n_jobs=1).fit(Z)),
                      ("forward search, depth 1, k = 5", lambda Z: SFFS(5, depth=1, folds=0, sample="all", n_jobs=1).fit(Z, y))):
        columns = np.asfortranarray(X)
        (ours, by_rows), (theirs, by_columns) = best(lambda: fit(X), lambda: fit(columns), runs=3)  # noqa: B023
        right = (by_rows.get_support() == by_columns.get_support()).all()
        yield Row(f"{name}, rows in order (C)", f"{len(X)} × {X.shape[1]}", ours, "columns in order (F)", theirs, 1.2,
                  "the same features" if right else "DIFFER: other features")


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def starting():
    env = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}  # as users start it
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.csv"
        table.write_text("a,b,c\n" + "".join(f"{k},{k * k % 7},{k % 3}\n" for k in range(30)))
        for words in (["--version"], ["reduce", str(table), "--quiet", "--threads", "1"]):
            times = []
            for _ in range(9):
                before = children()
                subprocess.run([PROGRAM, *words], check=True, capture_output=True, env=env)
                times.append(children() - before)
            name = words[0] if len(words) == 1 else f"{words[0]} of 30 rows"
            yield Row("starting", f"`fsieve {name}`", min(times), f"{1000 * START:.0f} ms", START, 1, "it ran")


def rows(quick):
    yield from orders(quick)
    yield from starting()
