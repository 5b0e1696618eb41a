"""Tables in partitions, and what a run on them has to have in common with a run on one machine."""

import math
import os
import signal

import numpy as np
import pandas as pd

ENGINE_KEYS = {"engine", "timing"}  # what may differ where the rows are elsewhere


def mixed(rows=240, seed=3):
    """Numbers, products of them, categories and a function of these."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(rows, 4)), columns=list("abcd"))
    frame["product"] = frame.a * frame.b
    frame["sum"] = 2 * frame.c - frame.d
    frame["colour"] = rng.choice(["red", "green", "blue"], rows)
    frame["warm"] = np.where(frame.colour == "red", 1.5, 0.5)
    frame["coin"] = rng.integers(0, 2, rows)
    return frame


def bits(rows=200, columns=8, seed=5):
    """Two-valued features and a label that two of them decide."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.integers(0, 2, size=(rows, columns)), columns=[f"x{j}" for j in range(columns)])
    return frame, (frame.x2 & frame.x5).rename("y")


def redundant(rows=400):
    """Numbers, a product and a sum of them: the table of the package's own tests."""
    x = np.random.default_rng(0).normal(size=(rows, 5))
    values = np.column_stack([x, 3 * x[:, 0] * x[:, 1], x[:, 2] + x[:, 3]])
    return pd.DataFrame(values, columns=[f"x{j}" for j in range(7)])


def parity(rows=400, columns=20):
    """Two-valued features, and a label that is 1 where two of them differ."""
    x = np.random.default_rng(1).integers(0, 2, size=(rows, columns)).astype(float)
    frame = pd.DataFrame(x, columns=[f"x{j}" for j in range(columns)])
    return frame, (frame.x4 != frame.x11).astype(float).rename("label")


# What the package's own tests fit: estimator, parameters, whether it takes the label of parity().
PACKAGE_CASES = [
    ("UFFS", {}, False),
    ("UFFS", {"order": "input", "stages": "1,2:4"}, False),
    ("UFFS", {"rule": "paper", "stages": "1"}, False),
    ("GFS", {}, False),
    ("GFA", {"scale": "none"}, False),
    ("SFFS", {"random_state": 1}, True),
    ("SFFS", {"k": 2, "reduce": "1,2"}, True),
    ("SFFS", {"k": "certain"}, True),
    ("SFFS", {"k": 3, "search": "union", "class_weight": "balanced"}, True),
    ("JuntaClassifier", {}, True),
    ("JuntaClassifier", {"learner": "erm", "class_weight": "balanced"}, True),
    ("JuntaClassifier", {"search": "greedy", "permutations": 5}, True),
]


def many_bits(rows=14_000, columns=200):
    """So many subsets of three that they are worth sharing; three columns decide the label."""
    values = np.random.default_rng(8).integers(0, 2, size=(rows, columns), dtype=np.int8)
    frame = pd.DataFrame(values, columns=[f"x{j}" for j in range(columns)])
    return frame, (frame.x3 ^ frame.x70 ^ frame.x150).rename("label")


def cut(frame, cuts):
    """The frame in pieces that begin at these rows."""
    bounds = [0, *cuts, len(frame)]
    return [frame.iloc[i:j] for i, j in zip(bounds, bounds[1:])]


def plain(result):
    """All that must be the same byte for byte."""
    return {key: value for key, value in result.items() if key != "timing"}


def assert_close(one, many, where="result"):
    """The same but for numbers within 1e-9, and for how inner products were computed."""
    if isinstance(one, dict):
        assert one.keys() == many.keys(), where
        for key in one.keys() - ENGINE_KEYS:
            assert_close(one[key], many[key], f"{where}.{key}")
    elif isinstance(one, list):
        assert len(one) == len(many), (where, one, many)
        for i, (a, b) in enumerate(zip(one, many)):
            assert_close(a, b, f"{where}[{i}]")
    elif isinstance(one, float) or isinstance(many, float):
        assert math.isclose(one, many, rel_tol=1e-9, abs_tol=1e-9), (where, one, many)
    else:
        assert one == many, (where, one, many)


def die_once(calls, parent=False, at=2):
    """Kills this process, or the JVM that it works for, as kill -9 does, at the second call of all."""
    with open(calls, "ab", buffering=0) as file:
        file.write(b".")
        if file.tell() != at:
            return
    os.kill(java_above(os.getpid()) if parent else os.getpid(), signal.SIGKILL)


def die_at_a_piece(calls, parent, common, piece):
    """Does a piece of shared work, unless it is the one at which this machine dies."""
    from fsieve import _partitions

    die_once(calls, parent)
    return _partitions._work(common, piece)


def java_above(process):
    """The process of Java that this one descends from."""
    while process > 1:
        with open(f"/proc/{process}/stat", encoding="ascii") as file:
            process = int(file.read().rsplit(")", 1)[1].split()[1])
        if "java" in os.readlink(f"/proc/{process}/exe"):
            return process
    raise LookupError("no process of Java above")
