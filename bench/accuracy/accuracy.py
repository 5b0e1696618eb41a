"""Accuracy of an RBF support vector machine on the features that each method chooses.

Five folds, selection inside the fold, the same folds and the same k for all. Methods: fsieve select
at depth 1 and 2, the F test, mRMR (mrmr-selection) and fastcan. Results are kept as JSON lines, so a
run that was interrupted goes on where it ended; --table prints them as Markdown.
"""

import argparse
import json
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import peers  # noqa: E402
from common import judge, sets  # noqa: E402
from common.program import ROOT, chosen, on_arrays  # noqa: E402
from common.results import Results  # noqa: E402

SIZES = (5, 10, 20, 50)
SETS = ("COIL20", "Isolet", "USPS", "madelon", "musk1", "ALLAML", "colon", "Prostate-GE", "lung_small",
        "warpPIE10P")
MOST_ROWS = 3000  # larger sets are sampled
LIMIT = 3600  # seconds for one selection


def fsieve(depth):
    def choose(X, y, k):
        result = on_arrays("select", X, y, "-k", k, "--folds", 0, "--depth", depth, "--task", "classification")
        return chosen(result), result["timing"]["fit_s"]

    return choose


def peer(method):
    def choose(X, y, k):
        answer = peers.select(method, X, y, k, LIMIT)
        return answer["ranking"], answer["seconds"]

    return choose


METHODS = {"fsieve, depth 1": fsieve(1), "fsieve, depth 2": fsieve(2), "F test": peer("f_test"),
           "mRMR": peer("mrmr"), "fastcan": peer("fastcan")}


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
    parser.add_argument("--data", type=Path, default=sets.FOLDER)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--methods", default=";".join(METHODS), help="separated by ;")
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "accuracy.jsonl")
    parser.add_argument("--table", action="store_true", help="print what was measured so far, and end")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    results = Results(arguments.results)
    if not arguments.table:
        known = {(r["set"], r["method"]) for r in results.records}
        wanted = [m.strip() for m in arguments.methods.split(";")]
        for name in arguments.sets.split(","):
            X, y = sets.sampled(*sets.load(name, 0, arguments.data), MOST_ROWS)
            for method in wanted:
                if (name, method) in known:
                    continue
                means, _, seconds, _ = judge.accuracies(X, y, SIZES, METHODS[method])
                results.add({"set": name, "method": method, "rows": len(y), "features": X.shape[1],
                             "accuracy": [round(a, 1) for a in means], "seconds": round(sum(seconds), 2)})
                print(json.dumps(results.records[-1]), file=sys.stderr, flush=True)
    table(results.records)


if __name__ == "__main__":
    main()
