"""Numbers with a decimal comma: read where nothing else can be meant, and told where they are text."""

import json

import numpy as np
import pytest

PRICES = np.round(np.random.default_rng(0).normal(50, 10, 60), 2)


def comma(value):
    return f"{value:.2f}".replace(".", ",")


def lines(head, rows, delimiter=";"):
    return "\n".join(delimiter.join(row) for row in ([head] if head else []) + rows) + "\n"


def reduced(fsieve, *words):
    done = fsieve.run("reduce", *words, "--json", "--no-timing")
    assert done.code == 0, done.err
    return json.loads(done.out), done.err


@pytest.mark.parametrize("delimiter,name", [(";", "t.csv"), ("\t", "t.tsv"), ("|", "t.csv")])
def test_the_usual_file_is_read_as_with_points(fsieve, write, delimiter, name):
    rows = [[comma(p), str(i % 7), comma(2 * p)] for i, p in enumerate(PRICES)]
    path = write(name, lines(["price", "n", "twice"], rows, delimiter))
    found, err = reduced(fsieve, path.name)
    assert "numbers have a decimal comma, as" in err and 'in column "price"' in err and "--decimal ." in err
    points = write("points.csv", lines(["price", "n", "twice"], [[c.replace(",", ".") for c in r] for r in rows], ","))
    expected, _ = reduced(fsieve, points.name)
    assert found["selected"] == expected["selected"] and found["removed"] == expected["removed"]
    assert [feature["name"] for feature in found["removed"]] == ["twice"]


def test_a_file_without_names(fsieve, write):
    """Commas split such rows alike too, and into more fields."""
    path = write("t.csv", lines(None, [[comma(p), comma(p * p)] for p in PRICES]))
    found, err = reduced(fsieve, path.name)
    assert found["data"]["rows"] == 60 and found["data"]["features"] == 2 and "in column 1" in err


def test_what_could_be_thousands_is_told_and_not_read(fsieve, write):
    path = write("t.csv", lines(["price", "n"], [[f"{int(1000 + 100 * p):,}", str(i % 5)] for i, p in enumerate(PRICES)]))
    found, err = reduced(fsieve, path.name)
    assert [column["name"] for column in found["ignored"]] == ["price"]
    assert 'column "price" is text' in err and "--decimal ," in err and "separates thousands" in err
    found, _ = reduced(fsieve, path.name, "--decimal", ",")
    assert found["ignored"] == [] and found["parameters"]["decimal"] == ","


@pytest.mark.parametrize("cell", ["1.234,5", "1,234,567", "1.234.567"])
def test_separators_of_thousands_are_never_read(fsieve, write, cell):
    rows = [[cell if i % 3 else "12", str(p)] for i, p in enumerate(PRICES)]
    path = write("t.csv", lines(["amount", "p"], rows))
    for words in ([], ["--decimal", ","], ["--decimal", "."]):
        _, err = reduced(fsieve, path.name, *words)
        assert 'column "amount" is text' in err and "without separators of thousands" in err


def test_few_values_are_no_silent_category(fsieve, write):
    path = write("t.csv", "rate,x\n" + "".join(f'"{3 + i % 2},5",{i * i}\n' for i in range(60)))
    _, err = reduced(fsieve, path.name)
    assert 'column "rate" is text: "3,5" is not a number (its decimals stand behind a comma: --decimal ,)' in err
    found, err = reduced(fsieve, path.name, "--decimal", ",")
    assert "is text" not in err and "rate" in [feature["name"] for feature in found["selected"]]


def test_points_beside_commas(fsieve, write):
    """One of them is text whatever is decided, so the reader decides nothing, and says so."""
    path = write("t.csv", lines(["a", "b", "n"], [[comma(p), f"{p * p:.3f}", str(i % 5)] for i, p in enumerate(PRICES)]))
    found, err = reduced(fsieve, path.name)
    assert 'column "a" is text' in err and "b" in [feature["name"] for feature in found["selected"]]
    _, err = reduced(fsieve, path.name, "--decimal", ",")
    assert 'column "b" is text' in err and "--decimal ." in err
    late = write("late.csv", lines(["n", "b"], [[str(i) if i < 59 else "3,5", f"{p}"] for i, p in enumerate(PRICES)]))
    done = fsieve.run("reduce", late.name)
    assert done.code == 1 and '"3,5" is not a number (its decimals stand behind a comma: --decimal ,)' in done.err


def test_written_columns_have_points(fsieve, write, tmp_path):
    path = write("t.csv", lines(["price", "n"], [[comma(p), str(i % 5)] for i, p in enumerate(PRICES)]))
    reduced(fsieve, path.name, "-o", "out.csv")
    assert (path.parent / "out.csv").read_text().splitlines()[1] == f"{PRICES[0]:.2f},0"
    reduced(fsieve, path.name, "-o", "out.parquet")
    found, _ = reduced(fsieve, "out.parquet")
    assert found["ignored"] == [] and found["data"]["features"] == 2


@pytest.mark.parametrize("form,sign", [("{:.1f}%", "%"), ("${:.2f}", "$"), ("{:.2f} €", "€"), ("${:,.2f}", "$")])
def test_money_and_percent_are_told_and_not_read(fsieve, write, form, sign):
    """They were text without a word, and mostly said to name the rows."""
    rows = [[f'"{form.format(40 * p)}"', str(i % 5)] for i, p in enumerate(PRICES)]
    path = write("t.csv", lines(["amount", "n"], rows, ","))
    _, err = reduced(fsieve, path.name)
    assert 'column "amount" is text: ' in err and f"is not a number (write the numbers without {sign})" in err
