"""Columns that a command writes keep their values, types and (CSV to CSV) spelling."""

import csv
import datetime
import decimal
import io
import json
import struct

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

BIG = 2**53
MEMORY = ["1K", "512M"]  # block by block, and held
READ = {"parquet": pyarrow.parquet.read_table, "feather": pyarrow.feather.read_table}
WRITE = {"parquet": pyarrow.parquet.write_table, "feather": pyarrow.feather.write_feather}


def rows_of(text):
    return list(csv.reader(io.StringIO(text)))


@pytest.fixture
def model(fsieve, write):
    write("train.csv", "a,b,y\n" + "".join(f"{i % 2},{i // 2 % 2},{'ny'[i % 2 & i // 2 % 2]}\n" for i in range(80)))
    fsieve("learn", "train.csv", "--label", "y", "-k", 2, "-o", "m.json", "-q")


SPELLED = [
    ["00003", "+493", "49.50", "1e3", "2024-01-05", str(BIG + 1), " x ", '"q,1"', "n", "0", "1"],
    ["00017", "7", "4.950e1", "-0", "2024-01-06", str(BIG + 2), "y", '""', "y", "1", "1"],
    ["3", "-7", ".5", "1E-3", "2024-01-07", str(BIG + 3), "z", "k", "n", "1", "0"],
    ["04", "0007", "5.", "12", "2024-02-29", str(2**63), "x", '"k"', "y", "0", "0"],
]
NAMES = ["zip", "plus", "price", "real", "day", "id", "word", "quoted", "y", "a", "b"]


def spelled(rows):
    return "".join(",".join(row) + "\n" for row in rows)


@pytest.mark.parametrize("memory", MEMORY)
def test_spelling_from_csv_to_csv(fsieve, write, model, memory):
    write("t.csv", ",".join(NAMES) + "\n" + spelled(SPELLED * 2))
    out = fsieve("predict", "m.json", "t.csv", "--memory", memory)
    assert [line.rsplit(",", 2)[0] for line in out.splitlines()] == [",".join(NAMES), *spelled(SPELLED * 2).splitlines()]

    keep = "plus,price,real,day,id,word,zip"
    fsieve("reduce", "t.csv", "--columns", keep, "--label", "y", "--epsilon", "1e-9", "-o", "r.csv", "--memory", memory)
    kept = rows_of((fsieve.folder / "r.csv").read_text())
    whole = rows_of(",".join(NAMES) + "\n" + spelled(SPELLED * 2))
    assert kept[0][-1] == "y" and len(kept[0]) >= 3
    places = [NAMES.index(name) for name in kept[0]]
    assert kept == [[row[place] for place in places] for row in whole]

    fsieve("select", "t.csv", "--columns", "id,zip,price", "--label", "y", "-k", "3", "-o", "s.csv", "--save", "s.json",
           "--memory", memory)
    kept = rows_of((fsieve.folder / "s.csv").read_text())
    assert kept == [[row[NAMES.index(name)] for name in kept[0]] for row in whole]
    applied = rows_of(fsieve("apply", "s.json", "t.csv", "--memory", memory))
    assert applied == [[row[NAMES.index(name)] for name in applied[0]] for row in whole]


@pytest.mark.parametrize("memory", MEMORY)
def test_ids_keep_their_digits_and_are_warned_about(fsieve, write, memory):
    rows = [(BIG + i, i * 37 % 11, i * 53 % 7) for i in range(50)]
    text = "id,a,b\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    write("ids.csv", text)
    done = fsieve.run("reduce", "ids.csv", "-o", "red.csv", "--save", "r.json", "--memory", memory)
    assert done.code == 0
    assert (fsieve.folder / "red.csv").read_text() == text
    said = warnings_of_digits(done.err)
    assert len(said) == 1 and 'column "id"' in said[0]
    assert fsieve("apply", "r.json", "ids.csv", "--memory", memory) == text
    assert "2^53" not in fsieve.run("reduce", "ids.csv", "--exclude", "id").err


def warnings_of_digits(error):
    return [line for line in error.splitlines() if "2^53" in line]


