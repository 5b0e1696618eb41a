"""Tables of every library and layout give the same answer."""

import decimal
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from places import BUILD

from fsieve import SFFS, UFFS


def numbers(dtype=float, n=300):
    rng = np.random.default_rng(1)
    x = rng.integers(-5, 6, size=(n, 6)).astype(float)
    x[:, 5] = x[:, 0] * x[:, 1]
    return x.astype(dtype)


def answer(X, **parameters):
    result = UFFS(**parameters).fit(X).result_
    return result["selected"], result["removed"], result["data"]["rows"]


WANTED = answer(numbers())


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "i2", "i4", "i8", ">f8", ">i4"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_number_types(dtype, order):
    assert answer(np.asarray(numbers(), dtype=dtype, order=order)) == WANTED


@pytest.mark.parametrize("dtype", ["u1", "u2", "u4", "u8", "bool"])
def test_unsigned_and_bool(dtype):
    x = (numbers() > 0).astype(dtype)
    assert answer(x) == answer(x.astype(float))


def test_views():
    x = numbers()
    wide = np.zeros((300, 12))
    wide[:, ::2] = x
    assert answer(wide[:, ::2]) == WANTED
    beside = np.zeros((300, 9))
    beside[:, 2:8] = x
    assert answer(beside[:, 2:8]) == WANTED
    tall = np.zeros((600, 6), order="F")
    tall[::2] = x
    assert answer(tall[::2]) == WANTED
    longer = np.zeros((400, 6), order="F")
    longer[50:350] = x
    assert answer(longer[50:350]) == WANTED
    assert answer(x[::-1][::-1]) == WANTED
    assert answer(x[:, ::-1][:, ::-1]) == WANTED
    fields = np.zeros(300, dtype=[("t", "i1"), ("x", "f8", 6)])
    fields["x"] = x
    assert answer(fields["x"]) == WANTED
    x.flags.writeable = False
    assert answer(x) == WANTED


def test_lists_and_objects():
    assert answer(numbers().tolist()) == WANTED
    assert answer(numbers().astype(object)) == WANTED


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_sparse(form):
    assert answer(scipy.sparse.csr_array(numbers()).asformat(form)) == WANTED
    assert answer(scipy.sparse.csr_matrix(numbers()).asformat(form)) == WANTED


def frame():
    rng = np.random.default_rng(2)
    n = 400
    return pd.DataFrame(
        {
            "real": rng.normal(size=n),
            "whole": rng.integers(0, 100, n),
            "small": rng.normal(size=n).astype("f4"),
            "flag": rng.random(n) < 0.5,
            "text": rng.choice(["low", "high", "middle"], n),
            "kind": pd.Categorical(rng.choice(["x", "y", "z"], n), categories=["z", "y", "x", "unused"]),
        }
    )


def wanted_frame():
    plain = frame()
    plain["kind"] = plain["kind"].astype(str)
    plain["flag"] = plain["flag"].astype(float)
    return answer(plain)


def test_pandas():
    wanted = wanted_frame()
    assert answer(frame()) == wanted
    nullable = frame().convert_dtypes()
    assert answer(nullable) == wanted
    arrow = pa.Table.from_pandas(frame()).to_pandas(types_mapper=pd.ArrowDtype)
    assert answer(arrow) == wanted
    objects = frame()
    objects["text"] = objects["text"].astype(object)
    assert answer(objects) == wanted


def test_pandas_without_pyarrow():
    """Frames need nothing but pandas and fsieve."""
    script = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import pandas as pd, numpy as np, fsieve\n"
        "x = pd.DataFrame({'a': np.arange(50.), 'b': ['u', 'v'] * 25})\n"
        "print(len(fsieve.UFFS().fit(x).selected_))\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(BUILD / "python"), "PATH": ""},
    )  # fmt: skip
    assert done.stdout.strip() == "2", done.stderr


@pytest.mark.filterwarnings("ignore")
def test_arrow_streams():
    duckdb = pytest.importorskip("duckdb")
    wanted = wanted_frame()
    table = pa.Table.from_pandas(frame(), preserve_index=False)
    assert answer(table) == wanted
    chunks = pa.concat_tables([table.slice(0, 7), table.slice(7, 200), table.slice(207)])
    assert chunks.column("real").num_chunks == 3
    assert answer(chunks) == wanted
    assert answer(table.slice(3).slice(0)) == answer(frame().iloc[3:])
    for text in (pa.large_string(), pa.string_view()):
        assert answer(table.set_column(4, "text", table["text"].cast(text))) == wanted
    polars = pl.from_pandas(frame())
    assert answer(polars) == wanted
    assert answer(pl.concat([polars[:10], polars[10:]], rechunk=False)) == wanted
    everything = frame()  # noqa: F841 (DuckDB sees it)
    assert answer(duckdb.sql("select * from everything")) == wanted


def test_long_texts_of_views():
    """Texts of more than 12 bytes lie in buffers of their own."""
    texts = ["a rather long level number one", "short", "a rather long level number two"] * 40
    polars = pl.DataFrame({"t": texts, "x": np.random.default_rng(0).normal(size=120)})
    found = UFFS(categorical="t").fit(polars)
    assert found.result_["data"]["features"] == 2
    assert answer(polars) == answer(polars.to_pandas())


