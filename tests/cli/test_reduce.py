"""fsieve reduce: what comes out, in JSON, as text and as a table."""

import json
import math
import re

import pyarrow.feather as feather
import pyarrow.parquet as parquet
import numpy as np
import pytest

PARAMETERS = {
    "stages": "1,2:10",
    "epsilon": [0.1],
    "rule": "adjusted",
    "order": "auto",
    "groups": "any",
    "prune": False,
    "engine": "auto",
    "equations": True,
    "relations": False,
    "max_terms": 12,
    "protect": [],
    "clusters": None,
    "sample": None,
    "label": None,
    "columns": [],
    "exclude": [],
    "categorical": [],
    "use": [],
    "missing": "error",
    "na": [],
    "delimiter": None,
    "decimal": None,
    "header": None,
    "rows": None,
    "seed": 0,
}


def names(features):
    return [feature["name"] for feature in features]


def test_json_is_as_promised(fsieve, cars, validate):
    result = validate(fsieve.json("reduce", cars.name), "reduce")
    assert list(result) == (
        "fsieve schema command method parameters data selected removed stages ignored warnings timing".split()
    )
    assert result["schema"] == 2 and result["command"] == "reduce" and result["method"] == "uffs"
    assert result["data"] == {"source": "cars.csv", "rows": 120, "features": 5}
    assert names(result["selected"]) == ["weight", "litres", "colour"]
    assert names(result["removed"]) == ["wheels", "inches"]
    wheels, inches = result["removed"]
    assert (wheels["reason"], wheels["stage"], wheels["index"]) == ("constant", 0, 3)
    assert (inches["reason"], inches["stage"], inches["index"]) == ("redundant", 1, 4)
    assert list(inches) == "name index norm adjusted_norm stage reason equation".split()
    assert list(inches["equation"]) == ["text", "r2", "r2_fit", "terms"]
    [term] = [t for t in inches["equation"]["terms"] if t["factors"] == ["litres"]]
    assert term["coefficient"] == pytest.approx(1 / 0.0164, rel=1e-3)
    assert list(result["selected"][0]) == "name index norm adjusted_norm undecided".split()
    assert [stage["depth"] for stage in result["stages"]] == [1, 2, 3]


def test_parameters_are_the_effective_values(fsieve, cars, validate):
    result = validate(fsieve.json("reduce", cars.name, "--stages", "1,2:10"), "reduce")
    assert result["parameters"] == PARAMETERS
    assert list(result["parameters"]) == list(PARAMETERS)
    result = validate(
        fsieve.json(
            *("reduce", cars.name, "--label", "weight", "--exclude", "wh*,col*", "--r2", "0.96,0.99"),
            *("--stages", "1,3", "--rule", "paper", "--order", "random", "--seed", "7", "--prune"),
            *("--engine", "sample", "--no-equations", "--rows", ":100", "--delimiter", ",", "--header"),
            *("--na", "?,n/a", "--missing", "mean", "--columns", "*"),
        ),
        "reduce",
    )
    expected = {
        **PARAMETERS,
        **{"stages": "1,3", "rule": "paper", "order": "random", "seed": 7, "groups": "own"},
        **{"prune": True, "engine": "sample", "equations": False, "label": "weight"},
        **{"columns": ["*"], "exclude": ["wh*", "col*"], "na": ["?", "n/a"], "missing": "mean"},
        **{"delimiter": ",", "header": True, "rows": "1:100"},
        "epsilon": pytest.approx([0.2, 0.1]),
    }
    assert result["parameters"] == expected
    assert result["data"]["label"] == "weight" and result["data"]["rows"] == 100
    assert "equation" not in result["removed"][0]


def test_parameters_can_be_given_again(fsieve, cars):
    first = fsieve.json("reduce", cars.name, "--epsilon", "0.1,0.2,0.3", "--rule", "cumulative:0.9,0.8,0.7")
    given = first["parameters"]
    again = fsieve.json(
        *("reduce", cars.name, "--stages", given["stages"], "--rule", given["rule"]),
        *("--epsilon", ",".join(map(str, given["epsilon"]))),
    )
    assert again["parameters"] == given
    assert again["selected"] == first["selected"] and again["removed"] == first["removed"]


def test_a_categorical_column_has_one_equation_per_indicator(fsieve, write, validate):
    rows = [(i % 3, i % 3, (i * i) % 11) for i in range(99)]
    write(
        "c.csv",
        "a,b,z\n" + "".join(f"{'rgb'[x]},{'RGB'[y]},{z}\n" for x, y, z in rows),
    )
    result = validate(fsieve.json("reduce", "c.csv"), "reduce")
    [removed] = result["removed"]
    assert removed["name"] == "b" and "equation" not in removed
    assert [e["indicator"] for e in removed["equations"]] == ["b=G", "b=R"]
    report = fsieve("reduce", "c.csv")
    assert "b=G = " in report and "b=R = " in report


