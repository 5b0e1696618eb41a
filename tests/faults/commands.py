"""The commands that write files, each with files of its own, and what must be true after any of them."""

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

TABLE = "a,b,c,y\n" + "".join(
    f"{(i * 7) % 11},{2 * ((i * 7) % 11)},{(i * 5) % 13 + 0.25},{int((i * 7) % 11 > 5)}\n" for i in range(26)
)
OLD = b"old\n"
# Every format a table is written in, and those that are read as well.
FORMATS = ["csv", "tsv", "csv.gz", "csv.zst", "tsv.gz", "tsv.zst", "parquet", "feather", "arrow", "npy", "json"]
READ = FORMATS[:-1]


@dataclass
class Command:
    """A command line, the files it finds (`before`), and those it leaves when all is well (`after`)."""

    name: str
    arguments: list
    before: dict
    outputs: list
    after: dict = field(default_factory=dict)
    checkpoint: str = ""  # may be there, changed, after a failure: then the command goes on from it


def environment(extra=None):
    # One allocator for everything, so that every allocation can be made to fail.
    return {**os.environ, "ARROW_DEFAULT_MEMORY_POOL": "system", "OPENBLAS_NUM_THREADS": "1", **(extra or {})}


def lay_out(folder, files):
    """The folder holds exactly these files."""
    for path in folder.iterdir():
        path.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)


def found(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def run(program, folder, arguments):
    done = subprocess.run(
        [program, *arguments], cwd=folder, env=environment(), capture_output=True, timeout=120, check=False
    )
    assert done.returncode == 0, (arguments, done.stderr)


def interrupted_search(program, folder, arguments):
    """Leaves the checkpoint of a search whose model, which is renamed after it, could not be written."""
    fault = {"LD_PRELOAD": str(shim(program)), "FSIEVE_FAULT": "rename:2+:5"}
    done = subprocess.run(
        [program, *arguments, "-o", "never.json", "--checkpoint", "c.json"], cwd=folder, env=environment(fault),
        capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 1 and (folder / "c.json").exists(), done.stderr


def prepared(program, folder, formats=None):
    """All commands that write, in every format: over old files, as new files, and over their input."""
    formats = FORMATS if formats is None else formats
    always = ["--threads", "1", "--no-timing", "-q"]
    lay_out(folder, {"t.csv": TABLE.encode()})
    run(program, folder, ["reduce", "t.csv", "--label", "y", "--save", "r.json"])
    learn = ["learn", "t.csv", "--label", "y", "-k", "2", "--binarize", "median"]
    run(program, folder, [*learn, "-o", "m.json"])
    interrupted_search(program, folder, [*learn, *always])
    for kind in READ:
        run(program, folder, ["apply", "r.json", "t.csv", "-o", f"in.{kind}"])
    files = found(folder)

    def command(name, arguments, inputs, outputs, old=True, checkpoint=""):
        before = {name: files[name] for name in inputs}
        if old:
            before |= {name: before.get(name, OLD) for name in outputs}
        return Command(name, [*arguments, *always], before, outputs, checkpoint=checkpoint)

    commands = [
        command("reduce, new files", ["reduce", "t.csv", "-o", "o.csv", "--save", "s.json"], ["t.csv"],
                ["o.csv", "s.json"], old=False),
        command("select", ["select", "t.csv", "--label", "y", "-k", "2", "-o", "o.csv", "--save", "s.json"], ["t.csv"],
                ["o.csv", "s.json"]),
        command("select, three files", ["select", "t.csv", "--label", "y", "-k", "2", "-o", "o.csv", "--save", "s.json",
                                        "--table", "o.tsv"], ["t.csv"], ["o.csv", "s.json", "o.tsv"]),
        command("report", ["report", "t.csv", "--label", "y", "-o", "o.html"], ["t.csv"], ["o.html"]),
        command("learn", [*learn, "-o", "o.json"], ["t.csv"], ["o.json"]),
        command("learn, new checkpoint", [*learn, "-o", "o.json", "--checkpoint", "c.json"], ["t.csv"], ["o.json"],
                checkpoint="c.json"),
        command("learn from a checkpoint", [*learn, "-o", "o.json", "--checkpoint", "c.json"], ["t.csv", "c.json"],
                ["o.json"], checkpoint="c.json"),
    ]  # fmt: skip
    for kind in formats:
        out = f"o.{kind}"
        commands += [
            command(f"reduce {kind}", ["reduce", "t.csv", "-o", out, "--save", "s.json"], ["t.csv"], [out, "s.json"]),
            command(f"apply {kind}", ["apply", "r.json", "t.csv", "-o", out], ["r.json", "t.csv"], [out]),
            command(f"generate {kind}", ["generate", "gfa", "--rows", "20", "-o", out], [], [out, f"{out}.truth.json"]),
        ]
        if kind != "npy":  # predictions and the demo's table have text
            commands += [
                command(f"predict {kind}", ["predict", "m.json", "t.csv", "-o", out], ["m.json", "t.csv"], [out]),
                command(f"demo {kind}", ["demo", "-o", out], [], [out]),
            ]
        if kind in READ:
            own = f"in.{kind}"
            commands.append(
                command(f"reduce {kind} over its input", ["reduce", own, "-o", own, "--save", "s.json"], [own],
                        [own, "s.json"])
            )  # fmt: skip
    for each in commands:
        lay_out(folder, each.before)
        run(program, folder, each.arguments)
        each.after = found(folder)
        assert set(each.after) == set(each.before) - {each.checkpoint} | set(each.outputs), each.name
        assert each.after != each.before, each.name
    return commands


def error_lines(stderr):
    return [line for line in stderr.decode(errors="replace").splitlines() if line.startswith("fsieve: error: ")]


def shim(program):
    return Path(program).parent / "tests" / "libfault_shim.so"
