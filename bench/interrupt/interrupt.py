"""The time from SIGINT to the end of the program, for every command and method on large data.

Each command is started several times and interrupted at random moments. It must end with code 130, one line on
standard error, and the folder as it was. Prints the median and the longest time; ends with an error where one is
above the bound."""

import argparse
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import fits
from cases import CASES, make_tables

ROOT = Path(__file__).resolve().parents[2]
BOUND = 0.5  # seconds


class Wrong(Exception):
    pass


def listing(folder):
    return sorted(path.name for path in folder.iterdir())


def interrupted_after(program, folder, command, delay):
    """Seconds from the signal to the end; none where the command was done before, or had not begun."""
    before = listing(folder)
    process = subprocess.Popen(
        [program, *command],
        cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    time.sleep(delay)
    sent = time.perf_counter()
    process.send_signal(signal.SIGINT)
    process.wait()
    took = time.perf_counter() - sent
    said = process.stderr.read().decode()
    process.stdin.close()
    if process.returncode == -signal.SIGINT:  # the program was still being loaded
        return None
    if process.returncode == 0:
        for name in set(listing(folder)) - set(before):
            (folder / name).unlink()
        return None
    if process.returncode != 130 or not said.endswith("fsieve: error: interrupted\n"):
        raise Wrong(f"code {process.returncode}, said {said!r}")
    if listing(folder) != before:
        raise Wrong(f"left behind: {set(listing(folder)) - set(before)}")
    return took


def times_of(program, folder, command, moments, latest):
    times = []
    while len(times) < moments and latest > 0.05:
        took = interrupted_after(program, folder, command, random.uniform(0.02, latest))
        if took is None:
            latest *= 0.9  # a quick machine
        else:
            times.append(took)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=ROOT / "build" / "release" / "fsieve")
    parser.add_argument("--folder", default=ROOT / "build" / "interrupt", help="for the tables, about 2 GB")
    parser.add_argument("--moments", type=int, default=5, help="per command")
    parser.add_argument("--latest", type=float, default=4.0, help="seconds after the start")
    parser.add_argument("--only", default="", help="a regular expression of names")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    folder = Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "fifo").exists():
        os.mkfifo(folder / "fifo")
    make_tables(folder, lambda *command: subprocess.run(
        [program, *command], cwd=folder, check=True, stdout=subprocess.DEVNULL
    ))
    random.seed(options.seed)
    worst = 0.0
    faults = 0
    print(f"{'':36} {'median':>7} {'longest':>7}   seconds from SIGINT to the end")
    for name, command in CASES.items():
        if not re.search(options.only, name):
            continue
        try:
            times = times_of(program, folder, command, options.moments, options.latest)
        except Wrong as wrong:
            print(f"{name:36} WRONG: {wrong}", flush=True)
            faults += 1
            continue
        if not times:
            print(f"{name:36} too quick to be interrupted", flush=True)
            continue
        print(f"{name:36} {statistics.median(times):7.3f} {max(times):7.3f}", flush=True)
        worst = max(worst, *times)
    print("the Python package")
    package = Path(program).parent / "python"
    worst = max(worst, fits.measure(package, folder, lambda name: re.search(options.only, name), options.moments, options.latest))
    print(f"{'longest of all':36} {'':7} {worst:7.3f}")
    sys.exit(faults > 0 or worst > BOUND)


if __name__ == "__main__":
    main()
