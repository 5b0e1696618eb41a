"""The estimators on Dask: the same answers as on one machine, whoever dies."""

import contextlib
import functools
import os
import pathlib

import numpy as np
import pandas as pd
import pytest

dask = pytest.importorskip("dask")
dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")

from partition_cases import (  # noqa: E402
    PACKAGE_CASES,
    assert_close,
    bits,
    cut,
    die_at_a_piece,
    die_once,
    many_bits,
    mixed,
    parity,
    plain,
    redundant,
)
from places import BUILD  # noqa: E402

import fsieve  # noqa: E402
import fsieve.dask as on_dask  # noqa: E402
from fsieve import _partitions  # noqa: E402

REDUCERS = ["UFFS", "GFS", "GFA"]


@pytest.fixture(autouse=True)
def here():
    """Without a cluster: in this process."""
    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.fixture
def by_sums(monkeypatch):
    """No table is small enough to be gathered."""
    monkeypatch.setattr(_partitions, "MOST_GATHERED", 0)


@contextlib.contextmanager
def connected(workers):
    """A client of so many worker processes, which find the package and these tests."""
    folders = [str(BUILD / "python"), str(pathlib.Path(__file__).parent)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(folders))
        with (
            distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
            distributed.Client(cluster) as client,
        ):
            yield client


@pytest.fixture(scope="module")
def two_workers():
    with connected(2) as client:
        yield client


@pytest.fixture(scope="module")
def four_workers():
    with connected(4) as client:
        yield client


def in_pieces(pieces, meta, **options):
    return dd.from_map(lambda piece: piece, pieces, meta=meta.iloc[:0], **options)


def in_dask(frame, cuts=(50, 90, 91, 200)):
    return in_pieces(cut(frame, cuts), frame)


def fitted(name, X, y=None, **parameters):
    return getattr(on_dask, name)(**parameters).fit(X, *(() if y is None else (y,)))


@pytest.mark.parametrize("name", REDUCERS)
def test_a_small_table_gives_the_bytes_of_one_machine(name):
    frame = mixed()
    one = getattr(fsieve, name)().fit(frame)
    many = fitted(name, in_dask(frame))
    assert plain(many.result_) == plain(one.result_)
    assert list(many.feature_names_in_) == list(frame.columns)


@pytest.mark.parametrize("name", REDUCERS)
def test_sums_give_what_one_machine_finds(name, by_sums):
    frame = mixed()
    one = getattr(fsieve, name)(engine="gram").fit(frame)
    assert_close(one.result_, fitted(name, in_dask(frame)).result_)


def test_selection_and_rule_of_a_small_table():
    frame, label = bits()
    X, y = in_dask(frame, (70, 120)), in_dask(label, (70, 120))
    selector = fitted("SFFS", X, y, k=2)
    assert plain(selector.result_) == plain(fsieve.SFFS(k=2).fit(frame, label).result_)
    rule = fitted("JuntaClassifier", X, y)
    alone = fsieve.JuntaClassifier().fit(frame, label)
    assert plain(rule.result_) == plain(alone.result_)
    predicted = rule.predict(X)
    assert isinstance(predicted, dd.Series)
    pd.testing.assert_index_equal(predicted.compute().index, frame.index)
    assert (predicted.compute() == alone.predict(frame)).all()
    assert (rule.predict_proba(X).compute().to_numpy() == alone.predict_proba(frame)).all()
    assert (rule.predict(frame) == alone.predict(frame)).all()


@pytest.mark.parametrize(
    "how",
    [{}, {"learner": "erm"}, {"learner": "low-degree"}, {"class_weight": "balanced", "permutations": 2}],
    ids=["fourier", "erm", "low-degree", "weights and shuffles"],
)
def test_a_rule_from_bits_and_ranges_of_subsets(how, by_sums):
    frame, label = bits()
    frame["real"] = np.random.default_rng(1).normal(size=len(frame)).round(1)
    frame["tied"] = np.minimum(frame.real, 0)
    frame["word"] = np.where(frame.x0 == 1, "yes", "no")
    alone = fsieve.JuntaClassifier(k=2, **how)
    with pytest.warns(UserWarning, match="median"):
        alone.fit(frame, label)
    with pytest.warns(UserWarning, match="median"):
        rule = fitted("JuntaClassifier", in_dask(frame, (7, 120)), in_dask(label, (7, 120)), k=2, **how)
    assert plain(rule.result_) == plain(alone.result_)


