"""The time from SIGINT to KeyboardInterrupt, for every estimator of the Python package on large data: nothing but the
work itself can end it there. The tables are those of cases.py."""

import os
import random
import signal
import statistics
import subprocess
import sys
import time

SCRIPT = """
import numpy as np
from fsieve import *

table = np.load({table!r})[:{rows}]
x, y = table[:, :-1], table[:, -1]
estimator = {estimator}
print("fitting", flush=True)
try:
    estimator.fit(x, y)
    print("finished", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""

ALL = 10**9
UNION = 'search="union", reduce="none"'
FITS = {
    "UFFS, gram": ("numbers.npy", ALL, 'UFFS(stages="3:60", engine="gram")'),
    "UFFS, sample": ("numbers.npy", 5000, 'UFFS(stages="3:60", engine="sample")'),
    "UFFS, signs": ("signs.npy", ALL, 'UFFS(stages="3:50")'),
    "UFFS, equations": ("dependent.npy", ALL, 'UFFS(stages="3", epsilon=0.3)'),
    "UFFS, wide": ("wide.npy", ALL, 'UFFS(stages="1,2:40")'),
    "UFFS, long": ("long.npy", ALL, 'UFFS(stages="2")'),
    "GFS, gram": ("dependent.npy", ALL, 'GFS(family="polynomial:3", engine="gram")'),
    "GFS, sample": ("dependent.npy", ALL, 'GFS(family="polynomial:3", engine="sample")'),
    "GFA": ("numbers.npy", ALL, 'GFA(family="multilinear:3")'),
    "SFFS, wide": ("wide.npy", ALL, "SFFS(k=3)"),
    "SFFS, long": ("long.npy", ALL, "SFFS(k=20)"),
    "SFFS, triples": ("numbers.npy", 3000, "SFFS(k=10, depth=3)"),
    "SFFS, signs": ("signs.npy", ALL, "SFFS(k=40, depth=3)"),
    "SFFS, permutations": ("middle.npy", ALL, "SFFS(k=3, permutations=3000)"),
    "SFFS, beam": ("numbers.npy", ALL, 'SFFS(k=30, search="beam:10")'),
    "SFFS, union, pairs": ("numbers.npy", ALL, f"SFFS(k=5, {UNION})"),
    "SFFS, union, triples": ("numbers.npy", ALL, f"SFFS(k=5, depth=3, {UNION})"),
    "SFFS, union, three classes": ("three.npy", ALL, f"SFFS(k=5, {UNION})"),
    "SFFS, union, cells": ("levels.npy", ALL, f"SFFS(k=5, depth=3, {UNION})"),
    "SFFS, union, signs": ("signs.npy", ALL, f"SFFS(k=5, depth=4, {UNION})"),
    "SFFS, union, l2": ("numbers.npy", ALL, f'SFFS(k=5, depth=3, score="l2", {UNION})'),
    "Junta, exhaustive": ("signs.npy", ALL, "JuntaClassifier(k=4)"),
    "Junta, correlated": ("signs.npy", ALL, 'JuntaClassifier(k=4, basis="correlated")'),
    "Junta, beam": ("signs.npy", ALL, 'JuntaClassifier(k=6, search="beam:2000")'),
    "Junta, low-degree": ("signs.npy", ALL, 'JuntaClassifier(k=2, learner="low-degree")'),
}


def interrupted_after(package, folder, fit, delay):
    """Seconds from the signal to the answer; none where the fit was done before."""
    table, rows, estimator = fit
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT.format(table=table, rows=rows, estimator=estimator)],
        cwd=folder, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(package)},
    ) as process:  # fmt: skip
        assert process.stdout.readline() == "fitting\n"
        time.sleep(delay)
        sent = time.perf_counter()
        process.send_signal(signal.SIGINT)
        answer = process.stdout.readline()
        return time.perf_counter() - sent if answer == "interrupted\n" else None


def measure(package, folder, wanted, moments, latest):
    """Prints a line per estimator; the longest time of all."""
    worst = 0.0
    for name, fit in FITS.items():
        if not wanted(name):
            continue
        times, limit = [], latest
        while len(times) < moments and limit > 0.05:
            took = interrupted_after(package, folder, fit, random.uniform(0.02, limit))
            if took is None:
                limit *= 0.7
            else:
                times.append(took)
        if not times:
            print(f"{name:36} too quick to be interrupted", flush=True)
            continue
        print(f"{name:36} {statistics.median(times):7.3f} {max(times):7.3f}", flush=True)
        worst = max(worst, *times)
    return worst
