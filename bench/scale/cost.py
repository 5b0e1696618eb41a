"""The cost model of docs/scale.md beside what Dask takes: processor time of all workers, and bytes between them.

Rates come from one partition in this process: reading (the question `moments`) and multiply-adds (`parity gram`). The model
then says what all partitions cost on any number of workers, with what Dask takes for each of its tasks. Processor time, less what idle workers take in the same time, since
other work on the machine matters little to it. Needs a build of the package (tools/build release fsieve_python).
"""

import argparse
import os
import sys
import time
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = str(ROOT / "build" / "release" / "python")
TRIMMED = {"MALLOC_TRIM_THRESHOLD_": "65536"}  # workers of Dask give memory back at once: rates are taken so too
if not TRIMMED.items() <= os.environ.items():
    os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | TRIMMED)
sys.path.insert(0, PACKAGE)

import dask  # noqa: E402
import dask.array as da  # noqa: E402
import distributed  # noqa: E402
import numpy as np  # noqa: E402

import fsieve.dask as on_dask  # noqa: E402
from fsieve import _partitions  # noqa: E402

METHOD = {"stages": "1", "order": "input", "equations": False, "sample": "all", "n_jobs": 1}


def block(rows, columns, seed=0):
    return np.random.default_rng(seed).normal(size=(rows, columns))


def questions_of(values):
    """All questions of a fit, as partitions are asked."""
    asked = []
    merge = _partitions.Question.answer

    def answer(question, part, *rows):
        asked.append(question)
        return merge(question, part, *rows)

    _partitions.Question.answer = answer
    try:
        with dask.config.set(scheduler="synchronous"):
            fitted = on_dask.UFFS(**METHOD).fit(da.from_array(values, chunks=values.shape))
    finally:
        _partitions.Question.answer = merge
    return asked, fitted


def seconds(work, repeats=5):
    """Processor time of one call: the median."""
    taken = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return float(np.median(taken))


def rates(columns, rows):
    """Seconds per row and question, multiply-adds per second of the products, and bytes read per second."""
    values = block(rows, columns)
    asked, _ = questions_of(values)
    per_row = [(_partitions._name(q.asked), seconds(lambda q=q: q.answer(0, values)) / rows) for q in asked]
    reading = dict(per_row)["moments"]
    products = max(taken for name, taken in per_row if name == "parity gram") - reading
    return per_row, columns * (columns + 1) / 2 / products, columns * 8 / reading


def processor_time(client):
    return sum(client.run(time.process_time).values())


def received(client):
    def log(dask_worker):
        return sum(entry["total"] for entry in dask_worker.transfer_incoming_log)

    return sum(client.run(log).values())


def nothing(part):
    return b""


def time_of_a_task(client, X, idle, times=5):
    """What Dask takes for a task that does nothing with a partition."""
    before, start = processor_time(client), time.monotonic()
    for _ in range(times):
        dask.compute(*[dask.delayed(nothing)(part) for part in np.ravel(X.to_delayed())])
    wall = time.monotonic() - start
    return max(processor_time(client) - before - idle * wall, 0) / (times * X.npartitions)


def measured(workers, rows, columns, parts):
    os.environ["PYTHONPATH"] = PACKAGE
    cluster = distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        numbered = da.arange(parts, chunks=1)
        X = numbered.map_blocks(
            lambda part: block(rows // parts, columns, int(part[0])),
            chunks=((rows // parts,) * parts, (columns,)),
            new_axis=1,
            dtype=float,
        ).persist()
        distributed.wait(X)
        on_dask.UFFS(**METHOD).fit(X)  # what is imported once
        idle = processor_time(client)
        time.sleep(4)
        idle = (processor_time(client) - idle) / 4
        task = time_of_a_task(client, X, idle)
        time_before, bytes_before = processor_time(client), received(client)
        start = time.monotonic()
        fitted = on_dask.UFFS(**METHOD).fit(X)
        wall = time.monotonic() - start
        taken = processor_time(client) - time_before - idle * wall
        return taken, received(client) - bytes_before, wall, task, fitted.wire_


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[200_000, 800_000])
    parser.add_argument("--workers", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--columns", type=int, default=120)
    parser.add_argument("--parts", type=int, default=16)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    _partitions.MOST_GATHERED = 0
    print("| rows × columns | workers | processor time, measured / model | bytes, measured / at most | wall |")
    print("|---|---|---|---|---|")
    speeds = []
    for rows in arguments.rows:
        per_row, products, reading = rates(arguments.columns, rows // arguments.parts)
        speeds.append(f"{products:.1e} multiply-adds, {reading / 1e9:.2f} GB read, in partitions of {rows // arguments.parts} rows")
        for workers in arguments.workers:
            taken, moved, wall, task, wire = measured(workers, rows, arguments.columns, arguments.parts)
            tasks = len(per_row) * (arguments.parts + -(-arguments.parts // _partitions.FAN) + 1)
            model = rows * sum(cost for _, cost in per_row) + tasks * task
            most = 8 / 7 * arguments.parts * sum(entry["answer"] for entry in wire)
            most += workers * sum(entry["asked"] for entry in wire)
            print(
                f"| {rows} × {arguments.columns} | {workers} | {taken:.2f} s / {model:.2f} s "
                f"| {moved / 1e6:.2f} MB / {most / 1e6:.2f} MB | {wall:.2f} s |",
                flush=True,
            )
    print("\nper second and core: " + "; ".join(speeds))


if __name__ == "__main__":
    main()