@pytest.mark.parametrize("classes", [("no", "yes"), (3.0, -1.0), (1, 2)])
def test_classes_of_any_spelling(classes, by_sums):
    frame, label = bits()
    label = label.map({0: classes[0], 1: classes[1]})
    X = in_dask(frame, (100,))
    alone = fsieve.JuntaClassifier().fit(frame, label)
    rule = fitted("JuntaClassifier", X, in_dask(label, (100,)))
    assert plain(rule.result_) == plain(alone.result_)
    assert (rule.predict(X).compute() == alone.predict(frame)).all()


def test_arrays():
    import dask.array as da

    frame, label = bits()
    values, y = frame.to_numpy(float), label.to_numpy()
    X = da.from_array(values, chunks=(60, 3))
    lazy_label = da.from_array(y, chunks=90)
    reducer = fitted("UFFS", X)
    assert plain(reducer.result_) == plain(fsieve.UFFS().fit(values).result_)
    assert (reducer.transform(X).compute() == fsieve.UFFS().fit_transform(values)).all()
    rule = fitted("JuntaClassifier", X, lazy_label)
    assert (rule.predict(X).compute() == y).all()
    assert rule.predict_proba(X).compute().shape == (200, 2)


@pytest.mark.parametrize("kind", ["csr_matrix", "csc_array", "coo_matrix", "coo_array"])
def test_sparse_chunks(kind, by_sums):
    import dask.array as da
    import scipy.sparse

    frame, label = bits()
    frame["sum"] = frame.x0 + 2 * frame.x1
    values, y = frame.to_numpy(float), label.to_numpy()
    make = getattr(scipy.sparse, kind)
    X = da.from_array(values, chunks=(60, 4)).map_blocks(make)
    reducer = fitted("UFFS", X)
    assert_close(fsieve.UFFS(engine="gram").fit(values).result_, reducer.result_)
    kept = reducer.transform(X).compute()
    assert scipy.sparse.issparse(kept)
    assert (kept.toarray() == values[:, reducer.get_support()]).all()
    parameters = {"k": 2, "binarize": 0.5}
    rule = fitted("JuntaClassifier", X, da.from_array(y, chunks=60), **parameters)
    alone = fsieve.JuntaClassifier(**parameters).fit(make(values), y)
    assert plain(rule.result_) == plain(alone.result_)
    assert (rule.predict(X).compute() == alone.predict(values)).all()
    assert (rule.predict_proba(X).compute() == alone.predict_proba(values)).all()


def test_transform_is_lazy():
    frame = mixed()
    X = in_dask(frame)
    reducer = fitted("UFFS", X)

    def explode(i):
        raise AssertionError("a partition was read")

    never = dd.from_map(explode, range(3), meta=frame.iloc[:0])
    assert list(reducer.transform(never).columns) == list(reducer.get_feature_names_out())
    pd.testing.assert_frame_equal(
        reducer.transform(X).compute(), frame[list(reducer.get_feature_names_out())], check_dtype=False
    )
    with pytest.raises(ValueError, match="feature names"):
        reducer.transform(X[["b", "a"]])


@pytest.mark.parametrize("gathered", [True, False])
@pytest.mark.parametrize(
    "cuts",
    [(0, 100), (100, 100, 240), tuple(range(1, 30)), (1,), (239,)],
    ids=["empty first", "empties", "one row each", "skewed", "skewed last"],
)
def test_partitions_of_any_size(cuts, gathered, monkeypatch):
    if not gathered:
        monkeypatch.setattr(_partitions, "MOST_GATHERED", 0)
    frame = mixed()
    one = fsieve.UFFS(engine="gram").fit(frame)
    many = fitted("UFFS", in_dask(frame, cuts), engine="gram")
    assert_close(one.result_, many.result_)


def test_levels_that_differ_between_partitions(by_sums):
    frame = mixed().sort_values("colour", kind="stable").reset_index(drop=True)
    first_red = int((frame.colour == "red").to_numpy().argmax())
    one = fsieve.UFFS(engine="gram").fit(frame)
    many = fitted("UFFS", in_dask(frame, (10, first_red)))
    assert_close(one.result_, many.result_)
    as_category = frame.assign(colour=frame.colour.astype("category"))
    pieces = [piece.assign(colour=piece.colour.astype(str).astype("category")) for piece in cut(frame, (first_red,))]
    known = in_pieces(pieces, as_category)
    assert_close(fsieve.UFFS(engine="gram").fit(as_category).result_, fitted("UFFS", known).result_)


