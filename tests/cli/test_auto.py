"""select -k auto and the estimates: the curve, the choice and the honest score, beside a slow twin."""

import json

import numpy as np
import pytest
import reference_validation as twin
from test_select import names, table

DEALS = 4  # how often `-k auto` deals so few rows


def two_classes(rng):
    x = rng.normal(size=(90, 6))
    return x, (x[:, 1] + 0.7 * x[:, 4] + 0.8 * rng.normal(size=90) > 0.3).astype(int)


def three_classes(rng):
    x = np.round(rng.normal(size=(80, 5)), 1)
    return x, np.digitize(x[:, 0] + 0.5 * rng.normal(size=80), [-0.5, 0.6])


def a_number(rng):
    x = rng.normal(size=(70, 7))
    return x, x[:, 2] ** 2 + x[:, 5] + 0.5 * rng.normal(size=70)


@pytest.mark.parametrize("made", [two_classes, three_classes, a_number])
def test_curve_choice_and_estimate_are_those_of_the_twin(fsieve, write, made):
    x, y = made(np.random.default_rng(5))
    number = made is a_number
    write("t.csv", table(x, [repr(v.item()) for v in y]))
    task = ["--task", "regression" if number else "classification"]

    def order_of(rows):
        write("part.csv", table(x[rows], [repr(v.item()) for v in y[rows]]))
        found = fsieve.json("select", "part.csv", "--label", "y", "-k", x.shape[1], "--folds", 0, *task)
        return [feature["index"] for feature in found["selected"]]

    sizes = twin.sizes_of(x.shape[1])
    deals = [twin.held_out(x, y, number, order_of, sizes, 5, 3 + d) for d in range(DEALS)]
    hits, losses = (np.mean([d[i] for d in deals], axis=0) for i in (1, 2))

    result = fsieve.json("select", "t.csv", "--label", "y", "--seed", 3, *task)
    expected = twin.path(hits, losses, number, sizes)
    assert [p["k"] for p in result["path"]] == sizes
    for point, (_, score, error) in zip(result["path"], expected):
        assert point["score"] == pytest.approx(score, abs=1e-7)
        assert point["error"] == pytest.approx(error, abs=1e-7)
    assert len(result["selected"]) == sizes[twin.choice(deals)]
    key = "r2_estimate" if number else "accuracy_estimate"
    assert result[key] == pytest.approx(twin.estimate(deals, number), abs=1e-7)
    assert result["estimate_model"] == "kernel ridge"


def test_auto_is_the_default_and_gives_what_the_fixed_k_gives(fsieve, write, validate):
    x, y = two_classes(np.random.default_rng(1))
    write("t.csv", table(x, y))
    words = ["select", "t.csv", "--label", "y", "--no-timing"]
    result = validate(fsieve.json(*words), "select")
    assert result["schema"] == 2 and result["parameters"]["k"] == "auto" and result["parameters"]["folds"] == 5
    k = len(result["selected"])
    assert {"x2", "x5"} <= set(names(result["selected"]))
    assert result["selected"] == fsieve.json(*words, "-k", k)["selected"]
    for threads in (1, 2, 7):
        assert fsieve.json(*words, "--threads", threads) == result


def test_path_has_every_small_size_and_a_score_in_bounds(fsieve, write):
    rng = np.random.default_rng(2)
    x = rng.normal(size=(120, 40))
    write("t.csv", table(x, (x[:, 0] > 0).astype(int)))
    path = fsieve.json("select", "t.csv", "--label", "y")["path"]
    assert [p["k"] for p in path] == [*range(17), 18, 20, 22, 24, 27, 30]  # more only where half of it is best
    assert all(0 <= p["score"] <= 1 and 0 <= p["error"] < 0.1 for p in path)


def test_noise_is_predicted_by_nothing(fsieve, write):
    rng = np.random.default_rng(6)
    write("t.csv", table(rng.normal(size=(200, 10)), rng.integers(0, 2, 200)))
    result = fsieve.json("select", "t.csv", "--label", "y")
    assert result["selected"] == []
    assert 0.3 < result["accuracy_estimate"] < 0.7
    assert "No number of features predicts better than none" in fsieve("select", "t.csv", "--label", "y")