def test_save_is_what_json_prints(fsieve, cars):
    out = fsieve("reduce", cars.name, "--json", "--no-timing", "--save", "r.json")
    assert (fsieve.folder / "r.json").read_text() == out
    assert "timing" not in json.loads(out)


def test_numbers_read_back_to_the_same_double(fsieve, cars):
    text = fsieve("reduce", cars.name, "--json", "--no-timing")
    for number in re.findall(r"-?\d+\.\d+(?:e[-+]?\d+)?", text):
        assert float(repr(float(number))) == float(number)
        assert len(number) <= len(repr(float(number))) + 2


def test_notes_and_results_go_their_own_ways(fsieve, cars):
    done = fsieve.run("reduce", cars.name, "--json")
    json.loads(done.out)
    assert done.err == "fsieve: 3 of 5 features kept\n"
    assert fsieve.run("reduce", cars.name, "--json", "--quiet").err == ""


def test_text_report(fsieve, cars):
    lines = fsieve("reduce", cars.name).splitlines()
    assert lines[0] == "cars.csv: 3 of 5 features kept, 2 removed (120 rows)"
    assert "\033" not in "".join(lines)
    assert any(re.match(r"  weight +\d\.\d{4} +\d\.\d{4}$", line) for line in lines)
    assert any(re.match(r"  inches +1 +1\.0000  inches = 61\.0·litres", line) for line in lines)
    assert max(map(len, lines)) <= 100


def test_long_equations_are_cut(fsieve, write):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(300, 30))
    columns = [f"feature_number_{j}" for j in range(30)] + ["total"]
    table = np.column_stack([x, x.sum(axis=1)])
    write("wide.csv", ",".join(columns) + "\n" + "\n".join(",".join(map(repr, map(float, r))) for r in table))
    lines = fsieve("reduce", "wide.csv", "--stages", "1").splitlines()
    [line] = [line for line in lines if line.startswith("  total")]
    assert line.endswith("… (30 terms)") and len(line) <= 100


# Of the employment in 24 industries: "(13 terms)" beside a limit of 12.
def test_terms_are_counted_without_the_constant(fsieve, write):
    x = np.random.default_rng(1).normal(size=(200, 8))
    table = np.column_stack([x, x.sum(axis=1) + 5])
    names = ",".join([f"feature_number_{j}" for j in range(8)] + ["total"])
    write("shifted.csv", names + "\n" + "\n".join(",".join(map(repr, map(float, r))) for r in table))
    [line] = [line for line in fsieve("reduce", "shifted.csv", "--stages", "1").splitlines() if line.startswith("  total")]
    assert line.endswith("… (8 terms)")


def test_many_kept_features_are_a_list(fsieve, write):
    x = np.random.default_rng(2).normal(size=(260, 230))
    write(
        "many.csv",
        ",".join(f"v{j}" for j in range(230)) + "\n" + "\n".join(",".join(map(str, r)) for r in x),
    )
    lines = fsieve("reduce", "many.csv", "--stages", "1:50").splitlines()
    assert lines[0].startswith("many.csv: 230 of 230")
    assert len(lines) < 40 and max(map(len, lines)) <= 100
    assert re.search(r"\bv229\b", lines[-1])


def test_few_rows_leave_features_undecided(fsieve, write, validate):
    x = np.random.default_rng(3).normal(size=(14, 20))
    write("few.csv", ",".join(f"v{j}" for j in range(20)) + "\n" + "\n".join(",".join(map(str, r)) for r in x))
    result = validate(fsieve.json("reduce", "few.csv", "--stages", "1"), "reduce")
    undecided = [f for f in result["selected"] if f["undecided"]]
    assert undecided and all(f["adjusted_norm"] is None for f in undecided)
    assert "undecided" in fsieve("reduce", "few.csv", "--stages", "1")


def test_reduced_table_has_input_order_and_label_last(fsieve, cars):
    fsieve("reduce", cars.name, "--label", "weight", "-o", "small.csv")
    lines = (fsieve.folder / "small.csv").read_text().splitlines()
    assert lines[0] == "litres,colour,weight"
    assert len(lines) == 121
    first = cars.read_text().splitlines()[1].split(",")
    assert lines[1].split(",")[1:] == [first[2], first[0]]


@pytest.mark.parametrize("name", ["o.csv", "o.tsv", "o.csv.gz", "o.csv.zst", "o.parquet", "o.feather"])
def test_every_format_reads_back(fsieve, cars, name):
    fsieve("reduce", cars.name, "-o", name)
    again = fsieve.json("reduce", name)
    assert names(again["selected"]) == ["weight", "litres", "colour"]
    if name.endswith("parquet"):
        assert parquet.read_table(fsieve.folder / name).num_rows == 120
    if name.endswith("feather"):
        assert feather.read_table(fsieve.folder / name).num_rows == 120


