"""SciPy's sparse matrices: the answers of the dense ones, without a dense copy."""

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from places import BUILD

import fsieve
from fsieve import GFA, GFS, SFFS, UFFS, JuntaClassifier


def counts(n=300, d=12, seed=0):
    """Mostly zeros; a sum of two columns, and a label that depends on two."""
    rng = np.random.default_rng(seed)
    x = rng.poisson(0.3, (n, d)).astype(float)
    x[:, 9] = x[:, 2] + 2 * x[:, 4]
    x[:, 10] = 0  # nothing is stored of it
    return x, ((x[:, 2] > 0) ^ (x[:, 5] > 0)).astype(int)


def answer(estimator, x, y):
    found = dict(estimator.fit(x, y).result_)
    found.pop("timing")
    return found


ESTIMATORS = [UFFS(), GFS(), GFA(k=3), SFFS(k=3, depth=1), SFFS(k="certain"), JuntaClassifier(k=2, binarize=0)]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
def test_the_same_as_dense(estimator):
    x, y = counts()
    wanted = answer(estimator, x, y)
    for form in ("csr", "csc", "coo", "lil"):
        assert answer(estimator, scipy.sparse.csr_array(x).asformat(form), y) == wanted, form
    assert answer(estimator, scipy.sparse.csr_matrix(x), y) == wanted


@pytest.mark.parametrize("dtype", ["f4", "f8", "i1", "i4", "i8", "u2"])
@pytest.mark.parametrize("index", ["i4", "i8"])
def test_number_types(dtype, index):
    x, _ = counts()
    matrix = scipy.sparse.csc_matrix(x.astype(dtype))
    matrix.indices, matrix.indptr = matrix.indices.astype(index), matrix.indptr.astype(index)
    assert answer(UFFS(), matrix, None) == answer(UFFS(), x, None)


def test_entries_in_any_order_and_several_times():
    x, _ = counts()
    rows, columns = np.nonzero(x)
    order = np.random.default_rng(1).permutation(2 * len(rows))
    halves = np.tile(x[rows, columns] / 2, 2)[order]
    coo = scipy.sparse.coo_array((halves, (np.tile(rows, 2)[order], np.tile(columns, 2)[order])), x.shape)
    assert answer(UFFS(), coo, None) == answer(UFFS(), x, None)
    backwards = scipy.sparse.csc_matrix(x)
    for j in range(x.shape[1]):
        part = slice(backwards.indptr[j], backwards.indptr[j + 1])
        backwards.indices[part], backwards.data[part] = backwards.indices[part][::-1], backwards.data[part][::-1]
    backwards.has_sorted_indices = backwards.has_canonical_format = False
    before = backwards.indices.copy()
    assert answer(UFFS(), backwards, None) == answer(UFFS(), x, None)
    assert np.array_equal(backwards.indices, before)  # what is given is not touched


@pytest.mark.parametrize("dtype", ["float64", "int8", "bool"])
def test_sparse_frames(dtype):
    x, y = counts()
    x = x.astype(dtype)
    frame = pd.DataFrame.sparse.from_spmatrix(scipy.sparse.csr_matrix(x), columns=list("abcdefghijkl"))
    dense = pd.DataFrame(x, columns=frame.columns)
    assert answer(UFFS(), frame, None) == answer(UFFS(), dense, None)
    assert answer(SFFS(k=2), frame, y) == answer(SFFS(k=2), dense, y)
    ones = dense.astype(pd.SparseDtype(dtype, fill_value=np.dtype(dtype).type(1)))  # what is not stored is 1
    assert answer(UFFS(), ones, None) == answer(UFFS(), dense, None)


def test_a_report_and_chunks():
    x, y = counts()
    sparse = scipy.sparse.csr_array(x)
    page, wanted = (fsieve.report(table, y, k=2, rule_size=1).data for table in (sparse, x))
    for command, key in [("reduce", "removed"), ("select", "selected"), ("learn", "candidates")]:
        assert page[command][key] == wanted[command][key]
    chunks = UFFS().partial_fit(sparse[:100]).partial_fit(sparse[100:])
    assert chunks.equations_ == UFFS().partial_fit(x[:100]).partial_fit(x[100:]).equations_


def test_missing_values():
    x, _ = counts()
    x[7, 3] = np.nan
    sparse = scipy.sparse.csr_array(x)
    with pytest.raises(ValueError, match='column "x3", row 8: missing value'):
        UFFS().fit(sparse)
    assert answer(UFFS(missing="mean"), sparse, None) == answer(UFFS(missing="mean"), x, None)
    assert answer(UFFS(missing="drop"), sparse, None) == answer(UFFS(missing="drop"), x, None)


def test_transform_and_predict():
    x, y = counts()
    sparse = scipy.sparse.csr_array(x)
    fitted = UFFS().fit(sparse)
    kept = fitted.transform(sparse)
    assert scipy.sparse.issparse(kept)
    np.testing.assert_array_equal(kept.toarray(), fitted.transform(x))
    rule = JuntaClassifier(k=2, binarize=0).fit(sparse, y)
    np.testing.assert_array_equal(rule.predict(sparse), rule.predict(x))


SCRIPT = """
import resource, sys
import numpy as np, scipy.sparse
from fsieve import GFS, UFFS, JuntaClassifier

def matrix(n, d):
    rng = np.random.default_rng(0)
    stored = n * d // 100
    return scipy.sparse.csr_array((np.ones(stored), (rng.integers(0, n, stored), rng.integers(0, d, stored))), (n, d))

estimator = {
    "UFFS": UFFS(stages="1", equations=False),
    "GFS": GFS(family="multilinear:1", k=2, equations=False),
    "JuntaClassifier": JuntaClassifier(k=1, binarize=0),
}[sys.argv[1]]
small, large = matrix(2000, 250), matrix(100_000, 250)
estimator.fit(small, np.arange(2000) % 2)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
estimator.fit(large, np.arange(100_000) % 2)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.parametrize("name", ["UFFS", "GFS", "JuntaClassifier"])
def test_no_dense_copy(name):
    """200 MB as a dense table, 3 MB as it is stored: what a fit adds is a small part of the first."""
    environment = {**os.environ, "PYTHONPATH": str(BUILD / "python"), "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, name], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 80
