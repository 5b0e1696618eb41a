"""Tables as they are found: columns that name the rows, and columns that are mostly missing."""

import random
import re
import shlex

import pytest

ROWS = 300
METHODS = {
    "uffs": ["reduce", "--label", "y"],
    "gfs": ["reduce", "--label", "y", "--method", "gfs"],
    "gfa": ["reduce", "--label", "y", "--method", "gfa", "-k", "3"],
    "select": ["select", "--label", "y", "-k", "certain"],
    "learn": ["learn", "--label", "y", "-k", "2", "--binarize", "median"],
}


def table(rows=ROWS, **columns):
    """Five numbers and a label that the third decides; `columns` come first, one text per row."""
    chance = random.Random(7)
    lines = [",".join([*columns, "a", "b", "c", "d", "e", "y"])]
    for i in range(rows):
        numbers = [chance.gauss(0, 1) for _ in range(5)]
        label = "yes" if numbers[2] + chance.gauss(0, 0.3) > 0 else "no"
        cells = [str(column(i)) for column in columns.values()]
        lines.append(",".join([*cells, *(f"{x:.4f}" for x in numbers), label]))
    return "\n".join(lines) + "\n"


def names(features):
    return [feature["name"] for feature in features]


def comparable(result):
    """What a run found, without what tells the table."""
    found = {key: result.get(key) for key in ("selected", "removed", "subset", "subsets", "formula")}
    for entry in (found["selected"] or []) + (found["removed"] or []):
        entry.pop("index")
    return found


@pytest.mark.parametrize("method", METHODS)
def test_an_identifier_changes_nothing(fsieve, write, validate, method):
    """300 rows, five numbers, id = r0, r1, …: select took nothing, or id first; uffs tested nothing."""
    command, *options = METHODS[method]
    write("plain.csv", table())
    plain = fsieve.json(command, "plain.csv", *options)
    write("raw.csv", table(id=lambda i: f"r{i}", number=lambda i: i * 7 % ROWS + 1))
    done = fsieve.run(command, "raw.csv", *options, "--json")
    raw = validate(fsieve.json(command, "raw.csv", *options), command)
    assert raw["ignored"] == [
        {"name": "id", "index": 0, "reason": "identifier"},
        {"name": "number", "index": 1, "reason": "identifier"},
    ]
    assert plain["ignored"] == []
    assert comparable(raw) == comparable(plain)
    assert raw["data"]["features"] == 5
    for name in ("id", "number"):
        said = [line for line in done.err.splitlines() if f'"{name}"' in line]
        assert said == [
            f'fsieve: warning: raw.csv: column "{name}" names the rows and is set aside '
            f"(to use it: --use {name})"
        ]
        assert sum(f'"{name}"' in warning for warning in raw["warnings"]) == 1
    assert "set aside: id (identifier), number (identifier)" in fsieve(command, "raw.csv", *options)


@pytest.mark.parametrize("method", METHODS)
def test_a_mostly_missing_column_is_set_aside(fsieve, write, method):
    command, *options = METHODS[method]
    write("t.csv", table(gaps=lambda i: "" if i % 10 else i, none=lambda i: ""))
    result = fsieve.json(command, "t.csv", *options)
    assert names(result["ignored"]) == ["gaps", "none"]
    assert {column["reason"] for column in result["ignored"]} == {"missing"}
    # Half of the values are enough to be looked at.
    write("t.csv", table(gaps=lambda i: "" if i % 2 else i % 7))
    fsieve.fails(1, "missing value", command, "t.csv", *options)


@pytest.mark.parametrize(
    "column",
    {
        "income": lambda i: 20000 + i * 9973 % 50000,  # whole, all different, far apart
        "real": lambda i: i + 0.5,
        "counts": lambda i: i % 100,
        "level": lambda i: f"l{i % 30}",
        "rounded": lambda i: (i * 31 % ROWS) // 2,
    }.items(),
    ids=lambda item: item[0],
)
def test_quantities_and_categories_stay(fsieve, write, column):
    write("t.csv", table(**dict([column])))
    result = fsieve.json("reduce", "t.csv", "--label", "y")
    assert result["ignored"] == []
    assert result["data"]["features"] == 6


