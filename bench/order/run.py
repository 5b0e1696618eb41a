"""The trial of `reduce --order auto`: python bench/order/run.py [sets|hand|physics|noise|real|judge] [--seeds N] [--exe PATH]

Prints how often the answer is what it should be; the figures in docs/uffs.md are from here.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import pandas as pd
from tables import formula_table, formulas, made_by_hand, shuffled

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from common.judge import accuracy_of


class Trial:
    def __init__(self, exe, folder):
        self.exe, self.folder, self.seconds = exe, pathlib.Path(folder), 0.0

    def reduce(self, columns, *words, label=None):
        path = self.folder / "t.csv"
        pd.DataFrame(columns).to_csv(path, index=False)
        return self.reduce_file(path, *words, label=label)

    def reduce_file(self, path, *words, label=None):
        words = [*words, "--label", label] if label else words
        start = time.perf_counter()
        done = subprocess.run(
            [self.exe, "reduce", path, "--json", "--no-timing", *words], capture_output=True, text=True, check=False
        )
        self.seconds = time.perf_counter() - start
        if done.returncode:
            raise SystemExit(f"{path}: {done.stderr}")
        return json.loads(done.stdout)


def names(features):
    return sorted(feature["name"] for feature in features)


def comparable(result):
    """What must not depend on the order: names, and equations to nine digits."""

    def rounded(equation):
        return sorted((*sorted(t["factors"]), f"{t['coefficient']:.9g}") for t in equation["terms"])

    removed = {f["name"]: rounded(f["equation"]) for f in result["removed"] if "equation" in f}
    return names(result["selected"]), names(result["removed"]), removed


def value(equation, columns):
    total = 0
    for term in equation["terms"]:
        product = term["coefficient"]
        for factor, power in zip(term["factors"], term.get("powers", [1] * len(term["factors"])), strict=True):
            product = product * columns[factor] ** power
        total = total + product
    return total


def sets(trial, seeds):
    generators = {f"x{j}" for j in range(1, 11)}
    for kind in ("s1", "s2", "s3"):
        right, kept = 0, []
        for seed in range(seeds):
            path = trial.folder / "s.csv"
            subprocess.run(
                [trial.exe, "generate", kind, "--seed", str(seed), "-o", path], capture_output=True, check=True
            )
            table = pd.read_csv(path)
            columns = shuffled({c: table[c].to_numpy() for c in table if c != "y"}, np.random.default_rng(seed))
            result = trial.reduce(columns)
            exact = all(f["equation"]["r2"] > 1 - 1e-9 for f in result["removed"])
            short = all(len(f["equation"]["terms"]) <= 5 for f in result["removed"])
            good = len(result["selected"]) == 10 and exact
            if kind != "s3":
                good = good and set(names(result["selected"])) == generators and short
            kept.append(len(result["selected"]))
            right += good
            if not good:
                print(f"  {kind} seed {seed}: kept {names(result['selected'])}, exact {exact}, short {short}")
        print(f"{kind}: right in {right} of {seeds}, kept {min(kept)} to {max(kept)}", flush=True)


def hand(trial, shuffles):
    for name, (make, fewest) in made_by_hand().items():
        random = np.random.default_rng(sum(map(ord, name)))
        columns = make(random)
        answers, kept, worst, slowest = [], [], 1.0, 0.0
        for _ in range(shuffles):
            label = "label" if "label" in columns else None
            result = trial.reduce(shuffled(columns, random), label=label)
            slowest = max(slowest, trial.seconds)
            answers.append(comparable(result))
            kept.append(len(result["selected"]))
            for feature in result["removed"]:
                equations = feature.get("equations") or [feature["equation"]]
                worst = min([worst, *(equation["r2"] for equation in equations)])
        same = all(a == answers[0] for a in answers) or name in ("duplicates", "conversions", "circle")
        good = same and set(kept) == {fewest}
        texts = [f["equation"]["text"] for f in result["removed"] if "equation" in f]
        print(f"{'ok ' if good else 'BAD'} {name}: kept {sorted(set(kept))} of {fewest}, same {same}, "
              f"smallest R² {worst:.4f}, {slowest:.2f} s  {'; '.join(texts)}", flush=True)


def physics(trial, seeds):
    right = total = 0
    for name in formulas():
        for seed in range(seeds):
            random = np.random.default_rng([seed, sum(map(ord, name))])
            columns = formula_table(name, random)
            result = trial.reduce(columns)
            fresh = formula_table(name, random)
            good = len(result["removed"]) == 1
            text = "; ".join(f["equation"]["text"] for f in result["removed"])
            if good:
                removed = result["removed"][0]
                truth = fresh[removed["name"]]
                left = np.abs(value(removed["equation"], fresh) - truth).max() / np.abs(truth).max()
                good = left < 1e-6
            right += good
            total += 1
            print(f"{'ok ' if good else 'BAD'} {name}: {trial.seconds:.2f} s  {text}", flush=True)
    print(f"physics: {right} of {total}")


def noise(trial, draws):
    makers = {
        "normal 72 x 500": lambda r: r.normal(size=(72, 500)),
        "normal 200 x 2000": lambda r: r.normal(size=(200, 2000)),
        "Cauchy 1000 x 100": lambda r: r.standard_cauchy(size=(1000, 100)),
        "lognormal 1000 x 100": lambda r: np.exp(2 * r.normal(size=(1000, 100))),
    }
    for name, make in makers.items():
        removed, seconds = 0, 0.0
        for draw in range(draws):
            path = trial.folder / "noise.npy"
            np.save(path, make(np.random.default_rng([draw, 7])))
            result = trial.reduce_file(path)
            seconds += trial.seconds
            removed += bool(result["removed"])
            for feature in result["removed"][:2]:
                print("  ", feature["equation"]["text"][:120])
        print(f"{name}: something removed in {removed} of {draws}, {seconds / draws:.2f} s", flush=True)


def up_to_unit(table):
    """For each column the first in byte order that is the same but for unit and origin: any of them may stay."""
    first, seen = {}, {}
    for name in sorted(table):
        numeric = pd.api.types.is_numeric_dtype(table[name])
        values = table[name].to_numpy(float) if numeric else pd.factorize(table[name])[0]
        spread = np.nanstd(values)
        held = np.nan_to_num((values - np.nanmean(values)) / (spread or 1)).round(7) + 0.0
        turned = held if held[np.flatnonzero(held)[:1]].sum() >= 0 else -held + 0.0
        first[name] = seen.setdefault(turned.tobytes(), name)
    return first


def real(trial, shuffles, folder, only):
    for path in sorted(pathlib.Path(folder).glob("*.csv.gz")):
        name = path.name.removesuffix(".csv.gz")
        if only and name not in only:
            continue
        table = pd.read_csv(path)
        label = table.columns[-1]
        words = ["--na", "?", "--missing", "drop"] if name in ("crx",) else []
        alike = up_to_unit(table[table.columns[:-1]])
        auto, walked, answers, times = [], [], [], {"auto": 0.0, "input": 0.0}
        for shuffle in range(shuffles):
            order = list(np.random.default_rng(shuffle).permutation(table.columns[:-1]))
            held = trial.folder / "r.parquet"
            table[[*order, label]].to_parquet(held)
            result = trial.reduce_file(held, *words, label=label)
            times["auto"] += trial.seconds
            kept, removed, equations = comparable(result)
            copies = {name for name in equations if any(alike[name] == alike[other] for other in kept)}
            written = {name: terms for name, terms in equations.items() if name not in copies}
            if len(set(alike.values())) < len(alike):
                written = {alike[name]: len(terms) for name, terms in written.items()}
            answers.append((sorted(alike[name] for name in kept), written))
            auto.append(len(result["selected"]))
            walk = trial.reduce_file(held, *words, "--order", "input", label=label)
            times["input"] += trial.seconds
            walked.append(len(walk["selected"]))
        same = all(a == answers[0] for a in answers)
        good = same and max(auto) <= min(walked) + 1
        print(f"{'ok ' if good else 'BAD'} {name}: auto {sorted(set(auto))}, same {same}, input {min(walked)} to "
              f"{max(walked)} of {table.shape[1] - 1}; {times['auto'] / shuffles:.2f} s against "
              f"{times['input'] / shuffles:.2f} s", flush=True)


def numbers_of(table):
    """Categories as indicators, gaps at the median."""
    wide = pd.get_dummies(table, dtype=float)
    return wide.fillna(wide.median()).to_numpy(float)


def judge(trial, folder, only):
    """What a support vector machine does with the features kept, and with all: five folds, 10 000 rows at most."""
    for path in sorted(pathlib.Path(folder).glob("*.csv.gz")):
        name = path.name.removesuffix(".csv.gz")
        if only and name not in only:
            continue
        table = pd.read_csv(path)
        table = table.sample(min(len(table), 10_000), random_state=0).reset_index(drop=True)
        label = table.columns[-1]
        held = trial.folder / "j.parquet"
        table.to_parquet(held)
        words = ["--na", "?", "--missing", "drop"] if name in ("crx",) else []
        kept = [f["name"] for f in trial.reduce_file(held, *words, label=label)["selected"]]
        codes = pd.factorize(table[label])[0]
        scores = []
        for columns in (list(table.columns[:-1]), kept):
            values = numbers_of(table[columns])
            scores.append(accuracy_of(values, codes, np.arange(values.shape[1])))
        (all_mean, spread), (kept_mean, _) = scores
        print(f"| {name} | {table.shape[1] - 1} | {len(kept)} | {all_mean:.1f} ± {spread:.1f} | {kept_mean:.1f} | "
              f"{kept_mean - all_mean:+.1f} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["sets", "hand", "physics", "noise", "real", "judge"])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--exe", default=str(ROOT / "build/release/fsieve"))
    parser.add_argument("--data", default="data")
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(options.exe, folder)
        if options.what == "judge":
            judge(trial, options.data, options.only)
        elif options.what == "real":
            real(trial, options.seeds, options.data, options.only)
        else:
            {"sets": sets, "hand": hand, "physics": physics, "noise": noise}[options.what](trial, options.seeds)


if __name__ == "__main__":
    main()
