"""Columns that a model does not use go through `predict` as they are, whatever is in them."""

import csv
import datetime
import io
import json
import math

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

ROWS = 5000
BEYOND = ["1K", "512M"]  # --memory: block by block, and held


@pytest.fixture
def model(fsieve, write):
    write("train.csv", "a,b,y\n" + "".join(f"{i % 2},{i // 2 % 2},{'ny'[i % 2 & i // 2 % 2]}\n" for i in range(80)))
    fsieve("learn", "train.csv", "--label", "y", "-k", 2, "-o", "m.json", "-q")
    return json.loads((fsieve.folder / "m.json").read_text())


def passengers(i):
    """A cell of each sort that the columns of a model may not have."""
    return {
        "id": f"id {i:05}",  # more than 1000 levels
        "gap": "" if i % 7 == 0 else str(i % 11 + 0.5),
        "mixed": "see notes" if i % 4000 == 40 else f"{i}.0",
        "huge": "inf" if i == 3 else str(i % 5),
        "note": "" if i % 3 else f"a,{i % 4}",
        "empty": "",
        "long": str(2**60 + i),  # more digits than a double has
        "far": str(1.5e300 if i % 2 else 2e-300),
    }


def cells(rows=ROWS):
    lines = []
    for i in range(rows):
        own = passengers(i)
        lines.append({"id": own.pop("id"), "a": str(i % 2), **own, "b": str(i // 2 % 2)})
    return lines


def csv_text(lines):
    out = io.StringIO()
    writer = csv.DictWriter(out, lines[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return out.getvalue()


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def without(rows, *names):
    return [{name: cell for name, cell in row.items() if name not in names} for row in rows]


def both(i):
    return "ny"[i % 2 & i // 2 % 2]


@pytest.mark.parametrize("memory", BEYOND)
@pytest.mark.parametrize("missing", ["error", "drop", "mean"])
def test_all_sorts(fsieve, write, model, memory, missing):
    lines = cells()
    write("new.csv", csv_text(lines))
    options = ["--memory", memory, "--missing", missing]
    rows = rows_of(fsieve("predict", "m.json", "new.csv", *options))
    assert without(rows, "prediction", "score") == lines
    assert [row["prediction"] for row in rows] == [both(i) for i in range(ROWS)]
    fsieve("predict", "m.json", "new.csv", *options, "-o", "p.csv")
    assert rows_of((fsieve.folder / "p.csv").read_text()) == rows
    piped = fsieve("predict", "m.json", "-", *options, stdin=(fsieve.folder / "new.csv").read_bytes())
    assert rows_of(piped) == rows


@pytest.mark.parametrize("memory", BEYOND)
def test_only_columns_of_the_model_are_dropped_or_filled(fsieve, write, model, memory):
    lines = cells(60)
    for i in (5, 20, 21):
        lines[i]["b"] = ""
    write("new.csv", csv_text(lines))
    arguments = ["predict", "m.json", "new.csv", "--memory", memory]
    fsieve.fails(1, ['new.csv: column "b", row 6: missing value'], *arguments)
    dropped = rows_of(fsieve(*arguments, "--missing", "drop"))
    assert without(dropped, "prediction", "score") == [line for i, line in enumerate(lines) if i not in (5, 20, 21)]
    filled = rows_of(fsieve(*arguments, "--missing", "mean", "--unseen", "majority"))
    assert without(filled, "prediction", "score", "b") == without(lines, "b")
    assert all(row["b"] for row in filled)


@pytest.mark.parametrize("bad", ["inf", "x"])
def test_columns_of_the_model_must_be_in_order(fsieve, write, model, bad):
    lines = cells(60)
    lines[30]["b"] = bad
    write("new.csv", csv_text(lines))
    fsieve.fails(1, ['column "b", row 31'], "predict", "m.json", "new.csv")


@pytest.mark.parametrize("memory", BEYOND)
@pytest.mark.parametrize("kind", ["parquet", "feather"])
def test_typed_files(fsieve, model, kind, memory):
    days = [None if i % 9 == 0 else datetime.date(2020, 1, 1 + i % 28) for i in range(ROWS)]
    columns = {
        "id": [f"id {i}" for i in range(ROWS)],
        "a": [i % 2 for i in range(ROWS)],
        "b": [i // 2 % 2 for i in range(ROWS)],
        "gap": [None if i % 7 == 0 else i / 2 for i in range(ROWS)],
        "huge": [math.inf if i == 3 else float(i) for i in range(ROWS)],
        "note": [None if i % 3 else f"n{i % 4}" for i in range(ROWS)],
        "day": days,
    }
    writer = {"parquet": pyarrow.parquet.write_table, "feather": pyarrow.feather.write_feather}[kind]
    writer(pa.table(columns), str(fsieve.folder / f"new.{kind}"))
    fsieve("predict", "m.json", f"new.{kind}", "-o", f"p.{kind}", "--memory", memory)
    reader = {"parquet": pyarrow.parquet.read_table, "feather": pyarrow.feather.read_table}[kind]
    out = reader(str(fsieve.folder / f"p.{kind}")).to_pydict()
    assert out.pop("prediction") == [both(i) for i in range(ROWS)]
    out.pop("score")
    assert out == columns
    as_json = fsieve("predict", "m.json", f"new.{kind}", "-o", "p.json", "-q")
    assert as_json == ""
    first = json.loads((fsieve.folder / "p.json").read_text())[1]
    assert (first["gap"], first["note"], first["day"]) == (0.5, None, "2020-01-02")


@pytest.mark.parametrize("memory", BEYOND)
def test_rows_without_label_are_not_compared(fsieve, write, model, validate, memory):
    lines = cells(100)
    for i, line in enumerate(lines):
        line["y"] = "" if i % 4 == 0 else both(i) if i % 10 else "other"
    write("new.csv", csv_text(lines))
    run = ["predict", "m.json", "new.csv", "--memory", memory, "-o", "p.csv"]
    for missing in ["error", "drop", "mean"]:
        result = validate(fsieve.json(*run, "--missing", missing), "predict")
        assert result["data"]["rows"] == 100
        assert result["accuracy"] == 1
        assert without(rows_of((fsieve.folder / "p.csv").read_text()), "prediction", "score") == lines
    for line in lines:
        line["y"] = ""
    write("new.csv", csv_text(lines))
    assert fsieve.json(*run)["accuracy"] is None


def test_text_of_another_encoding(fsieve, write, model):
    write("new.csv", b"a,name,b\n0,Andr\xe9,1\n1,Zo\xeb,1\n")
    fsieve("predict", "m.json", "new.csv", "-o", "p.csv")
    assert (fsieve.folder / "p.csv").read_bytes().splitlines()[1].startswith(b"0,Andr\xe9,1,n,")
    for name in ["p.parquet", "p.feather", "p.json"]:
        fsieve.fails(1, [name, '"name"', "UTF-8"], "predict", "m.json", "new.csv", "-o", name)



def test_apply_looks_at_selected_columns_alone(fsieve, write):
    write("train.csv", "a,b,y\n" + "".join(f"{i % 2},{i * 7 % 5},{'ny'[i % 2]}\n" for i in range(80)))
    fsieve("select", "train.csv", "--label", "y", "-k", 1, "-o", "s.csv", "--save", "r.json", "-q")
    lines = [{**line, "y": both(i)} for i, line in enumerate(cells())]
    write("new.csv", csv_text(lines))
    expected = "a,y\n" + "".join(f"{line['a']},{line['y']}\n" for line in lines)
    assert fsieve("apply", "r.json", "new.csv") == expected
    assert fsieve("apply", "r.json", "-", stdin=(fsieve.folder / "new.csv").read_bytes()) == expected
