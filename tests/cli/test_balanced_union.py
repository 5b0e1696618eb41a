"""select --search union --class-weight balanced: with a row its own weight is left out of its cell.

A row of a class of 5 % weighs ten: when only one of the ten was left out, a cell with that row alone looked sure.
"""

import itertools

import numpy as np
import pytest


def balanced(y):
    classes, codes, sizes = np.unique(y, return_inverse=True, return_counts=True)
    return (len(y) / len(classes) / sizes)[codes]


def by_cells(x, y, w):
    """The measure by its definition: what the others in the cell of a row say."""
    classes = np.unique(y)
    total = 0.0
    for i in range(len(y)):
        cell = (x == x[i]).all(axis=1)
        others = cell & (np.arange(len(y)) != i)
        votes = np.array([w[others & (y == c)].sum() for c in classes])
        worth = abs(votes[0] - votes[1]) if len(classes) == 2 else votes.max()
        total += w[i] * worth / w[cell].sum()
    return total / (w.sum() - 1)


def by_projection(x, y, w):
    """The same for real columns: the label projected onto their products by the other rows."""
    n = w.sum()
    z = x - np.average(x, axis=0, weights=w)
    z /= np.sqrt(np.average(z**2, axis=0, weights=w))
    functions = np.column_stack([np.ones(len(y)), z, z[:, 0] * z[:, 1]])
    scaled = functions * np.sqrt(w)[:, None]
    inverse = np.linalg.inv(scaled.T @ scaled / n)
    kernel = functions @ inverse @ functions.T / n
    np.fill_diagonal(kernel, 0)
    return np.sum(w * np.abs(kernel @ (w * y))) / (n - 1)


def tables(kind, rng):
    rare = (rng.random(120) < 0.1).astype(int)
    rare[:3] = 1
    if kind == "real":
        return rng.normal(size=(120, 4)), 2 * rare - 1
    y = 2 * rare - 1 if kind == "two" else rare + (rng.random(120) < 0.4)
    return rng.integers(0, 3, size=(120, 4)), y


@pytest.mark.parametrize("kind", ["two", "three", "real"])
def test_against_the_definition(fsieve, write, kind):
    x, y = tables(kind, np.random.default_rng(5))
    cell = (lambda v: f"{v:.17g}") if kind == "real" else (lambda v: f"l{v}")
    rows = [",".join([*map(cell, row), f"c{label}"]) for row, label in zip(x, y, strict=True)]
    write("a.csv", "\n".join(["a,b,c,d,y", *rows]) + "\n")
    result = fsieve.json(
        "select", "a.csv", "--label", "y", "-k", 2, "--depth", 2, "--search", "union", "--class-weight", "balanced"
    )
    score = by_projection if kind == "real" else by_cells
    scores = {
        tuple("abcd"[j] for j in pair): score(x[:, pair], y, balanced(y)) for pair in itertools.combinations(range(4), 2)
    }
    best = max(scores, key=scores.get)
    assert sorted(feature["name"] for feature in result["selected"]) == list(best)
    assert result["selected"][0]["score"] == pytest.approx(scores[best], abs=1e-9)