@pytest.mark.parametrize("missing", ["drop", "mean"])
@pytest.mark.parametrize("gathered", [True, False])
def test_missing_values(missing, gathered, monkeypatch):
    if not gathered:
        monkeypatch.setattr(_partitions, "MOST_GATHERED", 0)
    frame = mixed()
    frame.loc[[3, 50, 51, 239], "a"] = np.nan
    frame.loc[[7, 8], "colour"] = None
    rare = frame.colour.where(frame.index != 3, "violet")  # goes with its only row
    frame["colour"] = rare
    one = fsieve.UFFS(engine="gram", missing=missing).fit(frame)
    many = fitted("UFFS", in_dask(frame), engine="gram", missing=missing)
    assert_close(one.result_, many.result_)


def test_columns_that_are_set_aside(by_sums):
    frame = mixed()
    frame["id"] = np.arange(len(frame))
    frame["name"] = [f"row {i}" for i in range(len(frame))]
    frame["empty"] = np.where(np.arange(len(frame)) < 20, 1.0, np.nan)
    with pytest.warns(UserWarning, match="set aside"):
        one = fsieve.UFFS(engine="gram").fit(frame)
    with pytest.warns(UserWarning, match="set aside"):
        many = fitted("UFFS", in_dask(frame))
    assert [column["name"] for column in many.ignored_] == ["id", "name", "empty"]
    assert_close(one.result_, many.result_)


def test_dates(by_sums):
    frame = mixed()
    frame["when"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(240) * 37 % 500, unit="D")
    one = fsieve.UFFS(engine="gram").fit(frame)
    assert_close(one.result_, fitted("UFFS", in_dask(frame)).result_)


def test_mistakes_name_the_partition():
    frame = mixed()
    frame.loc[100, "a"] = np.nan
    with pytest.raises(ValueError, match='partition 3: column "a", row 10: missing value'):
        fitted("UFFS", in_dask(frame))
    pieces = cut(mixed(), (80, 160))
    pieces[1] = pieces[1].drop(columns="c")
    table = in_pieces(pieces, pieces[0], enforce_metadata=False)
    with pytest.raises(ValueError, match='partition 1 has no column "c"'):
        fitted("UFFS", table)
    frame, label = bits()
    with pytest.raises(ValueError, match="X has 2 partitions, and y 3"):
        fitted("SFFS", in_dask(frame, (9,)), in_dask(label, (9, 10)))
    with pytest.raises(ValueError, match="partition 0 has 9 rows, and its label 10"):
        fitted("SFFS", in_dask(frame, (9,)), in_dask(label, (10,)))


@pytest.mark.parametrize("kind", ["classes", "number", "text"])
def test_a_selection_is_searched_in_a_sample_and_judged_by_sums(kind):
    frame = mixed(600)
    worth = 2 * frame.a + frame["product"] + (frame.colour == "red")
    rare = np.arange(600) % 97 == 0
    label = {
        "classes": pd.Series(np.where(rare, 2, (worth > 0).astype(int)), name="y"),
        "number": (worth + 0.1 * frame.d).rename("y"),
        "text": pd.Series(np.where(worth > 0, "high", "low"), name="y"),
    }[kind]
    parameters = {"k": 2, "sample": 150, "folds": 2}
    one = fsieve.SFFS(**parameters).fit(frame, label)
    cuts = (100, 100, 330)
    many = fitted("SFFS", in_dask(frame, cuts), in_dask(label, cuts), **parameters)
    assert_close(one.result_, many.result_)
    asked = {entry["question"] for entry in many.wire_}
    assert {"table facts", "rare rows", "rows", "function sums", "step scores"} <= asked
    rows = [entry["answer"] for entry in many.wire_ if entry["question"] == "rows"]
    assert max(rows) < 8 * 600 * (len(frame.columns) + 1)  # never all of them


