"""fsieve select: the ranking of all features, and what people ask of a selector."""

import csv

import numpy as np
import pytest
from ranking_reference import Twin, benjamini_hochberg, ranks
from scipy import stats

ROWS = 240
PLAIN = ["--shape", "plain", "--depth", 1]


def columns(seed):
    """Numbers, two values and categories; `copy` is nearly r1, `still` a constant."""
    rng = np.random.default_rng(seed)
    table = {f"r{j}": rng.normal(size=ROWS) for j in range(1, 5)}
    table["copy"] = table["r1"] + 0.3 * rng.normal(size=ROWS)
    table |= {f"b{j}": rng.integers(0, 2, ROWS) for j in range(1, 4)}
    table["colour"] = rng.choice(["blue", "green", "red"], ROWS)
    table["town"] = rng.choice(list("abcdefgh"), ROWS)
    table["still"] = np.full(ROWS, 7)
    return table, rng


def labelled(task, seed=1):
    table, rng = columns(seed)
    hot = table["colour"] == "red"
    score = 2 * table["r1"] + 1.2 * table["b2"] + 1.5 * hot - 0.7 * table["r2"] + 0.5 * rng.normal(size=ROWS)
    if task == "number":
        return table, score
    if task == "two":
        return table, np.where(score > 1, "yes", "no")
    return table, np.array(["low", "mid", "high", "top"])[np.digitize(score, [-1, 0.5, 2])]


def as_csv(table, y):
    lines = [",".join([*table, "y"])]
    for i in range(len(y)):
        lines.append(",".join([str(column[i]) for column in table.values()] + [str(y[i])]))
    return "\n".join(lines) + "\n"


def by_name(result, key):
    return {entry["name"]: entry[key] for entry in result["ranking"]}


def selected(result):
    return [feature["name"] for feature in result["selected"]]


def check_ranking(result, d):
    ranking = result["ranking"]
    assert [entry["rank"] for entry in ranking] == list(range(1, d + 1))
    assert sorted(entry["index"] for entry in ranking) == list(range(d))
    assert [entry["name"] for entry in ranking][: len(result["selected"])] == selected(result)


CASES = {
    "number": ("number", {}, []),
    "two classes": ("two", {}, []),
    "four classes": ("four", {}, []),
    "robust": ("number", {"robust": True}, ["--robust"]),
    "adjusted": ("number", {"adjust": ["colour", "r2"]}, ["--adjust", "colour,r2"]),
    "adjusted classes": ("four", {"adjust": ["colour", "r2"]}, ["--adjust", "colour,r2"]),
    "costs": ("number", {"costs": {"r1": 30.0, "b2": 2.5}}, ["--cost", "r1=30,b2=2.5"]),
    "group": ("number", {"groups": {"bits": ["b1", "b2", "b3"]}}, ["--group", "bits=b*"]),
}


@pytest.mark.parametrize("case", CASES)
def test_gains_are_those_of_the_formulas(fsieve, write, validate, case):
    task, asked, options = CASES[case]
    table, y = labelled(task)
    write("t.csv", as_csv(table, y))
    twin = Twin(table, y, task, **asked)
    k = 2 if "adjust" in asked else 3  # as many as convince: the first round has them all
    taken, gains = twin.select(k)
    result = validate(fsieve.json("select", "t.csv", "--label", "y", "-k", k, *PLAIN, *options), "select")
    check_ranking(result, len(table))
    members = {name: "b1" for name in ["b2", "b3"]} if case == "group" else {}
    found = [members.get(name, name) for name in selected(result)]
    assert list(dict.fromkeys(found)) == taken
    for entry in result["ranking"]:
        if entry["name"] not in asked.get("adjust", []):
            expected = gains[members.get(entry["name"], entry["name"])]
            assert entry["gain"] == pytest.approx(expected, abs=1e-8), entry["name"]
    rest = [entry for entry in result["ranking"][len(result["selected"]) :] if entry["p_value"] is not None]
    worth = [entry["gain"] / asked.get("costs", {}).get(entry["name"], 1) for entry in rest]
    assert worth == sorted(worth, reverse=True)
    if not members:
        others = [name for name in twin.features if name not in taken and twin.features[name]]
        expected = twin.substitutes(taken, others)
        assert [(s["name"], s["for"]) for s in result["substitutes"]] == [s[:2] for s in expected]
        losses = [s["loss"] for s in result["substitutes"]]
        assert losses == pytest.approx([s[2] for s in expected], abs=1e-8)


