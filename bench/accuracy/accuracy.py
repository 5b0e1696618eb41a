"""Accuracy of an RBF support vector machine on the features that each method chooses.

Five folds, selection inside the fold, the same folds and the same k for all. Methods: fsieve select
at depth 1 and 2, the F test, mRMR (mrmr-selection) and fastcan. Results are kept as JSON lines, so a
run that was interrupted goes on where it ended; --table prints them as Markdown.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.feature_selection import f_classif
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("FSIEVE") or str(ROOT / "build" / "release" / "fsieve")
SIZES = (5, 10, 20, 50)
SETS = ("COIL20", "Isolet", "USPS", "madelon", "musk1", "ALLAML", "colon", "Prostate-GE", "lung_small",
        "warpPIE10P")
MOST_ROWS = 3000  # larger sets are sampled


def fsieve(depth):
    def choose(X, y, k):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "train.npy"
            np.save(path, np.column_stack([X, y]))
            command = [PROGRAM, "select", str(path), "--label",
                       f"x{X.shape[1] + 1}", "-k", str(k), "--depth", str(depth), "--task",
                       "classification", "--json", "--quiet"]
            done = subprocess.run(command, capture_output=True, check=True)
        return [feature["index"] for feature in json.loads(done.stdout)["selected"]]

    return choose


def f_test(X, y, k):
    scores = np.nan_to_num(f_classif(X, y)[0])
    return list(np.argsort(-scores, kind="stable")[:k])


def mrmr(X, y, k):
    from mrmr import mrmr_classif

    chosen = mrmr_classif(pd.DataFrame(X), pd.Series(y), K=k, show_progress=False, n_jobs=1)
    return [int(j) for j in chosen]


def fastcan(X, y, k):
    from fastcan import FastCan

    Y = (y[:, None] == np.unique(y)[None]).astype(float)
    return list(FastCan(k, verbose=0).fit(X, Y if Y.shape[1] > 2 else Y[:, 1]).indices_)


METHODS = {"fsieve, depth 1": fsieve(1), "fsieve, depth 2": fsieve(2), "F test": f_test, "mRMR": mrmr,
           "fastcan": fastcan}


def load(folder, name):
    frame = pd.read_csv(folder / f"{name}.csv.gz")
    y, X = frame["label"].to_numpy(), frame.drop(columns="label").to_numpy(float)
    X = X[:, X.std(0) > 0]
    if len(y) > MOST_ROWS:
        rows = np.random.default_rng(0).permutation(len(y))[:MOST_ROWS]
        X, y = X[rows], y[rows]
    return X, np.unique(y, return_inverse=True)[1]


def measure(X, y, choose):
    """Accuracy per k, averaged over the folds, and the time of all selections."""
    accuracies, seconds = [], 0.0
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        used = X[train].std(0) > 0
        columns = np.flatnonzero(used)
        begin = time.perf_counter()
        chosen = columns[choose(X[train][:, used], y[train], min(max(SIZES), len(columns)))]
        seconds += time.perf_counter() - begin
        row = []
        for k in SIZES:
            scale = StandardScaler().fit(X[train][:, chosen[:k]])
            model = SVC().fit(scale.transform(X[train][:, chosen[:k]]), y[train])
            row.append(float((model.predict(scale.transform(X[test][:, chosen[:k]])) == y[test]).mean()))
        accuracies.append(row)
    return [round(100 * a, 1) for a in np.mean(accuracies, 0)], round(seconds, 2)


def table(results):
    print("| set | method | k = 5 | 10 | 20 | 50 | selection, s |\n|---|---|---|---|---|---|---|")
    for name in SETS:
        rows = [r for r in results if r["set"] == name]
        best = [max(r["accuracy"][i] for r in rows) for i in range(len(SIZES))] if rows else []
        for r in rows:
            cells = [f"**{a}**" if a == b else f"{a}" for a, b in zip(r["accuracy"], best)]
            print(f"| {name} | {r['method']} | {' | '.join(cells)} | {r['seconds']} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "accuracy.jsonl")
    parser.add_argument("--table", action="store_true", help="print what was measured so far, and end")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    results = []
    if arguments.results.exists():
        results = [json.loads(line) for line in arguments.results.read_text().splitlines()]
    if not arguments.table:
        known = {(r["set"], r["method"]) for r in results}
        wanted = [m for m in METHODS if any(m == w.strip() for w in arguments.methods.split(";"))] or METHODS
        for name in arguments.sets.split(","):
            X, y = load(arguments.data, name)
            for method in wanted:
                if (name, method) in known:
                    continue
                accuracy, seconds = measure(X, y, METHODS[method])
                results.append({"set": name, "method": method, "rows": len(y), "features": X.shape[1],
                                "accuracy": accuracy, "seconds": seconds})
                with arguments.results.open("a") as out:
                    out.write(json.dumps(results[-1]) + "\n")
                print(json.dumps(results[-1]), file=sys.stderr, flush=True)
    table(results)


if __name__ == "__main__":
    main()
