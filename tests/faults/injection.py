"""Makes every call that can fail fail, one at a time, and looks at what is left.

    python tests/faults/injection.py [PROGRAM] [--formats csv,parquet] [--allocations 1] [--only WORD]

Whatever fails: every output is as it was or every output is new, nothing else is in the folder, and a failure is
one line on standard error and exit code 1. Ctrl-C at any of these calls ends with 130 and the old files, or with 0 and
the new ones.
"""

import argparse
import errno
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import commands

COPY = f"link:1+:{errno.EPERM},copy"  # the old file is copied where the file system has no links
MUST_FAIL = [
    ("write", errno.ENOSPC), ("fsync", errno.EIO), ("rename", errno.EIO), ("link", errno.EPERM), (COPY, errno.ENOSPC),
    ("open", errno.EMFILE), ("close", errno.EIO), ("allocate", errno.ENOMEM),
]  # fmt: skip
MUST_NOT_MATTER = [("write", errno.EINTR), ("write", "short"), (COPY, "short")]
INTERRUPTED = ["write", "fsync", "rename", "link", COPY, "open", "close"]
STAYS_BROKEN = [("write", errno.EIO), ("fsync", errno.EIO), ("open", errno.ENFILE), ("close", errno.EIO)]


@dataclass
class Point:
    """One run with one fault."""

    command: str
    fault: str
    reached: bool
    code: int
    trouble: str  # what is not as promised; empty when all is


def run_point(program, folder, command, fault):
    commands.lay_out(folder, command.before)
    reader, writer = os.pipe()
    extra = {"LD_PRELOAD": str(commands.shim(program)), "FSIEVE_FAULT": fault, "FSIEVE_FAULT_SEEN": str(writer)}
    process = subprocess.Popen(
        [program, *command.arguments], cwd=folder, env=commands.environment(extra), pass_fds=[writer],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    os.close(writer)
    _, stderr = process.communicate(timeout=120)
    reached = bool(os.read(reader, 1))
    os.close(reader)
    trouble = trouble_of(command, commands.found(folder), process.returncode, stderr, "interrupt" in fault)
    if command.checkpoint and process.returncode != 0 and not trouble:
        trouble = trouble_going_on(program, folder, command)
    return Point(command.name, fault, reached, process.returncode, trouble)


def trouble_going_on(program, folder, command):
    """What a search that failed left, a checkpoint or none, is good for the answer of an undisturbed one."""
    again = subprocess.run(
        [program, *command.arguments], cwd=folder, env=commands.environment(), capture_output=True, timeout=120, check=False
    )
    if again.returncode != 0:
        return f"does not go on: {again.stderr.decode(errors='replace')[-300:]}"
    return "" if commands.found(folder) == command.after else "goes on to other files"


def trouble_of(command, files, code, stderr, interrupted):
    if code == 0:
        return "" if files == command.after else "exit code 0 without the new files"

    def but_checkpoint(files):
        return {name: content for name, content in files.items() if name != command.checkpoint}

    files, before, after = but_checkpoint(files), but_checkpoint(command.before), but_checkpoint(command.after)
    if interrupted and code in (130, -signal.SIGINT):  # before it listens the system ends it
        return "" if files == before else "interrupted, and not all files are as they were"
    if interrupted or code != 1:
        return f"exit code {code}: {stderr.decode(errors='replace')[-300:]}"
    if files not in (before, after):
        wrong = [name for name in before | after if files.get(name) != before.get(name)]
        left = [name for name in files if name not in after]
        return f"neither all old nor all new: changed {wrong}, left {left}"
    lines = commands.error_lines(stderr)
    return "" if len(lines) == 1 and stderr.decode().endswith(lines[0] + "\n") else f"{len(lines)} error lines"


def points_of(program, folder, command, kind, how, step=1, more=""):
    """Faults at the first call, the next, … until the command gets through without reaching one."""
    nth = 1
    while True:
        point = run_point(program, folder, command, f"{kind}:{nth}{more}:{how}")
        yield point
        if not point.reached:
            return
        nth += step


def all_points(program, folder, each, step_of_allocations=1):
    for kind, how in MUST_FAIL:
        yield from points_of(program, folder, each, kind, how, step_of_allocations if kind == "allocate" else 1)
    for kind, how in MUST_NOT_MATTER:
        for point in points_of(program, folder, each, kind, how):
            if point.code != 0 and not point.trouble:
                point.trouble = "failed although the call can be made again"
            yield point
    for kind in INTERRUPTED:
        for more in ["", "+"]:  # one signal; one at every further call
            yield from points_of(program, folder, each, kind, "interrupt", more=more)
    for kind, how in STAYS_BROKEN:
        yield from points_of(program, folder, each, kind, how, more="+")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program", nargs="?", default="build/release/fsieve")
    arguments.add_argument("--formats", default=",".join(commands.FORMATS))
    arguments.add_argument("--allocations", type=int, default=1, help="every how many allocations one fails")
    arguments.add_argument("--only", default="", help="commands whose name holds this")
    given = arguments.parse_args()
    program = str(Path(given.program).resolve())
    begun = time.monotonic()
    counts, failed, troubles = Counter(), Counter(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        chosen = [c for c in commands.prepared(program, folder, given.formats.split(",")) if given.only in c.name]
        for command in chosen:
            for point in all_points(program, folder, command, given.allocations):
                kind = "interrupt" if "interrupt" in point.fault else point.fault.rpartition(",")[2].split(":")[0]
                counts[kind] += point.reached
                failed[kind] += point.code != 0
                if point.trouble:
                    troubles += 1
                    print(f"{point.command}, {point.fault}: {point.trouble}", flush=True)
            print(f"{command.name}: done, {sum(counts.values())} faults so far", file=sys.stderr, flush=True)
    print(f"{len(chosen)} commands, {time.monotonic() - begun:.0f} s")
    for kind, count in counts.items():
        print(f"  {kind:9}{count:7} faults, {failed[kind]:7} ended the command")
    print(f"  {'in all':9}{sum(counts.values()):7} faults, {troubles} not as promised")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
