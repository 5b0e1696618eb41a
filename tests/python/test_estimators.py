"""Estimators among scikit-learn's own: pipelines, searches, copies; and what a result shows."""

import doctest
import importlib
import pickle
import threading
import time
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

import fsieve
from fsieve import GFA, GFS, SFFS, UFFS, JuntaClassifier, _core


def redundant(n=400):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, 5))
    return np.column_stack([x, 3 * x[:, 0] * x[:, 1], x[:, 2] + x[:, 3]])


def labelled(n=400, d=20):
    x = np.random.default_rng(1).integers(0, 2, size=(n, d)).astype(float)
    return x, (x[:, 4] != x[:, 11]).astype(int)


def test_what_a_result_says():
    found = UFFS().fit(redundant())
    assert found.equations_ == {"x5": ["x5 = 3.00·x0·x1"], "x6": ["x6 = x2 + x3"]}
    assert list(found.get_support(indices=True)) == [0, 1, 2, 3, 4]
    assert found.removed_[0]["equation"]["r2"] == pytest.approx(1)
    assert found.scores_.shape == (7,) and found.scores_[0] == found.selected_[0]["norm"]
    assert sorted(found.ranking_) == [1, 1, 1, 1, 1, 2, 3]
    assert found.result_["parameters"]["epsilon"] == [0.1]
    assert found.n_features_in_ == 7


def test_what_a_selection_says():
    x, y = labelled()
    found = SFFS().fit(x, y)
    assert sorted(feature["index"] for feature in found.selected_) == [4, 11]
    assert found.measure_ == "M_n" and found.accuracy_estimate_ > 0.99
    assert found.subsets_ and found.bound_["delta"] == 0.05
    assert set(found.ranking_[[4, 11]]) == {1, 2} and (found.scores_ > 0.4).sum() == 2
    removed = SFFS(k=2, reduce="1,2").fit(redundant(), y)
    assert set(removed.equations_) == {"x5", "x6"}


def test_what_a_greedy_choice_says():
    found = GFS().fit(redundant())
    assert len(found.trace_) == len(found.selected_) + 1
    first = found.selected_[0]
    assert found.ranking_[first["index"]] == 1 and found.scores_[first["index"]] == first["variance_left"]
    assert sorted(found.ranking_) == list(range(1, 8))
    sources = GFA(scale="none").fit(redundant() * [1, 1, 1, 1, 1, 0.1, 0.1])
    assert sorted(feature["index"] for feature in sources.selected_) == [0, 1, 2, 3, 4]
    assert set(sources.equations_) == {"x5", "x6"}


def test_copies():
    x, y = labelled()
    for estimator in (UFFS(stages=[1, (2, 10)]), SFFS(k=3, score="l2", search="union"), GFS(k=3), GFA()):
        assert clone(estimator).get_params() == estimator.get_params()
        fitted = estimator.fit(x, y)
        again = pickle.loads(pickle.dumps(fitted))
        assert again.result_ == fitted.result_
        assert np.array_equal(again.transform(x), fitted.transform(x))


def test_pipelines_and_searches():
    x, y = labelled()
    pairs = make_pipeline(SFFS(k=2), LogisticRegression())
    assert cross_val_score(pairs, x, y, cv=3).shape == (3,)
    grid = GridSearchCV(pairs, {"sffs__k": [1, 2], "sffs__depth": [1, 2]}, cv=2, n_jobs=2).fit(x, y)
    assert set(grid.best_params_) == {"sffs__k", "sffs__depth"}
    assert make_pipeline(UFFS(), SFFS(k=2)).fit(x, y).get_feature_names_out().shape == (2,)
    assert not hasattr(make_pipeline(SFFS(k=2)), "score")


def test_set_output_and_back():
    x = redundant()
    frame = pd.DataFrame(x, columns=list("abcdefg"))
    out = UFFS().set_output(transform="pandas").fit_transform(frame)
    assert list(out.columns) == list("abcde")
    found = UFFS().fit(x)
    back = found.inverse_transform(found.transform(x))
    assert back.shape == x.shape and np.allclose(back, x)


def test_same_for_any_number_of_threads():
    x = np.random.default_rng(5).normal(size=(5000, 30))
    results = [UFFS(n_jobs=jobs).fit(x).result_ for jobs in (1, 2, -1)]
    for result in results:
        del result["timing"]
    assert results[0] == results[1] == results[2]


