"""The data sets: files of a folder, as arrays; and the synthetic ones, from fsieve generate."""

import functools
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from common.program import ROOT, fsieve

FOLDER = ROOT.parent / "shared" / "data"
SYNTHETIC = ("S1", "S2", "S3", "E1", "E2")
COVERTYPE_ROWS = 581


def codes(column):
    """Numbers as they are, missing ones as the mean; categories as their position in byte order."""
    numbers = pd.to_numeric(column.replace("?", np.nan), errors="coerce")
    if numbers.notna().mean() > 0.9:
        return numbers.fillna(numbers.mean()).to_numpy(float)
    return np.unique(column.astype(str), return_inverse=True)[1].astype(float)


def from_file(folder, name, label="label"):
    path = Path(folder) / f"{name}.csv.gz"
    if not path.exists():
        raise FileNotFoundError(f"{path} is not there")
    frame = pd.read_csv(path)
    y = np.unique(frame[label], return_inverse=True)[1]
    return np.column_stack([codes(frame[c]) for c in frame.columns if c != label]), y


def synthetic(kind, draw, rows=1000):
    """A set of the papers: X, y and the names of the informative features' positions."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "set.npy"
        fsieve("generate", kind.lower(), "--rows", rows, "--seed", draw, "-o", path)
        table = np.load(path)
    return table[:, :-1], np.unique(table[:, -1], return_inverse=True)[1]


@functools.lru_cache(maxsize=2)
def load(name, draw=0, folder=FOLDER):
    """X (constant columns left out) and y (0, 1, ...) of a set by the papers' name for it."""
    if name in SYNTHETIC:
        X, y = synthetic(name, draw)
    elif name == "Covertype":  # the papers have 581 of 581 012 rows and do not say which
        X, y = from_file(folder, "covtype_93k")
        rows = np.random.default_rng(0).permutation(len(y))[:COVERTYPE_ROWS]
        X, y = X[rows], np.unique(y[rows], return_inverse=True)[1]
    elif name == "USPS train":
        X, y = from_file(folder, "USPS")
        X, y = X[:7291], y[:7291]
    elif name in ("CA", "crx"):
        X, y = from_file(folder, "crx", label="A16")
    else:
        X, y = from_file(folder, {"Musk": "musk1", "Australian": "australian"}.get(name, name))
    return X[:, X.std(0) > 0], y


def sampled(X, y, rows):
    """At most this many rows, drawn with a fixed seed."""
    if len(y) <= rows:
        return X, y
    some = np.random.default_rng(0).permutation(len(y))[:rows]
    return X[some], y[some]
