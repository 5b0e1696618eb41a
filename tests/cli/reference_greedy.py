"""GFS and GFA from the paper's formulas alone: plain loops over functions, inner products as means.

Slow on purpose; the program must agree with it. Algorithm numbers are those of the paper
(Gram-Schmidt Methods for Unsupervised Feature Selection).
"""

from itertools import combinations, combinations_with_replacement
from math import prod

import numpy as np

TIE = 1e-10
DEPENDENT = 1e-8


def mean_product(f, g):
    total = 0.0
    for x, y in zip(f.tolist(), g.tolist()):
        total += x * y
    return total / len(f)


class Feature:
    """A column, or the indicators of a categorical one."""

    def __init__(self, name, columns):
        self.name = name
        self.columns = columns


def features_of(table, categorical=()):
    """`table`: name -> values; categorical columns get an indicator per level but the first."""
    features = []
    for name, values in table.items():
        if name in categorical:
            levels = sorted(set(values))
            columns = [np.array([float(v == level) for v in values]) for level in levels[1:]]
        else:
            columns = [np.asarray(values, float)]
        features.append(Feature(name, columns))
    return features


def new_functions(family, chosen, new, original):
    """F_j minus F_{j-1}: the functions that need the newly chosen feature."""
    kind, _, degree = family[0].partition(":")
    degree = int(degree or 0)
    own = [(new, i) for i in range(len(new.columns))]
    if kind == "functions":
        yield from (new.columns[i] for _, i in own)
        for function, arguments in family[1]:
            for _, i in own:
                here = original[new.name][i]
                if arguments == 1:
                    yield function(here)
                    continue
                for earlier in chosen:
                    for there in original[earlier.name]:
                        yield function(there, here)
                        yield function(here, there)
        return
    features = [*chosen, new]
    pick = combinations_with_replacement if kind == "polynomial" else combinations
    for size in range(1, degree + 1):
        for subset in pick(range(len(features)), size):
            if len(features) - 1 not in subset:
                continue
            yield from products([features[j] for j in subset])
    if kind == "multilinear+squares":
        yield from (column * column for column in new.columns)


def products(factors):
    """Products with one column of each feature (the same one for a power)."""
    distinct = list(dict.fromkeys(factors))
    grids = np.stack(
        np.meshgrid(*(np.arange(len(f.columns)) for f in distinct), indexing="ij"), -1
    ).reshape(-1, len(distinct))
    for choice in grids:
        column = {f: f.columns[i] for f, i in zip(distinct, choice)}
        yield prod(column[f] for f in factors)


class Orthogonaliser:
    """Algorithm 1."""

    def __init__(self, rows, constant):
        self.rows = rows
        self.basis = [np.ones(rows)] if constant else []

    def add(self, function):
        if len(self.basis) >= self.rows:
            return
        size = np.sqrt(mean_product(function, function))
        rest = function.copy()
        for _ in range(3):  # once in exact numbers
            for f in self.basis:
                rest = rest - mean_product(rest, f) * f
        norm = np.sqrt(mean_product(rest, rest))
        if norm > DEPENDENT * size:
            self.basis.append(rest / norm)

    def left(self, column):
        if len(self.basis) >= self.rows:
            return 0.0
        rest = column.copy()
        for _ in range(2):
            for f in self.basis:
                rest = rest - mean_product(rest, f) * f
        value = mean_product(rest, rest)
        return value if value > 1e-9 * mean_product(column, column) else 0.0


def greedy(table, method, family, threshold, k=None, scale="standard", constant=True, categorical=()):
    """Returns selected names, their variance left when chosen, the trace, what is left of the rest,
    and the number of functions."""
    features = features_of(table, categorical)
    original, unscaled = {}, {}
    for feature in features:
        raw = [column.copy() for column in feature.columns]
        feature.columns = [column - column.mean() for column in feature.columns]
        unscaled[feature.name] = max((mean_product(c, c) for c in feature.columns), default=0.0)
        if scale == "standard":
            feature.columns = [
                column / np.sqrt(mean_product(column, column)) if column.any() else column
                for column in feature.columns
            ]
            original[feature.name] = feature.columns
        else:
            original[feature.name] = raw
    rows = len(features[0].columns[0])
    own = {
        f.name: max((mean_product(c, c) for c in f.columns), default=0.0) for f in features
    }
    space = Orthogonaliser(rows, constant)
    chosen, left_when_chosen = [], []

    def left_of(feature):
        if feature in chosen:
            return 0.0
        return max((space.left(c) for c in feature.columns), default=0.0)

    left = {f.name: left_of(f) for f in features}
    trace = [max(left.values())]
    while k is None or len(chosen) < k:
        if method == "gfs":  # Algorithm 2
            scores = {f: left[f.name] for f in features if left[f.name] > threshold}
        else:  # Algorithm 3
            scores = {
                f: unscaled[f.name]
                for f in features
                if left[f.name] >= threshold and left[f.name] > 0 and f not in chosen
            }
        if not scores:
            break
        best = max(scores.values())
        new = min(
            (f for f, score in scores.items() if score >= best * (1 - TIE)), key=lambda f: f.name
        )
        left_when_chosen.append(left[new.name])
        for function in new_functions(family, chosen, new, original):
            space.add(function)
        chosen.append(new)
        left = {f.name: left_of(f) for f in features}
        trace.append(max(left.values()))
    return {
        "selected": [f.name for f in chosen],
        "variance": [own[f.name] for f in chosen],
        "left_when_chosen": left_when_chosen,
        "trace": trace,
        "left": {f.name: left[f.name] for f in features if f not in chosen},
        "functions": len(space.basis),
        "saturated": len(space.basis) >= rows,
    }
