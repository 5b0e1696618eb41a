#!/usr/bin/env python3
"""Writes the seeds that follow from the program and its libraries: python fuzz/make_seeds.py.

Findings and hand-made seeds beside them have names of their own and stay. In tables the first byte chooses
the options (fuzz_table.h) and the file follows; in options it chooses the command.
"""

import gzip
import io
import json
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as parquet

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = Path(os.environ.get("FSIEVE") or ROOT / "build" / "release" / "fsieve")
SEEDS = ROOT / "fuzz" / "seeds"
# Bytes that stand for options of tables: none; rows dropped, a label; means, passengers; and so on.
TABLE_OPTIONS = b"0=J"

SMALL = "a,b,c,y\n1,0.5,red,no\n0,1.5,blue,yes\n1,2.5,red,yes\n0,4.0,red,no\n1,1.0,blue,no\n0,2.0,red,yes\n"


def write(target, name, content):
    folder = SEEDS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)


def fsieve(folder, *arguments):
    return subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, check=True).stdout


def shorter(text):
    """JSON without its parameters but two, on few bytes."""
    value = json.loads(text)
    value["parameters"] = dict(list(value["parameters"].items())[:2])
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def pages():
    """The element with the results alone: the rest of a page is not read."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [f"{i % 2},{i // 2 % 2},{i % 2 ^ (i // 2 % 2)}" for i in range(48)]
        Path(folder, "t.csv").write_text("\n".join(["u,v,y", *rows]) + "\n")
        for name, words in {"two-classes": ["--label", "y"], "no-label": []}.items():
            page = fsieve(folder, "report", "t.csv", "--no-timing", "-o", "-", *words).decode()
            begin = page.index('<script type="application/json" id="fsieve-report">')
            write("page", name, page[begin : page.index("</script>", begin)] + "</script>")


def results_and_models():
    with tempfile.TemporaryDirectory() as folder:
        names, cells = SMALL.split("\n", 1)
        Path(folder, "t.csv").write_text(f"{names}\n{cells * 5}")
        table, bits = "t.csv", "bits.csv"
        rows = [f"{i % 2},{i // 2 % 2},{i % 3 % 2},{i % 2 ^ (i // 2 % 2)}" for i in range(48)]
        Path(folder, bits).write_text("\n".join(["u,v,w,y", *rows]) + "\n")
        for name, command in {
            "uffs": ["reduce", bits],
            "gfs": ["reduce", table, "--label", "y", "--method", "gfs"],
            "gfa": ["reduce", bits, "--method", "gfa", "--family", "polynomial:2"],
            "functions": ["reduce", bits, "--method", "gfs", "--family", "functions", "--function", "sin(a)"],
            "select": ["select", bits, "--label", "y", "-k", "2"],
            "union": ["select", table, "--label", "c", "-k", "1", "--search", "union", "--categorical", "a"],
        }.items():
            write("result", name, shorter(fsieve(folder, *command, "--json", "--no-timing")))
        learn = ["learn", bits, "--label", "y", "-k"]
        for name, command in {
            "fourier": [*learn, "2"],
            "correlated": [*learn, "2", "--basis", "correlated"],
            "erm": [*learn, "2", "--learner", "erm"],
            "low-degree": [*learn, "1", "--learner", "low-degree"],
            "cut": ["learn", table, "--label", "y", "-k", "2", "--binarize", "median"],
            "weighted": [*learn, "1", "--class-weight", "1=3", "--permutations", "2"],
        }.items():
            write("model", name, shorter(fsieve(folder, *command, "--json", "--no-timing")))


def texts():
    cells = {
        "plain": SMALL,
        "semicolons": SMALL.replace(",", ";"),
        "tabs": SMALL.replace(",", "\t"),
        "quoted": 'a,"b ""x""",y\r\n1,"2\n3",u\r\n4,"5,6",v\r\n',
        "no-names": "1,2,3\n4,5,6\n7,8,9\n",
        "missing": "a,b,y\n1,,no\nNA,2,yes\n3,?,\n",
        "numbers": "a,y\n1e308,0\n-0,1\n+493,0\n00003,1\n9007199254740993,0\n5e-324,1\n.5,0\n1_000,1\n",
        "unusual": "a,y\ninf,0\nnan,1\n0x10,0\nTRUE,1\n",
        "utf8": "a,größe,y\n1,é,0\n2,\u00a0,1\n",
        "mark": "\ufeffa,y\n1,2\n3,4\n",
        "one-column": "a\n1\n\n3\n",
        "ragged": "a,b\n1\n1,2,3\n",
    }
    for name, text in cells.items():
        write("dialect", name, text)
        for option in TABLE_OPTIONS[:2]:
            write("csv", f"{name}-{option}", bytes([option]) + text.encode())
    write("csv", "gzip", b"0" + gzip.compress(SMALL.encode(), mtime=0))


def arrays():
    numbers = np.arange(12).reshape(6, 2)
    for kind in ["<f8", ">f8", "<f4", "<f2", "<i8", ">i4", "<u2", "|i1", "|b1"]:
        for order in "CF":
            out = io.BytesIO()
            np.save(out, np.asarray(numbers % 3, dtype=kind, order=order))
            write("npy", f"{kind[1:]}-{'big' if kind[0] == '>' else 'little'}-{order}", b"0" + out.getvalue())
    out = io.BytesIO()
    np.save(out, np.arange(5.0))
    write("npy", "one-dimension", b"0" + out.getvalue())


