"""The command line and the package on the same files: every field of the result is the same."""

import numpy as np
import pandas as pd
import pyarrow.csv
import pytest

from fsieve import GFA, GFS, SFFS, UFFS, JuntaClassifier

# What differs on purpose: the name of the input, and the time it took.
PLACE = {"source": "X"}


def comparable(result):
    result = {key: value for key, value in result.items() if key != "timing"}
    place = result["data"]["source"]
    result["data"] = {**result["data"], **PLACE}
    result["warnings"] = [warning.replace(place, PLACE["source"]) for warning in result["warnings"]]
    return result


def arguments_of(parameters):
    """Parameters of Python as a user types them."""
    arguments = []
    for name, value in parameters.items():
        option = "-k" if name == "k" else "--" + name.replace("_", "-")
        option = {"--random-state": "--seed", "--n-jobs": "--threads"}.get(option, option)
        if value is True:
            arguments.append(option)
        elif value is False:
            arguments.append(option.replace("--", "--no-"))
        else:
            text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
            arguments += [option, text]
    return arguments


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """Numbers, two-valued text, categories, a constant, missing values, and a label of three classes."""
    rng = np.random.default_rng(5)
    n = 600
    frame = pd.DataFrame(rng.normal(size=(n, 4)), columns=["a", "b", "c", "d"]).round(6)
    frame["product"] = frame.a * frame.b
    frame["sum"] = frame.a + 2 * frame.c
    frame["colour"] = rng.choice(["red", "green", "blue", "ünï"], n)
    frame["smoker"] = rng.choice(["yes", "no"], n)
    frame["bit"] = rng.integers(0, 2, n)
    frame["count"] = rng.integers(0, 9, n)
    frame["constant"] = 4
    frame["label"] = np.where(frame.a * frame.b > 0, "up", np.where(frame.bit == 1, "down", "flat"))
    folder = tmp_path_factory.mktemp("same")
    frame.to_csv(folder / "mixed.csv", index=False)
    holes = frame.copy()
    for j, name in enumerate(["a", "colour", "count"]):
        holes.loc[rng.choice(n, 5 + j, replace=False), name] = np.nan
    holes.to_csv(folder / "holes.csv", index=False)
    return folder


def features(frame):
    return frame.drop(columns="label")


REDUCE = [
    {},
    {"stages": "1,2:4", "r2": 0.95},
    {"rule": "paper", "stages": "2:5", "epsilon": 0.2},
    {"rule": "cumulative:0.9", "stages": "1"},
    {"order": "random", "random_state": 3},
    {"groups": "own", "prune": True, "n_jobs": 2},
    {"engine": "gram", "equations": False},
    {"categorical": ["count", "bit"]},
    {"na": ["no"], "missing": "drop"},
]


@pytest.mark.parametrize("parameters", REDUCE, ids=str)
def test_uffs(mixed, fsieve_json, parameters):
    path = mixed / "mixed.csv"
    wanted = comparable(
        fsieve_json("reduce", path, "--exclude", "label", *arguments_of(parameters))
    )
    wanted["parameters"]["exclude"] = []
    frame = features(pd.read_csv(path))
    assert comparable(UFFS(**parameters).fit(frame).result_) == wanted
    table = pyarrow.csv.read_csv(path).drop_columns(["label"])
    assert comparable(UFFS(**parameters).fit(table).result_) == wanted


GREEDY = [
    (GFS, {}),
    (GFS, {"k": 4, "epsilon2": 0.1, "engine": "gram"}),
    (GFS, {"family": "polynomial:3", "constant": False}),
    (GFS, {"family": "functions", "function": ["sin(a)", "a*b"], "k": 3}),
    (GFA, {}),
    (GFA, {"scale": "none", "delta": 0.001, "equations": False}),
    (GFA, {"family": "multilinear+squares:2", "k": 5, "engine": "sample"}),
]


@pytest.mark.parametrize(("estimator", "parameters"), GREEDY, ids=str)
@pytest.mark.filterwarnings("ignore")
def test_greedy(mixed, fsieve_json, estimator, parameters):
    path = mixed / "mixed.csv"
    arguments = ["--method", estimator.__name__.lower()]
    for function in parameters.get("function", []):
        arguments += ["--function", function]
    others = {name: value for name, value in parameters.items() if name != "function"}
    wanted = comparable(
        fsieve_json("reduce", path, "--exclude", "label", *arguments, *arguments_of(others))
    )
    wanted["parameters"]["exclude"] = []
    found = estimator(**parameters).fit(features(pd.read_csv(path)))
    assert comparable(found.result_) == wanted


@pytest.mark.parametrize("missing", ["drop", "mean"])
@pytest.mark.filterwarnings("ignore")
def test_missing_values(mixed, fsieve_json, missing):
    path = mixed / "holes.csv"
    frame = pd.read_csv(path)
    wanted = comparable(fsieve_json("reduce", path, "--exclude", "label", "--missing", missing))
    wanted["parameters"]["exclude"] = []
    assert comparable(UFFS(missing=missing).fit(features(frame)).result_) == wanted
    wanted = comparable(fsieve_json("select", path, "--label", "label", "-k", 3, "--missing", missing))
    found = SFFS(k=3, missing=missing).fit(features(frame), frame.label)
    assert comparable(found.result_) == wanted