@pytest.mark.parametrize(
    "number",
    {
        "from zero": lambda i: i,
        "shuffled": lambda i: i * 7 % ROWS,
        "from a million": lambda i: 1000000 + i,
        "with gaps": lambda i: i + i // 10,
        "as decimals": lambda i: f"{i}.0",
        "every second missing one": lambda i: "" if i == 17 else i,
    }.items(),
    ids=lambda item: item[0],
)
def test_numbers_that_count_the_rows(fsieve, write, number):
    write("t.csv", table(n=number[1]))
    result = fsieve.json("reduce", "t.csv", "--label", "y", "--missing", "mean")
    assert result["ignored"] == [{"name": "n", "index": 0, "reason": "identifier"}]


# More than a tenth of NA made a column of wages a category of 60 levels, without a word.
@pytest.mark.parametrize("mark, said", [("NA", True), (".", True), ("10+", False)])
def test_numbers_that_a_mark_makes_a_category_are_said(fsieve, write, mark, said):
    draw = random.Random(1)
    cells = [mark if i % 5 == 0 else draw.randint(1, 9) for i in range(200)]
    path = write("wages.csv", "wage,x\n" + "".join(f"{cell},{draw.gauss(0, 1):.6f}\n" for cell in cells))
    warned = [warning for warning in fsieve.json("reduce", path)["warnings"] if "--na" in warning]
    expected = f'{path}: column "wage" is a category of numbers and 40 times "{mark}" (if that marks missing values: --na {mark})'
    assert warned == ([expected] if said else [])
    assert fsieve.json("reduce", path, "--na", mark, "--missing", "mean")["warnings"] == []


def test_few_rows_name_nothing(fsieve, write):
    write("t.csv", table(rows=12, name=lambda i: f"n{i}", number=lambda i: i))
    assert fsieve.json("reduce", "t.csv", "--label", "y")["ignored"] == []


def test_ranks_are_no_identifiers(fsieve, write):
    rows = ["a,b,c"] + [f"{i},{i * 7 % 100},{i * 31 % 100}" for i in range(100)]
    write("ranks.csv", "\n".join(rows) + "\n")
    assert fsieve.json("reduce", "ranks.csv")["ignored"] == []


@pytest.mark.parametrize(
    "wish", [["--use", "id,n"], ["--use", "*"], ["--categorical", "id,n"], ["--columns", "id,n,a,b,c"]]
)
def test_wishes_win(fsieve, write, wish):
    write("t.csv", table(rows=60, id=lambda i: f"r{i}", n=lambda i: i))
    result = fsieve.json("reduce", "t.csv", "--label", "y", *wish)
    assert result["ignored"] == []
    fsieve.fails(1, 'no column "idd"', "reduce", "t.csv", "--use", "idd")


def test_nothing_left(fsieve, write):
    write("t.csv", "id,t\n" + "".join(f"r{i},s{i}\n" for i in range(50)))
    fsieve.fails(1, ["no feature columns are left", '"id" names the rows', "--use id"], "reduce", "t.csv")


def test_output_and_apply_keep_ignored_columns_in_their_place(fsieve, write):
    text = table(id=lambda i: f"r{i}", gaps=lambda i: "" if i % 10 else i)
    header, *lines = text.splitlines()
    header = "a," + header.replace(",a,", ",").removesuffix(",y") + ",y"
    moved = [header]
    for line in lines:
        id_, gaps, a, *rest = line.split(",")
        moved.append(",".join([a, id_, gaps, *rest]))
    write("t.csv", "\n".join(moved) + "\n")
    fsieve("select", "t.csv", "--label", "y", "-k", "1", "-o", "o.csv", "--save", "r.json")
    wanted = ["id,gaps,c,y"] + [
        ",".join([cells[1], cells[2], cells[5 - 1], cells[-1]])
        for cells in (line.split(",") for line in moved[1:])
    ]
    assert (fsieve.folder / "o.csv").read_text().splitlines() == wanted
    assert fsieve("apply", "r.json", "t.csv").splitlines() == wanted
    assert fsieve("apply", "r.json", "-", stdin=(fsieve.folder / "t.csv").read_bytes()).splitlines() == wanted
    # A file without them is as good.
    write("new.csv", "c,y\n1.5,yes\n")
    assert fsieve("apply", "r.json", "new.csv") == "c,y\n1.5,yes\n"
    fsieve("select", "t.csv", "--label", "y", "-k", "1", "-o", "o.parquet")
    import numpy as np
    import pyarrow.parquet as parquet

    assert parquet.read_table(fsieve.folder / "o.parquet").column_names == ["id", "gaps", "c", "y"]
    fsieve("reduce", "t.csv", "--exclude", "y", "-o", "o.npy")
    assert np.load(fsieve.folder / "o.npy").shape == (ROWS, 5)