def test_npy_out_and_in(fsieve, cars):
    fsieve("reduce", cars.name, "--exclude", "colour", "-o", "o.npy")
    assert np.load(fsieve.folder / "o.npy").shape == (120, 2)
    assert names(fsieve.json("reduce", "o.npy")["selected"]) == ["x1", "x2"]


def test_overwrites_the_file_it_reads(fsieve, cars):
    fsieve("reduce", cars.name, "-o", cars.name)
    assert cars.read_text().splitlines()[0] == "weight,litres,colour"
    assert fsieve.files() == ["cars.csv"]


def test_standard_input(fsieve, cars):
    result = fsieve.json("reduce", "-", stdin=cars.read_bytes())
    assert result["data"]["source"] == "-" and result["data"]["rows"] == 120
    assert names(result["selected"]) == names(fsieve.json("reduce", cars.name)["selected"])


def test_same_bytes_for_any_number_of_threads(fsieve):
    fsieve("generate", "s1", "--rows", "9000", "-o", "s1.csv")
    command = ["reduce", "s1.csv", "--label", "y", "--json", "--no-timing", "--stages", "1,2:20,3:11"]
    one = fsieve.run(*command, "--threads", 1).bytes
    for threads in [2, 7, 0]:
        assert fsieve.run(*command, "--threads", threads).bytes == one
    assert fsieve.run(*command, "--memory", "1M").bytes == one


@pytest.mark.parametrize("kind", ["s1", "s2", "s3"])
@pytest.mark.parametrize(
    "options", [[], ["--stages", "3"], ["--stages", "1,2:50,3:30"], ["--stages", "3", "--rule", "paper"]]
)
def test_papers_sets_come_out_right(fsieve, kind, options):
    fsieve("generate", kind, "--seed", "11", "-o", "s.csv")
    truth = json.loads((fsieve.folder / "s.csv.truth.json").read_text())
    result = fsieve.json("reduce", "s.csv", "--label", "y", *options)
    assert names(result["selected"]) == truth["informative"]
    found = {r["name"]: r["equation"]["terms"] for r in result["removed"]}
    for equation in truth["equations"]:
        terms = {tuple(sorted(t["factors"])): t["coefficient"] for t in found[equation["name"]]}
        expected = {tuple(sorted(t["factors"])): t["coefficient"] for t in equation["terms"]}
        assert terms == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_names_of_any_kind(fsieve, write, validate):
    write(
        "n.csv",
        'café,"a ""quoted"", name","tab\there",重\n'.encode()
        + b"".join(b"%d,%d,%d,%d\n" % (3 * i, 6 * i, i * i % 7, i * i * i % 11) for i in range(60)),
    )
    result = validate(fsieve.json("reduce", "n.csv"), "reduce")
    assert names(result["removed"]) == ['a "quoted", name']
    lines = fsieve("reduce", "n.csv").splitlines()
    assert "  tab\\there" in "\n".join(lines)  # spelled out, as all that a terminal would act on


def test_warnings_reach_both_places(fsieve, write):
    write("t.csv", "".join(f"{i},{i * i % 13}\n" for i in range(50)))
    done = fsieve.run("reduce", "t.csv", "--json", "--stages", "1")
    warnings = json.loads(done.out)["warnings"]
    for warning in warnings:
        assert f"fsieve: warning: {warning}" in done.err
    assert done.err.count("fsieve: warning:") == len(warnings)


def test_no_value_is_ever_nan(fsieve, write):
    write("k.csv", "a,b\n" + "1,2\n" * 30)
    result = fsieve.json("reduce", "k.csv")
    assert result["selected"] == [] and len(result["removed"]) == 2
    assert all(not isinstance(v, float) or math.isfinite(v) for r in result["removed"] for v in r.values())
    fsieve("reduce", "k.csv")


def test_groups_of_wide_categories_end_early(fsieve, write):
    """Six categories of nine levels come first; a group of six of them had 36 times the products of six numbers."""
    rng = np.random.default_rng(3)
    numbers = rng.normal(size=(800, 12))
    levels = rng.integers(0, 9, size=(800, 6))
    header = [f"n{j}" for j in range(12)] + [f"c{j}" for j in range(6)]
    rows = [[*map(repr, map(float, a)), *(f"k{v}" for v in b)] for a, b in zip(numbers, levels, strict=True)]
    write("wide.csv", "\n".join(map(",".join, [header, *rows])) + "\n")
    command = ["reduce", "wide.csv", "--stages", "2:6", "--no-equations"]
    [given] = fsieve.json(*command, "--order", "input")["stages"]
    [computed] = fsieve.json(*command)["stages"]
    # 60 columns of 18 features: 20 of six on average, which three categories have.
    assert given["groups"] == 3 and computed["groups"] == 4
    assert computed["parities"] < given["parities"]
