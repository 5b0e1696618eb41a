"""What the benchmark interrupts: tables that make every command and method last, and the commands."""

import numpy as np


def saved(path, columns):
    np.save(path, np.asfortranarray(columns))


def normals(rows, columns, seed=1):
    return np.random.default_rng(seed).standard_normal((rows, columns))


def signs(rows, columns, seed=2):
    return np.where(np.random.default_rng(seed).random((rows, columns)) < 0.5, -1.0, 1.0)


def with_label(values, classes=2, seed=3):
    """The last column: classes that no feature tells, so that searches go on to the end."""
    label = np.random.default_rng(seed).integers(0, classes, len(values))
    return np.column_stack([values, label])


def dependent(rows, free, functions, seed=4):
    """Normal columns, and sums of products of three of them."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((rows, free))
    made = [
        sum(np.prod(x[:, rng.choice(free, 3, replace=False)], axis=1) for _ in range(6))
        for _ in range(functions)
    ]
    return np.column_stack([x, *made])


# x1, x2, …: a NumPy array has no names. The label is the last column.
TABLES = {
    "wide.npy": lambda: with_label(normals(200, 50_000)),
    "middle.npy": lambda: with_label(normals(200, 3000)),
    "long.npy": lambda: with_label(normals(1_000_000, 50)),
    "numbers.npy": lambda: with_label(normals(20_000, 300)),
    "three.npy": lambda: with_label(normals(20_000, 300), classes=3),
    "regression.npy": lambda: normals(20_000, 301),
    "signs.npy": lambda: with_label(signs(20_000, 500)),
    "levels.npy": lambda: with_label(np.floor(5 * np.random.default_rng(5).random((20_000, 200)))),
    "dependent.npy": lambda: dependent(20_000, 45, 30),
}
LABELS = {"wide.npy": "x50001", "middle.npy": "x3001", "long.npy": "x51", "signs.npy": "x501", "levels.npy": "x201"}


def make_tables(folder, fsieve):
    """Writes what is not there yet."""
    for name, make in TABLES.items():
        if not (folder / name).exists():
            saved(folder / name, make())
    for name, rows in {"rows.csv": 1_000_000, "rows.csv.gz": 300_000, "rows.parquet": 1_000_000}.items():
        if not (folder / name).exists():
            fsieve("generate", "s1", "--rows", str(rows), "-o", name, "-q")
    if not (folder / "model.json").exists():
        fsieve("learn", "signs.npy", "--label", "x501", "-k", "2", "--rows", "1:2000", "-o", "model.json", "-q")
    (folder / "states").mkdir(exist_ok=True)  # what a search that was interrupted leaves, to go on from
    if not (folder / "selected.json").exists():
        fsieve("select", "wide.npy", "--label", "x50001", "-k", "1", "--folds", "0", "--save", "selected.json", "-q")
    if not (folder / "result.json").exists():
        fsieve("reduce", "rows.csv", "--rows", "1:2000", "--save", "result.json", "-q")


def reduce(table, *more):
    return ["reduce", table, *more]


def select(table, *more):
    once = [] if "--folds" in more else ["--folds", "0"]  # the search itself, not its estimate
    return ["select", table, "--label", LABELS.get(table, "x301"), *once, *more]


def learn(*more, table="signs.npy"):
    return ["learn", table, "--label", LABELS[table], *more]


# Name, command; a name that begins with "waits" gets a pipe that gives nothing.
CASES = {
    "read csv": reduce("rows.csv", "--stages", "1"),
    "read csv.gz": reduce("rows.csv.gz", "--stages", "1"),
    "read parquet": reduce("rows.parquet", "--stages", "1"),
    "read csv in blocks": reduce("rows.csv", "--stages", "2", "--memory", "1M"),
    "waits for standard input": reduce("-"),
    "waits for a writer of a FIFO": reduce("fifo"),
    "waits for a model": ["predict", "fifo", "rows.csv"],
    "reduce, stages auto": reduce("dependent.npy"),
    "reduce, gram, depth 3": reduce("numbers.npy", "--stages", "3:60", "--engine", "gram"),
    "reduce, sample, depth 3": reduce("numbers.npy", "--stages", "3:60", "--engine", "sample", "--rows", "1:5000"),
    "reduce, signs, depth 3": reduce("signs.npy", "--stages", "3:50"),
    "reduce, sample, wide": reduce("wide.npy", "--stages", "1,2:40"),
    "reduce, long": reduce("long.npy", "--stages", "2"),
    "reduce, equations": reduce("dependent.npy", "--stages", "3", "--epsilon", "0.3"),
    "reduce, gfs, gram": reduce("dependent.npy", "--method", "gfs", "--family", "polynomial:3", "--engine", "gram"),
    "reduce, gfs, sample": reduce("dependent.npy", "--method", "gfs", "--family", "polynomial:3", "--engine", "sample"),
    "reduce, gfa": reduce("numbers.npy", "--method", "gfa", "--family", "multilinear:3"),
    "select, forward, wide": select("wide.npy", "-k", "3"),
    "select, forward, long": select("long.npy", "-k", "20"),
    "select, scan of pairs": select("numbers.npy", "-k", "40"),
    "select, scan of triples": select("numbers.npy", "-k", "10", "--depth", "3", "--rows", "1:3000"),
    "select, scan of signs": select("signs.npy", "-k", "40", "--depth", "3"),
    "select, permutations": select("middle.npy", "-k", "3", "--permutations", "3000"),
    "select, beam": select("numbers.npy", "-k", "30", "--search", "beam:10"),
    "select, half-samples": select("numbers.npy", "-k", "3", "--stability", "1000"),
    "select, on a sample": select("long.npy", "-k", "20", "--sample", "100000"),
    "select, auto": select("numbers.npy", "--folds", "5"),
    "select, union, pairs": select("numbers.npy", "-k", "5", "--search", "union", "--reduce", "none"),
    "select, union, triples": select("numbers.npy", "-k", "5", "--search", "union", "--reduce", "none", "--depth", "3"),
    "select, union, three classes": select("three.npy", "-k", "5", "--search", "union", "--reduce", "none"),
    "select, union, a number": select("regression.npy", "-k", "5", "--search", "union", "--reduce", "none", "--depth", "3"),
    "select, union, cells": select("levels.npy", "-k", "5", "--search", "union", "--reduce", "none", "--depth", "3"),
    "select, union, signs": select("signs.npy", "-k", "5", "--search", "union", "--reduce", "none", "--depth", "4"),
    "select, union, bins": select("numbers.npy", "-k", "5", "--search", "union", "--reduce", "none", "--bins", "4", "--depth", "3"),
    "select, union, l2": select("numbers.npy", "-k", "5", "--search", "union", "--reduce", "none", "--score", "l2", "--depth", "3"),
    "learn, exhaustive": learn("-k", "4"),
    "learn, erm": learn("-k", "4", "--learner", "erm"),
    "learn, correlated": learn("-k", "4", "--basis", "correlated"),
    "learn, greedy": learn("-k", "6", "--search", "greedy", "--binarize", "median", table="wide.npy"),
    "learn, beam": learn("-k", "6", "--search", "beam:2000"),
    "learn, low-degree": learn("-k", "2", "--learner", "low-degree"),
    "learn, with a checkpoint": learn("-k", "4", "--checkpoint", "states/learn"),
    "bounds": ["bounds", "rows.csv", "-k", "3", "--binarize", "median"],
    "predict": ["predict", "model.json", "signs.npy", "-o", "predicted.csv"],
    "report": ["report", "numbers.npy", "--label", "x301", "-o", "page.html"],
    "show": ["show", "selected.json"],
    "demo": ["demo", "-o", "cars.csv"],
    "apply": ["apply", "result.json", "rows.csv", "-o", "applied.csv"],
    "write csv": ["generate", "s1", "--rows", "100000000", "-o", "made.csv"],
    "write csv.gz": ["generate", "s1", "--rows", "100000000", "-o", "made.csv.gz"],
    "write parquet": ["generate", "s1", "--rows", "100000000", "-o", "made.parquet"],
}  # fmt: skip
