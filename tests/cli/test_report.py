"""fsieve report: one page, made of the results of the commands."""

import json
import math
import re
from html.parser import HTMLParser

import pytest

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\" onmouseover=\"alert(1)",
    "'; alert(1); '",
    "<!--",
    "]]>",
    "a\u202eb\u2066c",
    "n" * 10_000,
    "{{script}}",
    "&lt;b&gt;",
]


class Page(HTMLParser):
    """The elements of a page, and the text of its scripts and styles by id."""

    def __init__(self, text):
        super().__init__(convert_charrefs=False)
        self.elements, self.texts, self.inside = [], {}, None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag in ("script", "style"):
            self.inside = dict(attributes).get("id", tag)

    def handle_endtag(self, tag):
        if tag in ("script", "style"):
            self.inside = None

    def handle_data(self, data):
        if self.inside:
            self.texts[self.inside] = self.texts.get(self.inside, "") + data

    @property
    def results(self):
        return json.loads(self.texts["fsieve-report"])

    @property
    def data(self):
        return json.loads(self.texts["fsieve-data"])


@pytest.fixture
def page(fsieve):
    """Makes a report and reads it."""

    def make(*arguments):
        fsieve("report", *arguments, "-o", "page.html", "--no-timing")
        return Page((fsieve.folder / "page.html").read_text(encoding="utf-8"))

    return make


