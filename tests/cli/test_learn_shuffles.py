"""learn --permutations: what the best of many scores is worth."""

import itertools
import json

import numpy as np
import pytest
from test_learn import learn, table


def noise(rows=60, columns=40, seed=0):
    """Labels that mean nothing: the best of 780 pairs looks good all the same."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, (rows, columns)), rng.integers(0, 2, rows)


def rule(rows=120, columns=12, seed=0):
    x, _ = noise(rows, columns, seed)
    return x, x[:, 2] ^ x[:, 5] ^ (np.random.default_rng(seed).random(rows) < 0.1)


def test_noise_does_not_convince_and_a_rule_does(fsieve, write, validate):
    write("n.csv", table(*noise()))
    found = validate(learn(fsieve, "n.csv", 2, "--permutations", 19), "learn")
    assert found["score"] > 0.3 and found["p_value"] > 0.05
    assert found["shuffled"]["median"] > 0.3  # as sold, 1 - 2 error would be 0
    x, y = rule()
    write("r.csv", table(x, y.astype(int)))
    for how in [], ["--basis", "product"], ["--learner", "erm"], ["--class-weight", "balanced"], ["--search", "beam:66"]:
        found = validate(learn(fsieve, "r.csv", 2, "--permutations", 19, *how), "learn")
        assert found["subset"] == ["x3", "x6"]
        assert found["p_value"] == 1 / 20 and found["shuffled"]["as_good"] == 0
        assert found["shuffled"]["largest"] < found["score"]


def test_low_degree(fsieve, write):
    x, y = rule(columns=6)
    write("r.csv", table(x, y.astype(int)))
    assert learn(fsieve, "r.csv", 2, "--learner", "low-degree", "--permutations", 9)["p_value"] == 0.1


def test_the_share_of_tables_of_noise_is_what_p_says(fsieve, write):
    """Of tables of noise at most a half, but for luck, has p up to a half."""
    values = []
    for seed in range(24):
        write("n.csv", table(*noise(rows=40, columns=6, seed=seed)))
        values.append(learn(fsieve, "n.csv", 2, "--permutations", 9, "--seed", seed)["p_value"])
    assert all(value in [b / 10 for b in range(1, 11)] for value in values)
    assert sum(value <= 0.5 for value in values) <= 19  # 99.9 % of draws
    assert min(values) < 0.4 and max(values) > 0.6


def test_scores_of_shuffles_are_those_of_a_search(fsieve, write):
    """All deals of three cases among six rows are alike: the largest best score is that of some deal."""
    x = np.array([[0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 1, 0], [1, 1, 1]])
    y = np.array([1, 0, 1, 0, 1, 0])
    write("s.csv", table(x, y))
    found = learn(fsieve, "s.csv", 1, "--permutations", 200)
    best = set()
    for cases in itertools.combinations(range(6), 3):
        write("t.csv", table(x, np.isin(range(6), cases).astype(int)))
        best.add(learn(fsieve, "t.csv", 1)["score"])
    assert found["shuffled"]["largest"] == max(best) and found["shuffled"]["median"] in best
    assert found["shuffled"]["permutations"] == 200


def test_seed_and_threads(fsieve, write):
    write("n.csv", table(*noise()))
    how = ["learn", "n.csv", "--label", "y", "-k", 2, "--permutations", 5, "--json", "--no-timing"]
    assert fsieve(*how, "--threads", 1) == fsieve(*how, "--threads", 4)
    one, other = (json.loads(fsieve(*how, "--seed", seed)) for seed in (1, 2))
    assert one["shuffled"] != other["shuffled"] and one["candidates"] == other["candidates"]


def test_said_shown_and_saved(fsieve, write, validate):
    write("n.csv", table(*noise()))
    text = fsieve("learn", "n.csv", "--label", "y", "-k", 2, "--permutations", 9, "-o", "m.json")
    model = validate(json.loads((fsieve.folder / "m.json").read_text()), "learn")
    assert f"of 9 shuffles of the label" in text and f"median {model['shuffled']['median']:.4f}"[:10] in text
    assert fsieve("show", "m.json") == text
    assert "p_value" in model and model["p_value"] == (1 + model["shuffled"]["as_good"]) / 10
    assert learn(fsieve, "n.csv", 2)["p_value"] is None
    fsieve.fails(2, '"few"', "learn", "n.csv", "--label", "y", "-k", 2, "--permutations", "few")


def test_a_checkpoint_is_of_the_search_itself(fsieve, write):
    write("n.csv", table(*noise()))
    how = ["learn", "n.csv", "--label", "y", "-k", 3, "--permutations", 3, "--json", "--no-timing"]
    assert fsieve(*how, "--checkpoint", "c.json") == fsieve(*how)
    assert "c.json" not in fsieve.files()