def test_balanced_classes_weigh_the_same(fsieve, write):
    table, y = labelled("two")
    write("t.csv", as_csv(table, y))
    weights = np.where(y == "yes", ROWS / 2 / (y == "yes").sum(), ROWS / 2 / (y == "no").sum())
    taken, gains = Twin(table, y, "two", weights).select(3)
    result = fsieve.json("select", "t.csv", "--label", "y", "-k", 3, *PLAIN, "--class-weight", "balanced")
    assert selected(result) == taken
    assert by_name(result, "gain") == pytest.approx(gains, abs=1e-8)


@pytest.mark.parametrize("task", ["number", "two", "four"])
def test_p_values_of_single_features(fsieve, write, task):
    """F tests of ranks for numbers, exact tests (about) for what has few values; constants have none."""
    table, y = labelled(task)
    write("t.csv", as_csv(table, y))
    result = fsieve.json("select", "t.csv", "--label", "y", "-k", 2, "--shape", "plain")
    p, q = by_name(result, "p_value"), by_name(result, "q_value")
    assert p.pop("still") is None and q.pop("still") is None
    assert [q[name] for name in p] == pytest.approx(benjamini_hochberg(list(p.values())))
    if task == "four":
        assert p["r1"] < 1e-20 and min(p[name] for name in ("r3", "r4", "b1", "b3")) > 1e-3
        return
    even = np.ones(ROWS)
    scores = stats.norm.ppf((1 + ranks(y, even)) / 2) if task == "number" else (y == "yes") * 1.0
    for name in ["r1", "r2", "r3", "r4", "copy"]:
        share = np.corrcoef(ranks(table[name], even), scores)[0, 1] ** 2
        assert p[name] == pytest.approx(stats.f.sf(share / (1 - share) * (ROWS - 2), 1, ROWS - 2), rel=1e-6)
    if task == "two":
        for name in ["b1", "b2", "b3"]:
            cells = [[np.sum((table[name] == v) & (y == c)) for c in ("no", "yes")] for v in (0, 1)]
            assert p[name] == pytest.approx(stats.fisher_exact(cells)[1], rel=0.6)


@pytest.mark.parametrize("label", ["rare class", "mostly zero", "six classes"])
def test_p_values_hold_in_noise(fsieve, write, label):
    """Heavy tails, rare flags, counts that are mostly zero and uneven categories: as few small p-values as there
    should be. The F test of the columns as they are gives up to a tenth of them below 0.001."""
    rng = np.random.default_rng(11)
    n, each = 150, 60
    table = {f"wild{j}": rng.standard_cauchy(n) for j in range(each)}
    table |= {f"flag{j}": (rng.random(n) < 0.03) * 1 for j in range(each)}
    table |= {f"count{j}": rng.geometric(0.5, n) * (rng.random(n) < 0.05) for j in range(each)}
    table |= {f"kind{j}": rng.choice(list("abcd"), n, p=[0.9, 0.05, 0.03, 0.02]) for j in range(each)}
    y = {
        "rare class": np.where(np.arange(n) < 6, "yes", "no"),
        "mostly zero": np.where(rng.random(n) < 0.8, 0, rng.standard_cauchy(n)),
        "six classes": rng.choice(list("uvwxyz"), n, p=[0.5, 0.3, 0.1, 0.05, 0.03, 0.02]),
    }[label]
    write("t.csv", as_csv(table, y))
    result = fsieve.json("select", "t.csv", "--label", "y", "-k", 1, "--depth", 1)
    p = np.array([value for value in by_name(result, "p_value").values() if value is not None])
    assert len(p) > 3.5 * each
    assert np.sum(p < 0.01) <= 9 and np.sum(p < 0.001) <= 3 and p.min() > 1e-5
    assert min(value for value in by_name(result, "q_value").values() if value is not None) > 0.01


