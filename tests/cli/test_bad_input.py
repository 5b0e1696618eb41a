"""Whatever is wrong: the right exit code, one sentence, nothing on standard output, no file left."""

import gzip
import io
import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

NUMBERS = "a,b,c\n" + "".join(f"{i},{i * i % 7},{i * i * i % 11}\n" for i in range(40))


def parquet_bytes():
    buffer = io.BytesIO()
    parquet.write_table(pa.table({"a": list(range(100)), "b": [i * i % 7 for i in range(100)]}), buffer)
    return buffer.getvalue()


def npy_bytes(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def row(number, cells):
    """NUMBERS with one data row replaced."""
    lines = NUMBERS.splitlines()
    lines[number] = cells
    return "\n".join(lines) + "\n"


# name, content, what the message says besides the file's name
BAD_FILES = [
    ("empty.csv", "", "empty"),
    ("header.csv", "a,b,c\n", "row"),
    ("one_row.csv", "a,b,c\n1,2,3\n", "row"),
    ("blank.csv", "\n\n\n", ""),
    (
        "indicator.csv",
        "colour,colour=red,x\n" + "".join(f"{'red green blue'.split()[i % 3]},{i * i % 7},{i * i % 11}\n" for i in range(40)),
        ['"colour=red"', 'level "red" of "colour"', "rename"],
    ),
    ("text.csv", row(17, "16,abc,3"), ['"b"', "row 17", '"abc"', "not a number"]),
    ("nan.csv", row(5, "1,nan,3"), ['"b"', "row 5"]),
    ("inf.csv", row(5, "1,2,inf"), ['"c"', "row 5"]),
    ("minus_inf.csv", row(6, "-Infinity,2,3"), ['"a"', "row 6"]),
    ("overflow.csv", row(6, "1e999,2,3"), ['"a"', "row 6"]),
    ("missing.csv", row(9, "1,,3"), ['"b"', "row 9", "missing"]),
    ("short.csv", row(12, "1,2"), "row 12"),
    ("long.csv", row(12, "1,2,3,4"), "row 12"),
    ("twice.csv", "a,b,a\n1,2,3\n4,5,6\n", '"a"'),
    ("quote.csv", row(8, '1,"2,3'), ""),
    ("not_utf8.csv", b"caf\xe9,b\n" + b"1,2\n3,4\n" * 10, ""),
    ("truncated.csv.gz", gzip.compress(NUMBERS.encode() * 9)[:-30], ""),
    ("noise.csv.gz", b"\x1f\x8b" + bytes(range(256)), ""),
    ("noise.csv.zst", b"\x28\xb5\x2f\xfd" + bytes(range(256)), ""),
    ("truncated.parquet", parquet_bytes()[:-40], ""),
    ("noise.parquet", bytes(range(256)) * 4, ""),
    ("noise.feather", b"ARROW1\0\0" + bytes(range(256)), ""),
    ("truncated.npy", npy_bytes(np.ones((50, 4)))[:-8], ""),
    ("cube.npy", npy_bytes(np.ones((5, 4, 3))), ""),
    ("complex.npy", npy_bytes(np.ones((5, 4), dtype=complex)), ""),
    ("nan.npy", npy_bytes(np.full((20, 3), np.nan)), ['"x1"', "mostly missing"]),
    ("objects.npy", npy_bytes(np.array([[1, "a"]], dtype=object)), ""),
]


@pytest.mark.parametrize("name,content,says", BAD_FILES, ids=[case[0] for case in BAD_FILES])
def test_bad_file(fsieve, write, name, content, says):
    write(name, content)
    says = [says] if isinstance(says, str) else says
    fsieve.fails(1, [name, *says], "reduce", name, "-o", "out.csv", "--save", "out.json")


def test_bad_standard_input(fsieve):
    fsieve.fails(1, "", "reduce", "-", stdin=b"")
    fsieve.fails(1, ['"b"', "row 17"], "reduce", "-", stdin=row(17, "16,abc,3").encode())


def test_bad_files_of_the_file_system(fsieve, tmp_path):
    (tmp_path / "folder").mkdir()
    fsieve.fails(1, "none.csv", "reduce", "none.csv")
    fsieve.fails(1, "folder", "reduce", "folder")
    fsieve.fails(1, "", "reduce", "")
    fsieve.fails(1, "none.json", "show", "none.json")
    fsieve.fails(1, "folder", "show", "folder")
    fsieve.fails(1, "none.json", "apply", "none.json", "none.csv")


def test_permissions(fsieve, write, tmp_path):
    def without_rights():  # root may do everything, so it becomes nobody
        if os.getuid() == 0:
            os.setgid(65534)
            os.setuid(65534)

    write("locked.csv", NUMBERS).chmod(0)
    write("a.csv", NUMBERS)
    (tmp_path / "folder").mkdir(mode=0o555)
    for path in [tmp_path, *tmp_path.parents[:2]]:
        path.chmod(path.stat().st_mode | 0o055)
    for arguments, name in [
        (["reduce", "locked.csv"], "locked.csv"),
        (["show", "locked.csv"], "locked.csv"),
        (["reduce", "a.csv", "-o", "folder/o.csv"], "folder/o.csv"),
    ]:
        process = fsieve.start(*arguments, preexec_fn=without_rights)
        out, err = process.communicate(timeout=20)
        assert process.returncode == 1 and out == b""
        assert err.decode().startswith(f"fsieve: error: {name}: ") and err.count(b"\n") == 1
        assert os.listdir(tmp_path / "folder") == []


# options of reduce that do not fit the data, exit 1
BAD_DATA_OPTIONS = [
    (["--label", "d"], '"d"'),
    (["--columns", "q*"], "q*"),
    (["--exclude", "z"], '"z"'),
    (["--exclude", "*"], ""),
    (["--columns", "a", "--exclude", "a"], ""),
    (["--categorical", "z"], '"z"'),
    (["--rows", "1000:"], ""),
    (["--rows", "3:3"], "row"),
    (["--delimiter", ";", "--columns", "a"], ""),
]


@pytest.mark.parametrize("options,says", BAD_DATA_OPTIONS, ids=lambda value: " ".join(value))
def test_options_that_do_not_fit_the_data(fsieve, write, options, says):
    write("a.csv", NUMBERS)
    fsieve.fails(1, ["a.csv", says], "reduce", "a.csv", *options, "-o", "o.csv")


def test_an_unknown_column_is_guessed(fsieve, write):
    write("a.csv", "weight,height\n1,2\n3,5\n")
    fsieve.fails(1, 'did you mean "weight"', "reduce", "a.csv", "--label", "wieght")


# wrong usage of reduce, exit 2
BAD_OPTIONS = [
    (["--epslion", "0.1"], "did you mean --epsilon?"),
    (["--eps", "0.1"], "did you mean --epsilon?"),
    (["--lable=c"], "did you mean --label?"),
    (["--stage", "1"], "did you mean --stages?"),
    (["--frobnicate"], "unknown option --frobnicate"),
    (["-x"], "unknown option -x"),
    (["more.csv"], "more.csv"),
    (["--epsilon"], "--epsilon needs a value"),
    (["--json=yes"], "--json takes no value"),
    (["--epsilon", "0"], "between 0 and 1"),
    (["--epsilon", "1"], "between 0 and 1"),
    (["--epsilon", "-0.5"], "between 0 and 1"),
    (["--epsilon", "abc"], '"abc" is not a number'),
    (["--epsilon", "nan"], '"nan" is not a number'),
    (["--epsilon", "0.1x"], '"0.1x" is not a number'),
    (["--epsilon", "0.1,"], "is not a number"),
    (["--epsilon", ""], "is not a number"),
    (["--epsilon", "0.1,0.2"], "--epsilon"),
    (["--epsilon", "0.1,0.2", "--stages", "1,2,3"], "--epsilon"),
    (["--epsilon", "0.1", "--r2", "0.9"], "--r2"),
    (["--epsilon", "0.1", "--epsilon", "0.2"], "more than once"),
    (["--r2", "1"], "between 0 and 1"),
    (["--r2", "1.5"], "between 0 and 1"),
    (["--r2", "0.9,0.8"], "--r2"),
    (["--max-terms", "0"], "at least 1 term"),
    (["--max-terms", "-1"], "--max-terms"),
    (["--clusters", "1"], "between 0 and 1"),
    (["--clusters", "x"], "not a number"),
    (["--stages", "0"], "depth 0"),
    (["--stages", "7"], "depth 7"),
    (["--stages", "2:1"], "group of 1"),
    (["--stages", "2:0"], "group of 0"),
    (["--stages", "2:"], '"2:"'),
    (["--stages", "1,,2"], "--stages"),
    (["--stages", "two"], '"two"'),
    (["--stages", "1;2"], "--stages"),
    (["--stages", "99999999999999999999"], "--stages"),
    (["--rule", "adjust"], "did you mean adjusted?"),
    (["--rule", "cumulative"], "share"),
    (["--rule", "cumulative:"], "share"),
    (["--rule", "cumulative:0"], "share"),
    (["--rule", "cumulative:1.1"], "share"),
    (["--rule", "cumulative:x"], "number"),
    (["--rule", "cumulative:0.9,0.8"], "--rule"),
    (["--rule", "cumulative:0.9", "--groups", "any"], "--groups"),
    (["--order", "inptu"], "did you mean input?"),
    (["--groups", "all"], "any, own"),
    (["--engine", "grim"], "did you mean gram?"),
    (["--sample", "0"], "100 or more, or all"),
    (["--sample", "99"], "99 rows are too few to prepare anything on"),
    (["--sample", "-5"], "not a whole number of rows, nor all"),
    (["--sample", "al"], "not a whole number of rows, nor all"),
    (["--sample", "1e5"], "not a whole number of rows, nor all"),
    (["--method", "gfs", "--sample", "all"], "--sample goes with --method uffs, not with gfs"),
    (["--prune"], "--groups own"),
    (["--prune", "--rule", "paper", "--groups", "any"], "--groups own"),
    (["--method", "gfs", "--stages", "1"], "--stages goes with --method uffs, not with gfs"),
    (["--method", "gfa", "--epsilon2", "0.1"], "--epsilon2 goes with --method gfs, not with gfa"),
    (["--method", "gfs", "--delta", "0.1"], "--delta goes with --method gfa, not with gfs"),
    (["-k", "3"], "-k goes with --method gfs or gfa, not with uffs, the default"),
    (["--method", "gfs", "-k", "0"], "-k"),
    (["--method", "gfs", "-k", "auto"], "-k"),
    (["--method", "gfs", "--epsilon2", "-0.1"], "--epsilon2"),
    (["--method", "gfs", "--epsilon2", "nan"], "number"),
    (["--method", "gfa", "--delta", "x"], "number"),
    (["--method", "gfs", "--scale", "non"], "did you mean none?"),
    (["--method", "gfs", "--family", "polynomail:2"], "did you mean polynomial?"),
    (["--method", "gfs", "--family", "polynomial"], "as in polynomial:2"),
    (["--method", "gfs", "--family", "polynomial:0"], "between 1 and 6"),
    (["--method", "gfs", "--family", "polynomial:7"], "between 1 and 6"),
    (["--method", "gfs", "--family", "polynomial:2:3"], "degree"),
    (["--method", "gfs", "--family", "functions:2"], "no degree"),
    (["--method", "gfs", "--family", "functions"], "needs a function"),
    (["--method", "gfs", "--function", "sin(a)"], "goes with --family functions"),
    (["--method", "gfs", "--family", "functions", "--function", ""], "nothing"),
    (["--method", "gfs", "--family", "functions", "--function", "sin(a"], "character 6"),
    (["--method", "gfs", "--family", "functions", "--function", "a**2"], "written ^"),
    (["--method", "gfs", "--family", "functions", "--function", "3+4"], "neither a nor b"),
    (["--method", "gfs", "--family", "functions", "--function", "sin(x1)"], "character 5"),
    (["--method", "pca"], "uffs"),
    (["--missing", "skip"], "error, drop, mean"),
    (["--rows", "5"], "A:B"),
    (["--rows", "a:b"], "A:B"),
    (["--rows", "0:5"], "counted from 1"),
    (["--rows", "9:3"], "after"),
    (["--rows", "-1:3"], "--rows"),
    (["--decimal", "x"], "neither a point nor a comma"),
    (["--decimal", ""], "--decimal"),
    (["--delimiter", ""], "--delimiter"),
    (["--delimiter", "::"], "--delimiter"),
    (["--delimiter", '"'], "--delimiter"),
    (["--header", "--no-header"], "contradict"),
    (["--columns", "a,,b"], "--columns"),
    (["--na", ""], "--na"),
    (["--label", ""], "--label"),
    (["--seed", "-1"], "--seed"),
    (["--seed", "1.5"], "--seed"),
    (["--threads", "-2"], "--threads"),
    (["--threads", "many"], "--threads"),
    (["--threads", "99999"], "--threads"),
    (["--memory", "0"], "--memory"),
    (["--memory", "lots"], "--memory"),
    (["-o", "out.xyz"], "out.xyz"),
    (["-o", "out"], "extension"),
    (["-o", "-"], "extension"),
    (["-o", "same.json", "--save", "same.json"], "same.json"),
]


@pytest.mark.parametrize("options,says", BAD_OPTIONS, ids=lambda value: " ".join(value))
def test_wrong_usage(fsieve, write, options, says):
    write("a.csv", NUMBERS)
    fsieve.fails(2, says, "reduce", "a.csv", *options)


# other wrong usage, exit 2
BAD_COMMANDS = [
    ([], "no command"),
    (["reduec", "a.csv"], "did you mean reduce?"),
    (["teach", "a.csv"], "unknown command"),
    (["--verson"], "did you mean --version?"),
    (["--threads", "2"], "no command"),
    (["reduce"], "FILE is missing"),
    (["apply", "r.json"], "FILE is missing"),
    (["apply"], "RESULT.json is missing"),
    (["show"], "RESULT.json is missing"),
    (["show", "a", "b"], '"b"'),
    (["apply", "r.json", "a.csv", "--json"], "-o"),
    (["apply", "r.json", "a.csv", "-o", "x.doc"], "extension"),
    (["apply", "r.json", "a.csv", "--rows", "x"], "--rows"),
    (["generate"], "KIND is missing"),
    (["generate", "s9", "-o", "t.csv"], '"s9"'),
    (["generate", "s1"], "-o FILE"),
    (["generate", "s1", "-o", "t.txt"], "extension"),
    (["generate", "s1", "-o", "-"], "extension"),
    (["generate", "s1", "--rows", "0", "-o", "t.csv"], "--rows"),
    (["generate", "s1", "--rows", "-5", "-o", "t.csv"], "--rows"),
    (["generate", "s1", "--rows", "1e3", "-o", "t.csv"], "--rows"),
    (["generate", "s1", "--seed", "x", "-o", "t.csv"], "--seed"),
    (["generate", "s1", "--pairs", "-o", "t.csv"], "gfa"),
    (["generate", "s1", "--row", "5", "-o", "t.csv"], "did you mean --rows?"),
    (["demo", "cars"], '"cars"'),
    (["demo", "-o", "cars.doc"], "extension"),
]


@pytest.mark.parametrize("arguments,says", BAD_COMMANDS, ids=lambda value: " ".join(value))
def test_wrong_command(fsieve, arguments, says):
    fsieve.fails(2, says, *arguments)


# outputs that cannot be written, exit 1
BAD_OUTPUTS = [
    ["-o", "nowhere/out.csv"],
    ["--save", "nowhere/out.json"],
    ["-o", "out.csv", "--save", "nowhere/out.json"],
    ["-o", "folder.csv"],
    ["--save", "folder.json"],
    ["-o", "/proc/fsieve/out.csv"],
    ["-o", "/proc/out.csv"],
    ["-o", "out.csv", "--save", "/proc/out.json"],
]


@pytest.mark.parametrize("options", BAD_OUTPUTS, ids=" ".join)
def test_output_that_cannot_be_written(fsieve, write, tmp_path, options):
    write("a.csv", NUMBERS)
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "folder.json").mkdir()
    fsieve.fails(1, options[-1], "reduce", "a.csv", *options)


