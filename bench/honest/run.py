"""Is what `reduce` removes redundant on rows it has not seen?

python bench/honest/run.py [independent|alike|sklearn|data ...] [--draws N] [--exe PATH] [--folder DIR] [--words "--r2 0.9"]
PYTHONPATH=build/release/python python bench/honest/run.py --chunks 5: the same by partial_fit, which keeps no rows

Half of the rows are given to `reduce`; every equation is judged on the other half. Printed for each table:
how many columns are removed, the share of those whose R² on the other half is more than 0.02 below the
printed one, the worst difference, and the median and largest number of terms.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile
import warnings

import numpy as np
import pandas as pd
from sklearn import datasets
from tables import INDEPENDENT, LOOK_ALIKES

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOLERANCE = 0.02


def column(table, name):
    if name in table:
        return table[name].to_numpy(float)
    feature, level = name.rsplit("=", 1)
    return (table[feature].astype(str) == level).to_numpy(float)


def value(equation, table):
    total = np.zeros(len(table))
    for term in equation["terms"]:
        product = np.full(len(table), term["coefficient"])
        for factor, power in zip(term["factors"], term.get("powers", [1] * len(term["factors"])), strict=True):
            product = product * column(table, factor) ** power
        total = total + product
    return total


def held_out_r2(target, equation, table):
    truth = column(table, target)
    with np.errstate(all="ignore"):
        left = ((truth - value(equation, table)) ** 2).sum()
    total = ((truth - truth.mean()) ** 2).sum()
    if not np.isfinite(left):
        return -np.inf
    if total == 0:
        return 1.0 if left <= 1e-9 * max(1, (truth**2).sum()) else -np.inf
    return 1 - left / total


def judged(result, table):
    """Of every equation: the printed R² less that on other rows, and its terms."""
    found = []
    for feature in result["removed"]:
        if feature["reason"] == "constant":
            continue
        for equation in feature.get("equations") or [feature["equation"]]:
            target = equation["text"].split(" = ")[0] if "equations" in feature else feature["name"]
            found.append((equation["r2"] - held_out_r2(target, equation, table), len(equation["terms"]), feature["name"], equation))
    return found


class Trial:
    def __init__(self, exe, folder, words):
        self.exe, self.folder, self.words = exe, pathlib.Path(folder), words

    def reduce(self, table, label=None):
        path = self.folder / "half.csv"
        table.to_csv(path, index=False)
        words = ["--label", label] if label else []
        done = subprocess.run(
            [self.exe, "reduce", path, "--json", "--no-timing", *words, *self.words],
            capture_output=True, text=True, check=False,
        )
        if done.returncode:
            raise SystemExit(done.stderr)
        return json.loads(done.stdout)

    def half(self, table, seed, label=None):
        order = np.random.default_rng(seed).permutation(len(table))
        first, other = table.iloc[order[: len(table) // 2]], table.iloc[order[len(table) // 2 :]]
        result = self.reduce(first, label)
        return result, judged(result, other)

    def show(self, name, table, draws=1, label=None):
        found, kept = [], []
        for seed in range(draws):
            result, own = self.half(table(seed) if callable(table) else table, seed, label)
            kept.append(len(result["selected"]))
            found += own
        row(name, kept, found)


class ChunkTrial(Trial):
    """By the sums of some chunks."""

    def reduce(self, table, label=None):
        from fsieve import UFFS

        features = table.drop(columns=label) if label else table
        reducer = UFFS()
        for rows in np.array_split(np.arange(len(table)), ARGUMENTS.chunks):
            reducer.partial_fit(features.iloc[rows])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return reducer.result_


def row(name, kept, found):
    worse = [f for f in found if f[0] > TOLERANCE]
    share = f"{100 * len(worse) / len(found):.1f} %" if found else "-"
    worst = max(found, key=lambda f: f[0], default=None)
    terms = sorted(f[1] for f in found)
    length = f"{terms[len(terms) // 2]} / {terms[-1]}" if terms else "-"
    print(f"| {name} | {np.mean(kept):.1f} | {len(found)} | {share} | {worst[0] if worst else 0:.3g} | {length} |", flush=True)
    for difference, _, target, equation in sorted(worse, key=lambda f: -f[0])[: ARGUMENTS.examples]:
        print(f"    {difference:.3g}: {equation['r2']:.6f} {equation['text'][:150]}")


def independent(trial, draws):
    for name, make in INDEPENDENT.items():
        removed, total = 0, 0
        for draw in range(draws):
            random = np.random.default_rng([draw, 17])
            values = make(random)
            table = pd.DataFrame(values, columns=[f"x{j}" for j in range(values.shape[1])])
            gone = [f for f in trial.reduce(table)["removed"] if f["reason"] != "constant"]
            removed += bool(gone)
            total += len(gone)
            for feature in gone[: ARGUMENTS.examples]:
                print("   ", feature["equation"]["r2"], feature["equation"]["text"][:150])
        print(f"| {name} | something removed in {removed} of {draws} | {total} columns |", flush=True)


def alike(trial, draws):
    for name, make in LOOK_ALIKES.items():
        def table(seed, make=make):
            values = make(np.random.default_rng([seed, 3]))
            return pd.DataFrame(values, columns=[f"x{j}" for j in range(values.shape[1])])

        trial.show(name, table, draws)


def sklearn(trial, draws):
    for name in ("iris", "wine", "breast_cancer", "diabetes", "digits"):
        bunch = getattr(datasets, f"load_{name}")(as_frame=True)
        trial.show(name, bunch.data, draws)


def data(trial, draws):
    for path in sorted(pathlib.Path(ARGUMENTS.folder).glob("*.csv.gz")):
        name = path.name.removesuffix(".csv.gz")
        if ARGUMENTS.sets and name not in ARGUMENTS.sets.split(","):
            continue
        table = pd.read_csv(path, keep_default_na=False, na_values=[])
        table = table[~(table == "?").any(axis=1)]
        trial.show(name, table, draws, "A16" if name == "crx" else "label")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", default=["independent", "alike", "sklearn"])
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--exe", default=str(ROOT / "build/release/fsieve"))
    parser.add_argument("--folder", default=".", help="of the sets of `data`, as NAME.csv.gz")
    parser.add_argument("--sets", help="names of some of them")
    parser.add_argument("--words", default="", help="further options of reduce")
    parser.add_argument("--examples", type=int, default=0, help="equations that failed to print")
    parser.add_argument("--chunks", type=int, help="by partial_fit of so many chunks")
    ARGUMENTS = parser.parse_args()
    kind = ChunkTrial if ARGUMENTS.chunks else Trial
    with tempfile.TemporaryDirectory() as folder:
        for part in ARGUMENTS.parts:
            print(f"\n{part}\n", flush=True)
            globals()[part](kind(ARGUMENTS.exe, folder, ARGUMENTS.words.split()), ARGUMENTS.draws)
