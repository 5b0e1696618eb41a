"""gfs and gfa as a user runs them: equations, files, messages, threads, guarantees."""

import csv
import json
import math

import numpy as np
import pytest
from test_greedy_reference import write_table


def real_table(rows=300, seed=1):
    random = np.random.default_rng(seed)
    x = random.standard_normal((rows, 4)) * [1, 2, 0.5, 3] + [1, 0, -2, 5]
    return {
        "x1": x[:, 0],
        "x2": x[:, 1],
        "x3": x[:, 2],
        "x4": x[:, 3],
        "square": 0.1 * x[:, 1] ** 2 - 1,
        "mixed": 0.02 * x[:, 0] * x[:, 3] ** 2 + 0.01 * x[:, 2],
        "loose": 0.1 * x[:, 0] + 0.02 * random.standard_normal(rows),
        "constant": np.full(rows, 7.5),
    }


def evaluate(terms, columns, functions=None):
    total = 0.0
    for term in terms:
        product = np.full(len(next(iter(columns.values()))), term["coefficient"])
        for factor in term["factors"]:
            if factor in columns:
                product = product * columns[factor]
            else:
                product = product * eval(factor, {"__builtins__": {}}, functions)
        total = total + product
    return total


def r2_of(y, fitted):
    return 1 - np.sum((y - fitted) ** 2) / np.sum((y - y.mean()) ** 2)


@pytest.mark.parametrize("engine", ["gram", "sample"])
def test_equations_are_what_they_say(fsieve, write, validate, engine):
    table = real_table()
    result = validate(
        fsieve.json(
            "reduce", write_table(write, table), "--method", "gfs", "--family", "polynomial:3",
            "--epsilon2", "0.05", "--engine", engine, "--scale", "none",
        ),
        "reduce",
    )  # fmt: skip
    removed = {f["name"]: f for f in result["removed"]}
    assert removed["constant"]["reason"] == "constant"
    assert removed["square"]["equation"]["text"] == "square = 0.100·x2² − 1.00"
    assert removed["mixed"]["equation"]["r2"] > 1 - 1e-9
    for name in ["square", "mixed", "loose"]:
        equation = removed[name]["equation"]
        fitted = evaluate(equation["terms"], table)
        assert abs(r2_of(table[name], fitted) - equation["r2_fit"]) < 1e-9
        # The equation may be shorter than the whole family, never better.
        left = removed[name]["variance_left"] / table[name].var()
        assert 1 - equation["r2_fit"] >= left - 1e-9
        used = {factor for term in equation["terms"] for factor in term["factors"]}
        assert used <= {f["name"] for f in result["selected"]}


def test_equations_of_functions_can_be_computed(fsieve, write, validate):
    random = np.random.default_rng(2)
    a, b = random.standard_normal(200) + 3, 2 * random.standard_normal(200)
    table = {"a1": a, "b1": b, "wave": 0.01 * np.sin(a) + 0.02 * a * abs(b)}
    path = write_table(write, table)
    run = ["reduce", path, "--method", "gfs", "--family", "functions", "--function", "sin(a)"]
    run += ["--function", "a*abs(b)", "-k", "2"]
    exact = validate(fsieve.json(*run, "--scale", "none"), "reduce")
    assert "standardised" not in exact
    (wave,) = exact["removed"]
    assert wave["equation"]["text"] == "wave = 0.0100·sin(a1) + 0.0200·a1*abs(b1)"
    assert wave["variance_left"] < 1e-12
    standard = validate(fsieve.json(*run), "reduce")
    units = {u["name"]: u for u in standard["standardised"]}
    assert units.keys() == {f["name"] for f in standard["selected"]}
    (left,) = standard["removed"]
    names = {name: name for name in table}
    functions = {
        "sin": np.sin,
        "abs": abs,
        "z": lambda name: (table[name] - units[name]["mean"]) / units[name]["deviation"],
        **names,
    }
    fitted = evaluate(left["equation"]["terms"], table, functions)
    assert abs(r2_of(table[left["name"]], fitted) - left["equation"]["r2_fit"]) < 1e-9


def test_saved_shown_applied_and_written(fsieve, write, tmp_path):
    table = real_table()
    path = write_table(write, {**table, "y": np.arange(300.0)})
    run = ["reduce", path, "--method", "gfa", "-k", "3", "--delta", "1e-3", "--scale", "none"]
    report = fsieve(*run, "--label", "y", "--save", "r.json", "-o", "small.csv")
    result = json.loads((tmp_path / "r.json").read_text())
    assert [f["name"] for f in result["selected"]] == ["x4", "x2", "mixed"]
    assert {f["reason"] for f in result["removed"]} >= {"unselected", "constant"}
    assert (tmp_path / "small.csv").read_text().splitlines()[0] == "x2,x4,mixed,y"
    assert fsieve("show", "r.json") == report
    assert json.loads(fsieve("show", "r.json", "--json")) == result
    applied = fsieve("apply", "r.json", path)
    assert applied.splitlines()[0] == "x4,x2,mixed,y"
    with (tmp_path / "small.csv").open() as file:
        assert len(list(csv.reader(file))) == 301


