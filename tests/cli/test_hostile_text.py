"""Names, results and models that were made to do harm."""

import json

import pytest

DEEP = "[" * 100_000 + "]" * 100_000


@pytest.fixture
def saved(fsieve, cars):
    fsieve("reduce", cars.name, "--label", "weight", "--save", "r.json")
    return json.loads((fsieve.folder / "r.json").read_text())


@pytest.mark.parametrize("key", ["parameters", "selected", "unknown"])
def test_deep_nesting_in_a_result(fsieve, cars, saved, write, key):
    text = json.dumps({**saved, key: "HERE"}).replace('"HERE"', DEEP)
    write("deep.json", text)
    fsieve.fails(1, ["deep.json", "nested too deeply"], "show", "deep.json")
    fsieve.fails(1, ["deep.json", "nested too deeply"], "apply", "deep.json", cars.name)
    fsieve.fails(1, ["deep.json", "nested too deeply"], "predict", "deep.json", cars.name)


@pytest.mark.parametrize("key", ["parameters", "features", "label", "table", "unknown"])
def test_deep_nesting_in_a_model(fsieve, write, key):
    rows = "".join(f"{i % 2},{i // 2 % 2},{i % 2 & i // 2 % 2}\n" for i in range(80))
    write("t.csv", "a,b,y\n" + rows)
    fsieve("learn", "t.csv", "--label", "y", "-k", "2", "-o", "m.json")
    model = json.loads((fsieve.folder / "m.json").read_text())
    assert key in model or key == "unknown"
    write("deep.json", json.dumps({**model, key: "HERE"}).replace('"HERE"', DEEP))
    fsieve.fails(1, ["deep.json", "not a model", "nested too deeply"], "predict", "deep.json", "t.csv")
    fsieve.fails(1, ["deep.json", "nested too deeply"], "show", "deep.json")
    if key != "features":
        return
    model["features"][0]["name"] = "HERE"
    write("deep.json", json.dumps(model).replace('"HERE"', DEEP))
    fsieve.fails(1, ["deep.json", "nested too deeply"], "predict", "deep.json", "t.csv")


def test_deep_nesting_in_a_checkpoint(fsieve, write):
    write("t.csv", "a,b,y\n" + "".join(f"{i % 2},{i % 3 % 2},{i % 2}\n" for i in range(40)))
    write("c", f'{{"format": "fsieve checkpoint", "version": {DEEP}}}')
    fsieve.fails(1, "c is not a checkpoint", "learn", "t.csv", "--label", "y", "-k", "2", "--checkpoint", "c")


def test_names_of_a_result_are_literal(fsieve, saved, write):
    """Tried as a pattern, one column at a time, this name takes for ever; and it is none."""
    name = "*a" * 30 + "*b"
    saved["selected"][0]["name"] = name
    write("stars.json", json.dumps(saved))
    write("t.csv", "a" * 60 + ",colour,weight\n1,red,2\n2,blue,3\n")
    fsieve.fails(1, 'no column "*a*a', "apply", "stars.json", "t.csv")
    saved["selected"][0]["name"] = "l*"
    write("star.json", json.dumps(saved))
    write("cars2.csv", "litres,colour,weight\n1,red,2\n2,blue,3\n")
    fsieve.fails(1, 'no column "l*"', "apply", "star.json", "cars2.csv")
    write("cars3.csv", "l*,litres,colour,weight\n5,1,red,2\n6,2,blue,3\n")
    assert fsieve("apply", "star.json", "cars3.csv").splitlines()[0] == "l*,colour,weight"


def test_long_names(fsieve, saved, write):
    """Nobody mistyped a name of 200 kB: no nearest one is looked for, which would take minutes."""
    saved["selected"] = [{**saved["selected"][0], "name": "a" * 200_000}]
    write("long.json", json.dumps(saved))
    write("t.csv", f"{'b' * 200_000},{'ab' * 100_000},weight\n1,2,0\n2,1,1\n3,5,1\n")
    for long in (["apply", "long.json", "t.csv"], ["reduce", "t.csv", "--label", "a" * 100_000]):
        error = fsieve.fails(1, 'no column "aaa', *long)
        assert len(error) < 300 and "did you mean" not in error
    error = fsieve.fails(1, 'no column "m"', "reduce", "t.csv", "--label", "m")
    assert len(error) < 300
    error = fsieve.fails(2, "--order", "reduce", "t.csv", "--order", "o" * 100_000)
    assert "did you mean" not in error


def test_terminal_codes_are_spelled_out(fsieve, write):
    evil = "x\u009b2Jy\u202e"
    rows = "".join(f"{i % 2},{i % 3 % 2},{i % 2}\n" for i in range(40))
    write("t.csv", f"{evil},b,copy\n{rows}")
    report = fsieve("reduce", "t.csv", "--save", "r.json")
    for text in (report, fsieve("show", "r.json")):
        assert "x\\u009b2Jy\\u202e" in text
        assert "\u009b" not in text and "\u202e" not in text
    fsieve.fails(1, "z\\u009b", "reduce", "t.csv", "--label", "z\u009b")
    # What is data stays data.
    assert evil in fsieve("apply", "r.json", "t.csv")
    assert evil in (fsieve.folder / "r.json").read_text()


def test_the_smallest_coefficient_is_shown(fsieve, saved, write):
    removed = next(entry for entry in saved["removed"] if entry["name"] == "inches")
    removed["equation"]["terms"][0]["coefficient"] = 5e-324
    write("tiny.json", json.dumps(saved))
    assert "4.94e-324" in fsieve("show", "tiny.json")
