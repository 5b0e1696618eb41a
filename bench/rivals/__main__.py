"""How far fsieve is from the machine's limits, and how fast beside others: one table, CPU seconds of one thread, both sides in one
run and in turns, answers compared. Ends with 1 where answers differ that should not."""

import argparse
import dataclasses
import json
import sys
from pathlib import Path

from common.program import ROOT
from rivals import redundancy, relevance, surroundings
from rivals.page import HEAD, circumstances, line, page
from rivals.row import Row

PAGE = ROOT / "docs" / "speed.md"
LAST = ROOT / "build" / "rivals" / "last.json"


def main():
    parser = argparse.ArgumentParser(prog="bench/rivals/run", description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", metavar="FOLDER",
                        help="with COIL20.csv.gz and the others; made-up tables stand in for those that are not there")
    parser.add_argument("--quick", action="store_true", help="without depth 3, smaller tables")
    parser.add_argument("--every", action="store_true", help="`reduce` on every set of FOLDER, which takes many minutes")
    parser.add_argument("--only", choices=("redundancy", "relevance", "surroundings"), help="one part")
    parser.add_argument("--page", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    parser.add_argument("--again", action="store_true", help="write it from the last run")
    options = parser.parse_args()
    if options.again:
        last = json.loads(LAST.read_text(encoding="utf-8"))
        PAGE.write_text(page(last["about"], [Row(**row) for row in last["rows"]]), encoding="utf-8")
        return
    folder = options.data if options.data.is_dir() else None
    parts = {
        "redundancy": lambda: redundancy.rows(folder, options.quick, options.every),
        "relevance": lambda: relevance.rows(folder, options.quick),
        "surroundings": lambda: surroundings.rows(options.quick),
    }
    rows = []
    print(HEAD, flush=True)
    for name, part in parts.items():
        if options.only not in (None, name):
            continue
        for row in part():
            rows.append(row)
            print(line(row), flush=True)
    words = [f"--{word}" for word in ("quick", "every", "page") if getattr(options, word)]
    about = circumstances([*words, "--data FOLDER"] if folder else words)
    LAST.parent.mkdir(parents=True, exist_ok=True)
    LAST.write_text(json.dumps({"about": about, "rows": [dataclasses.asdict(row) for row in rows]}), encoding="utf-8")
    if options.page:
        PAGE.write_text(page(about, rows), encoding="utf-8")
    sys.exit(any(row.wrong for row in rows))


if __name__ == "__main__":
    main()
