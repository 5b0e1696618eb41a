"""Long tables: processor time of the methods in units of reading the file, and their peak memory.

Reading is `reduce --stages 1 --no-equations` on the same file. Times are user and system time of all threads, so
that other work on the machine matters little.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("FSIEVE") or ROOT / "build" / "release" / "fsieve"

# Command, and the most that it may take: times reading (of 10^6 x 50), None where there is no promise.
COMMANDS = {
    "reading": (["reduce", "--stages", "1", "--no-equations"], None),
    "reduce": (["reduce"], 6),
    "gfs": (["reduce", "--method", "gfs", "-k", "10"], None),
    "gfa": (["reduce", "--method", "gfa", "-k", "10"], None),
    "learn": (["learn", "-k", "2"], None),
    "select": (["select", "-k", "10", "--depth", "2"], 12),
    "union": (["select", "-k", "4", "--search", "union", "--folds", "0"], None),
}
MOST_MEMORY = 1024  # MiB, from a file


def write_table(path, rows, columns):
    """Normal columns, a two-valued one and one of few values; ten of them decide the label y."""
    random = np.random.default_rng(rows)
    names = [*(f"x{j}" for j in range(columns)), "y"]
    schema = pa.schema([(name, pa.float64()) for name in names])
    with parquet.ParquetWriter(path, schema) as writer:
        for first in range(0, rows, 50_000):
            part = min(50_000, rows - first)
            x = random.normal(size=(part, columns))
            x[:, 10] = x[:, 10] > 0.3
            x[:, 11] = np.floor(2 * x[:, 11])
            signal = x[:, :10] @ [1, 0.8, -0.6, 0, 0, 0, 0.3, 0.3, 0.25, 0] + 1.2 * x[:, 3] * x[:, 4]
            signal += 0.5 * x[:, 10] + 0.4 * (x[:, 5] ** 2 - 1) + random.normal(size=part)
            table = np.column_stack([x, signal > 0])
            writer.write_table(pa.table([pa.array(column) for column in table.T.copy()], schema=schema))


def measured(command):
    """Processor time in seconds and peak memory in MiB."""
    with open(os.devnull, "wb") as nowhere:
        process = subprocess.Popen(command, stdout=nowhere, stderr=nowhere)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000])
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--commands", nargs="+", choices=COMMANDS, default=list(COMMANDS))
    parser.add_argument("--from-file", action="store_true", help="never hold the table: --memory 64M, and check the peak")
    parser.add_argument("--keep", type=Path, help="folder for the tables, used again if they are there")
    arguments = parser.parse_args()
    folder = arguments.keep or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    wrong = []
    print("| rows × columns | command | processor time | times reading | peak memory |\n|---|---|---|---|---|")
    for rows in arguments.rows:
        path = folder / f"{rows}x{arguments.columns}.parquet"
        if not path.exists():
            write_table(path, rows, arguments.columns)
        memory = ["--memory", "64M"] if arguments.from_file else []
        reading = None
        for name in dict.fromkeys(["reading", *arguments.commands]):
            words, most = COMMANDS[name]
            seconds, peak = measured(
                [PROGRAM, words[0], path, *words[1:], "--label", "y", "--json", "-q", *memory])
            reading = reading or seconds
            print(f"| {rows} × {arguments.columns} | {name} | {seconds:.1f} s | {seconds / reading:.1f} "
                  f"| {peak:.0f} MiB |", flush=True)
            if most and rows <= 1_000_000 and seconds > most * reading:
                wrong.append(f"{name}: {seconds / reading:.1f} times reading, more than {most}")
            if arguments.from_file and peak > MOST_MEMORY:
                wrong.append(f"{name}: {peak:.0f} MiB, more than {MOST_MEMORY}")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
