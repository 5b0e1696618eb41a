"""fsieve select: what comes out, in JSON, as text and as a table, and what is refused."""

import json
import re

import numpy as np
import pandas as pd
import pytest

PARAMETERS = {
    "k": 2,
    "depth": 2,
    "search": "forward",
    "score": "l1",
    "reduce": "none",
    "equations": True,
    "bins": None,
    "shape": "curve",
    "class_weight": None,
    "robust": False,
    "keep": [],
    "adjust": [],
    "group": [],
    "cost": [],
    "stability": 0,
    "ranking": True,
    "task": "classification",
    "top": 20,
    "alpha": 0.01,
    "permutations": 0,
    "scan_limit": 1e12,
    "sample": None,
    "delta": 0.05,
    "folds": 5,
    "label": "y",
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

KEYS = (
    "fsieve schema command method measure parameters data selected subsets ranking substitutes stability path "
    "accuracy_estimate r2_estimate estimate_model bound reduced ignored warnings timing"
).split()


def names(features):
    return [feature["name"] for feature in features]


def table(columns, label, name="y"):
    """CSV of numeric columns x1, x2, … and a label of any kind, last."""
    lines = [",".join([f"x{j + 1}" for j in range(columns.shape[1])] + [name])]
    for row, value in zip(columns, label):
        lines.append(",".join([repr(v.item()) for v in row] + [str(value)]))
    return "\n".join(lines) + "\n"


def xor_table(rows=400, columns=30, classes=("no", "yes"), seed=1):
    """x7 and x22 decide the label by exclusive-or; a tenth of the labels is wrong."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 2, (rows, columns))
    y = (x[:, 6] ^ x[:, 21]) ^ (rng.random(rows) < 0.1)
    return table(x, [classes[int(v)] for v in y])


@pytest.fixture
def xor(write):
    return write("xor.csv", xor_table())


@pytest.fixture
def three(write):
    """Three classes by the sign of x2 and of x5, among normal columns."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=(500, 8))
    y = np.where(x[:, 1] > 0.5, "c", np.where(x[:, 4] > 0, "b", "a"))
    return write("three.csv", table(x, y))


@pytest.fixture
def curve(write):
    """A number: x3 + x1·x6, with noise."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(400, 9))
    y = x[:, 2] + x[:, 0] * x[:, 5] + 0.3 * rng.normal(size=400)
    return write("curve.csv", table(x, [repr(v.item()) for v in y]))


def test_json_is_as_promised(fsieve, xor, validate):
    result = validate(fsieve.json("select", xor.name, "--label", "y", "-k", 2), "select")
    assert list(result) == KEYS
    assert (result["schema"], result["command"], result["method"]) == (2, "select", "sffs")
    assert result["measure"] == "M_n"
    assert result["parameters"] == PARAMETERS and list(result["parameters"]) == list(PARAMETERS)
    assert list(result["data"]) == "source rows features label classes".split()
    assert result["data"] == {
        **{"source": "xor.csv", "rows": 400, "features": 30},
        **{"label": "y", "classes": ["no", "yes"]},
    }
    assert list(result["selected"][0]) == "name index rank round score p_value".split()
    assert list(result["subsets"][0]) == ["features", "score"]
    assert list(result["reduced"]) == ["removed"]


def test_xor_is_found(fsieve, xor):
    result = fsieve.json("select", xor.name, "--label", "y", "-k", 2)
    first, second = result["selected"]
    assert {first["name"], second["name"]} == {"x7", "x22"}
    assert {first["index"], second["index"]} == {6, 21}
    assert [first["rank"], second["rank"]] == [1, 2] and first["round"] is second["round"] is None
    assert first["score"] == second["score"] and 0.6 < first["score"] < 0.95
    assert first["p_value"] is second["p_value"] is None  # no level was asked for
    assert [sorted(s["features"]) for s in result["subsets"]] == [["x22", "x7"]]
    assert result["accuracy_estimate"] == pytest.approx(0.9, abs=0.05)
    assert list(result["bound"]) == ["delta", "excess_loss", "vacuous"]
    assert result["bound"]["delta"] == 0.05


def test_certain_takes_nothing_of_noise(fsieve, write, validate):
    rng = np.random.default_rng(4)
    write("noise.csv", table(rng.normal(size=(200, 20)), rng.integers(0, 2, 200)))
    result = validate(fsieve.json("select", "noise.csv", "--label", "y", "-k", "certain"), "select")
    assert result["selected"] == [] and result["subsets"] == []
    assert "No feature convinces" in fsieve("select", "noise.csv", "--label", "y", "-k", "certain")


def test_certain_is_what_convinces(fsieve, xor, validate):
    result = validate(fsieve.json("select", xor.name, "--label", "y", "-k", "certain"), "select")
    first, second = result["selected"]
    assert {first["name"], second["name"]} == {"x7", "x22"}
    assert result["parameters"]["k"] == "certain"
    assert first["round"] == second["round"] == 1 and first["p_value"] == second["p_value"] < 1e-6
    text = fsieve("select", xor.name, "--label", "y", "-k", "certain")
    assert re.search(r"rank +feature +round +score +p-value", text)


def test_curves_are_seen_unless_plain(fsieve, write, validate):
    rng = np.random.default_rng(5)
    x = rng.normal(size=(400, 12))
    write("even.csv", table(x, (x[:, 4] ** 2 + 0.3 * rng.normal(size=400) > 1) * 1))
    command = ["select", "even.csv", "--label", "y", "-k", "certain"]
    assert names(validate(fsieve.json(*command), "select")["selected"]) == ["x5"]
    plain = validate(fsieve.json(*command, "--shape", "plain"), "select")
    assert plain["selected"] == [] and plain["parameters"]["shape"] == "plain"


def test_a_shorter_path_begins_a_longer_one(fsieve, three):
    paths = [names(fsieve.json("select", three.name, "--label", "y", "-k", k)["selected"]) for k in (8, 5, 2, 1)]
    assert all(path == paths[0][: len(path)] for path in paths)


# The strong curve of one feature came after every weak column: of a survey with age (p = 1e-29, bent) -k 3 took three others.
def test_a_strong_curve_comes_before_weak_columns(fsieve, write):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(1000, 6))
    write("bent.csv", table(x, (x[:, 0] ** 2 + x[:, 1:3] @ [0.35, 0.3] + rng.normal(size=1000) > 1) * 1))
    for depth in (1, 2):
        found = fsieve.json("select", "bent.csv", "--label", "y", "-k", 3, "--depth", depth)
        assert names(found["selected"]) == ["x1", "x2", "x3"]
        plain = fsieve.json("select", "bent.csv", "--label", "y", "-k", 3, "--depth", depth, "--shape", "plain")
        assert set(names(plain["selected"])[:2]) == {"x2", "x3"}


def test_balanced_classes_and_robust_labels(fsieve, write, three, curve, validate):
    for search in ("forward", "union"):
        result = fsieve.json("select", three.name, "--label", "y", "-k", 2, "--class-weight", "balanced", "--search", search)
        assert validate(result, "select")["parameters"]["class_weight"] == "balanced"
        assert {"x2", "x5"} == set(names(result["selected"]))
    fsieve.fails(1, "needs classes", "select", curve.name, "--label", "y", "-k", 2, "--class-weight", "balanced")
    result = validate(fsieve.json("select", curve.name, "--label", "y", "-k", 3, "--robust"), "select")
    assert {"x1", "x3", "x6"} == set(names(result["selected"])) and result["parameters"]["robust"]


def test_union_is_the_best_of_all_subsets(fsieve, xor, validate):
    result = validate(fsieve.json("select", xor.name, "--label", "y", "-k", 4, "--search", "union"), "select")
    assert names(result["selected"])[:2] == ["x7", "x22"] and len(result["selected"]) == 4
    assert result["subsets"][0]["features"] == ["x7", "x22"]
    assert len(result["subsets"]) == 20
    scores = [s["score"] for s in result["subsets"]]
    assert scores == sorted(scores, reverse=True)
    assert all(len(s["features"]) == 2 for s in result["subsets"])
    assert all(f["round"] is None for f in result["selected"])
    assert result["parameters"]["reduce"] == "1"


def test_top_limits_the_report_only(fsieve, xor):
    command = ["select", xor.name, "--label", "y", "-k", 5, "--search", "union"]
    one = fsieve.json(*command, "--top", 1)
    many = fsieve.json(*command, "--top", 50)
    assert len(one["subsets"]) == 1 and len(many["subsets"]) == 50
    assert one["selected"] == many["selected"] and one["subsets"] == many["subsets"][:1]


def test_l2_ranks_all_sizes(fsieve, xor, validate):
    result = validate(
        fsieve.json("select", xor.name, "--label", "y", "-k", 2, "--search", "union", "--score", "l2"), "select"
    )
    assert result["measure"] == "l2"
    assert names(result["selected"]) == ["x7", "x22"]


def test_beam_of_one_is_forward(fsieve, xor):
    command = ["select", xor.name, "--label", "y", "-k", 4, "--no-timing"]
    forward = fsieve.json(*command)
    beam = fsieve.json(*command, "--search", "beam:1")
    assert beam["selected"] == forward["selected"] and beam["subsets"] == forward["subsets"]


def test_reduce_comes_first(fsieve, write, validate):
    rng = np.random.default_rng(5)
    x = rng.normal(size=(300, 6))
    x = np.column_stack([x, 2 * x[:, 1] + 1])
    write("copies.csv", table(x, (x[:, 1] > 0).astype(int)))
    command = ["select", "copies.csv", "--label", "y", "-k", 2, "--depth", 1]
    result = validate(fsieve.json(*command, "--reduce", "1"), "select")
    [removed] = result["reduced"]["removed"]
    assert list(removed) == "name index norm adjusted_norm stage reason equation".split()
    assert removed["name"] == "x7" and removed["equation"]["text"].startswith("x7 = ")
    assert "x7" not in names(result["selected"]) and result["selected"][0]["name"] == "x2"
    assert "1 of 7 features removed" in fsieve(*command, "--reduce", "1")
    assert fsieve.json(*command)["reduced"] == {"removed": []}
    assert "removed" not in fsieve(*command)


def test_reduce_first_whatever_the_order_of_columns(fsieve, write):
    a, b, c = np.random.default_rng(6).normal(size=(3, 300))
    columns = {"a": a, "b": b, "c": c, "total": a + b + c, "y": (a > 0).astype(int)}
    for order in (["total", "a", "b", "c", "y"], ["b", "y", "total", "c", "a"], list(columns)):
        write("sums.csv", pd.DataFrame({name: columns[name] for name in order}).to_csv(index=False))
        result = fsieve.json("select", "sums.csv", "--label", "y", "-k", 1, "--reduce", "1")
        assert names(result["reduced"]["removed"]) == ["total"]


def told(result):
    return names(result["selected"]), result["path"], result["accuracy_estimate"], result["r2_estimate"]


def test_the_chosen_size_does_not_depend_on_the_order_of_columns_or_the_names_of_classes(fsieve, write):
    """Folds were dealt by the first column, and by classes in order of their names: breast cancer had 3, 14, 20 or 22 features."""
    rng = np.random.default_rng(8)
    x = rng.normal(size=(150, 12))
    y = np.where(x[:, 3] + 0.7 * x[:, 8] + rng.normal(size=150) > 0.4, "no", np.where(x[:, 5] > 0, "maybe", "yes"))
    frame = pd.DataFrame(x, columns=[f"x{j}" for j in range(12)]).assign(y=y)
    write("plain.csv", frame.to_csv(index=False))
    first = told(fsieve.json("select", "plain.csv", "--label", "y"))
    for seed in (1, 2):
        columns = np.random.default_rng(seed).permutation(frame.columns)
        write("turned.csv", frame[columns].replace({"y": {"no": "zero", "maybe": "one", "yes": "any"}}).to_csv(index=False))
        assert told(fsieve.json("select", "turned.csv", "--label", "y")) == first


def test_features_that_come_in_together_have_an_order_of_their_own(fsieve, write):
    """That of the file decided which of a pair comes first, and which of it is left out where k ends between them."""
    rng = np.random.default_rng(10)
    x = pd.DataFrame(rng.choice([-1, 1], size=(300, 12)), columns=[f"x{j}" for j in range(12)])
    for k in (1, 2):
        found = []
        for columns in (x.columns, x.columns[::-1]):
            frame = x[columns].assign(y=np.where(x["x3"] * x["x8"] > 0, "yes", "no"))
            write("turned.csv", frame.to_csv(index=False))
            found.append(told(fsieve.json("select", "turned.csv", "--label", "y", "-k", k)))
        assert found[0] == found[1] and set(found[0][0]) <= {"x3", "x8"}


@pytest.mark.parametrize("exponent", [-400, -100, 64, 400])
def test_the_unit_of_a_number_does_not_matter(fsieve, write, exponent):
    """From about 1e18 on the scan for pairs read beyond its columns."""
    rng = np.random.default_rng(9)
    x = rng.normal(size=(150, 140))
    y = x[:, 3] * x[:, 130] + 0.3 * rng.normal(size=150)
    for name, values in (("plain.csv", y), ("scaled.csv", np.ldexp(y, exponent))):
        write(name, table(x, [repr(v.item()) for v in values]))
    plain, scaled = (told(fsieve.json("select", name, "--label", "y", "-k", 3)) for name in ("plain.csv", "scaled.csv"))
    assert plain == scaled and sorted(plain[0])[:2] == ["x131", "x4"]


def test_numbers_that_cannot_be_squared(fsieve, write):
    rng = np.random.default_rng(9)
    x = rng.normal(size=(60, 3))
    for size, shown in ((1e200, "e+200"), (1e-200, "e-200")):
        write("huge.csv", table(x, [repr(v.item() * size) for v in x[:, 1]]))
        says = ['label "y" has numbers of up to ', shown, "give it in another unit"]
        fsieve.fails(1, says, "select", "huge.csv", "--label", "y")


def test_more_classes(fsieve, three, validate):
    result = validate(fsieve.json("select", three.name, "--label", "y", "-k", 2), "select")
    assert result["measure"] == "bayes_accuracy"
    assert result["data"]["classes"] == ["a", "b", "c"]
    assert sorted(names(result["selected"])) == ["x2", "x5"]
    assert 0.5 < result["accuracy_estimate"] <= 1
    assert result["bound"] is None


def test_regression(fsieve, curve, validate):
    result = validate(fsieve.json("select", curve.name, "--label", "y", "-k", 3), "select")
    assert result["measure"] == "q2" and result["parameters"]["task"] == "regression"
    assert "classes" not in result["data"]
    assert result["accuracy_estimate"] is None and result["bound"] is None
    assert sorted(names(result["selected"])) == ["x1", "x3", "x6"]
    assert names(result["selected"])[0] == "x3"


@pytest.mark.parametrize(
    "classes,ordered",
    [
        (("no", "yes"), ["no", "yes"]),
        (("true", "false"), ["false", "true"]),
        ((10, 9), ["9", "10"]),
        ((-1, 1), ["-1", "1"]),
        (("B", "a"), ["B", "a"]),
        (("nicht, \"nie\"", "même"), ["même", "nicht, \"nie\""]),
    ],
    ids=str,
)
def test_classes_of_any_spelling(fsieve, write, classes, ordered):
    quoted = ['"' + c.replace('"', '""') + '"' if isinstance(c, str) else c for c in classes]
    write("t.csv", xor_table(classes=quoted))
    result = fsieve.json("select", "t.csv", "--label", "y", "-k", 2)
    assert result["data"]["classes"] == ordered
    assert sorted(names(result["selected"])) == ["x22", "x7"]


def test_the_task_is_decided_and_said(fsieve, xor, curve, write):
    done = fsieve.run("select", xor.name, "--label", "y", "-k", 2)
    assert 'fsieve: label "y" is taken as 2 classes\n' in done.err
    assert "fsieve: 2 of 30 features selected\n" in done.err
    done = fsieve.run("select", curve.name, "--label", "y", "-k", 2)
    assert 'label "y" is taken as a number (--task classification' in done.err
    assert "taken as" not in fsieve.run("select", curve.name, "--label", "y", "-k", 2, "--task", "regression").err
    assert fsieve.run("select", curve.name, "--label", "y", "-k", 2, "-q").err == ""
    write("count.csv", xor_table(classes=(3, 4)))
    assert fsieve.json("select", "count.csv", "--label", "y", "-k", 2)["parameters"]["task"] == "classification"
    done = fsieve.json("select", "count.csv", "--label", "y", "-k", 2, "--task", "regression")
    assert done["parameters"]["task"] == "regression" and done["measure"] == "q2"


def test_parameters_are_the_effective_values(fsieve, xor, validate):
    result = validate(
        fsieve.json(
            *("select", xor.name, "--label", "y", "-k", 3, "--depth", 3, "--search", "beam:2"),
            *("--reduce", "1,2:20", "--task", "classification", "--top", 5, "--alpha", 0.05),
            *("--scan-limit", "1e9", "--delta", 0.1, "--seed", 7, "--exclude", "x3?", "--rows", ":350"),
        ),
        "select",
    )
    expected = {
        **PARAMETERS,
        **{"k": 3, "depth": 3, "search": "beam:2", "reduce": "1,2:20", "top": 5, "alpha": 0.05},
        **{"scan_limit": 1e9, "delta": 0.1, "seed": 7, "exclude": ["x3?"], "rows": "1:350"},
    }
    assert result["parameters"] == expected


def test_bins_make_numbers_discrete(fsieve, three, validate):
    result = validate(fsieve.json("select", three.name, "--label", "y", "-k", 2, "--bins", 4), "select")
    assert result["parameters"]["bins"] == 4
    assert sorted(names(result["selected"])) == ["x2", "x5"]


def test_text_features_and_mixed_data(fsieve, write, validate):
    rng = np.random.default_rng(6)
    colour = rng.integers(0, 3, 300)
    noise = rng.normal(size=(300, 4))
    lines = ["a,colour,b,c,d,kind"]
    for i in range(300):
        a, b, c, d = noise[i]
        lines.append(f"{a},{['red', 'green', 'blue'][colour[i]]},{b},{c},{d},{'warm' if colour[i] == 0 else 'cold'}")
    write("m.csv", "\n".join(lines) + "\n")
    result = validate(fsieve.json("select", "m.csv", "--label", "kind", "-k", 1), "select")
    assert names(result["selected"]) == ["colour"] and result["selected"][0]["index"] == 1
    assert result["bound"] is None


def test_text_report(fsieve, xor):
    lines = fsieve("select", xor.name, "--label", "y", "-k", 3).splitlines()
    assert lines[0] == "xor.csv: 3 of 30 features selected for y (400 rows)"
    assert lines[1].startswith("2 classes (no, yes); forward")
    assert "\033" not in "".join(lines) and max(map(len, lines)) <= 100
    text = "\n".join(lines)
    assert re.search(r"rank +feature +score$", text, re.M)
    assert re.search(r"^ +1 +x(7|22) +0\.\d{4}$", text, re.M)
    assert re.search(r"^ +0\.\d{4} +(x7, x22|x22, x7)$", text, re.M)
    assert "Score: M_n" in text and "Guarantee: " in text
    assert re.search(r"Accuracy estimate: \d+\.\d %", text)


def test_report_of_a_regression(fsieve, curve):
    text = fsieve("select", curve.name, "--label", "y", "-k", 3)
    assert "a number; forward" in text and "Score: q2" in text
    assert "Accuracy" not in text and "Guarantee" not in text


def test_written_table_has_input_order_and_label_last(fsieve, write):
    lines = xor_table().splitlines()
    moved = [",".join([line.split(",")[-1], *line.split(",")[:-1]]) for line in lines]
    write("first.csv", "\n".join(moved) + "\n")
    fsieve("select", "first.csv", "--label", "y", "-k", 2, "-o", "o.csv")
    out = (fsieve.folder / "o.csv").read_text().splitlines()
    assert out[0] == "x7,x22,y" and len(out) == 401
    cells = lines[1].split(",")
    assert out[1].split(",") == [cells[6], cells[21], cells[30]]


def test_save_show_apply(fsieve, xor, write, validate):
    command = ["select", xor.name, "--label", "y", "-k", 3, "--search", "union"]
    out = fsieve(*command, "--json", "--save", "s.json")
    assert (fsieve.folder / "s.json").read_text() == out
    assert fsieve("show", "s.json", "--json") == out
    validate(fsieve.json("show", "s.json"), "show")
    assert "timing" not in fsieve.json("show", "s.json", "--no-timing")
    assert fsieve("show", "s.json") == fsieve(*command)
    order = names(json.loads(out)["selected"])
    assert fsieve("apply", "s.json", xor.name).splitlines()[0] == ",".join([*order, "y"])
    header = ["z", *sorted(order, reverse=True)]
    write("new.csv", ",".join(header) + "\n9,0,1,0\n8,1,0,0\n7,1,1,1\n")
    got = fsieve("apply", "s.json", "new.csv").splitlines()
    assert got[0] == ",".join(order)
    row = dict(zip(header, "9010"))
    assert got[1] == ",".join(row[name] for name in order)


def test_apply_of_nothing(fsieve, write):
    rng = np.random.default_rng(4)
    write("noise.csv", table(rng.normal(size=(200, 20)), rng.integers(0, 2, 200)))
    fsieve("select", "noise.csv", "--label", "y", "-k", "certain", "--save", "s.json")
    fsieve("show", "s.json")
    fsieve.fails(1, ["s.json", "no feature is selected"], "apply", "s.json", "noise.csv")


BROKEN = {
    "no measure": (lambda r: r.pop("measure"), "measure"),
    "unknown measure": (lambda r: r.update(measure="beauty"), "measure"),
    "no label": (lambda r: r["data"].pop("label"), "label"),
    "classes a text": (lambda r: r["data"].update(classes="ab"), "classes"),
    "rank a text": (lambda r: r["selected"][0].update(rank="1"), "rank"),
    "no round": (lambda r: r["selected"][0].pop("round"), "round"),
    "p a text": (lambda r: r["selected"][0].update(p_value="small"), "p_value"),
    "subsets an object": (lambda r: r.update(subsets={}), "subsets"),
    "features of numbers": (lambda r: r["subsets"][0].update(features=[1]), "features"),
    "bound a number": (lambda r: r.update(bound=3), "delta"),
    "reduced a list": (lambda r: r.update(reduced=[]), "removed"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_result_is_refused(fsieve, xor, case):
    fsieve("select", xor.name, "--label", "y", "-k", 2, "--save", "s.json")
    path = fsieve.folder / "s.json"
    result = json.loads(path.read_text())
    BROKEN[case][0](result)
    path.write_text(json.dumps(result))
    fsieve.fails(1, ["s.json", BROKEN[case][1]], "show", "s.json")
    fsieve.fails(1, "s.json", "apply", "s.json", xor.name)


@pytest.mark.parametrize("data", ["xor", "three", "curve"])
@pytest.mark.parametrize("options", [[], ["--search", "union"], ["--search", "beam:3"], ["--bins", "3"]], ids=str)
def test_same_bytes_for_any_number_of_threads(fsieve, request, data, options):
    file = request.getfixturevalue(data).name
    command = ["select", file, "--label", "y", "-k", 4, "--json", "--no-timing", *options]
    one = fsieve.run(*command, "--threads", 1)
    assert one.code == 0, one.err
    for threads in [2, 7]:
        assert fsieve.run(*command, "--threads", threads).bytes == one.bytes


def test_permutations_repeat_by_seed(fsieve, xor, validate):
    command = ["select", xor.name, "--label", "y", "-k", "certain", "--no-timing", "--permutations", 400]
    one = fsieve.json(*command, "--threads", 1)
    assert validate(one, "select")["parameters"]["permutations"] == 400
    assert sorted(names(one["selected"])) == ["x22", "x7"]
    assert fsieve.json(*command, "--threads", 2) == one


def test_standard_input_and_formats(fsieve, xor):
    command = ["--label", "y", "-k", 2]
    result = fsieve.json("select", "-", *command, stdin=xor.read_bytes())
    assert result["data"]["source"] == "-"
    assert sorted(names(result["selected"])) == ["x22", "x7"]
    fsieve("select", xor.name, *command, "-o", "o.parquet")
    assert sorted(names(fsieve.json("select", "o.parquet", *command)["selected"])) == ["x22", "x7"]


# wrong usage, exit 2
BAD_OPTIONS = [
    (["-k", "0"], "above 0"),
    (["-k", "-1"], "-k"),
    (["-k", "1.5"], "above 0"),
    (["-k", "many"], "above 0"),
    (["-k", ""], "above 0"),
    (["-k", "2", "-k", "3"], "more than once"),
    (["--depth", "0"], "between 1 and 6"),
    (["--depth", "7"], "between 1 and 6"),
    (["--depth", "two"], "--depth"),
    (["--search", "beam:0"], "1 or more"),
    (["--search", "beam"], "beam:4"),
    (["--search", "beam:x"], "1 or more"),
    (["--search", "foward"], "did you mean forward?"),
    (["--score", "l3"], "l1, l2"),
    (["--score", "l2"], "--search union"),
    (["--score", "l2", "--search", "beam:2"], "--search union"),
    (["-k", "certain", "--search", "union"], "-k certain"),
    (["-k", "auto", "--folds", "0"], "--folds"),
    (["--reduce", "0"], "depth 0"),
    (["--reduce", "some"], "--reduce"),
    (["--bins", "1"], "between 2 and 16"),
    (["--bins", "17"], "between 2 and 16"),
    (["--bins", "0"], "between 2 and 16"),
    (["--task", "clasification"], "did you mean classification?"),
    (["--top", "-1"], "--top"),
    (["--alpha", "0"], "between 0 and 1"),
    (["--alpha", "1"], "between 0 and 1"),
    (["--alpha", "low"], "not a number"),
    (["--delta", "0"], "between 0 and 1"),
    (["--delta", "1.5"], "between 0 and 1"),
    (["--permutations", "-5"], "--permutations"),
    (["--permutations", "198"], "at least 199"),
    (["--permutations", "1e3"], "--permutations"),
    (["--scan-limit", "0"], "above 0"),
    (["--scan-limit", "inf"], "not a number"),
    (["--seed", "x"], "--seed"),
    (["--label", ""], "--label"),
    (["--epsilon", "0.1"], "unknown option --epsilon"),
    (["--permutation", "10"], "did you mean --permutations?"),
    (["-o", "out.doc"], "extension"),
    (["-o", "same.json", "--save", "same.json"], "same.json"),
]


@pytest.mark.parametrize("options,says", BAD_OPTIONS, ids=lambda value: " ".join(value))
def test_wrong_usage(fsieve, xor, options, says):
    given = [*options]
    if "-k" not in given:
        given += ["-k", "2"]
    if "--label" not in given:
        given += ["--label", "y"]
    fsieve.fails(2, says, "select", xor.name, *given)


def test_what_must_be_said(fsieve, xor):
    fsieve.fails(2, "--label COL is missing", "select", xor.name, "-k", 2)
    fsieve.fails(2, "FILE is missing", "select", "--label", "y", "-k", 2)
    fsieve.fails(2, "-k needs a value", "select", xor.name, "--label", "y", "-k")


NOISE = np.random.default_rng(7).normal(size=(40, 3))
ONE = "a,b,y\n" + "".join(f"{i},{i * i % 7},1\n" for i in range(40))
TEXT_ONE = "a,b,y\n" + "".join(f"{i},{i * i % 7},same\n" for i in range(40))

# data that cannot be worked on, exit 1: content, options, what is said besides the file's name
BAD_DATA = {
    "unknown label": (xor_table(), ["--label", "z"], '"z"'),
    "label guessed": (xor_table(), ["--label", "x07"], "did you mean"),
    "one class": (ONE, [], '"y"'),
    "one text class": (TEXT_ONE, [], ['"y"', "one class"]),
    "one value of a number": (ONE, ["--task", "regression"], '"y"'),
    "text as a number": (xor_table(), ["--task", "regression"], ['"y"', "text"]),
    "label only": ("y\n" + "0\n1\n" * 20, [], ""),
    "no features left": (xor_table(), ["--exclude", "x*"], ""),
    "missing label": (xor_table().replace("no\n", "\n", 1), [], ['"y"', "missing"]),
    "missing value": ("a,b,y\n1,2,0\n3,,1\n" + "4,5,0\n6,8,1\n" * 9, [], ['"b"', "row 2", "missing"]),
    "text in a number": ("a,b,y\n1,2,0\n3,abc,1\n" + "4,5,0\n6,8,1\n" * 9, [], ['"b"', "row 2", '"abc"']),
    "not finite": ("a,b,y\n1,2,0\n3,inf,1\n" + "4,5,0\n6,8,1\n" * 9, [], ['"b"', "row 2"]),
    "one row": ("a,b,y\n1,2,0\n", [], ""),
    "empty": ("", [], "empty"),
    "too deep for numbers": (table(NOISE, ["a", "b"] * 20), ["--depth", "5", "-k", "1"], ["depth", "4"]),
}


@pytest.mark.parametrize("case", BAD_DATA)
def test_bad_data(fsieve, write, case):
    content, options, says = BAD_DATA[case]
    write("bad.csv", content)
    given = [*options]
    if "-k" not in given:
        given += ["-k", "2"]
    if "--label" not in given:
        given += ["--label", "y"]
    says = [says] if isinstance(says, str) else says
    fsieve.fails(1, ["bad.csv", *says], "select", "bad.csv", *given, "-o", "o.csv", "--save", "o.json")


def test_output_that_cannot_be_written(fsieve, xor):
    command = ["select", xor.name, "--label", "y", "-k", 2]
    fsieve.fails(1, "nowhere", *command, "-o", "nowhere/o.csv")
    fsieve.fails(1, "nowhere", *command, "-o", "o.csv", "--save", "nowhere/s.json")