def batches():
    base = {
        "a": pa.array([1, 0, 1, 0, None, 1], pa.int32()),
        "b": pa.array([0.5, 1.5, 2.5, 4, 1, float("nan")]),
        "c": pa.array(["red", "blue", "red", None, "blue", "red"]),
        "y": pa.array([True, False, True, True, False, False]),
    }
    tables = {
        "plain": pa.table({"a": base["b"], "y": base["y"]}),
        "missing": pa.table(base),
        "dictionary": pa.table({"a": base["c"].dictionary_encode(), "b": pa.array(range(6), pa.uint64())}),
        "large": pa.table({"a": base["c"].cast(pa.large_string()), "b": pa.array(range(6), pa.float16())}),
        "times": pa.table({"a": pa.array(range(6), pa.date32()), "b": pa.array(range(6), pa.timestamp("us"))}),
        "nested": pa.table({"a": pa.array(range(6)), "b": pa.array([[1], [], None, [2, 3], [4], []])}),
        "decimal": pa.table({"a": pa.array(range(6)).cast(pa.decimal128(21, 2)), "b": base["b"]}),
    }
    for name, table in tables.items():
        options = TABLE_OPTIONS[1:2] if name == "missing" else TABLE_OPTIONS[:1]
        out = io.BytesIO()
        feather.write_feather(table, out, compression="uncompressed")
        write("feather", name, options + out.getvalue())
        if name == "large":
            table = table.cast(pa.schema([("a", pa.string()), ("b", pa.float32())]))
        out = io.BytesIO()
        parquet.write_table(table, out, compression="none", store_schema=False)
        write("parquet", name, options + out.getvalue())
    out = io.BytesIO()
    with pa.ipc.new_stream(out, tables["plain"].schema) as stream:
        stream.write_table(tables["plain"], max_chunksize=4)
    write("feather", "stream", TABLE_OPTIONS[:1] + out.getvalue())
    out = io.BytesIO()
    parquet.write_table(tables["plain"], out, row_group_size=2, compression="snappy")
    write("parquet", "groups", TABLE_OPTIONS[:1] + out.getvalue())


def option_texts():
    commands = "reduce select learn predict bounds".split()  # as option_table.cpp begins
    lines = {
        "reduce": "stages=1,2:50,3:30\nrule=cumulative:0.9,0.8\nepsilon=0.01\nrows=2:9\nmemory=1.5GiB\ndelimiter=\\t",
        "gfs": "method=gfs\nfamily=polynomial:3\nk=4\nfunction=sin(a)*b",
        "select": "label=y\nk=auto\nsearch=beam:3\ndepth=2\nalpha=0.05\nbins=4\npermutations=20",
        "learn": "label=y\nk=3\nlearner=low-degree\nbinarize=0.5\nsearch=beam:2\ntop=5\nmissing=drop\nna=NA,?",
        "bounds": "k=3\nd=20\nepsilon=0.1\ndelta=0.05\nbias=0.5",
    }
    for name, text in lines.items():
        command = commands.index("reduce" if name == "gfs" else name)
        write("options", name, bytes([command]) + text.encode())
    for i, text in enumerate(["1e-3", "12", "beam:7", "2:", ":", "512M", "adjusted", "multilinear+squares:2", "a\\,b,c*"]):
        write("options", f"value-{i}", bytes([0]) + text.encode())


def expressions():
    texts = ["a", "sin(a)*b", "-a^2 + 3.5e-2*b", "min(a, b)/max(abs(a), 1)", "sqrt(log(exp(a)))", "((a))", "a^-b^a", "sign(tanh(a)-cos(b))"]
    for i, text in enumerate(texts):
        write("expression", f"formula-{i}", text)


def true_scores():
    """Those of all pairs of the table of checkpoint.cpp, in the order in which pairs are numbered."""
    cells = [[i * (j + 1) % 7 % 2 for j in range(6)] for i in range(48)]
    lines = [",".join(map(str, [*x, int((x[1] != x[3]) != (i % 11 == 0))])) for i, x in enumerate(cells)]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "t.csv").write_text("\n".join(["a,b,c,d,e,f,y", *lines]) + "\n")
        said = fsieve(folder, "learn", "t.csv", "--label", "y", "-k", "2", "--top", "15", "--json")
    candidates = json.loads(said)["candidates"]
    pairs = [(["abcdef".index(name) for name in pair["features"]], pair["score"]) for pair in candidates]
    return sorted(pairs, key=lambda pair: pair[0][::-1])


def best_of(done, scores):
    """The three best of the pairs that are done, as a checkpoint lists them."""
    pairs = [pair for first, end in done for pair in scores[first:end]]
    best = sorted(pairs, key=lambda pair: (-pair[1], pair[0]))[:3]
    return [{"features": features, "score": score} for features, score in best]


def checkpoints():
    """Without their checksums; the searches are those of checkpoint.cpp."""
    begin = '{"format": "fsieve checkpoint", "version": 2, "search": SEARCH, '
    for name, rest in {
        "empty": '"done": [], "best": []',
        "part": '"done": [[0, 1]], "best": [{"features": [0, 1], "score": 0.5}]',
        "gap": '"done": [[0, 2], [4, 15]], "best": []',
        "foreign": '"done": [[0, 1000000]], "best": [{"features": [999999, 1], "score": 1e999}]',
    }.items():
        write("checkpoint", name, begin + rest)
    # Those that a search goes on from.
    scores = true_scores()
    for name, done in {
        "true-one": [[3, 4]],
        "true-half": [[0, 8]],
        "true-gaps": [[0, 2], [4, 9], [12, 15]],
        "true-all": [[0, 15]],
    }.items():
        write("checkpoint", name, f'{begin}"done": {json.dumps(done)}, "best": {json.dumps(best_of(done, scores))}')


if __name__ == "__main__":
    checkpoints()
    results_and_models()
    pages()
    texts()
    arrays()
    batches()
    option_texts()
    expressions()