def test_random_states():
    x = redundant()
    order = {"order": "random", "stages": "1"}
    first = UFFS(random_state=1, **order).fit(x).scores_
    assert np.array_equal(first, UFFS(random_state=1, **order).fit(x).scores_)
    assert not np.array_equal(first, UFFS(random_state=2, **order).fit(x).scores_)
    UFFS(random_state=np.random.RandomState(0), **order).fit(x)
    UFFS(random_state=np.random.default_rng(0), **order).fit(x)


def test_warnings_are_python_warnings():
    with pytest.warns(UserWarning, match="rows are too few"):
        UFFS().fit(redundant(8))


def test_saved_and_shown(tmp_path, fsieve_json):
    found = UFFS().fit(redundant())
    found.result_.save(tmp_path / "result.json")
    assert fsieve.load(tmp_path / "result.json") == found.result_
    assert fsieve_json("show", tmp_path / "result.json")["selected"] == found.selected_
    report = str(found.result_)
    assert "5 of 7 features kept" in report and "x5 = 3.00·x0·x1" in report
    assert "5 of 7" in repr(found.result_)


def test_html():
    x, y = labelled()
    frame = pd.DataFrame(x, columns=[f"<b>{j}" for j in range(x.shape[1])])
    text = SFFS(k=2).fit(frame, y).result_._repr_html_()
    assert "&lt;b&gt;4" in text and "<b>4" not in text
    assert "3.00·x0·x1" in UFFS().fit(redundant()).result_._repr_html_()
    assert "3.00·x0·x1" in UFFS().fit(redundant())._repr_html_inner()


class Enough(Exception):
    pass


def test_other_threads_run_meanwhile():
    """The interpreter lock is free during a fit: another thread goes on between two reports of progress."""
    table = _core.Table()
    table.add_numbers([f"x{j}" for j in range(100)], np.random.default_rng(0).normal(size=(5000, 100)))
    ticks, seen = [], []
    done = threading.Event()
    end = time.monotonic() + 60

    def tick():
        while not done.wait(0.001):
            ticks.append(None)

    # Reports are a tenth of a second apart, which has room for many ticks; the report itself, in which the lock is taken
    # anyway, for one or two.
    def show(what, standing, total):
        seen.append(len(ticks))
        if len(seen) > 1 and seen[-1] - seen[-2] >= 10:
            raise Enough
        assert time.monotonic() < end, f"too few ticks between reports: {np.diff(seen)}"

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        with pytest.raises(Enough):  # the whole takes minutes
            _core.run(table, "reduce", {"stages": "3:100"}, np.empty(0), show)
    finally:
        done.set()
        thread.join()


@pytest.mark.parametrize("module", ["__init__", "_uffs", "_sffs", "_greedy", "_junta", "_report"])
def test_examples_in_docstrings(module):
    module = importlib.import_module("fsieve" if module == "__init__" else f"fsieve.{module}")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert doctest.testmod(module).failed == 0


def test_a_full_ranking():
    """The best feature was the bottom bar of plot_scores; all that were not selected shared a rank."""
    x, y = labelled()
    found = SFFS(k=3).fit(x, y)
    d = x.shape[1]
    assert sorted(found.ranking_) == list(range(1, d + 1))
    assert set(np.flatnonzero(found.ranking_ <= 3)) == set(found.get_support(indices=True))
    assert np.all(found.scores_ >= 0) and np.all((found.pvalues_ > 0) & (found.pvalues_ <= found.qvalues_))
    order = np.argsort(found.ranking_)[3:]
    assert np.all(np.diff(found.scores_[order]) <= 0)
    assert found.stability_shares_ is None and found.stability_ is None


def test_what_people_ask_of_a_selector():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(rng.normal(size=(200, 6)), columns=list("abcdef"))
    y = 2 * frame["a"] + frame["b"] + 0.2 * rng.normal(size=200)
    assert list(SFFS(k=2, keep="f").fit(frame, y).get_feature_names_out()) == ["a", "f"]
    assert list(SFFS(k=1, adjust=["a"]).fit(frame, y).get_feature_names_out()) == ["b"]
    assert list(SFFS(k=1, cost={"a": 100.0}).fit(frame, y).get_feature_names_out()) == ["b"]
    assert list(SFFS(k=1, group={"g": "[ac]"}).fit(frame, y).get_feature_names_out()) == ["a", "c"]
    left_out = SFFS(k=1, exclude=["a"]).fit(frame, y)
    assert list(left_out.get_feature_names_out()) == ["b"]
    assert np.isnan(left_out.scores_[0]) and left_out.ranking_[0] == 6
    stable = SFFS(k=2, stability=10, random_state=1).fit(frame, y)
    assert list(stable.stability_shares_[:2]) == [1, 1] and stable.stability_["samples"] == 10
    twin = frame.assign(a2=frame["a"] + 0.1 * rng.normal(size=200))
    found = SFFS(k=2).fit(twin, y)
    assert {"name": "a2", "for": "a"}.items() <= found.substitutes_[0].items()
    with pytest.raises(ValueError, match='keep: no feature column "aa"'):
        SFFS(k=1, keep="aa").fit(frame, y)
    with pytest.warns(UserWarning, match="10 features were asked for, but only 6 can be chosen from"):
        assert SFFS(k=10).fit(frame, y).get_support().all()