@pytest.mark.parametrize(
    "how",
    [
        {"class_weight": "balanced"},
        {"bins": 4, "search": "union", "depth": 2, "reduce": "none"},
        {"bins": 3},
        {"class_weight": "balanced", "bins": 4, "reduce": "1", "equations": False},
    ],
    ids=["classes", "bins", "bins in rounds", "both, reduced"],
)
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_bins_and_weights_of_classes_are_made_where_the_rows_are(how, weighted):
    frame = mixed(900)
    worth = 2 * frame.a + frame["product"] + (frame.colour == "red")
    label = pd.Series(np.where(worth > 1.5, "high", "low"), name="y")
    parameters = {"k": 2, "sample": 200, "folds": 2, **how}
    weights, cuts = weights_of(frame) if weighted else None, (100, 100, 330)
    one = fsieve.SFFS(**parameters).fit(frame, label, sample_weight=weights)
    many = on_dask.SFFS(**parameters)
    beside = in_dask(weights, cuts) if weighted else None
    many.fit(in_dask(frame, cuts), in_dask(label, cuts), sample_weight=beside)
    assert_close(one.result_, many.result_)
    if how.get("reduce", "none") == "none":  # relations are looked for on thousands of rows
        rows = [entry["answer"] for entry in many.wire_ if entry["question"] == "rows"]
        assert max(rows) < 8 * 900 * (len(frame.columns) + 1)  # never all of them
    plainly = fsieve.SFFS(k=2, sample=200, folds=2).fit(frame, label, sample_weight=weights)
    assert one.result_["subsets"] != plainly.result_["subsets"]


@pytest.mark.parametrize("sample", [None, 13_000], ids=["gathered", "sample"])
def test_subsets_are_shared_out(sample):
    frame, label = many_bits()
    X, y = in_dask(frame, (70, 9000)), in_dask(label, (70, 9000))
    parameters = {"k": 4, "depth": 3, "search": "union", "folds": 0, "ranking": False, "sample": sample}
    one = fsieve.SFFS(**parameters).fit(frame, label)
    many = fitted("SFFS", X, y, **parameters)
    if sample is None:
        assert plain(many.result_) == plain(one.result_)
    assert_close(one.result_, many.result_)
    [shared] = [entry for entry in many.wire_ if entry["question"] == "subsets"]
    assert shared["pieces"] >= 2
    if sample is not None:
        return
    rule = fitted("JuntaClassifier", X, y, k=3)
    assert plain(rule.result_) == plain(fsieve.JuntaClassifier(k=3).fit(frame, label).result_)
    assert [entry["pieces"] for entry in rule.wire_ if entry["question"] == "subsets"] == [shared["pieces"]]


def weights_of(frame):
    """How many rows each row stands for: none, some, and parts of one."""
    return pd.Series(np.random.default_rng(9).integers(0, 5, len(frame)) / 2, name="w")


@pytest.mark.parametrize("missing", ["error", "drop"])
@pytest.mark.parametrize("name", REDUCERS)
def test_weights_of_rows_in_partitions(name, missing, by_sums):
    frame = mixed()
    weights, cuts = weights_of(frame), (50, 90, 91, 200)
    if missing == "drop":
        frame.loc[[3, 50, 51, 239], "a"] = np.nan
    one = getattr(fsieve, name)(engine="gram", missing=missing).fit(frame, sample_weight=weights)
    many = getattr(on_dask, name)(engine="gram", missing=missing)
    many.fit(in_dask(frame, cuts), sample_weight=in_dask(weights, cuts))
    assert_close(one.result_, many.result_)
    rows = len(frame) - 4 * (missing == "drop")
    assert [entry["answer"] for entry in many.wire_ if entry["question"] == "weights"] == [8 + 8 * rows]
    unweighted = fitted(name, in_dask(frame), engine="gram", missing=missing)
    assert unweighted.result_["selected"] != many.result_["selected"]


@pytest.mark.parametrize("sample", [None, 150])
def test_a_selection_of_weighted_rows_in_partitions(sample, monkeypatch):
    frame = mixed(600)
    label = pd.Series(np.where(2 * frame.a + frame["product"] > 0, "high", "low"), name="y")
    weights, cuts = weights_of(frame), (100, 330)
    one = fsieve.SFFS(k=2, folds=2, sample=sample).fit(frame, label, sample_weight=weights)
    many = on_dask.SFFS(k=2, folds=2, sample=sample)
    many.fit(in_dask(frame, cuts), in_dask(label, cuts), sample_weight=in_dask(weights, cuts))
    assert_close(one.result_, many.result_)


def test_mistakes_in_weights():
    frame = mixed()
    X, weights = in_dask(frame, (9,)), weights_of(frame)
    with pytest.raises(ValueError, match="X has 2 partitions, and sample_weight 3"):
        on_dask.UFFS().fit(X, sample_weight=in_dask(weights, (9, 10)))
    with pytest.raises(ValueError, match="partition 0 has 9 rows, and its weights have shape"):
        on_dask.UFFS().fit(X, sample_weight=in_dask(weights, (10,)))
    with pytest.raises(TypeError, match="sample_weight must be a Dask Series"):
        on_dask.UFFS().fit(X, sample_weight=weights)
    weights[20] = -1
    with pytest.raises(ValueError, match="row 21: its weight is -1"):
        on_dask.UFFS().fit(X, sample_weight=in_dask(weights, (9,)))