@pytest.mark.parametrize("memory", MEMORY)
@pytest.mark.parametrize("source", ["csv", *READ])
def test_two_ids_that_are_one_double_are_no_constant(fsieve, validate, source, memory):
    """As doubles both are 2^53: nothing can be computed with them, and nothing is said about them."""
    rows = [(BIG + i % 2, i * 37 % 11, i * 53 % 7) for i in range(60)]
    text = "id,a,b\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    table = pa.table({name: [row[j] for row in rows] for j, name in enumerate(["id", "a", "b"])})
    if source == "csv":
        (fsieve.folder / "t.csv").write_text(text)
    else:
        WRITE[source](table, str(fsieve.folder / f"t.{source}"))
    shared = ["--memory", memory, "-o", f"r.{source}", "--save", "r.json"]
    for options in ["", "--protect id", "--use id", "--columns id,a,b", "--categorical id", "--method gfs -k 2"]:
        done = fsieve.run("reduce", f"t.{source}", *options.split(), *shared)
        assert done.code == 0, done.err
        said = warnings_of_digits(done.err)
        assert len(said) == 1 and 'column "id"' in said[0] and "set aside" in said[0]
        assert "set aside: id" in done.out and "constant" not in done.out
        result = validate(json.loads((fsieve.folder / "r.json").read_text()), "reduce")
        assert result["ignored"] == [{"name": "id", "index": 0, "reason": "rounded"}]
        assert "id" not in [feature["name"] for feature in result["removed"] + result["selected"]]
        if source == "csv":
            assert (fsieve.folder / "r.csv").read_text() == text
        else:
            assert READ[source](str(fsieve.folder / f"r.{source}")).equals(table)
        assert fsieve("apply", "r.json", f"t.{source}", "--memory", memory) == text
    done = fsieve.run("select", f"t.{source}", "--label", "a", "-k", "1", "--memory", memory, "-o", "s.csv")
    assert done.code == 0 and len(warnings_of_digits(done.err)) == 1
    assert [row[0] for row in rows_of((fsieve.folder / "s.csv").read_text())[1:]] == [str(row[0]) for row in rows]
    says = '"id" has whole numbers beyond 2^53 that are all the same when rounded'
    fsieve.fails(1, says, "reduce", f"t.{source}", "--columns", "id", "--memory", memory)


WIDE = {
    "int64": pa.int64(),
    "uint64": pa.uint64(),
    "decimal": pa.decimal128(20, 0),
    "scaled": pa.decimal128(18, -2),
    "dictionary": pa.dictionary(pa.int32(), pa.int64()),
}


def wide_array(name, numbers):
    if name == "dictionary":
        return pa.array(numbers).dictionary_encode()
    if name in ("decimal", "scaled"):
        return pa.array([decimal.Decimal(number) for number in numbers]).cast(WIDE[name])
    return pa.array(numbers, WIDE[name])


# Parquet has no decimals of negative scale.
PAIRS = [(source, name) for source in READ for name in WIDE if (source, name) != ("parquet", "scaled")]


@pytest.mark.parametrize("memory", MEMORY)
@pytest.mark.parametrize(("source", "name"), PAIRS)
def test_every_type_of_whole_numbers_warns(fsieve, source, name, memory):
    def write(first):
        numbers = [first + i * 3700 % 1100 * 100 for i in range(600)]
        others = {"a": [i * 53 % 7 for i in range(600)], "b": [i * 29 % 13 for i in range(600)]}
        table = pa.table({"id": wide_array(name, numbers), **others, "id2": wide_array(name, numbers[::-1])})
        if source == "parquet":
            pyarrow.parquet.write_table(table, str(fsieve.folder / "t.parquet"), row_group_size=100)
        else:
            pyarrow.feather.write_feather(table, str(fsieve.folder / "t.feather"), chunksize=100)

    write(10**17)
    error = fsieve.run("reduce", f"t.{source}", "--memory", memory).err
    said = warnings_of_digits(error)
    assert ['"id"' in line for line in said] == [True, False] and '"id2"' in said[1]
    assert "2^53" not in fsieve.run("reduce", f"t.{source}", "--exclude", "id*", "--memory", memory).err
    write(10**15)
    assert "2^53" not in fsieve.run("reduce", f"t.{source}", "--memory", memory).err