def table(write, classes=2, columns=8, rows=200):
    """y is an exclusive-or of x0 and x1 (two classes), x2 twice x3, the last column text."""
    lines = [",".join([*(f"x{j}" for j in range(columns)), "colour", "y"])]
    for i in range(rows):
        x = [(i * (7 + 2 * j) // (3 + j)) % 2 for j in range(2)] + [(i * (31 + 2 * j)) % 101 for j in range(columns - 2)]
        x[2] = 2 * x[3]
        colour = ["red", "green", "blue"][(i * i + i) % 7 % 3]
        lines.append(",".join(map(str, [*x, colour, f"c{(x[0] ^ x[1]) if classes == 2 else i % classes}"])))
    return write("t.csv", "\n".join(lines) + "\n")


def commands_of(page):
    return {what: command.split()[1:] for what, command in page.data["making"]["commands"].items()}


def test_results_are_those_of_the_commands(fsieve, write, page):
    made = page(table(write).name, "--label", "y")
    commands = commands_of(made)
    assert set(commands) == {"reduce", "select", "learn"}
    for what, words in commands.items():
        assert words[0] == what
        assert made.results[what] == json.loads(fsieve(*words))
    assert commands["reduce"] == "reduce t.csv --json --no-timing --relations --label y".split()


def test_without_a_label(fsieve, cars, page):
    made = page(cars.name)
    assert made.results["select"] is None and made.results["learn"] is None
    assert made.results["reduce"] == fsieve.json("reduce", cars.name, "--relations", "--no-timing")
    assert made.data["pictures"] == []
    assert {column["name"]: column["type"] for column in made.data["columns"]} == {
        "weight": "number", "litres": "number", "colour": "category", "wheels": "constant", "inches": "number",
    }


def test_columns_set_aside(write, page):
    rows = "".join(f"id-{i * 7919},{i % 17},{(i * i) % 23},{i if i % 3 == 0 else ''}\n" for i in range(200))
    made = page(write("t.csv", "id,a,b,gaps\n" + rows).name)
    assert [(entry["name"], entry["reason"]) for entry in made.results["reduce"]["ignored"]] == [("id", "identifier"), ("gaps", "missing")]
    assert [column["name"] for column in made.data["columns"]] == ["a", "b"]


@pytest.mark.parametrize("missing", ["drop", "mean"])
@pytest.mark.parametrize("memory", ["512M", "1K"])
def test_missing_cells_are_counted(missing, memory, write, page):
    text = "id,a,b,gaps,c,d\n" + "".join(
        f"id-{i * 7919},{i % 17},{'' if i % 50 == 3 else i % 7},{i if i % 3 == 0 else ''},{'' if i < 3 else 'uvw'[i % 3]},{i * i % 23}\n"
        for i in range(200)
    )
    made = page(write("t.csv", text).name, "--missing", missing, "--memory", memory)
    assert made.data["missing"] == {"rows": 200, "cells": [[2, 4], [3, 133], [4, 3]]}
    assert made.data["rows"] == (193 if missing == "drop" else 200)


def test_nothing_is_missing(cars, page):
    assert page(cars.name).data["missing"]["cells"] == []


def test_a_number_or_many_classes_have_no_rule(write, page, cars):
    assert page(table(write, classes=4).name, "--label", "y").results["learn"] is None
    made = page(cars.name, "--label", "weight", "-k", "2")
    assert made.results["learn"] is None
    assert "classes" not in made.results["select"]["data"]
    assert page(table(write).name, "--label", "y", "--rule-size", "0").results["learn"] is None


def test_options_reach_the_commands(write, page):
    made = page(table(write).name, "--label", "y", "-k", "3", "--depth", "3", "--rows", "1:150", "--exclude", "x5", "--rule-size", "2")
    assert made.results["select"]["parameters"]["k"] == 3
    assert made.results["select"]["parameters"]["depth"] == 3
    assert made.results["learn"]["parameters"]["k"] == 2
    for result in made.results.values():
        assert result["data"]["rows"] == 150
        assert result["parameters"]["exclude"] == ["x5"]


def test_stability(write, page):
    select = page(table(write).name, "--label", "y", "--stability", "6", "--keep", "x4").results["select"]
    assert select["stability"]["samples"] == 6
    assert "x4" in [feature["name"] for feature in select["selected"]]


def test_a_rule_of_fewer_features_where_there_are_no_more(write, page):
    write("t.csv", "a,b,y\n" + "".join(f"{i % 2},{i // 2 % 2},{i % 2}\n" for i in range(60)))
    assert len(page("t.csv", "--label", "y").results["learn"]["subset"]) == 2


def test_the_rule_is_tried_on_rows_held_out(write, page):
    rule = page(table(write).name, "--label", "y").data["rule"]
    assert rule["folds"] == 5
    assert rule["accuracy"] == 1 and rule["error"] == 0  # an exclusive-or without noise


def test_pictures_show_what_only_works_together(write, page):
    pictures = page(table(write).name, "--label", "y").data["pictures"]
    pair = pictures[0]
    assert set(pair["features"]) == {"x0", "x1"}
    assert pair["together"] == 1
    assert max(pair["alone"]) < 0.7
    assert sum(cell[0] for cell in pair["cells"]) == 200
    assert sorted(cell[1] for cell in pair["cells"]) == [0, 0, 1, 1]


def test_pictures_name_classes_as_the_result_does(write, page):
    """Numbers as classes are in their order, not in that of their spelling; a rare one shifts no other."""
    rows = [(i % 3, [9, 10, 100][i % 3], (i * 7) % 11) for i in range(300)] + [(3, 2, 1)]
    write("t.csv", "a,y,b\n" + "".join(f"{a},{y},{b}\n" for a, y, b in rows))
    for options in ([], ["--categorical", "y"]):
        made = page("t.csv", "--label", "y", "--task", "classification", "-k", "1", *options)
        classes = made.results["select"]["data"]["classes"]
        (picture,) = [p for p in made.data["pictures"] if p["features"] == ["a"]]
        found = dict(zip(picture["axes"][0]["labels"], (classes[cell[1]] for cell in picture["cells"])))
        assert found == {"0": "9", "1": "10", "2": "100", "3": "2"}


def decoded(text):
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return [(64 * digits.index(a) + digits.index(b)) / 4095 for a, b in zip(text[::2], text[1::2])]


def test_points_lie_where_the_equation_says(cars, page):
    made = page(cars.name, "--label", "weight")
    (points,) = made.data["points"]
    assert points["target"] in ("litres", "inches")
    observed = decoded(points["observed"])
    given = decoded(points["given"]) if "given" in points else observed
    assert len(observed) == 120
    assert max(abs(a - b) for a, b in zip(observed, given)) < 1e-3
    assert max(observed) == 1 and min(observed) == 0


@pytest.mark.parametrize("exact", [True, False])
def test_points_are_written_once_where_the_equation_is_exact(write, page, exact):
    rows = [((i * 37) % 101 / 8, 0 if exact else (i * 7) % 11 / 50) for i in range(300)]
    write("t.csv", "a,b\n" + "".join(f"{a},{2 * a + noise}\n" for a, noise in rows))
    (points,) = page("t.csv").data["points"]
    assert ("given" not in points) == exact


def test_points_of_a_logarithm_lie_where_it_says(write, page):
    values = [((i * 37) % 101 + 1) / 8 for i in range(300)]
    write("t.csv", "a,b\n" + "".join(f"{a},{math.log(a)}\n" for a in values))
    made = page("t.csv")
    (points,) = made.data["points"]
    assert points["target"] == "b" and "given" not in points
    assert points["low"] == pytest.approx(math.log(1 / 8)) and points["high"] == pytest.approx(math.log(101 / 8))


def test_the_page_needs_nothing_else(write, page, fsieve):
    made = page(table(write).name, "--label", "y")
    text = (fsieve.folder / "page.html").read_text()
    assert text.lower().startswith("<!doctype html>")
    for tag, attributes in made.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form")
        assert "src" not in attributes and "style" not in attributes
        assert not any(name.startswith("on") for name in attributes)
    assert "{{" not in re.sub(r"<script.*?</script>|<style.*?</style>", "", text, flags=re.S)
    policy = next(a["content"] for t, a in made.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in policy and "unsafe" not in policy


def test_the_policy_names_this_script_and_style(cars, page):
    import base64
    import hashlib

    made = page(cars.name)
    policy = next(a["content"] for t, a in made.elements if a.get("http-equiv") == "Content-Security-Policy")
    for what in ("script", "style"):
        digest = base64.b64encode(hashlib.sha256(made.texts[what].encode()).digest()).decode()
        assert f"{what}-src 'sha256-{digest}'" in policy


def test_no_text_becomes_an_element(page, cars):
    script = page(cars.name).texts["script"]
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "fetch(", "XMLHttpRequest"):
        assert way not in script


def test_hostile_names_stay_text(fsieve, write, page):
    rows = [[(i * (13 + 2 * j)) % 89 for j in range(len(HOSTILE))] for i in range(120)]
    quoted = ",".join('"' + name.replace('"', '""') + '"' for name in [*HOSTILE, "<b>y</b>"])
    write("<i>.csv", quoted + "\n" + "".join(",".join(map(str, row)) + f",{'</script>' if row[0] % 2 else '<p>'}\n" for row in rows))
    plain = page("<i>.csv", "--columns", "n*", "--label", "<b>y</b>")
    made = page("<i>.csv", "--label", "<b>y</b>")
    assert [tag for tag, _ in made.elements] == [tag for tag, _ in plain.elements]
    names = {column["name"] for column in made.data["columns"]}
    assert names == {*HOSTILE, "<b>y</b>"}
    assert made.results["select"]["data"]["classes"] == ["</script>", "<p>"]
    assert made.results["reduce"] == fsieve.json("reduce", "<i>.csv", "--label", "<b>y</b>", "--relations", "--no-timing")


def test_bytes_do_not_depend_on_threads(fsieve, write):
    table(write)
    for threads in (1, 2, 7):
        fsieve("report", "t.csv", "--label", "y", "--no-timing", "--threads", threads, "-o", f"{threads}.html")
    pages = [re.sub("threads [127]|[127].html", "", (fsieve.folder / f"{threads}.html").read_text()) for threads in (1, 2, 7)]
    assert pages[0] == pages[1] == pages[2]


def test_a_thousand_columns_stay_below_two_megabytes(fsieve, write):
    rows = []
    for i in range(80):
        base = [(i * (37 + 2 * j)) % 101 for j in range(20)]
        rows.append([base[j % 20] * (j // 20 + 1) + j for j in range(1000)])
    write("t.csv", ",".join(f"a_rather_long_name_{j}" for j in range(1000)) + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    fsieve("report", "t.csv", "--use", "*", "-o", "page.html")
    made = Page((fsieve.folder / "page.html").read_text())
    assert (fsieve.folder / "page.html").stat().st_size < 2_000_000
    assert len(made.results["reduce"]["removed"]) == 980
    assert len(made.data["points"]) == 980


def test_json_instead_of_the_page(fsieve, write, page, validate):
    table(write)
    results = validate(fsieve.json("report", "t.csv", "--label", "y", "--no-timing"), "report")
    assert results == page("t.csv", "--label", "y").results
    assert "page.html" in fsieve.files()
    fsieve.fails(2, "standard output", "report", "t.csv", "--json", "-o", "-")


def test_the_page_on_standard_output(fsieve, cars, page):
    page(cars.name)
    out = fsieve("report", cars.name, "--no-timing", "-o", "-")
    assert out.replace("-o -", "-o page.html") == (fsieve.folder / "page.html").read_text()


def test_show_prints_the_results_of_a_page(fsieve, write, page):
    made = page(table(write).name, "--label", "y")
    text = fsieve("show", "page.html")
    for words in commands_of(made).values():
        assert fsieve(*(word for word in words if word not in ("--json", "--no-timing"))) in text
    assert fsieve.json("show", "page.html") == made.results


def test_show_of_a_damaged_page(fsieve, write, page, cars):
    page(cars.name)
    text = (fsieve.folder / "page.html").read_text()
    begin = text.index('id="fsieve-report">') + len('id="fsieve-report">')
    end = text.index("</script>", begin)
    write("cut.html", text[: begin + 100])
    fsieve.fails(1, ["cut.html", "not JSON"], "show", "cut.html")
    write("empty.html", text[:begin] + "{}" + text[end:])
    fsieve.fails(1, ["empty.html", "reduce"], "show", "empty.html")
    write("null.html", text[:begin] + '{"reduce":null,"select":null,"learn":null}' + text[end:])
    fsieve.fails(1, "null.html", "show", "null.html")
    write("other.html", "<!doctype html><p>hello")
    fsieve.fails(1, "other.html", "show", "other.html")


def test_bad_input(fsieve, write, cars):
    fsieve.fails(2, "-o FILE.html is missing", "report", cars.name)
    fsieve.fails(2, "FILE is missing", "report", "-o", "page.html")
    fsieve.fails(1, 'no column "nix"', "report", cars.name, "--label", "nix", "-o", "page.html")
    fsieve.fails(1, "no.csv", "report", "no.csv", "-o", "page.html")
    fsieve.fails(1, "there is no folder", "report", cars.name, "-o", "none/page.html")
    fsieve.fails(2, "would replace the input cars.csv by a page", "report", cars.name, "-o", "cars.csv")
    fsieve.fails(2, "--rule-size", "report", cars.name, "-o", "page.html", "--rule-size", "7")
    fsieve.fails(2, "-k", "report", cars.name, "--label", "weight", "-o", "page.html", "-k", "0")
    fsieve.fails(2, "--epsilon", "report", cars.name, "-o", "page.html", "--epsilon", "0.1")
    write("gap.csv", "a,b\n1,\n2,3\n")
    fsieve.fails(1, ['column "b"', "row 1"], "report", "gap.csv", "-o", "page.html", "--missing", "error")
