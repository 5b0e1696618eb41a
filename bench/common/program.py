"""Runs fsieve on arrays, as a user runs it: a file, a command line, JSON."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("FSIEVE") or str(ROOT / "build" / "release" / "fsieve")


class Failed(RuntimeError):
    """The last line that the program had to say."""


class TimedOut(RuntimeError):
    """The program took longer than it was given."""


def fsieve(*arguments, timeout=None):
    """The JSON object that the program prints."""
    command = [PROGRAM, *map(str, arguments), "--json", "--quiet"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired as late:
        raise TimedOut(f"more than {timeout} s") from late
    if done.returncode:
        raise Failed(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no reason given")
    return json.loads(done.stdout)


def on_arrays(command, X, y=None, *options, timeout=None):
    """fsieve COMMAND on the columns of X (named x1, x2, ...), with y as the label."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.npy"
        np.save(path, X if y is None else np.column_stack([X, y]))
        label = [] if y is None else ["--label", f"x{X.shape[1] + 1}"]
        return fsieve(command, path, *label, *options, timeout=timeout)


def chosen(result):
    """Positions of the selected features, best first."""
    return [feature["index"] for feature in result["selected"]]


def version():
    done = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[0].split()[-1]
