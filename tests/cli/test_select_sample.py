"""select on tables of many rows: a sample is searched, what is printed is said of all rows, and a file gives
the same bytes as memory."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from test_memory import mixed_table, peak_mib, write_normals

SEARCHES = [["-k", "3"], ["-k", "3", "--search", "beam:2"], ["-k", "2", "--search", "union"],
            ["-k", "2", "--search", "union", "--bins", "4"], ["-k", "certain"], ["-k", "auto"],
            ["-k", "3", "--class-weight", "balanced"], ["-k", "2", "--keep", "c", "--adjust", "b"],
            ["-k", "2", "--label", "a"], ["-k", "2", "--missing", "mean"],
            ["-k", "2", "--rows", "2000:25000"], ["-k", "2", "--reduce", "1"],
            ["-k", "2", "--search", "union", "--score", "l2"]]


def select(fsieve, path, *options, label="y"):
    chosen = [] if "--label" in options else ["--label", label]
    return json.loads(fsieve("select", path, "--json", "--no-timing", *chosen, *options))


def planted(path, rows):
    """x0 to x2 and the product of x3 and x4 decide the label, seven columns are noise."""
    random = np.random.default_rng(11)
    x = random.normal(size=(rows, 12))
    signal = x[:, 0] + 0.8 * x[:, 1] - 0.6 * (x[:, 2] > 0) + 1.2 * x[:, 3] * x[:, 4]
    table = {f"x{j}": x[:, j] for j in range(12)}
    table["x2"] = (x[:, 2] > 0).astype(np.int8)
    table["y"] = (signal + random.normal(size=rows) > 0).astype(np.int8)
    parquet.write_table(pa.table(table), path)


def test_planted_features_of_a_long_table_are_found_in_a_sample(fsieve, tmp_path, validate):
    path = tmp_path / "long.parquet"
    planted(path, 300_000)
    found = validate(select(fsieve, path, "-k", "5", "--folds", "0"), "select")
    assert found["data"]["rows"] == 300_000
    assert found["data"]["sample_rows"] == 65_536
    assert {feature["name"] for feature in found["selected"]} == {"x0", "x1", "x2", "x3", "x4"}
    certain = select(fsieve, path, "-k", "certain", "--folds", "0")
    assert {feature["name"] for feature in certain["selected"]} == {"x0", "x1", "x2", "x3", "x4"}
    assert all(feature["p_value"] < 1e-300 for feature in certain["selected"][:2])


@pytest.mark.parametrize("options", SEARCHES, ids=" ".join)
def test_a_file_gives_the_same_bytes_as_memory(fsieve, tmp_path, options):
    path = tmp_path / "mixed.csv"
    mixed_table(path, 30_000)
    missing = [] if "--missing" in options else ["--missing", "drop"]
    label = [] if "--label" in options else ["--label", "y"]
    outputs = {fsieve("select", path, *label, "--json", "--no-timing", "--sample", "2000",
                      "--memory", memory, "--threads", threads, *missing, *options)
               for memory, threads in (("1M", 1), ("512M", 1), ("1M", 3))}
    assert len(outputs) == 1
    assert json.loads(outputs.pop())["data"]["sample_rows"] >= 2000


def test_a_sample_of_all_rows_is_no_sample(fsieve, tmp_path):
    path = tmp_path / "mixed.csv"
    mixed_table(path, 3_000)
    whole = select(fsieve, path, "-k", "3", "--missing", "drop")
    for size in ("3000", "all", "1000000"):
        again = select(fsieve, path, "-k", "3", "--missing", "drop", "--sample", size)
        assert again["parameters"].pop("sample") is not None
        assert again == {**whole, "parameters": again["parameters"]}
        assert "sample_rows" not in again["data"]


def steps(result):
    return [subset["features"] for subset in result["subsets"]]


@pytest.mark.parametrize("options", [["--shape", "plain"], ["--shape", "plain", "--search", "union"],
                                     ["--shape", "plain", "--label", "x0"]], ids=" ".join)
def test_numbers_are_those_of_all_rows(fsieve, tmp_path, options):
    path = tmp_path / "table.parquet"
    planted(path, 40_000)
    sampled = select(fsieve, path, "-k", "2", "--folds", "0", "--sample", "20000", *options)
    whole = select(fsieve, path, "-k", "2", "--folds", "0", "--sample", "all", *options)
    assert steps(sampled)[:2] == steps(whole)[:2]
    for name in ("selected", "subsets"):
        assert ([entry["score"] for entry in sampled[name][:2]] ==
                pytest.approx([entry["score"] for entry in whole[name][:2]], rel=1e-9))
    # Single features are tested by their ranks, which are those in the sample.
    whole_ranking = {entry["name"]: entry for entry in whole["ranking"]}
    for entry in sampled["ranking"]:
        twin = whole_ranking[entry["name"]]
        assert entry["gain"] == pytest.approx(twin["gain"], rel=1e-9, abs=1e-12)
        assert entry["p_value"] == pytest.approx(twin["p_value"], rel=0.3, abs=0.02)


def test_rare_classes_and_levels_are_not_lost(fsieve, tmp_path):
    random = np.random.default_rng(5)
    rows = 30_000
    x = random.normal(size=rows)
    level = random.choice(["a", "b", "c"], size=rows).astype(object)
    level[17_000:17_003] = "rare"
    label = np.where(x + (level == "a") > 0.4, "yes", "no").astype(object)
    label[21_000:21_004] = "maybe"
    path = tmp_path / "rare.csv"
    with open(path, "w", encoding="utf-8") as file:
        file.write("x,level,noise,y\n")
        file.writelines(f"{x[i]:.5f},{level[i]},{i % 7},{label[i]}\n" for i in range(rows))
    options = ["-k", "2", "--folds", "0", "--shape", "plain"]
    sampled = select(fsieve, path, "--sample", "1000", *options)
    whole = select(fsieve, path, "--sample", "all", *options)
    assert sampled["data"]["classes"] == ["maybe", "no", "yes"]
    assert sampled["data"]["sample_rows"] == 1004  # those of the rare class are in it, too
    assert [f["name"] for f in sampled["selected"]] == [f["name"] for f in whole["selected"]]
    assert ([f["score"] for f in sampled["selected"]] ==
            pytest.approx([f["score"] for f in whole["selected"]], rel=1e-9))


def test_what_a_sample_overlooks_is_looked_for_in_more_rows(fsieve, tmp_path):
    """A label that a few rows of one column decide: most samples have none of them."""
    random = np.random.default_rng(3)
    rows = 40_000
    table = {f"x{j}": random.normal(size=rows) for j in range(6)}
    spike = np.zeros(rows)
    spike[random.choice(rows, size=40, replace=False)] = random.normal(size=40) * 50
    table["spike"] = spike
    table["y"] = spike + 0.05 * table["x0"] + random.normal(size=rows) * 0.3
    path = tmp_path / "spike.parquet"
    parquet.write_table(pa.table(table), path)
    for seed in range(3):
        found = select(fsieve, path, "-k", "1", "--sample", "100", "--folds", "0", "--seed", seed)
        assert found["selected"][0]["name"] == "spike" or found["data"]["sample_rows"] >= 400


def test_a_table_that_does_not_fit_says_what_to_do(fsieve, tmp_path):
    write_normals(tmp_path / "long.parquet", 20_000)
    fsieve.fails(1, ["5 MiB", "--memory 5M", "leave out --sample all"], "select", "long.parquet",
                 "--label", "y", "-k", "2", "--sample", "all", "--memory", "1M")
    fsieve.fails(1, ["5 MiB", "--memory 5M", "--sample N"], "select", "long.parquet", "--label", "y",
                 "-k", "2", "--memory", "1M")


def test_selecting_holds_a_sample_not_the_table(fsieve, tmp_path):
    peaks = {}
    for rows in (100_000, 800_000):  # Parquet's reader keeps what row groups took, up to some size
        path = tmp_path / f"{rows}.parquet"
        write_normals(path, rows)
        peaks[rows] = peak_mib([fsieve.path, "select", str(path), "--label", "y", "-k", "2",
                                "--sample", "5000", "--folds", "0", "--memory", "1M", "--json"])
    table = 700_000 * 31 * 8 / 2**20
    assert peaks[800_000] < peaks[100_000] + table / 3, peaks