@pytest.mark.parametrize("memory", MEMORY)
@pytest.mark.parametrize("fortran", [False, True])
@pytest.mark.parametrize("kind", ["<i8", ">i8", "<u8"])
def test_numpy_arrays_of_whole_numbers_warn(fsieve, kind, fortran, memory):
    rows = np.array([[i * 53 % 7, 1000 * i % 1100, i * 29 % 13, i * 17 % 11] for i in range(600)], kind)
    rows[-1, 1] = BIG + 1  # in the last block only
    rows[0, 3] = BIG
    np.save(fsieve.folder / "t.npy", np.asfortranarray(rows) if fortran else rows)
    said = warnings_of_digits(fsieve.run("reduce", "t.npy", "--memory", memory).err)
    assert ['"x2"' in line for line in said] == [True, False] and '"x4"' in said[1]
    np.save(fsieve.folder / "t.npy", rows.astype("<f8"))
    assert "2^53" not in fsieve.run("reduce", "t.npy", "--memory", memory).err


@pytest.mark.parametrize("memory", MEMORY)
def test_rows_that_are_left_out_stay_out(fsieve, write, model, memory):
    lines = [f"{i:05},{'' if i % 7 == 3 else i % 2},{i // 2 % 2},{BIG + i}" for i in range(3000)]
    write("t.csv", "zip,a,b,id\n" + "\n".join(lines) + "\n")
    options = ["--missing", "drop", "--rows", "100:2900", "--memory", memory]
    expected = [line for i, line in enumerate(lines) if 100 <= i + 1 <= 2900 and i % 7 != 3]
    out = fsieve("predict", "m.json", "t.csv", *options)
    assert [line.rsplit(",", 2)[0] for line in out.splitlines()[1:]] == expected
    fsieve("reduce", "t.csv", *options, "-o", "r.csv", "--epsilon", "1e-9")
    kept = rows_of((fsieve.folder / "r.csv").read_text())
    names = "zip,a,b,id".split(",")
    assert kept[1:] == [[line.split(",")[names.index(name)] for name in kept[0]] for line in expected]
    fsieve("predict", "m.json", "t.csv", *options, "-o", "p.parquet")
    table = pyarrow.parquet.read_table(str(fsieve.folder / "p.parquet"))
    assert table["id"].to_pylist() == [int(line.split(",")[3]) for line in expected]
    assert table["id"].type == pa.int64()


@pytest.mark.parametrize("memory", MEMORY)
def test_filled_cells_are_new_and_the_others_are_not(fsieve, write, memory):
    write("t.csv", "p,w,q\n01.50,red,4\n,red,0005\n02.50,,6\n3.500,blue,9\n")
    fsieve("reduce", "t.csv", "--missing", "mean", "--epsilon", "1e-9", "-o", "r.csv", "--memory", memory)
    assert (fsieve.folder / "r.csv").read_text() == "p,w,q\n01.50,red,4\n2.5,red,0005\n02.50,red,6\n3.500,blue,9\n"
    fsieve("reduce", "t.csv", "--missing", "mean", "--epsilon", "1e-9", "-o", "r.parquet", "--memory", memory)
    table = pyarrow.parquet.read_table(str(fsieve.folder / "r.parquet"))
    assert table.to_pydict() == {"p": [1.5, 2.5, 2.5, 3.5], "w": ["red", "red", "red", "blue"], "q": [4, 5, 6, 9]}


