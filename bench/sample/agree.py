"""Does `reduce` decide on a sample as on all rows?

python bench/sample/agree.py [--tables 200] [--first SEED] [--sample 1000] [--data FOLDER] [--order auto|input]
                             [--rows N --columns D] [--categories]

--rows and --columns make longer and wider tables (D independent columns), --categories tables of categories alone, and --sample 0 is
the program's own choice of a sample.

Every table is reduced twice, with `sample=N` and with `sample="all"`. A feature that one removes and the
other keeps counts, unless its norm is within 1 % of epsilon. Ends with an error where any counts.
"""

import argparse
import pathlib
import sys
import warnings

import pandas as pd
from tables import categories, table

from fsieve import UFFS

EPSILON = 0.1
BAND = 0.01


def left(result, name):
    """What is left of a feature, as the verdict saw it: on rows that were not used."""
    for feature in result["selected"]:
        if feature["name"] == name:
            return feature["adjusted_norm"] or 1.0
    for feature in result["removed"]:
        if feature["name"] == name:
            equations = feature.get("equations") or [feature["equation"]]
            return max(1 - min(e["r2"] for e in equations), 0) ** 0.5
    return 1.0


def compare(name, frame, sample, order):
    """(features, differences, differences that count); prints what differs."""
    runs = [UFFS(sample=s, order=order).fit(frame).result_ for s in (sample, "all")]
    gone = [{f["name"] for f in r["removed"]} for r in runs]
    differ = sorted(gone[0] ^ gone[1])
    norms = {n: [left(r, n) for r in runs] for n in differ}
    near = any(abs(norm / EPSILON - 1) <= BAND for pair in norms.values() for norm in pair)
    for feature, pair in norms.items():
        where = "removed on the sample only" if feature in gone[0] else "removed on all rows only"
        print(f"{name}: {feature} {where}, left {pair[0]:.4f} and {pair[1]:.4f}{' (near)' if near else ''}")
        sys.stdout.flush()
    equal = 0
    for feature in gone[0] & gone[1]:
        first, second = ([e for e in r["removed"] if e["name"] == feature][0] for r in runs)
        equal += first.get("equation") == second.get("equation") and first.get("equations") == second.get("equations")
    sampled = any("sample" in stage for stage in runs[0]["stages"])
    return frame.shape[1], len(differ), 0 if near else len(differ), len(gone[0] & gone[1]), equal, sampled


def real_tables(folder):
    for path in sorted(pathlib.Path(folder).glob("*.csv.gz")):
        frame = pd.read_csv(path, na_values="?").dropna()
        if frame.shape[1] <= 100 and len(frame) >= 250 and "93k" not in path.name:
            yield path.name, frame


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--sample", type=int, default=1000)
    parser.add_argument("--order", default="auto")
    parser.add_argument("--data")
    parser.add_argument("--rows", type=int)
    parser.add_argument("--columns", type=int)
    parser.add_argument("--categories", action="store_true")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    if asked.data:
        tables = real_tables(asked.data)
    else:
        seeds = range(asked.first, asked.first + asked.tables)
        make = categories if asked.categories else table
        tables = ((f"table {s}", make(s, asked.rows, asked.columns)) for s in seeds)
    totals = [0] * 6
    count = 0
    for name, frame in tables:
        found = compare(name, frame, asked.sample or None, asked.order)
        totals = [a + b for a, b in zip(totals, found, strict=True)]
        count += 1
    print(
        f"{count} tables, {totals[5]} sampled, {totals[0]} features: {totals[1]} verdicts differ, {totals[2]} of them "
        f"beyond 1 % of epsilon; removed by both {totals[3]}, with the same equation {totals[4]}"
    )
    return 1 if totals[2] else 0


if __name__ == "__main__":
    sys.exit(main())