def test_a_pair_that_counts_only_together_is_taken(fsieve, write):
    rng = np.random.default_rng(3)
    x = rng.integers(0, 2, (300, 15))
    write("t.csv", table(x, (x[:, 3] ^ x[:, 9]) ^ (rng.random(300) < 0.1)))
    result = fsieve.json("select", "t.csv", "--label", "y")
    assert sorted(names(result["selected"]))[:2] == ["x10", "x4"]
    assert result["accuracy_estimate"] == pytest.approx(0.9, abs=0.05)


def test_estimate_is_not_fooled_by_the_search(fsieve, write):
    """Ten of 500 columns of noise fit 60 rows well; the search is inside the folds, so the estimate says no."""
    rng = np.random.default_rng(4)
    write("t.csv", table(rng.normal(size=(60, 500)), rng.integers(0, 2, 60)))
    done = fsieve.run("select", "t.csv", "--label", "y", "-k", 10, "--json")
    result = json.loads(done.out)
    assert result["accuracy_estimate"] < 0.7
    assert result["path"] == []
    if result["accuracy_estimate"] <= 0.5:
        assert "always guessing" in done.err


def test_a_rare_class_is_said_to_be_guessed(fsieve, write):
    """6 % of the rows: an estimate below 94 % came without a word."""
    rng = np.random.default_rng(8)
    x = rng.normal(size=(300, 6))
    write("t.csv", table(x, (rng.random(300) < 0.06).astype(int)))
    done = fsieve.run("select", "t.csv", "--label", "y", "-k", 3, "--json")
    result = json.loads(done.out)
    assert result["accuracy_estimate"] >= 0.9
    assert any("always guessing the most frequent class" in w for w in result["warnings"])
    assert "always guessing the most frequent class" in done.err


def test_estimate_of_real_columns_is_that_of_a_good_model(fsieve, write):
    """A ring: the plug-in of the span said 0.6."""
    rng = np.random.default_rng(9)
    x = rng.normal(size=(400, 4))
    write("t.csv", table(x, ((x[:, 0] ** 2 + x[:, 2] ** 2) > 1.4).astype(int)))
    assert fsieve.json("select", "t.csv", "--label", "y", "-k", 2)["accuracy_estimate"] > 0.9


def test_r2_estimate_of_a_number(fsieve, write):
    x, y = a_number(np.random.default_rng(7))
    write("t.csv", table(x, [repr(v.item()) for v in y]))
    result = fsieve.json("select", "t.csv", "--label", "y", "-k", 2)
    assert result["accuracy_estimate"] is None and 0.3 < result["r2_estimate"] < 1


def test_equal_rows_are_never_parted(fsieve, write):
    """Twenty rows of noise, each ten times: parted, every row would be known from its copy."""
    rng = np.random.default_rng(11)
    x, y = np.repeat(rng.normal(size=(20, 3)), 10, axis=0), np.repeat(rng.integers(0, 2, 20), 10)
    write("t.csv", table(x, y))
    assert fsieve.json("select", "t.csv", "--label", "y", "-k", 3)["accuracy_estimate"] < 0.8


def test_order_of_rows_does_not_matter(fsieve, write):
    x, y = two_classes(np.random.default_rng(12))
    write("t.csv", table(x, y))
    shuffled = np.random.default_rng(0).permutation(len(y))
    write("s.csv", table(x[shuffled], y[shuffled]))
    paths = [fsieve.json("select", name, "--label", "y")["path"] for name in ("t.csv", "s.csv")]
    for a, b in zip(*paths):
        assert a["score"] == pytest.approx(b["score"], abs=1e-9)


@pytest.mark.parametrize("search", ["union", "beam:2"])
def test_other_searches_have_auto_too(fsieve, write, search, validate):
    x, y = two_classes(np.random.default_rng(1))
    write("t.csv", table(x, y))
    result = validate(fsieve.json("select", "t.csv", "--label", "y", "--search", search), "select")
    assert {"x2", "x5"} <= set(names(result["selected"])) and len(result["path"]) == 7


@pytest.mark.parametrize("rows", [2, 3, 5])
def test_tiny_tables_end_well(fsieve, write, rows):
    write("t.csv", table(np.arange(2.0 * rows).reshape(rows, 2), [0, 1, 1, 0, 1][:rows]))
    for k in ("auto", 1, "certain"):
        fsieve.json("select", "t.csv", "--label", "y", "-k", k)


