"""`reduce --sample`: prepared on some rows, checked on all, the same bytes from wherever the rows come."""

import json

import numpy as np
import pandas as pd
import pytest


@pytest.fixture
def planted(fsieve):
    """Four independent columns, a noisy sum, a noisy product, a column half explained, a rare flag, a rare level."""
    rng = np.random.default_rng(4)
    rows = 6000
    frame = pd.DataFrame({f"x{k}": rng.normal(size=rows) for k in range(4)})
    frame["sum"] = frame.x0 - 2 * frame.x1 + 0.1 * rng.normal(size=rows)
    frame["product"] = frame.x2 * frame.x3 + 0.05 * rng.normal(size=rows)
    frame["half"] = frame.x0 + rng.normal(size=rows)
    frame["flag"] = (np.arange(rows) % 300 == 5).astype(int)
    frame["level"] = np.where(np.arange(rows) % 400 == 9, "rare", rng.choice(["a", "b"], rows))
    path = fsieve.folder / "planted.parquet"
    frame.to_parquet(path)
    return path.name


def gone(result):
    return {feature["name"]: feature["equation"]["text"] for feature in result["removed"]}


def test_the_same_removals_and_equations_as_on_all_rows(fsieve, planted, validate):
    sampled = validate(fsieve.json("reduce", planted, "--sample", "500"), "reduce")
    everything = validate(fsieve.json("reduce", planted, "--sample", "all"), "reduce")
    assert gone(sampled) == gone(everything)
    assert set(gone(everything)) == {"sum", "product"}
    assert sampled["parameters"]["sample"] == 500 and everything["parameters"]["sample"] == "all"
    assert 500 <= sampled["stages"][0]["sample"] < 6000
    assert "sample" not in everything["stages"][0]


@pytest.mark.parametrize("order", ["auto", "input"])
def test_the_same_bytes_from_memory_and_file_for_any_threads(fsieve, planted, order):
    command = ["reduce", planted, "--sample", "300", "--order", order, "--json", "--no-timing"]
    outputs = {
        fsieve.run(*command, "--memory", memory, "--threads", threads).bytes
        for memory in ("1K", "512M")
        for threads in (1, 2, 7)
    }
    assert len(outputs) == 1


def test_the_seed_chooses_the_rows(fsieve, planted):
    runs = [fsieve.json("reduce", planted, "--sample", "300", "--seed", seed) for seed in (1, 2)]
    assert gone(runs[0]) == gone(runs[1])
    norms = [[feature["norm"] for feature in run["selected"]] for run in runs]
    assert norms[0] != norms[1]


def test_small_tables_are_used_whole(fsieve, planted):
    assert all("sample" not in stage for stage in fsieve.json("reduce", planted)["stages"])
    more = fsieve.json("reduce", planted, "--sample", "6000", "--no-timing")
    whole = fsieve.json("reduce", planted, "--sample", "all", "--no-timing")
    more["parameters"]["sample"] = "all"
    assert json.dumps(more) == json.dumps(whole)


def test_the_report_says_so(fsieve, planted):
    text = fsieve("reduce", planted, "--sample", "300", "--save", "result.json")
    assert "rows, what goes is checked on all" in text and "~" in text
    result = json.loads((fsieve.folder / "result.json").read_text())
    assert any(feature.get("estimated") for feature in result["selected"])
    assert fsieve("show", "result.json") == text


def test_large_tables_are_sampled_by_default(fsieve):
    rows = 140_000
    rng = np.random.default_rng(1)
    signs = {f"s{k:02}": rng.choice([-1.0, 1.0], rows) for k in range(24)}
    frame = pd.DataFrame(signs)
    frame["y"] = frame.s00 * frame.s01 + 0.05 * rng.normal(size=rows)
    frame.to_parquet(fsieve.folder / "large.parquet")
    result = fsieve.json("reduce", "large.parquet", "--stages", "1,2:25")
    first, second = result["stages"]
    assert "sample" not in first  # as quick as reading
    assert second["sample"] < rows / 4
    assert set(gone(result)) == {"y"}
    assert result["parameters"]["sample"] is None