SELECT = [
    {"k": "auto"},
    {"k": 4, "depth": 3},
    {"k": 3, "search": "union"},
    {"k": 3, "search": "union", "score": "l2", "top": 7},
    {"k": 3, "search": "beam:4", "alpha": 0.05},
    {"k": 3, "bins": 4, "depth": 2},
    {"k": 4, "reduce": "1,2"},
    {"k": 2, "permutations": 400, "alpha": 0.01, "random_state": 7},
]


@pytest.mark.parametrize("parameters", SELECT, ids=str)
def test_sffs(mixed, fsieve_json, parameters):
    path = mixed / "mixed.csv"
    wanted = comparable(fsieve_json("select", path, "--label", "label", *arguments_of(parameters)))
    frame = pd.read_csv(path)
    found = SFFS(**parameters).fit(features(frame), frame["label"])
    assert comparable(found.result_) == wanted


def test_sffs_regression(mixed, fsieve_json):
    path = mixed / "mixed.csv"
    wanted = comparable(
        fsieve_json("select", path, "--label", "sum", "--exclude", "label", "-k", 2, "--task", "regression")
    )
    wanted["parameters"]["exclude"] = []
    for feature in wanted["selected"]:
        assert feature["name"] in ("a", "c")
    frame = features(pd.read_csv(path))
    found = comparable(SFFS(k=2, task="regression").fit(frame.drop(columns="sum"), frame["sum"]).result_)
    # Taking the label out of the frame moves the columns behind it.
    for feature in wanted["selected"] + wanted["ranking"]:
        feature["index"] -= feature["index"] > frame.columns.get_loc("sum")
    assert found == wanted


LEARN = [
    {"k": 2, "binarize": "median"},
    {"k": 3, "binarize": "mean", "basis": "correlated", "top": 5},
    {"k": 2, "binarize": 0.5, "learner": "erm"},
    {"k": 1, "binarize": "median", "learner": "low-degree"},
    {"k": 3, "binarize": "median", "search": "greedy"},
    {"k": 3, "binarize": "median", "search": "beam:4", "categorical": ["count"]},
    {"k": 2, "binarize": "median", "class_weight": "balanced", "permutations": 4},
]


@pytest.mark.parametrize("parameters", LEARN, ids=str)
@pytest.mark.filterwarnings("ignore")
def test_junta(mixed, fsieve_json, tmp_path, parameters):
    """The rule, and what it predicts."""
    path = mixed / "mixed.csv"
    model = tmp_path / "model.json"
    arguments = ["--label", "smoker", "--exclude", "label", *arguments_of(parameters)]
    wanted = comparable(fsieve_json("learn", path, *arguments, "-o", model))
    wanted["parameters"]["exclude"] = []
    frame = features(pd.read_csv(path))
    x, y = frame.drop(columns="smoker"), frame["smoker"]
    fitted = JuntaClassifier(**parameters).fit(x, y)
    found = comparable(fitted.result_)
    moved = frame.columns.get_loc("smoker")
    for feature in wanted["features"]:
        if "index" in feature:  # the label is not in the frame
            feature["index"] -= feature["index"] > moved
    for candidate in wanted["candidates"]:
        candidate["indices"] = [index - (index > moved) for index in candidate["indices"]]
    wanted["data"]["features"] = found["data"]["features"]
    assert found == wanted
    fsieve_json("predict", model, path, "-o", tmp_path / "out.csv")
    predicted = pd.read_csv(tmp_path / "out.csv")
    assert list(fitted.predict(x)) == list(predicted["prediction"])
    scores = fitted.decision_function(x)
    np.testing.assert_allclose(scores, predicted["score"], atol=2e-12)


def test_generated_sets(fsieve_json, tmp_path):
    for kind in ("s1", "s3"):
        fsieve_json("generate", kind, "-o", tmp_path / "x.npy", "--rows", 2000, "--seed", 2)
        x = np.load(tmp_path / "x.npy")[:, :30]
        # The command line counts columns without names from 1, Python from 0.
        pd.DataFrame(x, columns=[f"x{j}" for j in range(30)]).to_parquet(tmp_path / "features.parquet")
        wanted = comparable(fsieve_json("reduce", tmp_path / "features.parquet"))
        for layout in (np.ascontiguousarray(x), np.asfortranarray(x)):
            found = comparable(UFFS().fit(layout).result_)
            assert found == wanted


BAD = [
    ("reduce", {"epsilon": 7}),
    ("reduce", {"stages": "9"}),
    ("reduce", {"rule": "cumulativ"}),
    ("reduce", {"categorical": ["colr"]}),
    ("select", {"k": 2, "keep": ["colr"]}),
    ("select", {"k": 2, "depth": 9}),
    ("select", {"k": 2, "search": "beam:0"}),
]


@pytest.mark.parametrize(("command", "parameters"), BAD, ids=str)
def test_errors_say_the_same(mixed, command, parameters):
    import subprocess

    from places import BUILD
    from fsieve import _options

    frame = pd.read_csv(mixed / "mixed.csv")
    label = ["--label", "label"] if command == "select" else ["--exclude", "label"]
    done = subprocess.run(
        [BUILD / "fsieve", command, "mixed.csv", *label, *arguments_of(parameters)],
        capture_output=True, text=True, cwd=mixed, check=False,
    )  # fmt: skip
    said = done.stderr.splitlines()[-1].removeprefix("fsieve: error: ").removeprefix("mixed.csv: ")
    estimator = (UFFS if command == "reduce" else SFFS)(**parameters)
    with pytest.raises(ValueError) as error:
        estimator.fit(features(frame), frame["label"])
    assert str(error.value).removeprefix("X: ") == _options.in_python_words(said, command)