def test_the_same_from_pipes_files_and_threads(fsieve, write):
    text = table(rows=3000, id=lambda i: f"r{i}", n=lambda i: i * 7 % 3000, gaps=lambda i: "" if i % 3 else 1)
    write("t.csv", text)
    arguments = ["--label", "y", "--no-timing"]
    plain = fsieve("reduce", "t.csv", *arguments, "--json")
    assert names(fsieve.json("reduce", "t.csv", *arguments)["ignored"]) == ["id", "n", "gaps"]
    for more in (["--memory", "1K"], ["--threads", "1"]):
        assert fsieve("reduce", "t.csv", *arguments, *more, "--json") == plain
    piped = fsieve("reduce", "-", *arguments, "--json", stdin=text.encode())
    assert piped.replace("standard input", "t.csv").replace('"source": "-"', '"source": "t.csv"') == plain


def test_a_model_does_not_ask_for_ignored_columns(fsieve, write):
    write("t.csv", table(id=lambda i: f"r{i}"))
    fsieve("learn", "t.csv", "--label", "y", "-k", "1", "--binarize", "median", "-o", "m.json")
    write("new.csv", "c\n2.5\n-2.5\n")
    rows = fsieve("predict", "m.json", "new.csv").splitlines()
    assert [row.split(",")[1] for row in rows] == ["prediction", "yes", "no"]


def test_categorical_takes_patterns(fsieve, write):
    """`--categorical 'rs*'` was "no column" where --columns takes patterns."""
    rows = [f"{i % 3},{i * i % 7 % 3},{i * 37 % 11}" for i in range(90)]
    write("t.csv", "rs1,rs2,other\n" + "\n".join(rows) + "\n")
    one = fsieve.json("reduce", "t.csv", "--categorical", "rs1,rs2", "--no-timing")
    both = fsieve.json("reduce", "t.csv", "--categorical", "rs*", "--no-timing", "--save", "r.json")
    assert both.pop("parameters")["categorical"] == ["rs*"]
    one.pop("parameters")
    assert both == one
    assert fsieve("apply", "r.json", "t.csv").splitlines()[0].startswith("rs1")
    fsieve.fails(1, "no column matches", "reduce", "t.csv", "--categorical", "zz*")


def test_dates_become_numbers_and_parts(fsieve, write, validate):
    """A date in text was a category of as many levels as days, or an error beyond 1000."""
    days = [f"{2019 + i % 4}-{i * 7 % 12 + 1:02d}-{i * 11 % 28 + 1:02d}" for i in range(ROWS)]
    late = [int(day[5:7]) > 6 for day in days]
    chance = random.Random(1)
    rows = [f"{chance.gauss(0, 1):.4f},{day},{'yes' if l else 'no'}" for day, l in zip(days, late)]
    write("t.csv", "a,when,y\n" + "\n".join(rows) + "\n")
    arguments = ["t.csv", "--label", "y"]
    result = validate(
        fsieve.json("select", *arguments, "-k", "1", "-o", "o.csv", "--save", "r.json"), "select"
    )
    assert result["ignored"] == []
    assert [(f["name"], f["index"]) for f in result["selected"]] == [("when.month", 1)]
    assert names(fsieve.json("reduce", *arguments)["selected"]) == [
        "a",
        "when",
        "when.month",
        "when.weekday",
    ]
    # The column itself is written, as it stands.
    wanted = ["when,y"] + [row.split(",", 1)[1] for row in rows]
    assert (fsieve.folder / "o.csv").read_text().splitlines() == wanted
    assert fsieve("apply", "r.json", "t.csv").splitlines() == wanted
    fsieve("learn", *arguments, "-k", "1", "--binarize", "median", "-o", "m.json")
    write("new.csv", "when\n2030-11-05\n2030-02-05\n")
    rows = fsieve("predict", "m.json", "new.csv").splitlines()
    assert [row.split(",")[1] for row in rows] == ["prediction", "yes", "no"]


