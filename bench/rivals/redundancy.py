"""UFFS beside LAPACK's QR and beside its own matrix products; `reduce` with its defaults."""

import numpy as np
from scipy.linalg import lapack

from fsieve import UFFS
from rivals.row import Row, best
from rivals.tables import load, names

EPSILON = 0.1
GROUPS = {2: 50, 3: 30}


def multiply_adds_per_second():
    a, b = (np.asfortranarray(np.random.default_rng(k).normal(size=(2048, 2048))) for k in (1, 2))
    ((seconds, _),) = best(lambda: a @ b, runs=7, enough=4)
    return 2048**3 / seconds


def uffs(X, stages, **options):
    return UFFS(stages=stages, rule="paper", order="input", sample="all", equations=False, n_jobs=1, **options).fit(X)


def kept(reducer):
    return reducer.get_support(indices=True).tolist()


def kept_by_definition(X):
    """Depth 1, column by column: what more than epsilon is left of, beside those kept before."""
    rows, columns = X.shape
    span, found = np.empty((rows, min(rows, columns)), order="F"), []
    for j in range(columns):
        rest = X[:, j].copy()
        for _ in range(2):
            rest -= span[:, : len(found)] @ (span[:, : len(found)].T @ rest)
        length = np.linalg.norm(rest)
        if length > EPSILON * np.sqrt(rows) and len(found) < rows - 1:
            span[:, len(found)] = rest / length
            found.append(j)
    return found


def limit(reducer, rows, rate):
    """Inner products of all p parities of a group with the r kept before them, and their factorisation, at the rate of matrix
    products; with few rows, what is left of every column beside a full basis."""
    stage = reducer.result_["stages"][0]
    features = stage["features"] / stage["groups"]
    p = 1 + features + (stage["depth"] > 1) * features * (features - 1) / 2 + (stage["depth"] > 2) * features * (features - 1) * (features - 2) / 6
    r = stage["parities"] / stage["groups"]
    work = min(rows * (p * r - r**2 / 2) + p * r**2 / 2 - r**3 / 3, rows**2 * p)
    return stage["groups"] * work / rate


def same(ours, theirs, whom):
    return f"the same {len(ours)} features as {whom}" if ours == theirs else f"DIFFER: {len(ours)} features, {whom} {len(theirs)}"


def depth_one(folder, rate):
    for name in ("COIL20", "Isolet", "USPS", "ALLAML"):
        X, _, called = load(name, folder)
        fits = []

        def fit(X=X, fits=fits):
            reducer = uffs(X, "1")
            fits.append(reducer.result_["timing"]["fit_s"])
            return reducer

        (ours, reducer), (theirs, _) = best(fit, lambda: lapack.dgeqrf(X), runs=15)
        ours = min(ours, *fits)  # naming 7129 columns in Python takes longer than deciding on them
        answers = same(kept(reducer), kept_by_definition(X), "column by column")
        yield Row("UFFS, depth 1", called, ours, "its matrix products", limit(reducer, len(X), rate), 2, answers)
        yield Row("UFFS, depth 1", called, ours, "LAPACK's QR", theirs, 1, answers)


def deeper(folder, rate, depth):
    stages = f"{depth}:{GROUPS[depth]}"
    for name in ("COIL20", "USPS", "Isolet"):
        X, _, called = load(name, folder)
        ((ours, reducer),) = best(lambda: uffs(X, stages), runs=3)
        some = np.asfortranarray(X[:, : 2 * GROUPS[depth]])
        answers = same(*(kept(uffs(some, stages, engine=engine)) for engine in ("gram", "sample")), "the other engine")
        yield Row(f"UFFS, depth {depth}, groups of {GROUPS[depth]}", called, ours, "its matrix products",
                  limit(reducer, len(X), rate), 1.5, answers)


def defaults(folder, every):
    for name in names(folder, every):
        X, _, called = load(name, folder)
        ((ours, reducer),) = best(lambda: UFFS(n_jobs=1).fit(X), runs=3)
        yield Row("`reduce`, defaults", called, ours, "1 s per million cells, and 50 ms", X.size / 1e6 + 0.05, 1,
                  f"{len(kept(reducer))} of {X.shape[1]} features kept")


def rows(folder, quick, every):
    rate = multiply_adds_per_second()
    yield from depth_one(folder, rate)
    yield from deeper(folder, rate, 2)
    if not quick:
        yield from deeper(folder, rate, 3)
    yield from defaults(folder, every)
