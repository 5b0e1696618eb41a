"""What does it cost `reduce` that a table has texts where it could have numbers?

python bench/codes/codes.py [--rows 10000] [--columns 85] [--runs 3] [--only KIND,…] [--keep FOLDER]

Tables as surveys are, each written twice: the levels of every category as texts, and as the numbers 0, 1, … Prints CPU seconds of both
(one thread, defaults, reading included, the least of some runs in turns) and their ratio, and ends with an error where a planted
relation is missed or an independent column goes.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common.program import PROGRAM


def even(chance, rows, columns):
    """Independent, 3 to 10 levels, one as frequent as another."""
    return {f"x{k}": chance.integers(0, chance.integers(3, 11), rows) for k in range(columns)}


def skewed(chance, rows, columns):
    """Independent, 3 to 12 levels of which the first ones have most of the rows, and one column of 40."""
    table = {}
    for k in range(columns):
        levels = 40 if k == 0 else int(chance.integers(3, 13))
        shares = 0.55 ** np.arange(levels) + 0.002
        table[f"x{k}"] = chance.choice(levels, rows, p=shares / shares.sum())
    return table


def survey(chance, rows, columns):
    """Answers from 1 to 5 that six opinions have in common."""
    opinions = chance.normal(size=(rows, 6))
    table = {}
    for k in range(columns):
        said = opinions @ chance.normal(size=6) * 0.4 + chance.normal(size=rows)
        table[f"x{k}"] = np.digitize(said, np.quantile(said, np.sort(chance.uniform(0.05, 0.95, 4))))
    return table


def planted(chance, rows, columns):
    """Even and skewed ones, four copies in reverse order, and four codes of two columns together."""
    half = columns // 2
    table = {**even(chance, rows, half), **{f"y{k}": v for k, v in enumerate(skewed(chance, rows, columns - half - 8).values())}}
    names = [f"x{k}" for k in chance.permutation(half)]
    for k in range(4):
        table[f"copy{k}"] = table[names[k]].max() - table[names[k]]
        a, b = (chance.integers(0, 3, rows) for _ in range(2))
        table[names[4 + 2 * k]], table[names[5 + 2 * k]] = a, b
        table[f"both{k}"] = 3 * a + b
    return table, [{f"copy{k}", names[k]} for k in range(4)] + [
        {f"both{k}", names[4 + 2 * k], names[5 + 2 * k]} for k in range(4)
    ]


def tables_of_two(chance, rows, columns):
    """Skewed ones, and two that are a table of two others of many levels: numbers cannot say that."""
    table = skewed(chance, rows, columns - 6)
    groups = []
    for k in range(2):
        a, b = (chance.integers(0, 14, rows) for _ in range(2))
        names = [f"{name}{k}" for name in "abc"]
        table.update(zip(names, (a, b, chance.permutation(np.arange(196) % 4)[14 * a + b])))
        groups.append(set(names))
    return table, groups


def mixed(chance, rows, columns):
    """Half of them categories, half numbers, of which four are sums of two others."""
    half = columns // 2
    table = even(chance, rows, half)
    numbers = {f"z{k}": chance.normal(size=rows) for k in range(columns - half - 4)}
    groups = []
    for k in range(4):
        a, b = f"z{2 * k}", f"z{2 * k + 1}"
        numbers[f"sum{k}"] = numbers[a] + numbers[b]
        groups.append({f"sum{k}", a, b})
    return {**table, **numbers}, groups


# Of each: do numbers say the planted relations too?
KINDS = {
    "even": (even, True),
    "skewed": (skewed, True),
    "survey": (survey, True),
    "planted": (planted, True),
    "tables of two": (tables_of_two, False),
    "mixed": (mixed, True),
}


# Some environments have OpenBLAS take the kernels of another machine.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("OPENBLAS_")}


def cpu_seconds(path):
    """CPU seconds of `reduce`, and what it removed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [PROGRAM, "reduce", str(path), "--threads", "1", "--json", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=ENVIRONMENT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime, {f["name"] for f in json.loads(done.stdout)["removed"]}


def wrong(removed, groups):
    """The planted relations of which nothing is removed, and the other columns that are."""
    missed = [sorted(group) for group in groups if not group & removed]
    return missed, sorted(removed - set().union(*groups))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--columns", type=int, default=85)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default=",".join(KINDS))
    parser.add_argument("--keep", help="writes the tables there")
    asked = parser.parse_args()
    faults = 0
    print(f"{'':14} {'texts':>7} {'codes':>7} {'ratio':>6}  removed of texts, codes")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(asked.keep or temporary)
        for kind in asked.only.split(","):
            make, numbers_too = KINDS[kind]
            made = make(np.random.default_rng(1), asked.rows, asked.columns)
            table, groups = made if isinstance(made, tuple) else (made, [])
            codes = pd.DataFrame(table)
            texts = codes.apply(lambda column: column if column.dtype.kind == "f" else "l" + column.astype(str))
            paths = [folder / f"{kind.replace(' ', '_')}_{name}.csv" for name in ("texts", "codes")]
            for frame, path in zip((texts, codes), paths):
                frame.to_csv(path, index=False, float_format="%.6g")
            runs = [[cpu_seconds(path) for path in paths] for _ in range(asked.runs)]
            least = [min(run[k][0] for run in runs) for k in range(2)]
            removed = [runs[0][k][1] for k in range(2)]
            counts = ", ".join(str(len(names)) for names in removed)
            print(f"{kind:14} {least[0]:7.2f} {least[1]:7.2f} {least[0] / least[1]:6.2f}  {counts}")
            for names, relations in zip(removed, (groups, groups if numbers_too else [])):
                missed, others = wrong(names, relations)
                if missed or others:
                    faults += 1
                    print(f"  missed: {missed}, removed beside them: {others}")
            sys.stdout.flush()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