@pytest.mark.parametrize(
    "style", ["{2}/{1}/{0}", "{2:02d}.{1:02d}.{0}", "{1}/{2}/{0}", "{2:02d}-{3}-{4}", "{3} {2}, {0}"]
)
def test_dates_as_people_write_them(fsieve, write, style):
    """Text before: an identifier where nearly all differ, else a category of as many levels as days."""
    months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
    days = [(2019 + i % 4, i * 7 % 12 + 1, i * 11 % 28 + 1) for i in range(ROWS)]
    chance = random.Random(1)
    rows = [
        f'{chance.gauss(0, 1):.4f},"{{}}",{"yes" if month > 6 else "no"}' for _, month, _ in days
    ]
    written = [style.format(y, m, d, months[m - 1], f"{y % 100:02d}") for y, m, d in days]
    plain = [f"{y}-{m:02d}-{d:02d}" for y, m, d in days]
    for name, texts in (("t.csv", written), ("plain.csv", plain)):
        write(name, "a,when,y\n" + "\n".join(map(str.format, rows, texts)) + "\n")
    arguments = ["--label", "y", "--no-timing"]
    answers = [fsieve.json("select", name, *arguments) for name in ("t.csv", "plain.csv")]
    for answer in answers:
        del answer["data"]["source"]
    assert answers[0] == answers[1]
    assert names(answers[0]["selected"])[0] == "when.month"
    assert fsieve.json("select", "t.csv", *arguments, "--memory", "1M")["selected"] == answers[0]["selected"]


def test_dates_that_can_be_read_in_two_ways_are_text(fsieve, write):
    rows = [f"{i * 7 % 12 + 1:02d}/{i * 11 % 12 + 1:02d}/2024,{i % 5}" for i in range(ROWS)]
    write("t.csv", "when,a\n" + "\n".join(rows) + "\n")
    result = fsieve.json("reduce", "t.csv")
    assert any('column "when" is text: the dates in it may be read' in warning for warning in result["warnings"])
    write("t.csv", "when,a\n" + "\n".join([*rows, "31/01/2024,3"]) + "\n")
    result = fsieve.json("reduce", "t.csv")
    assert not any("may be read" in warning for warning in result["warnings"])
    assert "when" in names(result["selected"]) and result["ignored"] == []


def test_dates_that_can_be_read_in_two_ways_are_told_where_all_differ(fsieve, write):
    rows = [f"{i % 12 + 1:02d}/{i // 60 % 12 + 1:02d}/2024 {i % 24:02d}:{i % 60:02d},{i * i % 101}" for i in range(ROWS)]
    write("t.csv", "when,a\n" + "\n".join(rows) + "\n")
    result = fsieve.json("reduce", "t.csv")
    assert result["ignored"] == [{"name": "when", "index": 0, "reason": "identifier"}]
    assert any('column "when" is text: the dates in it may be read' in warning for warning in result["warnings"])


@pytest.mark.parametrize(
    ("cell", "said"), [("3/4/2020", "may be read with the day or with the month first"), ("soon", "holds no dates")]
)
def test_a_model_of_months_wants_dates(fsieve, write, cell, said):
    rows = [f"{i * 7 % 12 + 1}/{i * 11 % 28 + 1}/{2000 + i % 9},{int(i * 7 % 12 > 5)}" for i in range(ROWS)]
    write("t.csv", "when,y\n" + "\n".join(rows) + "\n")
    fsieve("learn", "t.csv", "--label", "y", "-k", "1", "--binarize", "median", "-o", "m.json")
    write("new.csv", f"when,a\n{cell},1\n")
    done = fsieve.run("predict", "m.json", "new.csv")
    assert (done.code, done.out) == (1, "")
    assert 'new.csv: column "when" ' in done.err and said in done.err