def test_missing_everywhere():
    x = frame()
    x.loc[[3, 17], "real"] = np.nan
    x.loc[5, "text"] = None
    with pytest.raises(ValueError, match='column "real", row 4: missing value'):
        UFFS().fit(x)
    for how in ("drop", "mean"):
        wanted = answer(x, missing=how)
        assert wanted[2] == (397 if how == "drop" else 400)
        for other in (pl.from_pandas(x), pa.Table.from_pandas(x), x.convert_dtypes()):
            assert answer(other, missing=how) == wanted


def test_decimals_and_nulls():
    values = [decimal.Decimal("1.25"), decimal.Decimal("-3.5"), None, decimal.Decimal("7")] * 10
    table = pa.table({"d": pa.array(values, pa.decimal128(10, 2)), "x": np.arange(40.0)})
    same = pd.DataFrame({"d": [1.25, -3.5, np.nan, 7.0] * 10, "x": np.arange(40.0)})
    assert answer(table, missing="mean") == answer(same, missing="mean")


def test_types_that_are_neither():
    times = pd.DataFrame({"took": pd.to_timedelta(np.arange(9), unit="h"), "x": np.arange(9.0)})
    with pytest.raises(ValueError, match='column "took" has type timedelta64.* neither number nor text'):
        UFFS().fit(times)
    with pytest.raises(ValueError, match='column "took" has type duration, .* neither number nor text'):
        UFFS().fit(pl.from_pandas(times))


def test_what_cannot_be_read_is_named_and_may_be_left_out():
    lists = pd.DataFrame({"all": [[k] for k in range(30)], "x": np.arange(30.0) ** 2, "z": np.arange(30) % 7})
    times = lists.assign(all=pd.to_timedelta(np.arange(30), unit="h"))
    for table in (lists, times, pl.from_pandas(lists), pl.from_pandas(times)):
        with pytest.raises(ValueError, match=r'column "all" has type .* \(leave it out: exclude="all"\)'):
            UFFS().fit(table)
        assert list(UFFS(exclude="all").fit(table).get_feature_names_out()) == ["x", "z"]
    with pytest.raises(ValueError, match=r"lazy frame.*X\.collect\(\)"):
        UFFS().fit(pl.from_pandas(times).lazy())


def test_what_a_mask_hides_is_missing():
    values = np.arange(60).reshape(30, 2) % 11
    masked = np.ma.masked_array(values, mask=values == 7)
    with pytest.raises(ValueError, match="missing value"):
        UFFS().fit(masked)
    hidden = np.where(values == 7, np.nan, values)
    assert answer(masked, missing="mean") == answer(hidden, missing="mean")
    assert answer(np.ma.masked_array(values)) == answer(values)


@pytest.mark.parametrize("names", [("x", "z"), ("label", "z")])
def test_a_label_with_gaps_is_told_as_the_label(names):
    table = pd.DataFrame(np.arange(60).reshape(30, 2) % 11, columns=list(names))
    label = pd.Series(["a", "b", "c"] * 10, name="label").mask(np.arange(30) == 4)
    with pytest.raises(ValueError, match="^y, row 5: missing value"):
        SFFS().fit(table, label)


def test_names():
    x = frame()
    found = UFFS().fit(x)
    assert list(found.feature_names_in_) == list(x.columns)
    kept = found.get_feature_names_out()
    assert list(kept) == [feature["name"] for feature in found.selected_]
    out = UFFS().set_output(transform="pandas").fit(x).transform(x)
    assert list(out.columns) == list(kept)
    assert not hasattr(UFFS().fit(numbers()), "feature_names_in_")
    assert list(UFFS().fit(numbers()).get_feature_names_out()) == ["x0", "x1", "x2", "x3", "x4"]
    whole = UFFS().fit(pd.DataFrame(numbers()))
    assert whole.selected_[0]["name"] == "x0"
    with pytest.raises(ValueError, match="both named|unique column names"):
        UFFS().fit(pd.DataFrame(numbers(), columns=["a", "a", "c", "d", "e", "f"]))
    with pytest.raises(ValueError, match="feature names should match"):
        found.transform(x.rename(columns={"real": "unreal"}))


@pytest.mark.parametrize("how", ["pandas", "polars", "numpy", "list", "category", "arrow"])
def test_labels(how):
    rng = np.random.default_rng(3)
    x = rng.integers(0, 2, size=(200, 8))
    y = np.where(x[:, 1] ^ x[:, 5], "yes", "no")
    label = {
        "pandas": pd.Series(y, name="target"),
        "polars": pl.Series("target", y),
        "numpy": y,
        "list": y.tolist(),
        "category": pd.Series(y, name="target", dtype="category"),
        "arrow": pa.chunked_array([y.tolist()[:100], y.tolist()[100:]]),
    }[how]
    found = SFFS(k=2).fit(x, label)
    assert list(found.get_support(indices=True)) == [1, 5]
    assert found.data_["classes"] == ["no", "yes"]
    named = how in ("pandas", "polars", "category")
    assert found.data_["label"] == ("target" if named else "y")


def test_label_named_as_a_feature():
    x = pd.DataFrame({"y": [0, 1] * 20, "z": np.arange(40) % 3})
    assert SFFS(k=1).fit(x, x["y"].to_numpy()).selected_[0]["name"] == "y"
