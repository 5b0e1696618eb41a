"""The estimators' parameters are the options of the command line, with the same defaults."""

import inspect

import numpy as np
import pytest

from fsieve import GFA, GFS, SFFS, UFFS, JuntaClassifier, _options, report

# Options of files, of the terminal, and those that scikit-learn has other words for.
NOT_PARAMETERS = {
    "output", "save", "json", "timing", "method", "label", "columns", "decimal", "delimiter",
    "header", "no_header", "rows", "seed", "threads", "quiet", "table",
}  # fmt: skip
# What the JSON says of itself, not of the table.
NOT_ATTRIBUTES = {"fsieve", "schema", "command", "method", "kind"}
WORDS_OF_SCIKIT_LEARN = {"random_state", "n_jobs", "verbose"}
# The method of `reduce`, where it is one.
ESTIMATORS = {UFFS: "uffs", SFFS: None, GFS: "gfs", GFA: "gfa", JuntaClassifier: None}
# What the command line asks for has a default here, as scikit-learn wants it.
PYTHON_DEFAULTS = {(SFFS, "k"): "auto", (JuntaClassifier, "k"): "2"}


def as_text(option, value):
    return _options.typed(option, value) if value is not None else None


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: e.__name__)
def test_parameters_are_the_options(estimator):
    table = dict(_options.table(estimator._command))
    if estimator is JuntaClassifier:
        table["unseen"] = _options.table("predict")["unseen"]
    wanted = {
        name
        for name, option in table.items()
        if name not in NOT_PARAMETERS
        and ESTIMATORS[estimator] in option.get("methods", [ESTIMATORS[estimator]])
    }
    parameters = inspect.signature(estimator).parameters
    assert set(parameters) - WORDS_OF_SCIKIT_LEARN == wanted
    for name in wanted:
        default = as_text(table[name], parameters[name].default)
        expected = PYTHON_DEFAULTS.get((estimator, name), table[name]["default"])
        if table[name]["type"] == "number" and expected is not None:
            assert float(default) == float(expected)
        else:
            assert default == expected, name


def test_parameters_of_the_report_are_the_options():
    table = _options.table("report")
    parameters = inspect.signature(report).parameters
    assert set(parameters) - WORDS_OF_SCIKIT_LEARN - {"X", "y"} == set(table) - NOT_PARAMETERS
    for name in set(table) - NOT_PARAMETERS:
        assert as_text(table[name], parameters[name].default) == table[name]["default"], name


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: e.__name__)
def test_results_are_attributes_that_the_class_declares(estimator):
    X = np.random.default_rng(0).integers(0, 2, size=(60, 4))
    found = estimator().fit(X, X[:, 1] ^ X[:, 2])
    for key, value in found.result_.items():
        if key in NOT_ATTRIBUTES:
            continue
        assert hasattr(found, f"{key}_"), key
        if key != "ranking":  # an array, by column
            assert hasattr(estimator, f"{key}_"), key
            assert getattr(found, f"{key}_") is value
    assert not hasattr(estimator(), "result_") and not hasattr(estimator(), "ignored_")
    assert not any("__getattr__" in vars(base) for base in estimator.__mro__)


def test_nothing_of_an_earlier_result_stays():
    X = np.random.default_rng(0).normal(size=(80, 3))
    X = np.column_stack([X, X[:, 0] * X[:, 1]])
    found = UFFS(relations=True).fit(X)
    assert found.relations_ and found.equations_ and found.ranking_[3] == 2
    found.set_params(relations=False).fit(X[:, :3])
    assert not hasattr(found, "relations_")
    assert found.equations_ == {} and found.ranking_.tolist() == [1, 1, 1]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: e.__name__)
def test_parameters_are_documented(estimator):
    text = inspect.getdoc(estimator)
    for name in inspect.signature(estimator).parameters:
        assert name in text, name


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("stages", [1, (2, 50), [3, 30]], "1,2:50,3:30"),
        ("stages", "auto", "auto"),
        ("numbers", [0.1, 0.25], "0.1,0.25"),
        ("numbers", 1e-7, "1e-07"),
        ("names", ["a,b", "c"], "a\\,b,c"),
        ("names", "a,b", "a\\,b"),
        ("texts", -999, "-999"),
        ("count", 5, "5"),
        ("sample", 5000, "5000"),
        ("sample", "all", "all"),
        ("number", 1e12, "1000000000000"),
        ("groups", {"blood": "b_*", "two": ["x,1", "y"]}, "blood=b_*\ntwo=x\\,1,y"),
        ("groups", "a=b", "a=b"),
        ("costs", {"scan": 2.5, "a,b": 3}, "scan=2.5,a\\,b=3"),
        ("flag", True, ""),
        ("flag", False, None),
    ],
)
def test_values_as_they_are_typed(kind, value, text):
    assert _options._text(kind, value) == text


def test_errors_speak_python():
    words = _options.in_python_words
    assert words("--epsilon: 7 is not between 0 and 1", "reduce") == "epsilon: 7 is not between 0 and 1"
    assert words("allow it with --memory 70M", "reduce") == 'allow it with memory="70M"'
    assert words("-k auto needs --search forward", "select") == "k auto needs search forward"
    assert words("use --missing drop", "select") == 'use missing="drop"'
    assert words("--threads: 9 is too many", "reduce") == "n_jobs: 9 is too many"
    assert words("5 - 3 and a--b stay", "reduce") == "5 - 3 and a--b stay"
    assert words("(to use it: --use 'customer id')", "reduce") == '(to use it: use="customer id")'
    said = "(if it marks a missing value: --na oops; if these are names: --categorical a)"
    assert words(said, "reduce") == '(if it marks a missing value: na="oops"; if these are names: categorical="a")'