def test_what_needs_all_rows_has_them(by_sums):
    frame = mixed()
    one = fsieve.GFS(engine="sample").fit(frame)
    assert_close(one.result_, fitted("GFS", in_dask(frame), engine="sample").result_)
    frame, label = bits()
    X, y = in_dask(frame, (70, 120)), in_dask(label, (70, 120))
    assert_close(fsieve.SFFS(k=2).fit(frame, label).result_, fitted("SFFS", X, y, k=2).result_)
    with pytest.raises(ValueError, match="memory=.1M."):
        fitted("SFFS", X, y, k=2, memory="8K")


def test_nothing_of_dask_is_imported_by_the_package():
    import subprocess
    import sys

    code = "import sys, fsieve; assert not {'dask', 'distributed', 'pyspark'} & set(sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(BUILD / "python")}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


def test_the_same_bytes_whoever_answers_first(by_sums, two_workers):
    X = in_dask(mixed(), tuple(range(24, 240, 24)))
    with dask.config.set(scheduler=None):
        on_cluster = fitted("UFFS", X)
    here = fitted("UFFS", X)
    assert plain(on_cluster.result_) == plain(here.result_)


def dies_in_the_middle(piece, calls):
    if calls:
        die_once(calls)
    return piece


def mortal(frame, calls, cuts=(60, 120, 180)):
    """The worker that reads the third partition in the second pass is killed."""
    pieces = cut(frame, cuts)
    deaths = ["", "", calls, *[""] * (len(pieces) - 3)]
    return dd.from_map(dies_in_the_middle, pieces, deaths, meta=frame.iloc[:0])


def test_a_worker_that_dies_changes_nothing(by_sums, two_workers, tmp_path):
    frame = mixed()
    with dask.config.set(scheduler=None):
        many = fitted("UFFS", mortal(frame, str(tmp_path / "calls")))
    assert (tmp_path / "calls").stat().st_size > 2
    assert_close(fsieve.UFFS(engine="gram").fit(frame).result_, many.result_)


def test_a_stage_that_is_prepared_on_a_sample():
    """The same rows are drawn, wherever they lie."""
    frame = mixed(rows=900)
    frame["flag"] = (np.arange(len(frame)) % 225 == 7) * 1.0
    words = {"stages": "1,2:4", "sample": 150}
    one = fsieve.UFFS(**words).fit(frame)
    many = fitted("UFFS", in_dask(frame, (100, 101, 640)), **words)
    assert one.stages_[0]["sample"] == many.stages_[0]["sample"] < 900
    assert_close(one.result_, many.result_)
    [drawn] = [entry["answer"] for entry in many.wire_ if entry["question"] == "telling rows"]
    assert drawn == (len(frame.columns) + 1) * (8 + 8 * one.stages_[0]["sample"])


