"""The tables: files of a folder, or made-up ones of the same shape where there are none."""

import gzip

import numpy as np

from common.sets import from_file

# rows, columns, classes
SHAPES = {
    "COIL20": (1440, 1024, 20), "Isolet": (1560, 617, 26), "USPS": (9298, 256, 10), "madelon": (2600, 500, 2),
    "musk1": (476, 166, 2), "ALLAML": (72, 7129, 2), "arcene": (200, 10_000, 2), "Prostate-GE": (102, 5966, 2),
}


def look_alike(name):
    """Columns that follow hidden factors and the class, with noise."""
    rows, columns, classes = SHAPES[name]
    rng = np.random.default_rng(sum(map(ord, name)))
    y = np.arange(rows) % classes
    factors = rng.normal(size=(rows, max(4, min(rows, columns) // 8))) + rng.normal(size=(classes, 1))[y]
    X = factors @ rng.normal(size=(factors.shape[1], columns)) + 2 * rng.normal(size=(rows, columns))
    return X + 0.5 * rng.normal(size=(classes, columns))[y], y


def load(name, folder):
    """Standardised columns in column order, classes, and what to call the table."""
    there = folder and (folder / f"{name}.csv.gz").exists()
    X, y = from_file(folder, name, label_of(folder, name)) if there else look_alike(name)
    X = X[:, X.std(0) > 0]
    return np.asfortranarray((X - X.mean(0)) / X.std(0)), y, name if there else f"{name}*"


def label_of(folder, name):
    """The column "label", else the last one."""
    with gzip.open(folder / f"{name}.csv.gz", "rt", encoding="utf-8") as file:
        names = [word.strip('"') for word in file.readline().rstrip("\n").split(",")]
    return "label" if "label" in names else names[-1]


def names(folder, every):
    """The tables for `reduce`: the eight, or every set of the folder."""
    files = sorted(folder.glob("*.csv.gz")) if folder and every else []
    return [file.name.split(".")[0] for file in files] or list(SHAPES)