@pytest.mark.parametrize("engine", ["gram", "sample", "auto"])
def test_bytes_do_not_depend_on_threads(fsieve, write, engine):
    random = np.random.default_rng(3)
    x = random.standard_normal((3000, 24))
    x[:, 20] = x[:, 0] * x[:, 1]
    path = write_table(write, {f"c{j}": x[:, j] for j in range(24)})
    run = ["reduce", path, "--method", "gfs", "--epsilon2", "0.9", "-k", "12", "--engine", engine]
    outputs = {
        fsieve(*run, "--json", "--no-timing", "--threads", threads) for threads in ["1", "2", "7"]
    }
    assert len(outputs) == 1


def test_memory_that_is_too_small_is_said(fsieve, write):
    random = np.random.default_rng(4)
    x = random.standard_normal((90_000, 26)).round(3)
    lines = [",".join(f"c{j}" for j in range(26))] + [",".join(map(str, row)) for row in x.tolist()]
    path = write("big.csv", "\n".join(lines) + "\n")
    run = ["reduce", path, "--method", "gfs", "-k", "2", "--memory", "1M"]
    fsieve.fails(1, "--memory", *run, "--engine", "sample")
    streamed = fsieve.json(*run, "--no-timing")
    assert streamed["engine"] == "gram"
    held = fsieve.json(*run[:-2], "--no-timing")
    assert held == streamed


def test_functions_with_values_that_are_not_finite(fsieve, write):
    path = write("t.csv", "u,v\n1,2\n4,-1\n0,3\n2,2\n")
    run = ["reduce", path, "--method", "gfs", "--family", "functions", "--scale", "none"]
    for engine in ["gram", "sample"]:
        fsieve.fails(1, ["row 3", "log(a)", "u"], *run, "--columns", "u",
                     "--function", "log(a)", "--engine", engine)  # fmt: skip
        fsieve.fails(1, ["row 2", "sqrt(a)", "v"], *run, "--columns", "v",
                     "--function", "sqrt(a)", "--engine", engine)  # fmt: skip
        fsieve.fails(1, "too large", *run, "--function", "exp(200*a)", "--engine", engine)


def test_more_features_than_there_are(fsieve, cars):
    fsieve.fails(1, "there are 5 features", "reduce", cars, "--method", "gfs", "-k", "6")


def test_tables_with_nothing_to_choose(fsieve, write, validate):
    path = write("t.csv", "u,v\n1,2\n1,2\n1,2\n")
    result = validate(fsieve.json("reduce", path, "--method", "gfs"), "reduce")
    assert result["selected"] == []
    assert result["trace"] == [0]
    assert [f["reason"] for f in result["removed"]] == ["constant", "constant"]
    fsieve.fails(1, "fewer than two", "reduce", write("o.csv", "u,v\n1,2\n"), "--method", "gfs")


def entropy(rows):
    _, counts = np.unique(rows, axis=0, return_counts=True)
    share = counts / counts.sum()
    return -(share * np.log2(share)).sum()


@pytest.mark.parametrize("epsilon2", ["0.001", "0.2", "0.6"])
def test_the_entropy_bound_holds(fsieve, write, validate, epsilon2):
    random = np.random.default_rng(5)
    bits = random.integers(0, 2, (400, 5))
    rare = random.random(400) < 0.01
    table = {f"b{j}": bits[:, j] for j in range(5)}
    table["and"] = bits[:, 0] & bits[:, 1]
    table["nearly"] = (bits[:, 0] ^ bits[:, 2]) ^ rare
    table["colour"] = [["red", "blue", "green"][b + 2 * (c and not b)] for b, c in bits[:, :2]]
    path = write_table(write, table)
    result = validate(
        fsieve.json("reduce", path, "--method", "gfs", "--epsilon2", epsilon2), "reduce"
    )
    bound = result["entropy_bound"]
    columns = {name: np.unique(values, return_inverse=True)[1] for name, values in table.items()}
    chosen = [columns[f["name"]] for f in result["selected"]]
    true = entropy(np.stack(list(columns.values()), 1)) - entropy(np.stack(chosen, 1))
    assert -1e-9 <= true <= bound["bits"] + 1e-9
    assert bound["bits"] <= bound["trivial_bits"] + 1e-9
    if epsilon2 == "0.001":
        assert bound["bits"] < 1e-9
    assert "Theorem 1" in fsieve("reduce", path, "--method", "gfs", "--epsilon2", epsilon2)


def test_no_bound_without_discrete_features(fsieve, write):
    result = fsieve.json("reduce", write_table(write, real_table()), "--method", "gfs")
    assert "entropy_bound" not in result


def test_trace_never_rises_and_ends_below_the_threshold(fsieve, write):
    table = real_table(seed=9)
    result = fsieve.json("reduce", write_table(write, table), "--method", "gfs", "--scale", "none")
    assert all(math.isfinite(v) and v >= 0 for v in result["trace"])
    assert result["trace"] == sorted(result["trace"], reverse=True)
    assert result["trace"][-1] <= 0.01
    assert result["trace"][0] == pytest.approx(max(v.var() for v in table.values()))
