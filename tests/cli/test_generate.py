"""fsieve generate: the papers' sets and the truth about them; fsieve demo."""

import json

import numpy as np
import pyarrow.parquet as parquet
import pytest

KINDS = {"s1": 31, "s2": 31, "s3": 31, "e1": 21, "e2": 21, "gfs": 30, "gfa": 20}


def load(fsieve, name):
    text = (fsieve.folder / name).read_text().splitlines()
    columns = np.array([list(map(float, line.split(","))) for line in text[1:]]).T
    return dict(zip(text[0].split(","), columns))


def truth_of(fsieve, name):
    return json.loads((fsieve.folder / f"{name}.truth.json").read_text())


def evaluate(terms, table):
    rows = len(next(iter(table.values())))
    return sum(
        t["coefficient"] * np.prod([table[f] for f in t["factors"]], axis=0) * np.ones(rows) for t in terms
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("more", [[], ["--shuffle"]])
def test_the_truth_is_true(fsieve, validate, kind, more):
    fsieve("generate", kind, "--rows", "700", "--seed", "5", "-o", "t.csv", *more)
    table, truth = load(fsieve, "t.csv"), validate(truth_of(fsieve, "t.csv"), "generate")
    assert len(table) == KINDS[kind]
    features = [name for name in table if name != "y"]
    assert truth["features"] == features
    assert (sorted(features) != features) or not more
    assert set(truth["informative"]) | {e["name"] for e in truth["equations"]} == set(features)
    for equation in truth["equations"]:
        assert np.allclose(evaluate(equation["terms"], table), table[equation["name"]], rtol=1e-12, atol=1e-14)
    if truth["label"] is None:
        assert "y" not in table and truth["relevant"] == []
    else:
        product = np.prod([evaluate(p["terms"], table) for p in truth["label"]["sign_of_product"]], axis=0)
        assert np.array_equal(np.where(product < 0, -1, 1), table["y"])
        assert list(table)[-1] == "y"
        used = {f for p in truth["label"]["sign_of_product"] for t in p["terms"] for f in t["factors"]}
        assert used == set(truth["relevant"])


def test_factors_are_distinct_and_so_are_products(fsieve):
    for seed in range(20):
        fsieve("generate", "s1", "--rows", "1", "--seed", seed, "-o", "t.csv")
        equations = truth_of(fsieve, "t.csv")["equations"]
        triples = [tuple(e["terms"][0]["factors"]) for e in equations[:10]]
        assert len(set(triples)) == 10 and all(len(set(t)) == 3 for t in triples)
        assert all(e["terms"][0]["coefficient"] == 3 for e in equations[:10])
        for e in equations[10:]:
            assert len({t["factors"][0] for t in e["terms"]}) == 5
            assert all(0 < t["coefficient"] < 1 for t in e["terms"])


def test_distributions(fsieve):
    n = 20000
    for kind, values in [("s1", "normal"), ("s2", "uniform"), ("s3", "sign"), ("e1", "sign"), ("e2", "normal")]:
        fsieve("generate", kind, "--rows", n, "-o", "t.csv")
        table = load(fsieve, "t.csv")
        base = np.array([table[f"x{j}"] for j in range(1, 11)])
        if values == "sign":
            assert set(np.unique(base)) == {-1, 1}
        if values == "uniform":
            assert -1 < base.min() < -0.999 and 0.999 < base.max() < 1
        variance = 1 / 3 if values == "uniform" else 1
        assert np.abs(base.mean(axis=1)).max() < 0.04
        assert np.abs(np.cov(base) - variance * np.eye(10)).max() < 0.05
        assert min(np.mean(table["y"] == 1), np.mean(table["y"] == -1)) > 0.05


def test_deviations_of_gfs_and_gfa(fsieve):
    fsieve("generate", "gfs", "--rows", "20000", "-o", "t.csv")
    table = load(fsieve, "t.csv")
    for i in range(1, 11):
        assert np.std(table[f"x{i}"]) == pytest.approx(i / 11, rel=0.03)
    for more in [[], ["--pairs"]]:
        fsieve("generate", "gfa", "--rows", "20000", "--seed", "3", "-o", "t.csv", *more)
        table, truth = load(fsieve, "t.csv"), truth_of(fsieve, "t.csv")
        for equation in truth["equations"]:
            [term] = equation["terms"]
            assert len(term["factors"]) == (2 if more else 3)
            assert np.std(table[equation["name"]]) < min(np.std(table[f]) for f in term["factors"])


def test_erlang_weights(fsieve):
    fsieve("generate", "e1", "--rows", "1", "-o", "t.csv")
    [polynomial] = truth_of(fsieve, "t.csv")["label"]["sign_of_product"]
    weight = np.zeros(7)
    for term in polynomial["terms"]:
        weight[len(term["factors"])] += term["coefficient"] ** 2
    s = np.arange(1, 7)
    density = 2**5 * s**4 * np.exp(-2 * s) / 24
    assert weight[1:] == pytest.approx(density / density.sum())
    assert len(polynomial["terms"]) == 63


def test_rows_do_not_depend_on_their_number(fsieve):
    fsieve("generate", "s1", "--rows", "5000", "-o", "long.csv")
    fsieve("generate", "s1", "--rows", "10", "-o", "short.csv")
    long = (fsieve.folder / "long.csv").read_text()
    assert long.startswith((fsieve.folder / "short.csv").read_text())
    assert len(set(long.splitlines())) == 5001


def test_seed_decides(fsieve):
    texts = []
    for seed in [1, 1, 2, 2**64 - 1]:
        fsieve("generate", "s2", "--rows", "5", "--seed", seed, "-o", "t.csv")
        texts.append((fsieve.folder / "t.csv").read_text())
    assert texts[0] == texts[1] and len(set(texts)) == 3


def test_other_formats_hold_the_same_numbers(fsieve):
    fsieve("generate", "s1", "--rows", "5000", "-o", "t.csv")
    fsieve("generate", "s1", "--rows", "5000", "-o", "t.parquet")
    table = parquet.read_table(fsieve.folder / "t.parquet").to_pydict()
    for name, column in load(fsieve, "t.csv").items():
        assert np.array_equal(column, table[name])


def test_json_is_the_truth(fsieve, validate):
    out = fsieve("generate", "gfa", "--rows", "3", "-o", "t.csv", "--json")
    assert out == (fsieve.folder / "t.csv.truth.json").read_text()
    validate(json.loads(out), "generate")


def test_demo_is_a_tour(fsieve, validate):
    text = fsieve("demo")
    assert text == fsieve("demo", "--threads", "2")
    assert "litres = 0.0164·displacement" in text and "range = economy·tank" in text
    assert "$ fsieve reduce cars.csv" in text
    assert fsieve.files() == []
    validate(fsieve.json("demo"), "demo")


def test_demo_data_gives_the_demo_result(fsieve):
    fsieve("demo", "-o", "cars.csv")
    of_demo, of_file = fsieve.json("demo", "--no-timing"), fsieve.json("reduce", "cars.csv", "--no-timing")
    assert of_demo == of_file