def test_selection_without_the_ranking():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 6))
    y = X[:, 4] + X[:, 2] / 2 + rng.normal(size=200) / 4
    whole = fsieve.SFFS(2, folds=0).fit(X, y)
    alone = fsieve.SFFS(2, folds=0, ranking=False).fit(X, y)
    assert alone.selected_ == whole.selected_ and alone.ranking_.tolist() == [3, 3, 2, 3, 1, 3]
    assert alone.scores_ is None and alone.pvalues_ is None and alone.qvalues_ is None and alone.substitutes_ is None


def code_of(work):
    with pytest.raises(ValueError) as raised:
        work()
    return raised.value.code


def test_errors_have_the_codes_of_the_library():
    rng = np.random.default_rng(5)
    bits = pd.DataFrame(rng.integers(0, 2, size=(100, 3)), columns=list("pqr"))
    label = bits["p"] ^ bits["q"]
    assert code_of(lambda: JuntaClassifier(k=4).fit(bits, label)) == "too_few_features"
    assert code_of(lambda: JuntaClassifier(k=2, exclude="nobody").fit(bits, label)) == "no_such_column"
    assert code_of(lambda: SFFS(k=1, keep=["nobody"]).fit(bits, label)) == "no_such_column"
    assert code_of(lambda: UFFS(epsilon=-1).fit(bits)) == "other"


def test_ids_that_are_one_double_are_set_aside():
    """Of NumPy, pandas and Arrow: two of them are no constant."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.normal(size=(100, 2)), columns=["a", "b"])
    ids = 2**53 + np.arange(100) % 2
    for kind in ("int64", "uint64", "Int64", "UInt64", "int64[pyarrow]", "category"):
        frame["id"] = pd.Series(ids).astype(kind)
        for table in (frame, pa.Table.from_pandas(frame)) if kind != "category" else (frame,):
            with pytest.warns(UserWarning, match=r'"id" has whole numbers beyond 2\^53 that are all the same') as said:
                fitted = UFFS(protect=["id"]).fit(table)
            assert len(said) == 1
            assert fitted.ignored_ == [{"name": "id", "index": 2, "reason": "rounded"}]
            assert fitted.removed_ == []
            assert list(fitted.get_feature_names_out()) == ["a", "b"]
    frame["id"] = pd.Series(ids, dtype="Int64").where(np.arange(100) > 3)
    with pytest.warns(UserWarning, match=r'"id" has whole numbers beyond 2\^53 that are all the same'):
        assert len(UFFS(missing="mean").fit(frame).ignored_) == 1
    frame["id"] = np.arange(100) % 2 * 2 + 2**53
    with pytest.warns(UserWarning, match="rounded in all that is computed"):
        assert UFFS().fit(frame).ignored_ == []


def test_ids_as_numbers_warn_and_can_be_left_out():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.normal(size=(100, 2)), columns=["a", "b"])
    frame.insert(0, "id", rng.integers(2**60, 2**62, 100))
    with pytest.warns(UserWarning, match=r'column "id" has whole numbers beyond 2\^53.*exclude="id"'):
        UFFS().fit(frame)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(UFFS(exclude="id").fit(frame).get_feature_names_out()) == ["a", "b"]
        assert list(GFS(k=2, exclude=["i*"]).fit(frame).get_feature_names_out()) == ["a", "b"]
        assert list(GFA(k=1, exclude="[ib]*").fit(frame).get_feature_names_out()) == ["a"]
    bits = pd.DataFrame(rng.integers(0, 2, size=(100, 4)), columns=list("pqrs"))
    rule = JuntaClassifier(k=2, exclude="q").fit(bits, bits["q"] ^ bits["r"] & bits["s"])
    assert "q" not in rule.subset_