def test_a_class_of_one_row_ends_well(fsieve, write):
    rng = np.random.default_rng(13)
    write("t.csv", table(rng.normal(size=(30, 3)), ["a"] * 29 + ["b"]))
    result = fsieve.json("select", "t.csv", "--label", "y")
    assert result["selected"] == []


def test_no_folds_no_estimate(fsieve, write):
    x, y = two_classes(np.random.default_rng(1))
    write("t.csv", table(x, y))
    result = fsieve.json("select", "t.csv", "--label", "y", "-k", 2, "--folds", 0)
    assert result["accuracy_estimate"] is result["estimate_model"] is None
    for words in (["-k", "auto", "--folds", 0], ["--folds", 1], ["--folds", 51], ["--folds", "x"]):
        refused = fsieve.run("select", "t.csv", "--label", "y", *words)
        assert refused.code == 2 and "--folds" in refused.err


def test_report_shows_the_curve(fsieve, write):
    x, y = two_classes(np.random.default_rng(1))
    write("t.csv", table(x, y))
    report = fsieve("select", "t.csv", "--label", "y", "--save", "s.json")
    assert "Cross-validated, by number of features" in report and "chosen" in report
    assert "Accuracy estimate:" in report and "kernel ridge" in report
    assert fsieve("show", "s.json") == report


def test_results_of_the_first_schema_are_read(fsieve, write):
    x, y = two_classes(np.random.default_rng(1))
    write("t.csv", table(x, y))
    result = fsieve.json("select", "t.csv", "--label", "y", "-k", 2)
    for key in ("path", "r2_estimate", "estimate_model"):
        del result[key]
    write("old.json", json.dumps({**result, "schema": 1}))
    assert "Accuracy estimate" in fsieve("show", "old.json")
    fsieve("apply", "old.json", "t.csv", "-o", "out.csv")
    write("new.json", json.dumps({**result, "schema": 3}))
    refused = fsieve.run("show", "new.json")
    assert refused.code == 1 and "schema 3" in refused.err and "schemas 1 to 2" in refused.err


def test_what_is_kept_counts_and_stays(fsieve, write):
    x, y = two_classes(np.random.default_rng(1))
    write("t.csv", table(x, y))
    result = fsieve.json("select", "t.csv", "--label", "y", "--keep", "x1,x3")
    assert names(result["selected"])[:2] == ["x1", "x3"] and {"x2", "x5"} <= set(names(result["selected"]))
    assert [p["k"] for p in result["path"]] == [0, 2, 3, 4, 5, 6]
    write("noise.csv", table(x, np.random.default_rng(3).integers(0, 2, len(y))))
    kept = fsieve.json("select", "noise.csv", "--label", "y", "--keep", "x1")
    assert "x1" in names(kept["selected"])


def test_covariates_are_in_the_model_of_every_size(fsieve, write):
    x, y = two_classes(np.random.default_rng(1))
    write("t.csv", table(x, y))
    path = fsieve.json("select", "t.csv", "--label", "y", "--adjust", "x2,x5")["path"]
    without = fsieve.json("select", "t.csv", "--label", "y")["path"]
    assert path[0]["score"] > without[0]["score"] + 0.1


def test_groups_count_as_one(fsieve, write):
    x, y = two_classes(np.random.default_rng(1))
    write("t.csv", table(x, y))
    result = fsieve.json("select", "t.csv", "--label", "y", "--group", "pair=x2,x5", "--group", "rest=x1,x3,x4,x6")
    assert [p["k"] for p in result["path"]] == [0, 1, 2]
    assert {"x2", "x5"} <= set(names(result["selected"]))


def test_every_feature_is_ranked_though_none_is_taken(fsieve, write):
    rng = np.random.default_rng(6)
    write("t.csv", table(rng.normal(size=(200, 10)), rng.integers(0, 2, 200)))
    for search in ("forward", "union"):
        result = fsieve.json("select", "t.csv", "--label", "y", "--search", search, "--reduce", "none")
        assert result["selected"] == [] and len(result["ranking"]) == 10


def test_stability_has_the_size_that_was_chosen(fsieve, write):
    x, y = two_classes(np.random.default_rng(1))
    write("t.csv", table(x, y))
    result = fsieve.json("select", "t.csv", "--label", "y", "--stability", 6)
    assert result["stability"]["mean_selected"] == len(result["selected"])
