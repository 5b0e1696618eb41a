"""fsieve.report: the page of the command line for tables of Python."""

import json
import subprocess

import numpy as np
import pandas as pd
import pytest
from places import BUILD

import fsieve

PROGRAM = BUILD / "fsieve"


def frame(rows=200):
    rng = np.random.default_rng(3)
    table = pd.DataFrame(rng.integers(0, 2, size=(rows, 4)), columns=list("abcd"))
    table["real"] = rng.normal(size=rows).round(5)
    table["double"] = 2 * table.real
    table["colour"] = rng.choice(["red", "green", "blue"], size=rows)
    return table


def without_timing(result):
    return {key: value for key, value in result.items() if key not in ("timing", "data", "parameters")}


def test_the_same_results_as_the_command_line(tmp_path):
    table = frame()
    y = pd.Series(np.where(table.a ^ table.b, "yes", "no"), name="y")
    table.assign(y=y).to_csv(tmp_path / "t.csv", index=False)
    done = subprocess.run([PROGRAM, "report", tmp_path / "t.csv", "--label", "y", "--json"], capture_output=True, check=True)
    ours = fsieve.report(table, y)
    for what, result in json.loads(done.stdout).items():
        assert without_timing(ours.data[what]) == without_timing(result)


def test_without_a_label():
    made = fsieve.report(frame())
    assert made.data["select"] is None and made.data["learn"] is None
    assert [feature["name"] for feature in made.data["reduce"]["removed"]] == ["double"]
    assert str(made.data["reduce"]).startswith("X: ")


def test_missing_cells_are_counted():
    table = frame()
    table.loc[[3, 50], "real"] = np.nan
    table.loc[[50, 51, 52], "colour"] = None
    table["empty"] = np.where(table.index < 20, 1.0, np.nan)
    for missing, rows in (("mean", 200), ("drop", 196)):
        with pytest.warns(UserWarning, match="set aside"):
            found = fsieve.UFFS(missing=missing).fit(table)
        made = fsieve.report(table, missing=missing).html.split('id="fsieve-data">')[1]
        data = json.loads(made.split("</script>")[0])
        assert data["missing"] == {"rows": 200, "cells": [[4, 2], [6, 3], [7, 180]]}
        assert data["rows"] == found.data_["rows"] == rows


def test_save_and_notebook(tmp_path):
    made = fsieve.report(frame(), np.arange(200) % 3)
    made.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == made.html
    shown = subprocess.run([PROGRAM, "show", tmp_path / "page.html", "--json"], capture_output=True, check=True)
    assert json.loads(shown.stdout) == made.data
    framed = made._repr_html_()
    assert framed.startswith("<iframe srcdoc=") and "<script" not in framed
    assert "allow-same-origin" not in framed
    assert "save" in repr(made)


def test_arrays_and_options():
    X = np.random.default_rng(0).integers(0, 2, size=(300, 6))
    made = fsieve.report(X, X[:, 1] ^ X[:, 4], k=2, rule_size=2, n_jobs=1)
    assert made.data["learn"]["subset"] == ["x1", "x4"]
    assert made.data["select"]["parameters"]["k"] == 2


def test_mistakes_are_said_in_words_of_python():
    with pytest.raises(ValueError, match="rule_size: 9 is not between 0 and 6"):
        fsieve.report(frame(), np.arange(200) % 2, rule_size=9)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        fsieve.report(frame(), np.arange(199))