def test_products_count_for_what_is_next(fsieve, write):
    """With x1 taken, x2 explains nothing alone and everything with it."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=(400, 8))
    y = 2 * x[:, 0] + x[:, 0] * x[:, 1] + 0.2 * rng.normal(size=400)
    write("t.csv", as_csv({f"x{j + 1}": x[:, j] for j in range(8)}, y))
    result = fsieve.json("select", "t.csv", "--label", "y", "-k", 1, "--shape", "plain")
    assert selected(result) == ["x1"] and result["ranking"][1]["name"] == "x2"
    assert result["ranking"][1]["gain"] > 0.1 > 0.01 > result["ranking"][2]["gain"]


@pytest.mark.parametrize("search", ["union", "beam:2"])
def test_other_searches_rank_too(fsieve, write, validate, search):
    table, y = labelled("two")
    write("t.csv", as_csv(table, y))
    result = fsieve.json("select", "t.csv", "--label", "y", "-k", 3, "--search", search)
    check_ranking(validate(result, "select"), len(table))
    assert result["ranking"][0]["gain"] > 0.2


def test_more_features_than_there_are(fsieve, write):
    """It was an error."""
    table, y = labelled("number")
    write("t.csv", as_csv(table, y))
    done = fsieve.run("select", "t.csv", "--label", "y", "-k", 50)
    assert done.code == 0
    assert "50 features were asked for, but only 10 can be chosen from: all of them are selected" in done.err
    result = fsieve.json("select", "t.csv", "--label", "y", "-k", 50)
    assert len(result["selected"]) == 10 and len(result["warnings"]) == 1
    for search in ("union", "beam:2"):
        assert len(fsieve.json("select", "t.csv", "--label", "y", "-k", 50, "--search", search)["selected"]) >= 9


def test_kept_features_come_first(fsieve, write, validate):
    table, y = labelled("number")
    write("t.csv", as_csv(table, y))
    options = ["select", "t.csv", "--label", "y", *PLAIN]
    taken, gains = Twin(table, y, "number").select(4, keep=["r4", "copy"])
    result = validate(fsieve.json(*options, "-k", 4, "--keep", "r4,copy"), "select")
    assert selected(result) == taken and by_name(result, "gain") == pytest.approx(gains, abs=1e-8)
    assert result["parameters"]["keep"] == ["r4", "copy"]
    # The still one brings nothing, and is kept all the same; a long run has all of them.
    assert selected(fsieve.json(*options, "-k", 2, "--keep", "still"))[0] == "still"
    assert sorted(selected(fsieve.json(*options, "-k", 11, "--keep", "still,b1"))) == sorted(table)
    everything = ",".join(table)
    assert selected(fsieve.json(*options, "-k", "certain", "--keep", everything)) == list(table)
    certain = fsieve.json(*options, "-k", "certain", "--keep", "r4")
    assert certain["selected"][0]["p_value"] is None and "r1" in selected(certain)
    assert selected(fsieve.json(*options, "-k", 3, "--keep", "r4", "--search", "beam:2"))[0] == "r4"


def test_covariates_are_not_selected(fsieve, write, validate):
    """Both the feature and the label follow age: given it, the feature says nothing."""
    rng = np.random.default_rng(9)
    age = rng.normal(size=300)
    table = {"age": age, "grey": age + 0.3 * rng.normal(size=300), "dose": rng.normal(size=300)}
    y = age + 0.5 * table["dose"] + 0.5 * rng.normal(size=300)
    write("t.csv", as_csv(table, y))
    options = ["select", "t.csv", "--label", "y", "-k", "certain"]
    assert {"age", "dose"} <= set(selected(fsieve.json(*options)))
    result = validate(fsieve.json(*options, "--adjust", "age"), "select")
    assert selected(result) == ["dose"]
    p = by_name(result, "p_value")
    assert p["age"] is None and p["grey"] > 1e-3 and p["dose"] < 1e-20
    assert by_name(result, "gain")["age"] == 0 and result["ranking"][-1]["name"] == "age"
    many = {**table, "id": np.array([f"u{i % 290}" for i in range(300)])}
    write("many.csv", as_csv(many, y))
    fsieve.fails(1, "--adjust", "select", "many.csv", "--label", "y", "-k", 1, "--adjust", "id")


def test_groups_are_taken_as_one(fsieve, write, validate):
    table, y = labelled("number")
    write("t.csv", as_csv(table, y))
    options = ["select", "t.csv", "--label", "y", "-k", 2, "--group", "bits=b?", "--group", "rest=r3,r4,still"]
    result = validate(fsieve.json(*options), "select")
    assert selected(result)[0] == "r1" and len(selected(result)) in (2, 4)
    groups = {entry["name"]: entry.get("group") for entry in result["ranking"]}
    assert groups["b2"] == "bits" and groups["still"] == "rest" and groups["r1"] is None
    kept = fsieve.json(*options, "--keep", "b2")
    assert selected(kept) == ["b1", "b2", "b3", "r1"]
    assert len({entry["gain"] for entry in kept["ranking"] if entry.get("group") == "bits"}) == 1


def test_costs_change_what_is_worth_it(fsieve, write):
    table, y = labelled("number")
    write("t.csv", as_csv(table, y))
    options = ["select", "t.csv", "--label", "y", "-k", 1, *PLAIN]
    assert selected(fsieve.json(*options)) == ["r1"]
    assert selected(fsieve.json(*options, "--cost", "r1=10")) == ["copy"]


def test_stability(fsieve, write, validate):
    table, y = labelled("two")
    write("t.csv", as_csv(table, y))
    options = ["select", "t.csv", "--label", "y", "-k", 3, "--stability", 20]
    result = validate(fsieve.json(*options, "--no-timing"), "select")
    share = by_name(result, "stability")
    assert all(abs(20 * value - round(20 * value)) < 1e-9 for value in share.values())
    assert share["r1"] >= 0.9 and share["still"] == 0 and sum(share.values()) == pytest.approx(3)
    report = result["stability"]
    assert report["samples"] == 20 and report["mean_selected"] == pytest.approx(3)
    for bound in report["bounds"]:
        assert bound["expected_false"] == pytest.approx(9 / ((2 * bound["threshold"] - 1) * 10))
        assert bound["features"] == sum(value >= bound["threshold"] for value in share.values())
    for threads in (1, 3):
        assert fsieve.json(*options, "--no-timing", "--threads", threads) == result
    assert by_name(fsieve.json(*options, "--seed", 5), "stability") != share
    text = fsieve(*options)
    assert "half-samples" in text and "not expected to be above" in " ".join(text.split())


def test_table_of_the_ranking(fsieve, write):
    table, y = labelled("two")
    odd = {('a,"b' if name == "r3" else name): column for name, column in table.items()}
    write("t.csv", "\n".join([",".join(['"a,""b"' if n == 'a,"b' else n for n in odd] + ["y"]), *as_csv(odd, y).split("\n")[1:]]))
    options = ["select", "t.csv", "--label", "y", "-k", 3]
    result = fsieve.json(*options)
    for name, delimiter in (("ranking.tsv", "\t"), ("ranking.csv", ",")):
        fsieve(*options, "--table", name, "--save", "r.json", "-o", "small.csv")
        with open(fsieve.folder / name, newline="", encoding="utf-8") as file:
            lines = list(csv.DictReader(file, delimiter=delimiter))
        assert [line["name"] for line in lines] == [entry["name"] for entry in result["ranking"]]
        assert [line["selected"] for line in lines] == ["1"] * 3 + ["0"] * 8
        assert [float(line["gain"]) for line in lines] == [entry["gain"] for entry in result["ranking"]]
        assert lines[-1]["p_value"] == ""
    fsieve.fails(2, [".tsv or .csv"], *options, "--table", "ranking.parquet")
    fsieve.fails(2, ["t.csv"], *options, "--table", "t.csv")
    fsieve.fails(2, ["both name"], *options, "--table", "same.csv", "-o", "same.csv")
    fsieve.fails(1, ["cannot write"], *options, "--table", "no/folder.tsv", "-o", "new.csv")


@pytest.mark.parametrize("more", [[], ["--search", "union"], ["--sample", 150]], ids=["forward", "union", "sample"])
def test_the_selection_without_the_ranking(fsieve, write, validate, more):
    table, y = labelled("two")
    write("t.csv", as_csv(table, y))
    command = ["select", "t.csv", "--label", "y", "-k", 3, *more]
    whole = fsieve.json(*command)
    alone = fsieve.json(*command, "--no-ranking", "--save", "r.json")
    validate(alone, "select")
    assert alone["ranking"] is None and alone["substitutes"] is None
    assert whole["ranking"] and alone["parameters"]["ranking"] is False
    for key in ("selected", "subsets", "accuracy_estimate", "warnings"):
        assert alone[key] == whole[key]
    shown = fsieve("show", "r.json")
    assert "Score:" in shown and "Next, with" not in shown and "stand in" not in shown


def test_saved_results_tell_it_again(fsieve, write):
    table, y = labelled("two")
    write("t.csv", as_csv(table, y))
    text = fsieve("select", "t.csv", "--label", "y", "-k", 3, "--stability", 4, "--save", "r.json")
    assert "Next, with the share" in text
    assert fsieve("show", "r.json") == text


WRONG = [
    (1, ['no feature column "r11"', 'did you mean "r1"?'], ["--keep", "r11"]),
    (1, ["label"], ["--keep", "y"]),
    # Said: no feature column "r1".
    (2, ['--keep: column "r1" is left out by --exclude r1'], ["--keep", "r1", "--exclude", "r1"]),
    (2, ['--adjust: column "r1" is left out by --exclude r*'], ["--adjust", "r1", "--exclude", "r*"]),
    (2, ['--cost: column "r1" is left out by --exclude r1'], ["--cost", "r1=2", "--exclude", "r1"]),
    (1, ['no feature column "age"'], ["--adjust", "age"]),
    (1, ['matches "z*"'], ["--group", "g=z*"]),
    (1, ['no feature column "rr"'], ["--cost", "rr=2"]),
    (2, ["both in --keep and in --adjust"], ["--keep", "r1", "--adjust", "r1"]),
    (2, ["two groups"], ["--group", "g=r*", "--group", "h=r1"]),
    (2, ["more than once"], ["--group", "g=r1", "--group", "g=r2"]),
    (2, ["in --group g and in --adjust"], ["--group", "g=r*", "--adjust", "r1"]),
    (2, ["NAME=GLOB"], ["--group", "r*"]),
    (2, ["scan=2.5"], ["--cost", "r1"]),
    (2, ["above 0"], ["--cost", "r1=0"]),
    (2, ["not a number"], ["--cost", "r1=dear"]),
    (2, ["-k 2 is less than the 3 features of --keep"], ["--keep", "r1,r2,r3"]),
    (2, ["odd"], ["--stability", "5"]),
    (2, ["--stability"], ["--stability", "x"]),
    (2, ["--stability is told in the ranking"], ["--stability", "4", "--no-ranking"]),
    (2, ["--table is told in the ranking"], ["--table", "r.tsv", "--no-ranking"]),
    (2, ["--search forward"], ["--keep", "r1", "--search", "union"]),
    (2, ["--search forward"], ["--adjust", "r1", "--search", "union"]),
    (2, ["--search forward"], ["--cost", "r1=2", "--search", "beam:2"]),
    (2, ["--search forward"], ["--group", "g=r*", "--search", "beam:2"]),
]


@pytest.mark.parametrize("code,says,options", WRONG, ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else str(value))
def test_nonsense_is_refused(fsieve, write, code, says, options):
    table, y = labelled("number")
    write("t.csv", as_csv(table, y))
    fsieve.fails(code, says, "select", "t.csv", "--label", "y", "-k", 2, *options)


@pytest.mark.parametrize("task", ["number", "two", "four"])
def test_same_bytes_for_any_number_of_threads(fsieve, write, task):
    table, y = labelled(task)
    write("t.csv", as_csv(table, y))
    command = ["select", "t.csv", "--label", "y", "-k", 4, "--keep", "b1", "--adjust", "town", "--group", "g=r3,r4",
               "--cost", "r1=3", "--stability", 4, "--json", "--no-timing"]  # fmt: skip
    outputs = {fsieve(*command, "--threads", threads) for threads in (1, 2, 7)}
    assert len(outputs) == 1
