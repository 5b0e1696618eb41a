"""n_jobs as scikit-learn means it; one clear error for what is no table."""

import joblib
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from fsieve import GFA, GFS, SFFS, UFFS, JuntaClassifier, _core

ESTIMATORS = [UFFS(), GFS(), GFA(k=1), SFFS(k=1), JuntaClassifier(k=1)]
IDS = [type(estimator).__name__ for estimator in ESTIMATORS]
CORES = joblib.cpu_count()


@pytest.fixture
def threads(monkeypatch):
    """With how many threads an estimator asks the library to work; 0 is all cores."""
    real = _core.run
    asked = []

    def run(table, command, options, *rest):
        asked.append(int(options["threads"]))
        return real(table, command, options, *rest)

    monkeypatch.setattr(_core, "run", run)

    def of(estimator):
        x = np.random.default_rng(0).integers(0, 2, (40, 3))
        x[:, 2] = x[:, 0]
        estimator.fit(x, x[:, 0])
        return asked.pop()

    return of


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=IDS)
@pytest.mark.parametrize("n_jobs,wanted", [(None, 1), (1, 1), (2, 2), (-1, 0), (-2, max(1, CORES - 1)), (3, 3)])
def test_n_jobs(threads, estimator, n_jobs, wanted):
    """None was all cores."""
    assert threads(estimator.set_params(n_jobs=n_jobs)) == wanted


def test_n_jobs_of_a_context(threads):
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert threads(UFFS()) == 2
        assert threads(UFFS(n_jobs=1)) == 1


def test_no_jobs_are_no_work(threads):
    with pytest.raises(ValueError, match="n_jobs"):
        threads(UFFS(n_jobs=0))


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=IDS)
def test_one_column_is_no_table(estimator):
    """A series raised AttributeError."""
    values, y = [0, 1, 0, 1], [0, 1, 0, 1]
    series = [pd.Series(values), pd.Series(values, name="a"), np.array(values)]
    try:
        import polars
    except ImportError:
        pass
    else:
        series.append(polars.Series("a", values))
    for X in series:
        with pytest.raises(ValueError, match="Expected 2D array, got 1D array instead"):
            estimator.fit(X, y)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=IDS)
@pytest.mark.parametrize(
    "X",
    [pd.DataFrame(), pd.DataFrame(index=range(5)), pa.table({}), np.empty((5, 0))],
    ids=["nothing", "rows alone", "arrow", "numpy"],
)
def test_no_columns(estimator, X):
    """A frame without columns was told that it has no data rows."""
    with pytest.raises(ValueError, match=r"0 feature\(s\) \(shape=\(\d+, 0\)\) while a minimum of 1 is required"):
        estimator.fit(X, np.zeros(X.shape[0]))


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=IDS)
@pytest.mark.parametrize(
    "X",
    [pd.DataFrame({"a": []}), pd.DataFrame({"a": [], "b": []}, dtype=float), pa.table({"a": pa.array([], pa.float64())})],
    ids=["one", "two", "arrow"],
)
def test_no_rows(estimator, X):
    with pytest.raises(ValueError, match="X: no data rows"):
        estimator.fit(X, [])


def test_labels_of_a_series():
    """The label of a series has its name, whatever its index."""
    x = np.random.default_rng(0).integers(0, 2, (60, 3))
    y = pd.Series(x[:, 1], name="ill", index=range(1000, 1060))
    rule = JuntaClassifier(k=1).fit(pd.DataFrame(x, columns=list("abc")), y)
    assert rule.subset_ == ["b"] and rule.label_["name"] == "ill"
    assert np.array_equal(rule.predict(pd.DataFrame(x, columns=list("abc"))), x[:, 1])
