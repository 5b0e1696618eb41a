"""The forward search beside fastcan; triples and quadruples beside bare popcount."""

import json
import math
import subprocess

import numpy as np

from common.program import ROOT
from fsieve import SFFS, JuntaClassifier
from peers.fastcan.peer import fastcan
from rivals.row import Row, best
from rivals.tables import SHAPES, load

K = 100


def sffs(X, y, depth, **more):
    return SFFS(K, depth=depth, shape="plain", sample="all", equations=False, n_jobs=1, **more).fit(X, y)


def alone(X, y, depth):
    """The search and nothing else, as fastcan's is."""
    return sffs(X, y, depth, folds=0, ranking=False)


def curved(X, y, k):
    """The same with the shape that is the default: curves of ranks are looked at for every column."""
    return SFFS(k, depth=1, sample="all", equations=False, n_jobs=1, folds=0, ranking=False).fit(X, y)


def ranking(selector):
    return [feature["index"] for feature in selector.result_["selected"]]


def caught(X, y, features):
    """Share of the class indicators that lies in the span of these columns."""
    indicators = (y[:, None] == np.unique(y)[None]).astype(float)
    indicators -= indicators.mean(0)
    basis = np.linalg.qr(X[:, features])[0]
    return float(np.sum((basis.T @ indicators) ** 2) / np.sum(indicators**2))


def compared(X, y, ours, theirs):
    """By what as many features as a fifth of the rows catch of the label. Nothing else is asked of fastcan; the search here begins a
    new round where nothing sure is left, so that it may catch less by lines."""
    k = min(K, len(y) // 5, len(ours))
    shares = [100 * caught(X, y, list(found[:k])) for found in (ours, theirs)]
    return f"{k} features catch {shares[0]:.1f} % of the label, fastcan's {shares[1]:.1f} %"


def forward(folder):
    for name in SHAPES:
        X, y, called = load(name, folder)
        k = min(K, X.shape[1])
        runs = best(lambda: alone(X, y, 1), lambda: alone(X, y, 2), lambda: fastcan(X, y, k), runs=3)
        ((whole, _),) = best(lambda: sffs(X, y, 1), runs=1)
        theirs, found = runs[2]
        for depth, (ours, selector) in enumerate(runs[:2], 1):
            aim = 1 if depth == 2 else 1 / 10 if len(X) > X.shape[1] else 1 / 5
            answers = compared(X, y, ranking(selector), found)
            yield Row(f"forward search alone, depth {depth}, k = {K}", called, ours, "fastcan", theirs, aim, answers)
        k = min(50, X.shape[1])
        (ours, _), (theirs_of_fewer, _) = best(lambda: curved(X, y, k), lambda: fastcan(X, y, k), runs=3)
        yield Row("with curves (the default), alone, depth 1, k = 50", called, ours, "fastcan", theirs_of_fewer, 1, "")
        yield Row("depth 1 with ranking and estimate of the accuracy", called, whole, "fastcan, which tells neither", theirs, None, "")


def words_per_second():
    """What one core counts in registers."""
    done = subprocess.run([ROOT / "build" / "release" / "bench" / "bench_sffs", "--peaks"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["counted"]


def bits(rows, features, size):
    """Two-valued columns, and a label that is the parity of some of them, one row in ten wrong."""
    rng = np.random.default_rng(rows + features)
    X = np.asfortranarray(rng.choice([-1.0, 1.0], size=(rows, features)))
    planted = sorted(rng.choice(features, size, replace=False).tolist())
    y = X[:, planted].prod(1) * np.where(rng.random(rows) < 0.1, -1, 1)
    return X, y.astype(int), planted


def subsets(quick):
    peak = words_per_second()
    for rows, features, size, aim in ((16_384, 200, 3, 0.6), (16_384, 80, 4, 0.6), (1000, 400, 3, 0.3)):
        X, y, planted = bits(rows, features, size)
        popcount = math.comb(features, size) * rows / 64 / peak
        union = SFFS(size, depth=size, search="union", reduce="none", ranking=False, folds=0, sample="all", device="cpu", n_jobs=1)
        learn = JuntaClassifier(size, device="cpu", n_jobs=1)
        works = {"`learn`": lambda: learn.fit(X, y), "`select --search union` alone": lambda: union.fit(X, y)}
        for (name, _), (ours, found) in zip(works.items(), best(*works.values(), runs=3 if quick else 7), strict=True):
            subset = sorted(np.flatnonzero(found.get_support())) if found is union else found.subsets_[0]["indices"]
            right = "the planted subset" if sorted(subset) == planted else f"DIFFER: {subset}, planted {planted}"
            yield Row(f"{name}, subsets of {size}", f"{features} features × {rows} rows", ours, "bare popcount", popcount, 1 / aim, right)


def rows(folder, quick):
    yield from forward(folder)
    yield from subsets(quick)
