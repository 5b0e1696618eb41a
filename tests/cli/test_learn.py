"""fsieve learn, predict and show of models: what comes out, and what is refused."""

import csv
import io
import itertools
import json
import math

import junta_reference as reference
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

KEYS = (
    "fsieve schema command kind parameters data label subset score training_error p_value formula "
    "subsets_scored candidates features coefficients table ignored warnings timing"
).split()

LISTED = "subset score training_error candidates coefficients table formula features label".split()


def table(x, y, name="y", values=(0, 1)):
    """CSV of two-valued columns x1, x2, … and a label, last."""
    lines = [",".join([f"x{j + 1}" for j in range(x.shape[1])] + [name])]
    for row, label in zip(x, y):
        lines.append(",".join([str(values[int(v > 0)]) for v in row] + [str(label)]))
    return "\n".join(lines) + "\n"


def biased(rng, rows, columns):
    """±1 features, each with a mean of its own."""
    return np.where(rng.random((rows, columns)) < rng.uniform(0.2, 0.8, columns), 1.0, -1.0)


@pytest.fixture
def rule(write):
    """y is yes when x12 is off, or x4 and x8 are on; a tenth of the labels is wrong."""
    rng = np.random.default_rng(1)
    x = biased(rng, 1500, 14)
    y = ((x[:, 3] > 0) & (x[:, 7] > 0)) | (x[:, 11] < 0)
    y ^= rng.random(len(y)) < 0.1
    write("rule.csv", table(x, np.where(y, "yes", "no")))
    return x, np.where(y, 1.0, -1.0)


def learn(fsieve, file, k, *options, label="y"):
    return fsieve.json("learn", file, "--label", label, "-k", k, *options)


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_json_is_as_promised(fsieve, rule, validate):
    model = validate(learn(fsieve, "rule.csv", 3, "-o", "m.json"), "learn")
    assert list(model) == KEYS
    assert (model["schema"], model["command"], model["kind"]) == (2, "learn", "model")
    assert model["data"] == {"source": "rule.csv", "rows": 1500, "features": 14}
    assert model["label"] == {"name": "y", "classes": ["no", "yes"]}
    assert model["subset"] == ["x4", "x8", "x12"] == [f["name"] for f in model["features"]]
    assert [f["index"] for f in model["features"]] == [3, 7, 11]
    assert model["formula"] == "x12 = 0 or (x4 = 1 and x8 = 1)"
    assert model["table"][0]["cell"] == {"x4": 0, "x8": 0, "x12": 0}
    assert model["table"][-1]["cell"] == {"x4": 1, "x8": 1, "x12": 1}
    assert json.loads((fsieve.folder / "m.json").read_text()) == model
    validate(fsieve.json("show", "m.json"), "show")
    report = fsieve("show", "m.json")
    assert "y = yes when x12 = 0 or (x4 = 1 and x8 = 1)" in report and "confidence" in report
    assert report == fsieve("learn", "rule.csv", "--label", "y", "-k", 3)


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_against_the_paper(fsieve, write, k):
    rng = np.random.default_rng(k)
    x = biased(rng, 240, 10)
    y = np.where((x[:, 0] * x[:, 4] * (x[:, 7] + 2) + rng.normal(size=240)) > 0, 1.0, -1.0)
    write("a.csv", table(x, y.astype(int)))
    model = learn(fsieve, "a.csv", k, "--top", 15, "--basis", "product")
    expected = reference.best_subsets(x, y, k, 15)
    assert len(model["candidates"]) == min(15, math.comb(10, k))
    for found, (subset, score) in zip(model["candidates"], expected):
        assert found["features"] == [f"x{j + 1}" for j in subset]
        assert found["score"] == pytest.approx(score, abs=1e-10)
    best = expected[0][0]
    coefficients, value = reference.projection(x, y, best, x)
    assert model["score"] == model["candidates"][0]["score"]
    found = {tuple(int(name[1:]) - 1 for name in c["features"]): c["value"] for c in model["coefficients"]}
    assert found == pytest.approx(coefficients, abs=1e-12)
    sizes = [abs(c["value"]) for c in model["coefficients"]]
    assert sizes == sorted(sizes, reverse=True)
    for feature, j in zip(model["features"], best):
        assert feature["mean"] == pytest.approx(x[:, j].mean(), abs=1e-14)
        assert feature["std"] == pytest.approx(x[:, j].std(), abs=1e-14)
    # The predictor, on the training rows: counted by hand.
    wrong = (np.where(np.abs(value) < 1e-12, y.sum() >= 0, value > 0) != (y > 0)).mean()
    assert model["training_error"] == pytest.approx(wrong, abs=1e-12)
    for cell in model["table"]:
        here = np.all([x[:, j] == 2 * cell["cell"][f"x{j + 1}"] - 1 for j in best], axis=0)
        assert (cell["count"], cell["positive"]) == (here.sum(), (y[here] > 0).sum())
        if here.any():
            assert cell["value"] == pytest.approx(value[here][0], abs=1e-10)