def typed_table(rows=600):
    day = datetime.datetime(2024, 1, 5, 12, 30, 0, 123456)
    category = pa.array([["low", "mid", "high"][i * i % 3] for i in range(rows)]).dictionary_encode()
    return pa.table(
        {
            "id": pa.array([BIG + i for i in range(rows)], pa.int64()),
            "natural": pa.array([2**64 - 1 - i for i in range(rows)], pa.uint64()),
            "small": pa.array([i % 100 for i in range(rows)], pa.int8()),
            "price": pa.array([decimal.Decimal(i) / 100 for i in range(rows)], pa.decimal128(12, 2)),
            "wide": pa.array([decimal.Decimal(10**30 + i) for i in range(rows)], pa.decimal256(40, 0)),
            "flag": pa.array([i % 3 == 0 for i in range(rows)]),
            "single": pa.array([i / 3 for i in range(rows)], pa.float32()),
            "large": pa.array([f"t{i % 5}" for i in range(rows)], pa.large_string()),
            "category": category,
            "a": pa.array([i % 2 for i in range(rows)], pa.int32()),
            "b": pa.array([i // 2 % 2 for i in range(rows)], pa.int64()),
            "time": pa.array([day + datetime.timedelta(seconds=i) for i in range(rows)], pa.timestamp("us", "UTC")),
            "date": pa.array([day.date()] * rows, pa.date32()),
            "y": pa.array([i % 2 & i // 2 % 2 for i in range(rows)], pa.int16()),
        }
    )


USABLE = ["id", "natural", "small", "price", "flag", "single", "large", "category", "a", "b"]


@pytest.mark.parametrize("memory", MEMORY)
@pytest.mark.parametrize("source", ["parquet", "feather"])
@pytest.mark.parametrize("target", ["parquet", "feather"])
def test_types_of_parquet_and_feather(fsieve, model, source, target, memory):
    table = typed_table()
    WRITE[source](table, str(fsieve.folder / f"t.{source}"))
    fsieve("predict", "m.json", f"t.{source}", "-o", f"p.{target}", "--memory", memory)
    out = READ[target](str(fsieve.folder / f"p.{target}"))
    assert out.column_names == [*table.column_names, "prediction", "score"]
    for name in table.column_names:
        assert out[name].type == table[name].type, name
        assert out[name].to_pylist() == table[name].to_pylist(), name
    options = ["--columns", ",".join(USABLE), "--label", "y", "--epsilon", "1e-9", "--memory", memory]
    fsieve("reduce", f"t.{source}", *options, "--rows", "50:550", "-o", f"r.{target}", "--save", "r.json")
    out = READ[target](str(fsieve.folder / f"r.{target}"))
    assert out.column_names[-1] == "y" and "id" in out.column_names
    for name in out.column_names:
        assert out[name].type == table[name].type, name
        assert out[name].to_pylist() == table[name].to_pylist()[49:550], name


def test_typed_columns_in_text(fsieve, model):
    WRITE["parquet"](typed_table(40), str(fsieve.folder / "t.parquet"))
    lines = list(csv.DictReader(io.StringIO(fsieve("predict", "m.json", "t.parquet"))))
    row = lines[7]
    assert row["id"] == str(BIG + 7) and row["natural"] == str(2**64 - 8) and row["price"] == "0.07"
    assert row["wide"] == str(10**30 + 7) and row["date"] == "2024-01-05" and row["category"] == "mid"
    fsieve("predict", "m.json", "t.parquet", "-o", "p.json")
    row = json.loads((fsieve.folder / "p.json").read_text())[6]
    assert row["id"] == BIG + 6 and row["natural"] == 2**64 - 7 and row["flag"] is True


def test_row_groups_with_their_own_dictionaries(fsieve, model):
    parts = [[f"c{i % 7}" for i in range(100)], [f"d{i % 5}" for i in range(100)], [f"c{i % 9}" for i in range(100)]]
    schema = pa.schema({"a": pa.int64(), "b": pa.int64(), "c": pa.dictionary(pa.int32(), pa.string())})
    with pyarrow.parquet.ParquetWriter(str(fsieve.folder / "t.parquet"), schema) as writer:
        for part in parts:
            columns = {"a": [0, 1] * 50, "b": [0, 0, 1, 1] * 25, "c": pa.array(part).dictionary_encode()}
            writer.write_table(pa.table(columns).cast(schema))
    for target in READ:
        fsieve("predict", "m.json", "t.parquet", "-o", f"p.{target}")
        out = READ[target](str(fsieve.folder / f"p.{target}"))
        assert out["c"].to_pylist() == sum(parts, [])
        assert out["c"].type == schema.field("c").type


ODD = {
    "list": (pa.list_(pa.int64()), [[1, 2], [], None, [3]]),
    "fixed": (pa.list_(pa.int8(), 2), [[1, 2], None, [3, 4], [5, 6]]),
    "struct": (pa.struct({"x": pa.int64(), "y": pa.string()}), [{"x": 1, "y": "a"}, None, {"x": None, "y": "b"}, {"x": 2, "y": None}]),
    "map": (pa.map_(pa.string(), pa.int64()), [[("k", 1)], [], None, [("l", 2), ("m", 3)]]),
    "duration": (pa.duration("ms"), [datetime.timedelta(seconds=s) for s in range(4)]),
    "decimal256": (pa.decimal256(50, 3), [decimal.Decimal("1.500"), None, decimal.Decimal("-2"), decimal.Decimal(10**40)]),
    "null": (pa.null(), [None] * 4),
    "binary": (pa.binary(), [b"\x00\xff", b"", None, b"x"]),
    "time": (pa.time64("us"), [datetime.time(1, 2, 3), None, datetime.time(4), datetime.time(5)]),
    "nested": (pa.list_(pa.struct({"z": pa.list_(pa.float64())})), [[{"z": [1.5]}], None, [], [{"z": None}]]),
    "large_list": (pa.large_list(pa.int64()), [[1, 2], [], None, [3]]),
    "fixed_binary": (pa.binary(2), [b"ab", None, b"cd", b"ef"]),
    "large_binary": (pa.large_binary(), [b"ab", None, b"", b"x"]),
    "large_text": (pa.large_string(), ["ab", None, "", "x"]),
    "half": (pa.float16(), [1.5, None, -2.25, 0.0]),
    "time32": (pa.time32("ms"), [datetime.time(1, 2, 3), None, datetime.time(4), datetime.time(5)]),
    "date64": (pa.date64(), [datetime.date(2024, 1, 5), None, datetime.date(1969, 12, 31), datetime.date(2024, 2, 29)]),
    "decimal32": (pa.decimal32(9, 2), [decimal.Decimal("1.50"), None, decimal.Decimal("-2.25"), decimal.Decimal("0.01")]),
    "decimal64": (pa.decimal64(18, 2), [decimal.Decimal("1.50"), None, decimal.Decimal("-2.25"), decimal.Decimal(10**15)]),
    "coded": (pa.dictionary(pa.int32(), pa.int64()), [10, None, 20, 10]),
    "extension": (pa.uuid(), [b"sixteen letters!", None, b"sixteen more ...", b"sixteen letters!"]),
    "text_view": (pa.string_view(), ["x", None, "more than twelve letters", ""]),
    "binary_view": (pa.binary_view(), [b"x", None, b"more than twelve letters", b""]),
    "list_view": (pa.list_view(pa.int64()), [[1, 2], [], None, [3]]),
    "large_list_view": (pa.large_list_view(pa.int64()), [[1, 2], [], None, [3]]),
}


def runs(values):
    """Four rows: one, one, and two of the last value."""
    return pa.RunEndEncodedArray.from_arrays(pa.array([1, 2, 4], pa.int32()), values)


ONLY_FEATHER = {
    "union": pa.UnionArray.from_sparse(pa.array([0, 1, 0, 1], pa.int8()), [pa.array([1, 2, 3, 4]), pa.array([*"abc", None])]),
    "dense_union": pa.UnionArray.from_dense(
        pa.array([0, 1, 0, 1], pa.int8()), pa.array([0, 0, 1, 1], pa.int32()), [pa.array([1, 3]), pa.array(["b", None])]
    ),
    "interval": pa.array([pa.MonthDayNano([1, 2, 3]), None, pa.MonthDayNano([0, 0, 0]), pa.MonthDayNano([4, 5, 6])]),
    "runs": runs(pa.array(["x", None, "z"])),
    "runs_of_numbers": runs(pa.array([BIG + 1, None, -7])),
    "runs_of_codes": runs(pa.array(["x", None, "z"]).dictionary_encode()),
    "runs_of_lists": runs(pa.array([[1], None, []], pa.list_(pa.int64()))),
    "list_of_runs": pa.ListArray.from_arrays(pa.array([0, 1, 2, 2, 4]), runs(pa.array(["x", None, "z"]))),
}
# As fields of a CSV file; what is nested is JSON.
CELLS = {
    "list": ["[1,2]", "[]", "", "[3]"],
    "fixed": ["[1,2]", "", "[3,4]", "[5,6]"],
    "struct": ['{"x":1,"y":"a"}', "", '{"x":null,"y":"b"}', '{"x":2,"y":null}'],
    "map": ['[{"key":"k","value":1}]', "[]", "", '[{"key":"l","value":2},{"key":"m","value":3}]'],
    "duration": ["0", "1000", "2000", "3000"],
    "decimal256": ["1.500", "", "-2.000", "1" + "0" * 40 + ".000"],
    "null": [""] * 4,
    "binary": ["\x00\udcff", "", "", "x"],
    "time": ["01:02:03.000000", "", "04:00:00.000000", "05:00:00.000000"],
    "nested": ['[{"z":[1.5]}]', "", "[]", '[{"z":null}]'],
    "large_list": ["[1,2]", "[]", "", "[3]"],
    "fixed_binary": ["ab", "", "cd", "ef"],
    "large_binary": ["ab", "", "", "x"],
    "large_text": ["ab", "", "", "x"],
    "half": ["1.5", "", "-2.25", "0"],
    "time32": ["01:02:03.000", "", "04:00:00.000", "05:00:00.000"],
    "date64": ["2024-01-05", "", "1969-12-31", "2024-02-29"],
    "decimal32": ["1.50", "", "-2.25", "0.01"],
    "decimal64": ["1.50", "", "-2.25", "1000000000000000.00"],
    "coded": ["10", "", "20", "10"],
    "extension": ["sixteen letters!", "", "sixteen more ...", "sixteen letters!"],
    "text_view": ["x", "", "more than twelve letters", ""],
    "binary_view": ["x", "", "more than twelve letters", ""],
    "list_view": ["[1,2]", "[]", "", "[3]"],
    "large_list_view": ["[1,2]", "[]", "", "[3]"],
    "union": ["1", '"b"', "3", ""],
    "dense_union": ["1", '"b"', "3", ""],
    "interval": ["1M2d3ns", "", "0M0d0ns", "4M5d6ns"],
    "runs": ["x", "", "z", "z"],
    "runs_of_numbers": [str(BIG + 1), "", "-7", "-7"],
    "runs_of_codes": ["x", "", "z", "z"],
    "runs_of_lists": ["[1]", "", "[]", "[]"],
    "list_of_runs": ['["x"]', "[null]", "[]", '["z","z"]'],
}
# A column of these can be used.
USABLE_ODD = {"decimal32", "decimal64", "decimal256", "half", "coded", "text_view", "large_text", "date64", "null"}


def odd_array(name):
    if name in ONLY_FEATHER:
        return ONLY_FEATHER[name]
    kind, values = ODD[name]
    return pa.array(values, kind)


def as_json(name, row):
    """What stands in a JSON file for the value in that row."""
    cell = CELLS[name][row]
    if odd_array(name).to_pylist()[row] is None:
        return None
    try:
        return cell if name == "duration" else json.loads(cell)
    except ValueError:
        return cell


@pytest.mark.parametrize("dropped", [None, 1])
@pytest.mark.parametrize("source", READ)
def test_any_type_may_stand_in_an_unused_column(fsieve, model, source, dropped):
    a = pa.array([None if row == dropped else int(row in (1, 2)) for row in range(4)])
    options = [] if dropped is None else ["--missing", "drop"]
    rows = [row for row in range(4) if row != dropped]
    arrays = {name: odd_array(name) for name in ([*ODD] if source == "parquet" else [*ODD, *ONLY_FEATHER])}

    def predicted(names, out):
        """What is written of the columns of these names, a read before them and b behind."""
        table = pa.table({"a": a, **{name: arrays[name] for name in names}, "b": [0, 0, 1, 1]})
        WRITE[source](table, str(fsieve.folder / f"t.{source}"))
        fsieve("predict", "m.json", f"t.{source}", *options, "-o", out)
        return fsieve.folder / out

    with predicted(arrays, "p.csv").open(newline="", errors="surrogateescape") as file:
        lines = list(csv.DictReader(file))
    assert [line["prediction"] for line in lines] == ["y" if row == 2 else "n" for row in rows]
    assert {name: [line[name] for line in lines] for name in arrays} == {
        name: [CELLS[name][row] for row in rows] for name in arrays
    }
    values = {name: [arrays[name].to_pylist()[row] for row in rows] for name in arrays}
    out = pyarrow.feather.read_table(str(predicted(arrays, "p.feather")))
    read = READ[source](str(fsieve.folder / f"t.{source}"))
    assert {name: out[name].to_pylist() for name in arrays} == values
    assert [out[name].type for name in arrays] == [read[name].type for name in arrays]
    out = pyarrow.parquet.read_table(str(predicted(ODD, "p.parquet")))
    assert {name: out[name].to_pylist() for name in ODD} == {name: values[name] for name in ODD}
    says = ["x.json", '"binary"', "UTF-8"]
    fsieve.fails(1, says, "predict", "m.json", f"t.{source}", *options, "-o", "x.json")
    names = [name for name in arrays if name != "binary"]
    objects = json.loads(predicted(names, "p.json").read_text())
    assert {name: [line[name] for line in objects] for name in names} == {
        name: [as_json(name, row) for row in rows] for name in names
    }
    fsieve("reduce", "train.csv", "--columns", "a,b", "--label", "y", "--save", "r.json", "-q")
    applied = fsieve("apply", "r.json", f"t.{source}", *options).splitlines()[1:]
    assert applied == [["0,0", "1,0", "1,1", "0,1"][row] for row in rows]


@pytest.mark.parametrize("name", [name for name in [*ODD, *ONLY_FEATHER] if name not in USABLE_ODD])
def test_a_column_that_cannot_be_used_is_named(fsieve, model, name):
    array = odd_array(name)
    WRITE["feather"](pa.table({"a": [0, 1, 1, 0], "odd": array, "b": [0, 0, 1, 1]}), str(fsieve.folder / "t.feather"))
    says = [f'column "odd" has type {str(array.type)[:5]}', "--exclude odd"]
    fsieve.fails(1, says, "reduce", "t.feather")
    fsieve("reduce", "t.feather", "--exclude", "odd")
    if name in ONLY_FEATHER:
        says = ["p.parquet", 'column "odd"', str(array.type)[:5], "Parquet cannot hold"]
        fsieve.fails(1, says, "predict", "m.json", "t.feather", "-o", "p.parquet")


def feather_of_intervals(path, kind):
    """Four intervals of a type that pyarrow cannot make: its numbers as another type, which the footer then renames."""
    other = {"months": (pa.date32(), [0, None, 14, 2]), "days": (pa.timestamp("ms"), [5, None, 2**32, 7 * 2**32 + 1])}
    table = pa.table({"a": [0, None, 1, 0], "odd": pa.array(other[kind][1], other[kind][0]), "b": [0, 0, 1, 1]})
    pyarrow.feather.write_feather(table, str(path), compression="uncompressed")
    data = bytearray(path.read_bytes())

    def number(form, place):
        return struct.unpack_from(form, data, place)[0]

    def field(at, k):  # of a table of FlatBuffers
        return at + number("<H", at - number("<i", at) + 4 + 2 * k)

    def target(place):
        return place + number("<I", place)

    footer = target(len(data) - 10 - number("<i", len(data) - 10))
    fields = target(field(target(field(footer, 1)), 1))
    type_of = field(target(fields + 4 + 4 * 1), 2)
    assert data[type_of] == {"months": 8, "days": 10}[kind]  # Date, Timestamp
    data[type_of] = 11  # Interval, whose unit has the same place and number
    path.write_bytes(data)


@pytest.mark.parametrize("kind", ["months", "days"])
def test_intervals_may_stand_in_an_unused_column(fsieve, model, kind):
    feather_of_intervals(fsieve.folder / "t.feather", kind)
    cells = {"months": ["0M", "", "14M", "2M"], "days": ["5d0ms", "", "0d1ms", "1d7ms"]}[kind]
    name = {"months": "month_interval", "days": "day_time_interval"}[kind]
    lines = list(csv.DictReader(io.StringIO(fsieve("predict", "m.json", "t.feather", "--missing", "drop"))))
    assert [line["odd"] for line in lines] == [cells[0], *cells[2:]]
    fsieve("predict", "m.json", "t.feather", "--missing", "drop", "-o", "p.feather")
    with pa.ipc.open_file(str(fsieve.folder / "p.feather")) as reader:
        assert str(reader.schema.field("odd").type) == name
    again = fsieve("predict", "m.json", "p.feather", "--exclude", "prediction,score")
    assert [line["odd"] for line in csv.DictReader(io.StringIO(again))] == [cells[0], *cells[2:]]
    fsieve.fails(1, [f'column "odd" has type {name}', "--exclude odd"], "reduce", "t.feather")
    says = ["p.parquet", 'column "odd"', name, "Parquet cannot hold"]
    fsieve.fails(1, says, "predict", "m.json", "t.feather", "--missing", "drop", "-o", "p.parquet")


def test_nested_values_in_text_are_json(fsieve, model):
    table = pa.table({"a": [0, 1, 1, 0], "l": odd_array("list"), "s": odd_array("struct"), "b": [0, 0, 1, 1]})
    WRITE["parquet"](table, str(fsieve.folder / "t.parquet"))
    lines = list(csv.DictReader(io.StringIO(fsieve("predict", "m.json", "t.parquet"))))
    assert [line["l"] for line in lines] == ["[1,2]", "[]", "", "[3]"]
    assert lines[0]["s"] == '{"x":1,"y":"a"}' and lines[1]["s"] == ""


def test_numpy_arrays_keep_their_type(fsieve):
    for kind in ["<i8", ">i8", "<u8", "<i2", "|b1", "<f4", "<f8"]:
        rows = np.array([[i % 2, i * i % 3 % 2, i * 7 % 5 % 2] for i in range(40)])
        table = (rows * 8 + BIG + 1 if kind[1:] in ("i8", "u8") else rows).astype(kind)
        np.save(fsieve.folder / "t.npy", table)
        fsieve("reduce", "t.npy", "--epsilon", "1e-9", "-o", "r.npy", "--save", "r.json")
        kept = [feature["index"] for feature in json.loads((fsieve.folder / "r.json").read_text())["selected"]]
        out = np.load(fsieve.folder / "r.npy")
        assert out.dtype.newbyteorder("=") == table.dtype.newbyteorder("=")
        assert np.array_equal(out, table[:, sorted(kept)])
        fsieve("reduce", "t.npy", "--epsilon", "1e-9", "-o", "r.csv")
        text = rows_of((fsieve.folder / "r.csv").read_text())[1:]
        assert [[float(cell) for cell in row] for row in text] == table[:, sorted(kept)].astype(float).tolist()
        if kind[1:] in ("i8", "u8"):
            assert [[int(cell) for cell in row] for row in text] == table[:, sorted(kept)].tolist()


def test_ids_from_csv_in_typed_files(fsieve, write, model):
    lines = [(BIG + i, 2**63 + i, 2**64 + i, f"{i}.5", i % 2, i // 2 % 2) for i in range(40)]
    write("t.csv", "id,natural,huge,real,a,b\n" + "".join(",".join(map(str, line)) + "\n" for line in lines))
    fsieve("predict", "m.json", "t.csv", "-o", "p.parquet")
    out = pyarrow.parquet.read_table(str(fsieve.folder / "p.parquet"))
    assert [str(out[name].type) for name in ["id", "natural", "huge", "real", "a"]] == [
        "int64", "uint64", "string", "double", "double"]
    assert out["id"].to_pylist() == [line[0] for line in lines]
    assert out["natural"].to_pylist() == [line[1] for line in lines]
    assert out["huge"].to_pylist() == [str(line[2]) for line in lines]
    fsieve("predict", "m.json", "t.csv", "-o", "p.json")
    assert json.loads((fsieve.folder / "p.json").read_text())[3]["id"] == BIG + 3
    says = ["p.npy", "not of numbers"]
    fsieve.fails(1, says, "predict", "m.json", "t.csv", "--exclude", "id,natural,huge", "-o", "p.npy")


def test_an_output_may_replace_its_input(fsieve, write):
    text = "zip,a\n" + "".join(f"{i * 37 % 101:05},{i * 53 % 97}\n" for i in range(60))
    write("t.csv", text)
    fsieve("reduce", "t.csv", "-o", "t.csv")
    assert (fsieve.folder / "t.csv").read_text() == text


def test_one_column_with_missing_cells_reads_back(fsieve, write, model):
    write("r.csv", "v\n" + "".join(f"{i}\n" for i in range(20)))
    fsieve("reduce", "r.csv", "--save", "r.json", "-q")
    write("t.csv", "v,w\n1,a\n,b\n3,c\n")
    write("one.csv", "v\n1\n\n3\n")
    assert fsieve("apply", "r.json", "one.csv", "--missing", "mean") == "v\n1\n2\n3\n"


@pytest.mark.parametrize("memory", MEMORY)
def test_rows_in_messages_are_those_of_the_file(fsieve, write, model, memory):
    lines = [f"{'' if i % 5 == 2 else i % 2},{i // 2 % 2}" for i in range(400)]
    lines[300] = "0,7"
    write("t.csv", "a,b\n" + "\n".join(lines) + "\n")
    options = ["--missing", "drop", "--memory", memory]
    says = 't.csv: column "b", row 301: "7" was never seen'
    fsieve.fails(1, says, "predict", "m.json", "t.csv", *options)
    fsieve.fails(1, says, "predict", "m.json", "t.csv", *options, "--rows", "50:390")
    lines = [f"{'' if i % 5 == 2 else i % 7 + 1},{i * 13 % 11 + 1},1" for i in range(400)]
    lines[300] = "0,7,1"
    write("g.csv", "a,b,none\n" + "\n".join(lines) + "\n")
    method = ["--method", "gfs", "--family", "functions", "--function", "1/a", "--scale", "none", "-k", "2"]
    says = "g.csv: row 301: the function 1/a"
    fsieve.fails(1, says, "reduce", "g.csv", *method, *options, "--exclude", "none", "--rows", "50:390")
