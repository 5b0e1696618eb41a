"""Runs one method of one peer, in the peer's own environment.

    python -I runner.py PEER.py METHOD DATA.npz

DATA holds X, y (classes 0, 1, ...) and k. PEER.py has METHODS, functions of (X, y, k) that give the
positions of features, best first. Prints one JSON object: ranking, seconds (wall clock and CPU of the
call alone, not of reading or importing) and versions, or error.
"""

import importlib.metadata
import importlib.util
import json
import os
import random
import sys
import time
import warnings

for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR"):  # one thread for everyone
    os.environ[f"{library}_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402


def main():
    path, method, data = sys.argv[1:]
    warnings.simplefilter("ignore")
    spec = importlib.util.spec_from_file_location("peer", path)
    peer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(peer)
    with np.load(data) as loaded:
        X, y, k = loaded["X"], loaded["y"], int(loaded["k"])
    random.seed(0)
    np.random.seed(0)
    wall, cpu = time.perf_counter(), time.process_time()
    ranking = peer.METHODS[method](X, y, k)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    if cpu < 0.05:  # a few ticks of its clock
        cpu = wall
    ranking = [int(j) for j in ranking][:k]
    if len(set(ranking)) != len(ranking):
        raise ValueError("the ranking names a feature twice")
    versions = {name: importlib.metadata.version(name) for name in peer.PACKAGES}
    return {"ranking": ranking, "seconds": wall, "cpu_seconds": cpu, "versions": versions}


if __name__ == "__main__":
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a peer prints is not the answer
    try:
        answer = main()
    except Exception as problem:  # noqa: BLE001 - whatever a peer throws is its answer
        first = (str(problem).strip().splitlines() or [""])[0]
        answer = {"error": f"{type(problem).__name__}: {first}"}
    out.write(json.dumps(answer))
    out.close()
