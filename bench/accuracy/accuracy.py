"""How well do the features predict that fsieve and its peers choose, for a given number of them?

Selection inside the fold, k = 3, 5, 10, 20, 50 (those below the number of columns), the first k of one
ranking; five folds dealt --seeds times, twice as often where a set has fewer than 200 rows; the same
folds for all. Sets of more than --rows rows are sampled once. Judges: RBF support vectors (scikit-learn,
default settings, standardised columns) and boosted trees (LightGBM, 25 rounds of eight leaves). Categories
are numbers for everyone.

Peers: F test, mutual information (scikit-learn), fastcan, mRMR (as mrmr_selection), LightGBM's gain,
recursive elimination (ridge regression, a tenth at a time, the last hundred one by one), ReliefF (skfeature).

Selections and judgements are kept under --cache and never made again: give another build of fsieve another
name by --ours. Prints, for each half of the sets: mean accuracy over k of every method, by judge; the mean rank
among all methods over sets, judges and k; how far fsieve is behind the best of the peers in each set, and
the standard error of that difference over folds.
"""

import argparse
import os
import sys
import warnings
from pathlib import Path

for library in ("OMP", "OPENBLAS", "MKL"):  # one thread for everyone
    os.environ[f"{library}_NUM_THREADS"] = "1"

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import sets  # noqa: E402
from common.program import ROOT  # noqa: E402
from quick_peers import METHODS  # noqa: E402
from standings import report  # noqa: E402
from trial import Trial  # noqa: E402

# The rule of `-k K` was chosen on these. Sets of one kind (Golub's leukemia twice, both musks, both forms of the credit
# data, both Covertypes) are in one half.
CHOSEN_ON = ("ALLAML", "leukemia", "colon", "lung_small", "musk1", "musk2", "madelon", "australian", "crx",
             "warpPIE10P", "dna", "higgs_11k")
UNTOUCHED = ("Prostate-GE", "arcene", "COIL20", "Isolet", "USPS", "BASEHOCK", "kr-vs-kp", "mushroom", "spect",
             "covtype_first20k", "covtype_93k")
HALVES = {"chosen": CHOSEN_ON, "untouched": UNTOUCHED}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=sets.FOLDER)
    parser.add_argument("--half", choices=[*HALVES, "both"], default="both")
    parser.add_argument("--sets", help="some sets instead of a half, separated by ,")
    parser.add_argument("--rows", type=int, default=600)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--peers", default=",".join(METHODS))
    parser.add_argument("--ours", action="append", metavar="NAME[:OPTIONS]",
                        help="fsieve with these options of select; may be repeated (default: fsieve)")
    parser.add_argument("--cache", type=Path, default=ROOT / "build" / "accuracy")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    ours = dict(o.partition(":")[::2] for o in arguments.ours or ["fsieve"])
    ours = {name: options.split() for name, options in ours.items()}
    peers = [p for p in arguments.peers.split(",") if p]
    halves = {"both": HALVES}.get(arguments.half) or {arguments.half: HALVES[arguments.half]}
    if arguments.sets:
        halves = {"sets": arguments.sets.split(",")}
    for half, names in halves.items():
        said = {}
        for name in names:
            trial = Trial(name, arguments.data, arguments.rows, arguments.seeds, arguments.cache, ours)
            said[name] = {method: trial.judged(method) for method in [*ours, *peers]}
            print(f"{name}: {len(trial.y)} × {trial.X.shape[1]}, k = {trial.sizes}", file=sys.stderr, flush=True)
        print(f"## {half}\n")
        report(said, list(ours), peers)


if __name__ == "__main__":
    main()