@pytest.mark.parametrize("extension", ["parquet", "feather"])
def test_dates_of_typed_files(fsieve, write, extension):
    import pyarrow as pa
    from pyarrow import feather, parquet

    stamps = [1_550_000_000 + 137_213 * i for i in range(ROWS)]
    table = pa.table(
        {
            "stamp": pa.array(stamps, pa.timestamp("s")).cast(pa.timestamp("ms")),
            "day": pa.array([s // 86400 for s in stamps], pa.int32()).cast(pa.date32()),
            "a": [float(i * 37 % 101) for i in range(ROWS)],
        }
    )
    path = fsieve.folder / f"t.{extension}"
    (parquet.write_table if extension == "parquet" else feather.write_feather)(table, path)
    result = fsieve.json("reduce", path.name, "--order", "input", "--stages", "1", "-o", f"o.{extension}")
    found = names(result["selected"]) + names(result["removed"])
    assert {"stamp", "stamp.month", "stamp.weekday", "stamp.hour", "day", "a"} <= set(found)
    assert "day.hour" not in found
    read = parquet.read_table if extension == "parquet" else feather.read_table
    assert read(fsieve.folder / f"o.{extension}").schema.field("stamp").type == pa.timestamp("ms")


def test_dates_and_gaps_agree_in_memory_and_from_the_file(fsieve, write):
    rows = [
        f"{'' if i % 50 == 3 else f'2020-{i % 12 + 1:02d}-{i % 28 + 1:02d}T{i % 24:02d}:30'},{i * i % 31},{i % 7}"
        for i in range(2000)
    ]
    write("t.csv", "when,a,b\n" + "\n".join(rows) + "\n")
    for missing in ("drop", "mean"):
        outputs = {
            fsieve("reduce", "t.csv", "--missing", missing, "--json", "--no-timing", *more)
            for more in ([], ["--memory", "1K"], ["--threads", "1"])
        }
        assert len(outputs) == 1
    fsieve("reduce", "t.csv", "--missing", "mean", "-o", "o.csv")
    assert (fsieve.folder / "o.csv").read_text().splitlines()[4].startswith(",")  # no date was made up


def test_a_column_with_one_other_text_is_no_date(fsieve, write):
    rows = [f"{'soon' if i == 9 else f'2020-01-{i % 9 + 1:02d}'},{i * i % 31}" for i in range(100)]
    write("t.csv", "when,a\n" + "\n".join(rows) + "\n")
    result = fsieve.json("reduce", "t.csv")
    assert names(result["selected"] + result["removed"]) == ["when", "a"]


def category(levels, rows=600, signal=None):
    """A category of many levels beside two numbers of which the first decides the label."""
    chance = random.Random(levels)
    lines = ["city,a,b,y"]
    for _ in range(rows):
        city = int(levels * chance.random() ** 2)
        a, b = chance.gauss(0, 1), chance.gauss(0, 1)
        value = a if signal is None else 2 * (city in signal) - 1
        lines.append(f"c{city},{a:.4f},{b:.4f},{'yes' if value + chance.gauss(0, 0.7) > 0 else 'no'}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("levels", [40, 150, 500])
def test_a_category_of_noise_neither_wins_nor_hides(fsieve, write, levels):
    """county (320 levels of 437 rows): with k = 2 it came first, with -k certain nothing was found."""
    write("t.csv", category(levels))
    assert names(fsieve.json("select", "t.csv", "--label", "y", "-k", "certain")["selected"]) == ["a"]
    assert names(fsieve.json("select", "t.csv", "--label", "y", "-k", "1")["selected"]) == ["a"]


def test_a_category_that_counts_is_found(fsieve, write):
    write("t.csv", category(150, signal={0, 1, 2, 5, 7}))
    found = fsieve.json("select", "t.csv", "--label", "y", "-k", "certain", "--save", "r.json")
    assert names(found["selected"]) == ["city"]
    assert found["ignored"] == []


def test_a_model_knows_the_pooled_levels(fsieve, write):
    write("t.csv", category(150, signal={0, 1, 2, 5, 7}))
    model = fsieve.json("learn", "t.csv", "--label", "y", "-k", "2", "--columns", "city*", "-o", "m.json")
    feature = model["features"][0]
    assert feature["pooled"] == "other"
    assert "other" in feature["levels"]
    write("new.csv", "city\nc0\nnowhere\n")
    rows = fsieve("predict", "m.json", "new.csv").splitlines()
    assert rows[1].split(",")[1] == "yes" and rows[2].split(",")[1] == "no"


def test_more_than_a_thousand_levels(fsieve, write):
    """More than 1000 levels were an error."""
    rows = [f"c{i % 1500},{i * i % 31},{i * 37 % 101}" for i in range(30000)]
    write("t.csv", "city,a,b\n" + "\n".join(rows) + "\n")
    result = fsieve.json("reduce", "t.csv")
    assert names(result["selected"]) == ["city", "a", "b"]
    assert fsieve.json("reduce", "t.csv", "--memory", "1K")["selected"] == result["selected"]


def test_budgets_count_columns_of_categories(fsieve, write):
    """Twelve text columns of 900 levels took 17 GB under --memory 16M, and ended out of memory."""
    lines = [",".join([*(f"t{j}" for j in range(12)), "y"])]
    chance = random.Random(3)
    for _ in range(12000):
        lines.append(",".join([f"l{chance.randrange(900)}" for _ in range(12)] + [chance.choice("ab")]))
    write("t.csv", "\n".join(lines) + "\n")
    fsieve.fails(
        1,
        ["12 features are 1200 columns", "--memory", "levels"],
        "select", "t.csv", "--label", "y", "-k", "2", "--memory", "16M",
    )  # fmt: skip


def test_bins_keep_zeros_and_genotypes(fsieve, write):
    """bins=4 dropped 43 of 57 columns of spam: most of their values are 0. --bins 3 merged 0, 1 and 2."""
    chance = random.Random(5)
    lines = ["zeros,gene,noise,y"]
    for _ in range(600):
        zeros = round(chance.expovariate(1), 3) if chance.random() < 0.15 else 0
        gene = chance.choices([0, 1, 2], [60, 30, 10])[0]
        label = zeros > 0 or gene == 2
        lines.append(f"{zeros},{gene},{chance.gauss(0, 1):.3f},{'yes' if label else 'no'}")
    write("t.csv", "\n".join(lines) + "\n")
    for bins in ("3", "4"):
        result = fsieve.json("select", "t.csv", "--label", "y", "-k", "2", "--bins", bins)
        assert set(names(result["selected"])) == {"zeros", "gene"}
        assert result["selected"][-1]["score"] > 0.98


def test_counts_as_labels_are_said(fsieve, write):
    rows = [f"{i % 20},{i * 37 % 101},{i * i % 31}" for i in range(400)]
    write("t.csv", "count,a,b\n" + "\n".join(rows) + "\n")
    result = fsieve.json("select", "t.csv", "--label", "count", "-k", "1")
    assert any("20 different whole numbers" in warning for warning in result["warnings"])
    result = fsieve.json("select", "t.csv", "--label", "count", "-k", "1", "--task", "regression")
    assert not any("whole numbers" in warning for warning in result["warnings"])


def test_a_skipped_scan_is_in_the_report(fsieve, write):
    """It was on standard error only, and the report said that no feature convinces."""
    chance = random.Random(2)
    rows = [",".join(str(chance.randrange(2)) for _ in range(21)) for _ in range(200)]
    write("t.csv", ",".join([*(f"x{j}" for j in range(20)), "y"]) + "\n" + "\n".join(rows) + "\n")
    arguments = ["select", "t.csv", "--label", "y", "-k", "certain", "--scan-limit", "10"]
    assert "hidden subsets of 2 features were not looked for" in " ".join(fsieve(*arguments).split())
    assert any("hidden subsets" in warning for warning in fsieve.json(*arguments)["warnings"])


def test_r2_that_was_asked_for_is_no_warning(fsieve, write):
    chance = random.Random(4)
    lines = ["a,b"]
    for _ in range(300):
        a = chance.gauss(0, 1)
        lines.append(f"{a:.4f},{a + chance.gauss(0, 0.4):.4f}")
    write("t.csv", "\n".join(lines) + "\n")
    result = fsieve.json("reduce", "t.csv", "--r2", "0.8", "--order", "input")
    assert len(result["removed"]) == 1
    assert result["warnings"] == []


@pytest.mark.parametrize("name", ["r.tsv", "r.csv", "R.PARQUET"])
def test_save_under_the_name_of_a_table(fsieve, cars, name):
    """--save x.tsv wrote JSON."""
    fsieve.fails(2, ["--save", "JSON", ".json"], "reduce", cars.name, "--save", name)


@pytest.mark.parametrize("memory", ["512M", "1K"])
def test_gaps_are_filled_and_rows_without_a_label_are_left_out(fsieve, write, memory):
    """It was an error with one way out: to drop all rows that have a gap anywhere."""
    chance = random.Random(3)
    rows, wanted = [], []
    for i in range(ROWS):
        a, colour, label = f"{chance.gauss(0, 1):.3f}", chance.choice("ruv"), chance.choice(["yes", "no"])
        if i % 50 == 0:
            colour = "only without a label"
        rows.append((a if i % 7 else "", colour if i % 11 else "", "" if i % 50 == 0 else label))
    kept = [row for row in rows if row[2]]
    mean = sum(float(a) for a, _, _ in rows if a) / sum(a != "" for a, _, _ in rows)
    usual = max("ruv", key=[colour for _, colour, _ in rows].count)
    write("t.csv", "a,colour,y\n" + "".join(",".join(row) + "\n" for row in rows))
    arguments = ["t.csv", "--label", "y", "--missing", "mean", "--memory", memory]
    result = fsieve.json("reduce", *arguments, "-o", "o.csv")
    assert result["data"]["rows"] == len(kept)
    told = f't.csv: {ROWS - len(kept)} of {ROWS} rows have no label "y" and are left out'
    assert told in result["warnings"]
    written = [line.split(",") for line in (fsieve.folder / "o.csv").read_text().splitlines()]
    assert written[0] == ["a", "colour", "y"] and len(written) == len(kept) + 1
    for (a, colour, label), line in zip(kept, written[1:], strict=True):
        assert float(line[0]) == pytest.approx(float(a) if a else mean)
        assert line[1:] == [colour or usual, label]
    assert told in fsieve.json("select", *arguments[:-2], "-k", "1")["warnings"]


def test_dropping_every_row_says_what_else_to_do(fsieve, write):
    """1 % missing in each of many columns lost every row, and that was all it said."""
    lines = [",".join(f"x{j}" for j in range(40))]
    for i in range(40):
        lines.append(",".join("" if j == i or (j == 7 and i % 3 == 0) else str(i * j % 11) for j in range(40)))
    write("t.csv", "\n".join(lines) + "\n")
    for memory in ("512M", "1K"):
        fsieve.fails(
            1,
            ["every row has a missing value", 'most are missing in "x7"', "--missing mean", "--exclude"],
            "reduce", "t.csv", "--missing", "drop", "--memory", memory,
        )  # fmt: skip


def test_learn_cuts_numbers_at_the_median(fsieve, write):
    """It was an error without --binarize."""
    write("t.csv", table())
    plain = fsieve.json("learn", "t.csv", "--label", "y", "-k", "1")
    asked = fsieve.json("learn", "t.csv", "--label", "y", "-k", "1", "--binarize", "median")
    assert plain["features"] == asked["features"]
    assert plain["subset"] == ["c"]
    assert len(plain["warnings"]) == 1 and "cut in two at the median" in plain["warnings"][0]
    assert asked["warnings"] == []


def test_a_date_and_a_copy_cost_others_little(fsieve, write):
    """Five numbers; a date (three features) and a copy made p-values 9/5 as large, now 6/5: one more column."""
    plain = write("plain.csv", table())
    chance = random.Random(3)
    columns = [line.split(",") for line in plain.read_text().splitlines()]
    days = [f"20{chance.randint(10, 19)}-{chance.randint(1, 12):02d}-{chance.randint(1, 28):02d}" for _ in columns]
    lines = [",".join([*cells[:-1], day, f"{float(cells[0]) + 1e-7:.9f}", cells[-1]]) for cells, day in zip(columns[1:], days[1:])]
    write("raw.csv", "\n".join([",".join([*columns[0][:-1], "when", "copy", "y"]), *lines]) + "\n")
    options = ["--label", "y", "-k", "certain"]
    before = fsieve.json("select", "plain.csv", *options)["selected"]
    after = fsieve.json("select", "raw.csv", *options)
    assert names(before) == names(after["selected"]) == ["c"]
    assert after["selected"][0]["p_value"] == pytest.approx(6 / 5 * before[0]["p_value"])
    assert {"copy", "when", "when.month", "when.weekday"} <= {entry["name"] for entry in after["ranking"]}


@pytest.mark.parametrize("name", ["customer id", "price, net", "it's"])
def test_hints_can_be_pasted(fsieve, write, name):
    """--use customer id was two words to a shell, and a comma separates names."""
    field = '"' + name + '"'
    rows = "".join(f"c{i},{i * 7 % 13},{i * i % 17}\n" for i in range(60))
    path = write("t.csv", f"{field},a,b\n" + rows)
    said = fsieve.run("reduce", path.name).err
    words = shlex.split(re.search(r"to use it: (--use .*)\)", said)[1])
    assert "set aside" not in fsieve.run("reduce", path.name, *words).err


@pytest.mark.parametrize("method", [[], ["--method", "gfs"]])
def test_a_constant_category_has_its_level(fsieve, write, method):
    """It was `(constant) region=north = 1`."""
    write("t.csv", "region,a,b\n" + "".join(f"north,{i % 7},{i * i % 11}\n" for i in range(ROWS)))
    said = fsieve("reduce", "t.csv", *method)
    assert "(constant) region = north\n" in said
