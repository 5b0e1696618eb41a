"""fsieve show and fsieve apply: a saved result is as good as a fresh one."""

import json

import pyarrow.parquet as parquet
import pytest


@pytest.fixture
def saved(fsieve, cars):
    fsieve("reduce", cars.name, "--label", "weight", "--save", "r.json")
    return "r.json"


def test_show_prints_the_report_again(fsieve, cars, saved):
    assert fsieve("show", saved) == fsieve("reduce", cars.name, "--label", "weight")


def test_show_json_is_the_saved_object(fsieve, saved, validate):
    assert fsieve("show", saved, "--json") == (fsieve.folder / saved).read_text()
    validate(fsieve.json("show", saved), "show")
    assert "timing" not in fsieve.json("show", saved, "--no-timing")


def test_apply_keeps_the_order_of_the_result(fsieve, saved, write):
    write("new.csv", "colour,extra,weight,litres\nred,x,1,0.5\nblue,,2,0.25\n")
    out = fsieve("apply", saved, "new.csv")
    assert out == "litres,colour,weight\n0.5,red,1\n0.25,blue,2\n"
    fsieve("apply", saved, "new.csv", "-o", "small.csv")
    assert (fsieve.folder / "small.csv").read_text() == out


def test_apply_without_the_label(fsieve, saved, write):
    text = "colour,litres,other\nred,0.5,9\nblue,0.25,8\ngreen,1,7\n"
    write("new.csv", text)
    assert fsieve("apply", saved, "new.csv") == "litres,colour\n0.5,red\n0.25,blue\n1,green\n"
    assert fsieve("apply", saved, "-", stdin=text.encode()) == fsieve("apply", saved, "new.csv")


def test_apply_reads_standard_input(fsieve, cars, saved):
    assert fsieve("apply", saved, "-", stdin=cars.read_bytes()) == fsieve("apply", saved, cars.name)


def test_apply_takes_data_options(fsieve, cars, saved):
    lines = fsieve("apply", saved, cars.name, "--rows", "3:4").splitlines()
    assert len(lines) == 3
    assert lines[0] == "litres,colour,weight"


def test_apply_json_tells_what_was_written(fsieve, cars, saved, validate):
    told = validate(fsieve.json("apply", saved, cars.name, "-o", "o.parquet"), "apply")
    assert told["columns"] == ["litres", "colour", "weight"]
    assert parquet.read_table(fsieve.folder / "o.parquet").column_names == told["columns"]
    assert told["data"] == {"source": "cars.csv", "rows": 120}


def test_apply_remembers_what_counts_as_missing(fsieve, write):
    write("t.csv", "a,v\n" + "".join(f"{i * i if i % 20 else '?'},{(i * i) % 17}\n" for i in range(80)))
    fsieve("reduce", "t.csv", "--na", "?", "--missing", "drop", "--save", "r.json")
    write("n.csv", "v,a\n3,1\n4,?\n5,3\n")
    fsieve.fails(1, ["n.csv", '"a"', "row 2", "missing"], "apply", "r.json", "n.csv")
    assert fsieve("apply", "r.json", "n.csv", "--missing", "drop") == "a,v\n1,3\n3,5\n"


def test_apply_names_the_missing_column(fsieve, saved, write):
    write("new.csv", "colour,weight\nred,1\nblue,2\n")
    fsieve.fails(1, ["new.csv", '"litres"'], "apply", saved, "new.csv", "-o", "o.csv")


def edit(fsieve, change):
    path = fsieve.folder / "r.json"
    result = json.loads(path.read_text())
    change(result)
    path.write_text(json.dumps(result))


BROKEN = {
    "schema 3": (lambda r: r.update(schema=3), "schema 3"),
    "no schema": (lambda r: r.pop("schema"), "schema"),
    "no origin": (lambda r: r.pop("fsieve"), "fsieve"),
    "other command": (lambda r: r.update(command="learn"), "learn"),
    "no selected": (lambda r: r.pop("selected"), "selected"),
    "selected a number": (lambda r: r.update(selected=3), "selected"),
    "name a number": (lambda r: r["selected"][0].update(name=3), "name"),
    "negative index": (lambda r: r["selected"][0].update(index=-1), "index"),
    "norm a text": (lambda r: r["selected"][0].update(norm="1"), "norm"),
    "unknown reason": (lambda r: r["removed"][0].update(reason="ugly"), "reason"),
    "parameters a list": (lambda r: r.update(parameters=[]), "parameters"),
    "nested parameter": (lambda r: r["parameters"].update(na=[[1]]), "na"),
    "no data": (lambda r: r.update(data=None), "source"),
    "timing a text": (lambda r: r.update(timing="fast"), "timing"),
    "warnings of numbers": (lambda r: r.update(warnings=[1]), "warnings"),
}


@pytest.mark.parametrize("case", BROKEN)
@pytest.mark.parametrize("command", ["show", "apply"])
def test_a_broken_result_is_refused(fsieve, cars, saved, command, case):
    change, says = BROKEN[case]
    edit(fsieve, change)
    more = [cars.name] if command == "apply" else []
    if case == "timing a text":
        says = "r.json"
    fsieve.fails(1, ["r.json", says], command, saved, *more)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "3", "not json", '{"a":1}', "[" * 10000, "\x00\xff"])
def test_foreign_json_is_refused(fsieve, write, text):
    write("r.json", text)
    fsieve.fails(1, ["r.json", "not a result of fsieve reduce or select"], "show", "r.json")


def test_a_truth_is_not_a_result(fsieve):
    fsieve("generate", "s1", "-o", "s.csv")
    fsieve.fails(1, '"generate"', "show", "s.csv.truth.json")


def test_keys_of_later_versions_do_no_harm(fsieve, saved):
    before = fsieve("show", saved)
    edit(fsieve, lambda r: r.update(later={"a": [1]}))
    assert fsieve("show", saved) == before


def test_a_stage_that_no_int_holds_is_refused(fsieve, saved):
    """4294967297 was read as stage 1."""
    result = json.loads((fsieve.folder / saved).read_text())
    result["removed"][0]["stage"] = 2**32 + 1
    (fsieve.folder / "large.json").write_text(json.dumps(result))
    fsieve.fails(1, ["large.json", '"stage" is too large'], "show", "large.json")


def test_a_loss_that_is_not_finite_is_read_back(fsieve, write):
    rows = "".join(f"{i % 7},{i % 7 + i % 2 / 10},{i % 7}\n" for i in range(60))
    write("t.csv", "a,b,y\n" + rows)
    result = fsieve.json("select", "t.csv", "--label", "y", "-k", "1")
    assert result["substitutes"]
    result["substitutes"][0]["loss"] = None
    (fsieve.folder / "s.json").write_text(json.dumps(result))
    assert json.loads(fsieve("show", "s.json", "--json"))["substitutes"][0]["loss"] is None
