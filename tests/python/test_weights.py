"""A weight of w is w equal rows; whole numbers give the same answer as repeated rows, to 1e-9."""

import numpy as np
import pandas as pd
import pytest

from fsieve import GFA, GFS, SFFS, UFFS

SEEDS = range(4)


def data(seed, kind):
    rng = np.random.default_rng(seed)
    n = 120
    if kind == "bits":
        x = rng.integers(0, 2, size=(n, 8)).astype(float)
        x[:, 7] = x[:, 0]
    else:
        x = rng.normal(size=(n, 8))
        x[:, 7] = x[:, 0] * x[:, 1] + 0.01 * rng.normal(size=n)
    y = (x[:, 2] * x[:, 3] + 0.3 * rng.normal(size=n) > 0).astype(int)
    return x, y, rng.integers(0, 4, size=n)


def same(one, other, path=""):
    """Equal, numbers to 1e-9."""
    if isinstance(one, dict):
        assert one.keys() == other.keys(), path
        for key in one:
            if key not in ("timing", "text", "data"):
                same(one[key], other[key], f"{path}.{key}")
    elif isinstance(one, list):
        assert len(one) == len(other), path
        for i, (left, right) in enumerate(zip(one, other)):
            same(left, right, f"{path}[{i}]")
    elif isinstance(one, float) and isinstance(other, float):
        assert one == pytest.approx(other, rel=1e-9, abs=1e-9), path
    else:
        assert one == other, path


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", ["real", "bits"])
@pytest.mark.parametrize("engine", ["gram", "sample"])
def test_uffs(seed, kind, engine):
    x, _, weight = data(seed, kind)
    reducer = UFFS(engine=engine, stages="1,2:8")
    weighted = reducer.fit(x, sample_weight=weight).result_
    repeated = UFFS(engine=engine, stages="1,2:8").fit(np.repeat(x, weight, axis=0)).result_
    same(weighted, repeated)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", ["real", "bits"])
@pytest.mark.parametrize("search", ["forward", "union", "beam:3"])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_sffs(seed, kind, search, task):
    x, y, weight = data(seed, kind)
    selector = SFFS(k=3, search=search, task=task)
    weighted = selector.fit(x, y, sample_weight=weight).result_
    repeated = SFFS(k=3, search=search, task=task)
    repeated = repeated.fit(np.repeat(x, weight, axis=0), np.repeat(y, weight)).result_
    same(weighted, repeated)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", ["real", "bits"])
@pytest.mark.parametrize("engine", ["gram", "sample"])
@pytest.mark.parametrize("estimator", [GFS, GFA])
def test_greedy(seed, kind, engine, estimator):
    x, _, weight = data(seed, kind)
    weighted = estimator(engine=engine).fit(x, sample_weight=weight).result_
    repeated = estimator(engine=engine).fit(np.repeat(x, weight, axis=0)).result_
    same(weighted, repeated)


def test_weights_go_with_dropped_rows():
    x, _, weight = data(0, "real")
    holes = pd.DataFrame(x, columns=[f"x{j}" for j in range(8)])
    holes.iloc[[3, 50], 4] = np.nan
    dropped = UFFS(missing="drop").fit(holes, sample_weight=weight).result_
    left = np.delete(x, [3, 50], axis=0)
    same(dropped["selected"], UFFS().fit(left, sample_weight=np.delete(weight, [3, 50])).selected_)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1.0] * 5, "shape"),
        ([0.0] * 120, "zero"),
        ([-1.0] + [1.0] * 119, "row 1: its weight is -1"),
        ([np.nan] + [1.0] * 119, "NaN"),
    ],
)
def test_bad_weights(weight, message):
    x, _, _ = data(0, "real")
    with pytest.raises(ValueError, match=message):
        UFFS().fit(x, sample_weight=weight)
