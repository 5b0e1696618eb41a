"""FILE may be a folder or a pattern of files with the same columns: a data set, as engines write it."""

import gzip
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest


def table(rows=600, seed=3):
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, rows))
    colour = rng.choice(["red", "green", "blue"], rows)
    return pa.table({
        "a": a, "b": b, "ab": a * b, "colour": colour, "whole": rng.integers(0, 9, rows),
        "y": np.where(a + b > 0, "yes", "no"),
    })  # fmt: skip


def csv_text(part):
    names = part.column_names
    rows = zip(*(part[name].to_pylist() for name in names), strict=True)
    return "\n".join([",".join(names), *(",".join(map(str, row)) for row in rows)]) + "\n"


def write(part, path):
    if path.name.endswith(".csv"):
        path.write_text(csv_text(part))
    elif path.name.endswith(".csv.gz"):
        path.write_bytes(gzip.compress(csv_text(part).encode()))
    elif path.suffix == ".parquet":
        pa.parquet.write_table(part, path)
    else:
        pa.feather.write_feather(part, path)


CUTS = [0, 1, 200, 200, 450, 600]


@pytest.fixture
def data_set(tmp_path):
    """Five parts (one of one row, one of none), and what engines leave beside them."""

    def make(ending):
        whole = table()
        write(whole, tmp_path / f"whole{ending}")
        folder = tmp_path / "set"
        folder.mkdir()
        for k, (first, last) in enumerate(zip(CUTS, CUTS[1:], strict=False)):
            write(whole[first:last], folder / f"part-{k}{ending}")
        (folder / "_SUCCESS").write_text("")
        (folder / ".part-0.crc").write_text("not a table")
        (folder / "notes.md").write_text("not a table either\n")
        return tmp_path / f"whole{ending}", folder

    return make


COMMANDS = [
    ["reduce", "FILE", "--label", "y"],
    ["reduce", "FILE", "--label", "y", "--rows", "150:460"],
    ["reduce", "FILE", "--label", "y", "--memory", "1"],
    ["reduce", "FILE", "--label", "y", "--method", "gfs"],
    ["select", "FILE", "--label", "y", "-k", "2"],
]


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet", ".feather"])
def test_a_folder_is_the_table_of_its_files(fsieve, data_set, ending):
    whole, folder = data_set(ending)
    for words in COMMANDS:
        alone, joined = (
            fsieve(*(str(path) if word == "FILE" else word for word in words), "--json", "--no-timing")
            for path in (whole, folder)
        )
        assert joined.replace(str(folder), "X") == alone.replace(str(whole), "X"), words


def test_a_pattern_is_the_table_of_its_files(fsieve, data_set):
    whole, folder = data_set(".parquet")
    alone = fsieve("reduce", str(whole), "--label", "y", "--json", "--no-timing")
    pattern = str(folder / "part-[0-9].par*")
    joined = fsieve("reduce", pattern, "--label", "y", "--json", "--no-timing")
    assert joined.replace(pattern, "X") == alone.replace(str(whole), "X")
    # A file of just that name comes first.
    odd = folder.parent / "odd[1].parquet"
    shutil.copy(whole, odd)
    single = fsieve("reduce", str(odd), "--label", "y", "--json", "--no-timing")
    assert single.replace(str(odd), "X") == alone.replace(str(whole), "X")


def test_output_has_all_rows(fsieve, data_set, tmp_path):
    _, folder = data_set(".csv")
    fsieve("reduce", str(folder), "--label", "y", "-o", str(tmp_path / "out.csv"), "--save", str(tmp_path / "r.json"))
    lines = (tmp_path / "out.csv").read_text().splitlines()
    kept = table().select(["a", "b", "colour", "whole", "y"])
    assert lines == csv_text(kept).splitlines()
    fsieve("apply", str(tmp_path / "r.json"), str(folder), "-o", str(tmp_path / "out.parquet"))
    assert pa.parquet.read_table(tmp_path / "out.parquet")["a"].to_pylist() == kept["a"].to_pylist()


def test_columns_go_by_name(fsieve, tmp_path):
    part = table(100)
    write(part, tmp_path / "1.csv")
    write(part.select(part.column_names[::-1]), tmp_path / "2.csv")
    write(pa.concat_tables([part, part]), tmp_path / "both.csv.gz")
    pattern = str(tmp_path / "[12].csv")
    joined = fsieve("select", pattern, "--label", "y", "-k", "2", "--json", "--no-timing")
    whole = fsieve("select", str(tmp_path / "both.csv.gz"), "--label", "y", "-k", "2", "--json", "--no-timing")
    assert joined.replace(pattern, "X") == whole.replace(str(tmp_path / "both.csv.gz"), "X")


def refused(fsieve, path):
    done = fsieve.run("reduce", path)
    assert done.code == 1
    assert done.out == ""
    return done.err.splitlines()[-1]


def test_what_is_wrong_is_said_of_the_file(fsieve, tmp_path):
    (tmp_path / "1.csv").write_text("a,b\n1,2\n3,5\n")
    (tmp_path / "2.csv").write_text("a,b\n4,5\n6,x\n" + "".join(f"{i},{i * i}\n" for i in range(40)))
    last = refused(fsieve, tmp_path)
    assert last.startswith(f'fsieve: error: {tmp_path}/2.csv: column "b", row 2: "x" is not a number')
    (tmp_path / "2.csv").write_text("a\n4\n")
    assert refused(fsieve, tmp_path) == f'fsieve: error: {tmp_path}/2.csv: no column "b", which {tmp_path}/1.csv has'
    (tmp_path / "2.csv").write_text("a,b,c\n4,5,6\n")
    assert refused(fsieve, tmp_path) == f'fsieve: error: {tmp_path}/2.csv: column "c" is not in {tmp_path}/1.csv'
    (tmp_path / "2.csv").write_text("a,b\n4,5,6\n")
    assert "2.csv: row 1" in refused(fsieve, tmp_path)


def test_folders_without_tables(fsieve, tmp_path):
    (tmp_path / "inner").mkdir()
    assert refused(fsieve, tmp_path).endswith(": the folder has no tables in it (its own folders are not read)")
    (tmp_path / "1.csv").write_text("")
    assert refused(fsieve, tmp_path).endswith(": all files are empty")
    assert refused(fsieve, tmp_path / "*.parquet").endswith("*.parquet: no file is like this")