@pytest.mark.parametrize("learner,basis", [("fourier", "product"), ("fourier", "correlated"), ("erm", "product")])
def test_predictions_are_those_of_the_table(fsieve, rule, learner, basis):
    fsieve("learn", "rule.csv", "--label", "y", "-k", 2, "--learner", learner, "--basis", basis, "-o", "m.json")
    model = json.loads((fsieve.folder / "m.json").read_text())
    rows = rows_of(fsieve("predict", "m.json", "rule.csv"))
    assert list(rows[0]) == [f"x{j + 1}" for j in range(14)] + ["y", "prediction", "score"]
    cells = {tuple(cell["cell"].values()): cell for cell in model["table"]}
    for row in rows:
        cell = cells[tuple(int(row[name]) for name in model["subset"])]
        assert row["prediction"] == cell["prediction"] and float(row["score"]) == cell["value"]
        if learner == "erm":
            assert cell["value"] == pytest.approx(2 * cell["positive"] / cell["count"] - 1)
    wrong = sum(row["prediction"] != row["y"] for row in rows) / len(rows)
    assert wrong == pytest.approx(model["training_error"])


def test_low_degree(fsieve, rule, validate):
    x, y = rule
    fsieve("learn", "rule.csv", "--label", "y", "-k", 2, "--learner", "low-degree", "-o", "m.json")
    model = validate(json.loads((fsieve.folder / "m.json").read_text()), "learn")
    assert model["subset"] == [f"x{j + 1}" for j in range(14)]
    assert model["table"] is None and model["formula"] is None
    assert len(model["coefficients"]) == 1 + 14 + 91
    n = len(y)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    value = np.zeros(n)
    for size in range(3):
        for s in itertools.combinations(range(14), size):
            value += z[:, list(s)].prod(axis=1) * (z[:, list(s)].prod(axis=1) @ y / n)
    rows = rows_of(fsieve("predict", "m.json", "rule.csv"))
    assert [float(row["score"]) for row in rows] == pytest.approx(list(value), abs=1e-9)
    assert model["training_error"] == pytest.approx(((value > 0) != (y > 0)).mean())
    assert [row["prediction"] for row in rows] == ["yes" if v > 0 else "no" for v in value]
    assert "low-degree" in fsieve("show", "m.json")
    wide = "a" + "".join(f",c{j}" for j in range(150)) + "\n"
    wide += "".join(",".join([str(i % 2)] + [str((i * (j + 3)) // 2 % 2) for j in range(150)]) + "\n" for i in range(40))
    (fsieve.folder / "wide.csv").write_text(wide)
    fsieve.fails(
        1, "coefficients", "learn", "wide.csv", "--label", "a", "-k", 3, "--learner", "low-degree", "-o", "n.json"
    )


TEXTS = "colour,size,age,old,ill\n" + "".join(
    f"{['red', 'blue', 'green'][i % 3]},{['small', 'big'][i // 3 % 2]},{20 + i * 7 % 50},{-1.5 if i % 5 else 2},"
    f"{'+' if (i % 3 == 0) != (i // 3 % 2 == 1) else '-'}\n"
    for i in range(180)
)


def test_columns_speak_for_themselves(fsieve, write, validate):
    write("t.csv", TEXTS)
    arguments = ["t.csv", 2, "--exclude", "age"]
    model = validate(learn(fsieve, *arguments, "--basis", "correlated", "-o", "m.json", label="ill"), "learn")
    assert model["label"]["classes"] == ["+", "-"]
    assert model["subset"] == ["colour=red", "size"]
    assert model["features"][0]["low"] == 0 and model["features"][0]["high"] == 1
    assert model["features"][0]["levels"] == ["blue", "green", "red"]
    assert (model["features"][1]["low"], model["features"][1]["high"]) == ("big", "small")
    assert model["table"][1]["cell"] == {"colour=red": 0, "size": "small"}
    assert model["training_error"] == 0
    assert model["formula"] == "(colour = red and size = big) or (colour ≠ red and size = small)"
    rows = rows_of(fsieve("predict", "m.json", "t.csv"))
    assert all(row["prediction"] == row["ill"] for row in rows)
    # The same rows in other words and another order of columns.
    write("new.csv", "size,colour\nbig,green\nsmall,red\nsmall,blue\n")
    assert [row["prediction"] for row in rows_of(fsieve("predict", "m.json", "new.csv"))] == ["+", "+", "-"]


def test_numbers_are_cut(fsieve, write):
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 300))
    y = (a > np.median(a)) & (b > 0.5)
    write("n.csv", "a,b,y\n" + "".join(f"{p!r},{q!r},{int(r)}\n" for p, q, r in zip(a.tolist(), b.tolist(), y)))
    model = learn(fsieve, "n.csv", 2, "--binarize", "median", "-o", "m.json")
    assert [f["threshold"] for f in model["features"]] == pytest.approx([np.median(a), np.median(b)])
    assert model["features"][0]["low"].startswith("≤ ") and model["features"][0]["high"].startswith("> ")
    means = learn(fsieve, "n.csv", 2, "--binarize", "mean")["features"]
    assert [f["threshold"] for f in means] == pytest.approx([a.mean(), b.mean()])
    cut = learn(fsieve, "n.csv", 2, "--binarize", "0.5")
    assert cut["parameters"]["binarize"] == "0.5" and cut["features"][1]["threshold"] == 0.5
    assert "b > 0.5" in cut["formula"]
    rows = rows_of(fsieve("predict", "m.json", "n.csv"))
    cells = {tuple(c["cell"].values()): c["prediction"] for c in model["table"]}
    low_high = [(f["low"], f["high"]) for f in model["features"]]
    for row, p, q in zip(rows, a, b):
        key = (low_high[0][int(p > np.median(a))], low_high[1][int(q > np.median(b))])
        assert row["prediction"] == cells[key]


def test_median_of_ties_leaves_two_sides(fsieve, write):
    write("a.csv", "a,y\n" + "".join(f"{min(i, 3)},{int(i > 2)}\n" for i in range(10)))
    model = learn(fsieve, "a.csv", 1, "--binarize", "median")
    assert model["features"][0]["threshold"] == 2 and model["training_error"] == 0


def test_constants_are_left_out(fsieve, write):
    write("a.csv", "a,b,c,y\n" + "".join(f"{i % 2},7,{i // 2 % 2},{i % 2}\n" for i in range(8)))
    done = fsieve.run("learn", "a.csv", "--label", "y", "-k", 2, "--json")
    assert 'warning: column "b" has one value only' in done.err
    assert json.loads(done.out)["subset"] == ["a", "c"]
    fsieve.fails(1, ["a.csv", "3 features", "only 2"], "learn", "a.csv", "--label", "y", "-k", 3)
    fsieve.fails(1, ["a.csv", "9 features", "only 2"], "learn", "a.csv", "--label", "y", "-k", 9)


def test_searches_without_end_are_refused(fsieve, write):
    rng = np.random.default_rng(2)
    write("wide.csv", table(biased(rng, 60, 400), rng.integers(0, 2, 60)))
    arguments = ["learn", "wide.csv", "--label", "y", "-k", 6]
    fsieve.fails(1, ["wide.csv", "too many", "beam"], *arguments)
    fsieve(*arguments, "--search", "beam:3")


def test_dependence_is_said(fsieve, write):
    write("a.csv", "a,b,y\n" + "".join(f"{i % 2},{i % 2},{int(i % 2 > 0 and i % 7 > 0)}\n" for i in range(200)))
    product = fsieve.run("learn", "a.csv", "--label", "y", "-k", 2, "--basis", "product")
    assert "depend on each other" in product.err
    other = fsieve.run("learn", "a.csv", "--label", "y", "-k", 2)  # the correlated basis
    assert "depend" not in other.err and "correlated basis" in other.out


LABELS = [
    ("a,y\n0,1\n1,1\n0,1\n", "one class"),
    ("a,y\n0,1\n1,2\n0,3\n", "two classes"),
    ("a,y\n0,u\n1,v\n0,w\n", "two classes"),
]


@pytest.mark.parametrize("content,says", LABELS)
def test_labels_have_two_classes(fsieve, write, content, says):
    write("a.csv", content)
    fsieve.fails(1, ["a.csv", '"y"', says], "learn", "a.csv", "--label", "y", "-k", 1, "-o", "m.json")


USAGE = [
    (["-k", "0"], "-k: 0"),
    (["-k", "7"], "k = 7 is not between 1 and 6"),
    (["-k", "two"], '"two"'),
    (["-k", "2", "--learner", "forier"], "did you mean fourier"),
    (["-k", "2", "--basis", "sum"], "--basis"),
    (["-k", "2", "--search", "beam"], "beam:10"),
    (["-k", "2", "--search", "beam:0"], "beam"),
    (["-k", "2", "--search", "greed"], "did you mean greedy"),
    (["-k", "2", "--binarize", "medium"], "did you mean median"),
    (["-k", "2", "--learner", "low-degree", "--basis", "correlated"], "product basis"),
    (["-k", "2", "--learner", "low-degree", "--search", "greedy"], "low-degree"),
    (["-k", "2", "--search", "greedy", "--checkpoint", "c.json"], "--checkpoint"),
    (["-k", "2", "-o", "c.json", "--checkpoint", "c.json"], "both name"),
    ([], "-k"),
]


@pytest.mark.parametrize("options,says", USAGE)
def test_wrong_usage(fsieve, rule, options, says):
    fsieve.fails(2, says, "learn", "rule.csv", "--label", "y", *options)


def test_searches(fsieve, rule):
    best = learn(fsieve, "rule.csv", 3)
    assert best["subsets_scored"] == math.comb(14, 3)
    for search in ["greedy", "beam:5"]:
        model = learn(fsieve, "rule.csv", 3, "--search", search)
        assert model["subset"] == best["subset"] and model["score"] == pytest.approx(best["score"], abs=1e-11)
        assert model["subsets_scored"] < best["subsets_scored"]
    assert len(learn(fsieve, "rule.csv", 3, "--top", 0)["candidates"]) == 0


def test_same_bytes_for_any_number_of_threads(fsieve, rule):
    arguments = ["learn", "rule.csv", "--label", "y", "-k", 4, "--json", "--no-timing"]
    first = fsieve(*arguments, "--threads", 1)
    assert "timing" not in json.loads(first)
    for threads in [2, 7]:
        assert fsieve(*arguments, "--threads", threads) == first
    # From a file, block by block, as from memory.
    assert fsieve(*arguments, "--memory", "1K") == first


# Predicting.


@pytest.fixture
def model(fsieve, rule):
    fsieve("learn", "rule.csv", "--label", "y", "-k", 3, "-o", "m.json", "-q")
    return json.loads((fsieve.folder / "m.json").read_text())


def test_predict_writes_every_format(fsieve, model, validate):
    expected = rows_of(fsieve("predict", "m.json", "rule.csv"))
    for name in ["o.csv", "o.tsv", "o.csv.gz", "o.parquet", "o.feather", "o.json"]:
        result = validate(fsieve.json("predict", "m.json", "rule.csv", "-o", name), "predict")
        assert result["data"]["rows"] == 1500 == sum(result["predicted"])
        assert result["accuracy"] == pytest.approx(1 - model["training_error"])
    again = rows_of(fsieve("predict", "m.json", "o.parquet", "--exclude", "prediction,score"))
    assert again == expected
    assert rows_of((fsieve.folder / "o.csv").read_text()) == expected
    fsieve.fails(2, "-o FILE", "predict", "m.json", "rule.csv", "--json")
    (fsieve.folder / "p.csv").write_text((fsieve.folder / "o.csv").read_text())
    fsieve.fails(1, ["p.csv", '"prediction"', "--exclude"], "predict", "m.json", "p.csv", "-o", "q.csv")


def test_predict_reads_blocks(fsieve, model):
    whole = fsieve("predict", "m.json", "rule.csv")
    assert fsieve("predict", "m.json", "rule.csv", "--memory", "1K") == whole
    head, *lines = whole.splitlines()
    part = fsieve("predict", "m.json", "rule.csv", "--rows", "700:900", "-o", "-")
    assert part.splitlines() == [head, *lines[699:900]]
    assert fsieve("predict", "m.json", "-", stdin=(fsieve.folder / "rule.csv").read_bytes()) == whole


def test_numbers_stay_numbers(fsieve, write):
    write("a.csv", "a,y\n" + "".join(f"{i % 2},{2.5 if i % 2 else -1}\n" for i in range(20)))
    fsieve("learn", "a.csv", "--label", "y", "-k", 1, "-o", "m.json")
    fsieve("predict", "m.json", "a.csv", "-o", "p.npy")
    values = np.load(fsieve.folder / "p.npy")
    assert values.shape == (20, 4) and (values[:, 1] == values[:, 2]).all()


def test_unseen_values(fsieve, model, write):
    lines = (fsieve.folder / "rule.csv").read_text().splitlines()
    cells = lines[17].split(",")
    cells[7] = "3"
    lines[17] = ",".join(cells)
    write("new.csv", "\n".join(lines) + "\n")
    says = ['new.csv: column "x8", row 17: "3"', "--unseen majority"]
    fsieve.fails(1, says, "predict", "m.json", "new.csv")
    fsieve.fails(1, says, "predict", "m.json", "new.csv", "-o", "o.csv")
    fsieve.fails(1, says, "predict", "m.json", "new.csv", "--rows", "10:20", "-o", "o.csv")
    done = fsieve.run("predict", "m.json", "new.csv", "--unseen", "majority")
    rows = rows_of(done.out)
    majority = "yes" if sum(c["positive"] for c in model["table"]) > 750 else "no"
    assert (rows[16]["prediction"], rows[16]["score"]) == (majority, "0")
    assert "1 row with values that training never saw" in done.err
    assert rows[:16] == rows_of(fsieve("predict", "m.json", "rule.csv"))[:16]


def test_unseen_text(fsieve, write):
    write("t.csv", TEXTS)
    fsieve("learn", "t.csv", "--label", "ill", "-k", 2, "--exclude", "age", "-o", "m.json", "-q")
    write("new.csv", "colour,size\nred,big\npink,big\n")
    fsieve.fails(1, ['column "colour", row 2: "pink"'], "predict", "m.json", "new.csv")
    write("new.csv", "colour,size\nred,big\nred,huge\n")
    fsieve.fails(1, ['column "size", row 2: "huge"'], "predict", "m.json", "new.csv")
    write("short.csv", "size\nbig\nsmall\n")
    fsieve.fails(1, ["short.csv", 'no column "colour"'], "predict", "m.json", "short.csv")


def test_a_missing_column_is_said_before_the_rows_are_read(fsieve, write):
    """Row 50 000 cannot be read: who reads on before looking at the names complains about that."""
    write("t.csv", TEXTS)
    fsieve("learn", "t.csv", "--label", "ill", "-k", 2, "--exclude", "age", "-o", "m.json", "-q")
    fsieve("reduce", "t.csv", "--exclude", "age,old,ill", "--save", "r.json", "-q")
    rows = "big,x\n" * 49_999 + "big\n" + "small,x\n" * 50_000
    write("lacking.csv", f"size,other\n{rows}")
    write("ragged.csv", f"size,colour\n{rows.replace('x', 'red')}")
    for command in [["predict", "m.json"], ["apply", "r.json"]]:
        for more in [[], ["-o", "o.csv"], ["--memory", "1M"]]:
            fsieve.fails(1, ["lacking.csv", 'no column "colour"'], *command, "lacking.csv", *more)
        fsieve.fails(1, "row 50000", *command, "ragged.csv", "-o", "o.csv")
        fsieve.fails(1, 'no column "colour"', *command, "-", stdin=(fsieve.folder / "lacking.csv").read_bytes())


def test_damaged_models(fsieve, model, write):
    def refused(change, *says):
        broken = json.loads(json.dumps(model))
        change(broken)
        write("b.json", json.dumps(broken))
        for command in (["predict", "b.json", "rule.csv"], ["predict", "b.json", "rule.csv", "-o", "o.csv"]):
            fsieve.fails(1, ["b.json", *says], *command)

    for key in LISTED:
        refused(lambda m, key=key: m.pop(key), f'"{key}" is missing')
    for part in [("label", "classes"), ("features", "low"), ("features", "std"), ("table", "cell"), ("table", "value")]:
        key, inner = part
        refused(lambda m: (m[key] if key == "label" else m[key][0]).pop(inner), f'"{inner}" is missing')
    refused(lambda m: m.update(schema=3), "schema 3", "schemas 1 to 2")
    refused(lambda m: m.update(kind="result"), "kind")
    refused(lambda m: m.pop("kind"), "kind")
    refused(lambda m: m["table"].pop(), "table")
    refused(lambda m: m["table"].__setitem__(0, m["table"][1]), "table")
    refused(lambda m: m["table"][0].update(prediction="maybe"), "maybe")
    refused(lambda m: m["table"][0].update(value="much"), "value")
    refused(lambda m: m["features"][0].update(std=0), "std")
    refused(lambda m: m["label"].update(classes=["yes"]), "two classes")
    refused(lambda m: m.update(subset=["x1", "x2", "x3"]), "subset")
    refused(lambda m: m["coefficients"][0].update(features=["nobody"]), "nobody")
    for text in ["", "{", "[]", "3", "null", json.dumps(model)[:-40]]:
        write("b.json", text)
        fsieve.fails(1, ["b.json", "not a model"], "predict", "b.json", "rule.csv")
    fsieve.fails(1, "none.json", "predict", "none.json", "rule.csv")
    fsieve.fails(1, ["m.json", "predict"], "apply", "m.json", "rule.csv")

def test_scores_are_finite(fsieve, rule, write):
    model = json.loads(fsieve("learn", "rule.csv", "--label", "y", "-k", 1, "--learner", "low-degree", "--json"))
    for coefficient in model["coefficients"]:
        coefficient["value"] = 1.7e308
    write("m.json", json.dumps(model))
    fsieve.fails(1, ["rule.csv", "row 1", "not finite"], "predict", "m.json", "rule.csv", "-o", "out.csv")


# Booleans.


def test_booleans_of_any_format(fsieve, write):
    rng = np.random.default_rng(3)
    x = rng.integers(0, 2, (60, 3)).astype(bool)
    y = x[:, 0] & x[:, 1]

    def spelled(name, false, true):
        rows = [[true if value else false for value in [*row, label]] for row, label in zip(x, y)]
        write(name, "a,b,c,y\n" + "".join(",".join(row) + "\n" for row in rows))

    spelled("words.csv", "false", "true")
    spelled("capitals.csv", "FALSE", "True")
    spelled("numbers.csv", "0", "1")
    names = ["a", "b", "c", "y"]
    columns = [*x.T, y]
    pq.write_table(pa.table(dict(zip(names, columns))), fsieve.folder / "table.parquet")
    files = ["words.csv", "capitals.csv", "numbers.csv", "table.parquet"]
    for learned in files:
        fsieve("learn", learned, "--label", "y", "-k", 2, "-o", "m.json")
        for predicted in files:
            summary = fsieve.json("predict", "m.json", predicted, "-o", "out.csv")
            assert summary["accuracy"] == 1 and summary["unseen"] == 0, (learned, predicted)
    fsieve("learn", "words.csv", "--label", "y", "-k", 2, "-o", "m.json")
    spelled("others.csv", "no", "2")
    fsieve.fails(1, "was never seen", "predict", "m.json", "others.csv", "-o", "out2.csv")
