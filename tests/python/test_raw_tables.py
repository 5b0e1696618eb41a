"""Tables as they are found, in Python: identifiers, mostly missing columns, dates."""

import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from fsieve import GFA, GFS, SFFS, UFFS, JuntaClassifier

ROWS = 300
ESTIMATORS = [UFFS(), GFS(), GFA(k=3), SFFS(k="certain"), JuntaClassifier(k=2, binarize="median")]


def frame():
    chance = np.random.default_rng(7)
    X = pd.DataFrame(chance.normal(size=(ROWS, 5)), columns=list("abcde"))
    return X, np.where(X["c"] + chance.normal(scale=0.3, size=ROWS) > 0, "yes", "no")


def raw(X):
    """The same with an identifier, a counter and a column of gaps in front."""
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "id": [f"r{i}" for i in range(ROWS)],
                    "n": np.random.default_rng(1).permutation(ROWS),
                    "gaps": np.where(np.arange(ROWS) % 10 == 0, 1.0, np.nan),
                }
            ),
            X,
        ],
        axis=1,
    )


def found(estimator):
    result = estimator.result_
    return [entry["name"] for entry in result.get("selected", [])] + result.get("subset", [])


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
def test_identifiers_change_nothing(estimator):
    """id = r0, r1, … of 300 rows: SFFS took nothing, with k = 2 id first; UFFS had too few rows."""
    X, y = frame()
    plain = found(estimator.fit(X, y))
    assert estimator.ignored_ == []
    with pytest.warns(UserWarning) as said:
        estimator.fit(raw(X), y)
    assert found(estimator) == plain
    assert [(c["name"], c["index"], c["reason"]) for c in estimator.ignored_] == [
        ("id", 0, "identifier"),
        ("n", 1, "identifier"),
        ("gaps", 2, "missing"),
    ]
    texts = [str(warning.message) for warning in said]
    for name in ("id", "n", "gaps"):
        assert sum(f'column "{name}"' in text for text in texts) == 1
    assert 'use="id"' in next(text for text in texts if '"id"' in text)
    assert len(estimator.ranking_) == 8
    assert estimator.ranking_[:3].min() >= estimator.ranking_[3:].max()


def test_transform_gives_the_selected_columns_only():
    X, y = frame()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        chosen = SFFS(k=1).fit(raw(X), y)
        assert chosen.get_feature_names_out().tolist() == ["c"]
        assert chosen.transform(raw(X)).shape == (ROWS, 1)
        frame_out = chosen.set_output(transform="pandas").transform(raw(X))
    assert list(frame_out.columns) == ["c"]


def test_predict_does_not_look_at_ignored_columns():
    X, y = frame()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rule = JuntaClassifier(k=1, binarize="median").fit(raw(X), y)
    changed = raw(X)
    changed["id"] = [f"other{i}" for i in range(ROWS)]
    changed["gaps"] = np.nan
    assert (rule.predict(changed) == rule.predict(raw(X))).all()


def test_wishes_win():
    X, y = frame()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        chosen = SFFS(k=2, use=["n"]).fit(raw(X)[["n", *"abcde"]], y)
    assert chosen.ignored_ == []
    with pytest.raises(ValueError, match="missing value"):
        SFFS(k=2, use="*").fit(raw(X)[["gaps", *"abcde"]], y)


def test_arrays_too():
    X, y = frame()
    values = np.column_stack([np.arange(ROWS), X.to_numpy()])
    with pytest.warns(UserWarning, match="names the rows"):
        chosen = SFFS(k=1).fit(values, y)
    assert chosen.get_support(indices=True).tolist() == [3]
    assert [column["index"] for column in chosen.ignored_] == [0]


def test_the_same_as_the_command_line(tmp_path, fsieve_json):
    X, y = frame()
    table = raw(X)
    table["y"] = y
    table.to_csv(tmp_path / "t.csv", index=False)
    told = fsieve_json("reduce", "t.csv", "--label", "y")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert UFFS().fit(raw(X)).ignored_ == told["ignored"]


def dated():
    """A label that depends on the month of `when`, and numbers that say nothing."""
    chance = np.random.default_rng(3)
    when = pd.Timestamp("2019-01-01") + pd.to_timedelta(chance.integers(0, 1500 * 24, ROWS), unit="h")
    X = pd.DataFrame({"a": chance.normal(size=ROWS), "when": when, "b": chance.normal(size=ROWS)})
    return X, (X["when"].dt.month > 6).astype(int).to_numpy()


@pytest.mark.parametrize("sort", ["pandas", "text", "arrow", "zone"])
def test_dates_become_numbers_and_parts(sort):
    """datetime64 was an error, and dates in text a category of as many levels as rows."""
    X, y = dated()
    if sort == "text":
        X["when"] = X["when"].dt.strftime("%Y-%m-%dT%H:%M:%S")
    if sort == "zone":
        X["when"] = X["when"].dt.tz_localize("UTC").dt.tz_convert("Europe/Prague")
    table = pa.Table.from_pandas(X) if sort == "arrow" else X
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        chosen = SFFS(k=1).fit(table, y)
    assert [(f["name"], f["index"]) for f in chosen.selected_] == [("when.month", 1)]
    assert chosen.get_support().tolist() == [False, True, False]
    assert chosen.ignored_ == []
    kept = UFFS().fit(table)
    assert [f["name"] for f in kept.selected_] == ["a", "when", "when.month", "when.weekday", "when.hour", "b"]
    assert kept.get_support().all()
    assert (kept.ranking_ == 1).all()


def test_a_rule_on_a_part_predicts():
    X, y = dated()
    rule = JuntaClassifier(k=1, binarize="median").fit(X, y)
    assert rule.subset_ == ["when.month"]
    one_day = X.iloc[:20].copy()
    one_day["when"] = pd.Timestamp("2030-12-24")
    assert (rule.predict(one_day) == 1).all()


def test_missing_dates():
    X, y = dated()
    X.loc[3, "when"] = pd.NaT
    with pytest.raises(ValueError, match='column "when", row 4: missing value'):
        SFFS(k=1).fit(X, y)
    for how in ("drop", "mean"):
        assert SFFS(k=1, missing=how).fit(X, y).selected_[0]["name"] == "when.month"


def test_decimal_commas_of_a_frame_are_told():
    frame = pd.DataFrame({"rate": ["3,5", "4,5"] * 30, "x": np.arange(60) ** 2.0})
    with pytest.warns(UserWarning, match='column "rate" is text: "3,5" is not a number .*make it one'):
        UFFS().fit(frame)