def test_what_goes_over_the_wire(by_sums):
    """The formulas of docs/scale.md."""
    frame = mixed()
    levels = frame.colour.nunique()
    sizes = {}
    for name, parameters in (("UFFS", {}), ("GFS", {"k": 2})):
        for entry in fitted(name, in_dask(frame), **parameters).wire_:
            sizes.setdefault(entry["question"], []).append(entry["answer"])
    columns = len(frame.columns)
    assert set(sizes["moments"]) == {24 + 64 * columns + 8 * levels}
    assert sizes["rows"][0] == columns * (8 + 8 * len(frame))
    assert set(sizes["claims"]) <= {8 + 8 * k for k in range(1, 200)}
    names = sum(map(len, frame.columns))
    texts = sum(map(len, frame.colour.unique()))
    hashes = 8 * (levels + frame.coin.nunique())  # of texts and of whole numbers
    first_texts = len(frame.colour[0])
    scan = 24 + 8 * 5 + columns * (17 + 203) + names + 16 * levels + texts + hashes + first_texts
    assert sizes["scan"][0] == pytest.approx(scan, rel=0.02)
    frame, label = bits()
    rule = fitted("JuntaClassifier", in_dask(frame, (9,)), in_dask(label, (9,)))
    packed = [entry["answer"] for entry in rule.wire_ if entry["question"] == "packed rows"]
    words = -(-len(frame) // 64)
    assert packed == [8 + 8 + 8 * words, 8 + len(frame.columns) * (8 + 8 * words)]


@pytest.mark.cluster
@pytest.mark.parametrize("gathered", [True, False])
@pytest.mark.parametrize("name", [*REDUCERS, "JuntaClassifier", "SFFS"])
def test_four_workers_and_a_death_in_every_method(name, gathered, four_workers, tmp_path, monkeypatch):
    if not gathered:
        monkeypatch.setattr(_partitions, "MOST_GATHERED", 0)
    frame, label = mixed(), None
    parameters = {"engine": "gram"} if name in REDUCERS else {"k": 2}
    if name == "SFFS" and not gathered:
        parameters["sample"] = 120
    if name not in REDUCERS:
        frame, label = bits(240)
    cuts = tuple(range(20, 240, 20))
    y = () if label is None else (in_dask(label, cuts),)
    plainly = getattr(fsieve, name)(**parameters).fit(frame, *(() if label is None else (label,)))
    with dask.config.set(scheduler=None):
        many = fitted(name, mortal(frame, str(tmp_path / "calls"), cuts), *y, **parameters)
        assert (tmp_path / "calls").stat().st_size > 2
        again = fitted(name, in_dask(frame, cuts), *y, **parameters)
    assert plain(again.result_) == plain(many.result_)
    assert_close(plainly.result_, many.result_)


@pytest.mark.cluster
@pytest.mark.parametrize("gathered", [True, False])
@pytest.mark.parametrize(("name", "parameters", "labelled"), PACKAGE_CASES, ids=str)
def test_the_cases_of_the_package(name, parameters, labelled, gathered, four_workers, monkeypatch):
    if not gathered:
        monkeypatch.setattr(_partitions, "MOST_GATHERED", 0)
        parameters = parameters | ({"engine": "gram"} if name in REDUCERS else {})
    frame, label = parity() if labelled else (redundant(), None)
    cuts = (7, 7, 130, 399)
    one = getattr(fsieve, name)(**parameters).fit(frame, *([label] if labelled else []))
    with dask.config.set(scheduler=None):
        X = in_dask(frame, cuts)
        many = fitted(name, X, *([in_dask(label, cuts)] if labelled else []), **parameters)
        if name == "JuntaClassifier":
            assert (many.predict(X).compute() == one.predict(frame)).all()
            assert (many.decision_function(X).compute() == one.decision_function(frame)).all()
        else:
            kept = frame[list(one.get_feature_names_out())]
            pd.testing.assert_frame_equal(many.transform(X).compute(), kept)
    if gathered:
        assert plain(many.result_) == plain(one.result_)
    assert_close(one.result_, many.result_)


@pytest.mark.cluster
def test_a_worker_that_dies_costs_its_ranges(four_workers, tmp_path, monkeypatch):
    frame, label = many_bits()
    X, y = in_dask(frame, (9000,)), in_dask(label, (9000,))
    union = {"k": 4, "depth": 3, "search": "union", "folds": 0, "ranking": False, "sample": 13_000}
    for name, parameters in (("SFFS", union), ("JuntaClassifier", {"k": 3})):
        calls = str(tmp_path / name)
        monkeypatch.setattr(_partitions, "_work", functools.partial(die_at_a_piece, calls, False))
        with dask.config.set(scheduler=None):
            many = fitted(name, X, y, **parameters)
        [pieces] = [entry["pieces"] for entry in many.wire_ if entry["question"] == "subsets"]
        assert os.path.getsize(calls) > pieces
        assert_close(getattr(fsieve, name)(**parameters).fit(frame, label).result_, many.result_)


@pytest.mark.cluster
def test_the_engine_counts_what_the_formulas_say(by_sums):
    """Bytes between workers, as Dask counts them: answers on their way up, and no partition, each larger than all of them."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(80_000, 60)), columns=[f"v{j}" for j in range(60)])

    def received(dask_worker):
        return sum(entry["total"] for entry in dask_worker.transfer_incoming_log)

    with dask.config.set({"distributed.scheduler.work-stealing": False}), connected(4) as client:
        X = in_dask(frame, tuple(range(5000, 80_000, 5000))).persist(scheduler=client)
        distributed.wait(X)
        before = sum(client.run(received).values())
        with dask.config.set(scheduler=None):
            reducer = fitted("UFFS", X, stages="1", order="input", equations=False, sample="all")
        moved = sum(client.run(received).values()) - before
    answers = sum(entry["answer"] for entry in reducer.wire_)
    # Every partition's answer moves at most once, and the merged ones.
    assert 0 < moved <= 8 / 7 * 16 * answers + 2**16 < 5000 * 60 * 8
