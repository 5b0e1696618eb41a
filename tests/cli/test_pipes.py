"""Pipes work wherever FILE stands: standard input, a FIFO, a process substitution. Each is read once."""

import os
import re
import subprocess
import threading

import pyarrow as pa
import pyarrow.parquet
import pytest

TRAIN = "a,b,y\n" + "".join(f"{i % 2},{i // 2 % 2},{'ny'[i % 2 & i // 2 % 2]}\n" for i in range(80))
UNLABELLED = "a,b\n" + "".join(f"{i % 2},{i // 2 % 2}\n" for i in range(80))


@pytest.fixture
def saved(fsieve, write):
    write("t.csv", TRAIN)
    write("nl.csv", UNLABELLED)
    table = pa.table({"a": [i % 2 for i in range(80)], "b": [i // 2 % 2 for i in range(80)]})
    pyarrow.parquet.write_table(table, str(fsieve.folder / "nl.parquet"))
    fsieve("select", "t.csv", "--label", "y", "-k", 2, "--save", "r.json", "-q")
    fsieve("learn", "t.csv", "--label", "y", "-k", 2, "-o", "m.json", "-q")
    fsieve("report", "t.csv", "--label", "y", "-o", "page.html", "-q")


COMMANDS = [
    (["reduce", "FILE", "--json", "--no-timing"], "t.csv"),
    (["select", "FILE", "--label", "y", "-k", "2", "--json", "--no-timing"], "t.csv"),
    (["learn", "FILE", "--label", "y", "-k", "2", "--json", "--no-timing"], "t.csv"),
    (["predict", "m.json", "FILE"], "t.csv"),
    (["predict", "m.json", "FILE"], "nl.csv"),
    (["predict", "m.json", "FILE"], "nl.parquet"),
    (["apply", "r.json", "FILE"], "t.csv"),
    (["apply", "r.json", "FILE"], "nl.csv"),
    (["apply", "r.json", "FILE"], "nl.parquet"),
    (["bounds", "FILE", "-k", "2", "--label", "y"], "t.csv"),
    (["report", "FILE", "--label", "y", "--json", "--no-timing"], "t.csv"),
    (["report", "FILE", "--label", "y", "-o", "-", "--no-timing"], "t.csv"),
    (["show", "FILE"], "r.json"),
    (["show", "FILE"], "m.json"),
    (["show", "FILE"], "page.html"),
    (["show", "FILE", "--json"], "page.html"),
    (["predict", "FILE", "nl.csv"], "m.json"),
    (["apply", "FILE", "nl.csv"], "r.json"),
]


def without_source(text, name):
    """The output, without the name of the file (the page of a report is made by the commands it names)."""
    for before, after in [('"source": ?"', '"'), ("fsieve (?:report|reduce|select|learn) ", " ")]:
        text = re.sub(f"({before}){re.escape(name)}({after})", r"\1FILE\2", text)
    return text


@pytest.mark.parametrize("command, file", COMMANDS)
def test_pipes_stand_for_files(fsieve, saved, command, file):
    data = (fsieve.folder / file).read_bytes()

    def run(name, **options):
        done = fsieve.run(*[name if word == "FILE" else word for word in command], **options)
        assert done.code == 0, done.err
        return without_source(done.out, name)

    expected = run(file)
    assert run("-", stdin=data) == expected

    fifo = fsieve.folder / "fifo"
    os.mkfifo(fifo)
    writer = threading.Thread(target=lambda: fifo.write_bytes(data), daemon=True)
    writer.start()
    assert run("fifo") == expected
    writer.join(timeout=10)
    assert not writer.is_alive()

    words = " ".join(f"<(cat {file})" if word == "FILE" else word for word in command)
    done = subprocess.run(["bash", "-c", f"{fsieve.path} {words}"], cwd=fsieve.folder, capture_output=True,
                          check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    found = done.stdout.decode()
    for name in set(re.findall(r"/dev/fd/\d+", found)):
        found = without_source(found, name)
    assert found == expected


def test_apply_through_a_pipe_writes_what_it_writes_of_a_file(fsieve, saved):
    data = (fsieve.folder / "nl.csv").read_bytes()
    for output in ["o.csv", "o.parquet"]:
        fsieve("apply", "r.json", "nl.csv", "-o", output)
        expected = (fsieve.folder / output).read_bytes()
        fsieve("apply", "r.json", "-", "-o", output, stdin=data)
        assert (fsieve.folder / output).read_bytes() == expected


def test_a_selection_that_names_a_column_twice(fsieve, saved):
    text = (fsieve.folder / "r.json").read_text()
    (fsieve.folder / "r.json").write_text(text.replace('"name": "b"', '"name": "a"', 1))
    fsieve.fails(1, ["r.json", '"a" is selected twice'], "apply", "r.json", "nl.csv")


def test_a_selection_of_the_label(fsieve, saved):
    text = (fsieve.folder / "r.json").read_text()
    (fsieve.folder / "r.json").write_text(text.replace('"name": "b"', '"name": "y"', 1))
    fsieve.fails(1, ["r.json", '"y" is selected, and the label too'], "apply", "r.json", "nl.csv")