def test_output_on_a_full_disk(fsieve, write, full):
    write("a.csv", NUMBERS)
    fsieve.fails(1, full, "reduce", "a.csv", "-o", "out.csv", "--save", full)


def test_a_failed_run_leaves_the_old_file(fsieve, write):
    write("bad.csv", row(17, "16,abc,3"))
    old = write("out.csv", "old\n")
    fsieve.fails(1, "row 17", "reduce", "bad.csv", "-o", "out.csv")
    assert old.read_text() == "old\n"


def test_a_name_with_a_line_end_is_still_one_line(fsieve):
    fsieve.fails(1, "two\\nlines.csv", "reduce", "two\nlines.csv")
    fsieve.fails(2, "\\x1b", "reduce", "a.csv", "--order", "\x1b[31mred")


def test_generate_into_a_folder_that_is_not_there(fsieve):
    fsieve.fails(1, "nowhere", "generate", "s1", "-o", "nowhere/t.csv")


def test_generate_without_room_for_the_truth(fsieve, tmp_path):
    (tmp_path / "t.csv.truth.json").mkdir()
    fsieve.fails(1, "t.csv.truth.json", "generate", "s1", "-o", "t.csv")


def test_a_label_of_countless_classes(fsieve, write):
    """Each is a column over the rows: 40 000 of them filled the memory."""
    write("ids.csv", "a,id\n" + "".join(f"{i % 7},{i * 1.5}\n" for i in range(40_000)))
    done = fsieve.run("select", "ids.csv", "--label", "id", "--task", "classification")
    assert done.code == 1
    assert done.err == (
        'fsieve: error: ids.csv: label "id" has 40000 classes in 40000 rows, too many to tell apart: --task regression takes a number as it is\n'
    )


def test_a_line_of_comment_is_told(fsieve, write):
    path = write("t.csv", "# Data source: somewhere\na,b,c\n1,2,3\n4,5,6\n")
    done = fsieve.run("reduce", path.name)
    assert done.code == 1 and "begins with #, was taken as the column names" in done.err


def test_blanks_between_fields_are_told(fsieve, write):
    path = write("t.txt", "a b c\n" + "".join(f"{i % 3} {i % 2} {i % 4}\n" for i in range(60)))
    hint = "if blanks separate the fields: --delimiter ' ')"
    assert f"every row is one field ({hint}" in fsieve.run("reduce", path.name).err
    names_rows = write("n.txt", "a b\n" + "".join(f"{i} {i * i}\n" for i in range(60)))
    assert hint in fsieve.run("reduce", names_rows.name).err
    done = fsieve.run("reduce", path.name, "--delimiter", " ")
    assert done.code == 0 and "one field" not in done.err
