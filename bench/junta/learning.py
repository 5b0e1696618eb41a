"""How the junta learner learns: excess error against rows, and accuracy on real tables.

    bench/junta/run learning     draws docs/junta-learning.svg
    bench/junta/run accuracy     prints the table of docs/junta.md (needs ../shared/data)

Everything goes through the program, as a user runs it.
"""

import argparse
import gzip
import json
import itertools
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "fsieve"
DATA = ROOT.parent / "shared" / "data"

FEATURES = 50
NOISE = 0.1
SEEDS = 20
SIZES = [25, 50, 100, 200, 400, 800, 1600, 5000, 20000]


def fsieve(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, arguments))}\n{done.stderr}")
    return done.stdout


class Truth:
    """A random function of k of the features that depends on each of them, and the features' means."""

    def __init__(self, k, seed):
        self.rng = np.random.default_rng([k, seed])
        self.high = self.rng.uniform(0.25, 0.75, FEATURES)
        self.features = np.sort(self.rng.choice(FEATURES, k, replace=False))
        cells = np.array(list(itertools.product([0, 1], repeat=k)))
        while True:
            self.table = self.rng.integers(0, 2, 2**k)
            flips = [self.table[cells @ self.weights(k)] != self.table[cells @ self.weights(k) ^ self.weights(k)[j]]
                     for j in range(k)]
            if all(flip.any() for flip in flips):
                break

    @staticmethod
    def weights(k):
        return 2 ** np.arange(k)[::-1]

    def sample(self, rows):
        x = (self.rng.random((rows, FEATURES)) < self.high).astype(int)
        y = self.table[x[:, self.features] @ self.weights(len(self.features))]
        return x, y ^ (self.rng.random(rows) < NOISE)

    def excess_error(self, model):
        """Exactly: over all cells of the true and the chosen features, by their probabilities."""
        chosen = [int(name[1:]) - 1 for name in model["subset"]]
        used = sorted(set(chosen) | set(self.features.tolist()))
        rule = {tuple(cell["cell"][name] for name in model["subset"]): int(cell["prediction"])
                for cell in model["table"]}
        error = 0.0
        for values in itertools.product([0, 1], repeat=len(used)):
            at = dict(zip(used, values))
            chance = np.prod([self.high[j] if at[j] else 1 - self.high[j] for j in used])
            truth = self.table[np.array([at[j] for j in self.features]) @ self.weights(len(self.features))]
            wrong = rule[tuple(at[j] for j in chosen)] != truth
            error += chance * ((1 - NOISE) if wrong else NOISE)
        return error - NOISE


def run_one(k, seed, rows, folder):
    truth = Truth(k, seed)
    x, y = truth.sample(max(SIZES))
    np.save(folder / "t.npy", np.column_stack([x, y])[:rows].astype(np.int8))
    out = fsieve("learn", folder / "t.npy", "--label", f"x{FEATURES + 1}", "-k", k, "--basis", "product", "--json", "--top", 1, "-q")
    model = json.loads(out)
    exact = model["subset"] == [f"x{j + 1}" for j in truth.features]
    return truth.excess_error(model), exact


def learning():
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for k in (2, 3, 4):
            for rows in SIZES:
                runs = [run_one(k, seed, rows, Path(folder)) for seed in range(SEEDS)]
                excess = np.array([r[0] for r in runs])
                exact = sum(r[1] for r in runs)
                results[k, rows] = excess, exact
                print(f"k = {k}  n = {rows:6}  excess error: mean {excess.mean():.4f}  median {np.median(excess):.4f}"
                      f"  largest {excess.max():.4f}   J exact in {exact} of {SEEDS}", flush=True)
    draw(results)


def draw(results):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "fsieve"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(9.5, 3.6))
    for k, colour in zip((2, 3, 4), ("#1b6ca8", "#d1782c", "#3a8f5c")):
        means = [results[k, rows][0].mean() for rows in SIZES]
        axes[0].plot(SIZES, means, "o-", color=colour, label=f"k = {k}", markersize=4)
        low = [np.quantile(results[k, rows][0], 0.1) for rows in SIZES]
        high = [np.quantile(results[k, rows][0], 0.9) for rows in SIZES]
        axes[0].fill_between(SIZES, low, high, color=colour, alpha=0.15, linewidth=0)
        axes[1].plot(SIZES, [results[k, rows][1] for rows in SIZES], "o-", color=colour, label=f"k = {k}", markersize=4)
    for axis in axes:
        axis.set_xscale("log")
        axis.set_xlabel("training rows")
        axis.grid(alpha=0.3)
        axis.legend()
    axes[0].set_ylabel("error above the Bayes rule")
    axes[1].set_ylabel(f"subset exact, of {SEEDS}")
    axes[1].set_ylim(0, SEEDS + 0.8)
    figure.suptitle(f"Random juntas among {FEATURES} biased features, labels flipped with probability {NOISE}", fontsize=10)
    figure.tight_layout()
    figure.savefig(ROOT / "docs" / "junta-learning.svg", metadata={"Date": None})


TABLES = [
    ("dna", "label", {"1": "junction", "2": "junction", "3": "neither"}),
    ("spect", "label", None),
    ("kr-vs-kp", "label", None),
    ("mushroom", "label", None),
]


def folds(name, label, classes, seed=0):
    """Five parts of the rows, each with its share of every class."""
    with gzip.open(DATA / f"{name}.csv.gz", "rt") as file:
        head, *lines = file.read().splitlines()
    where = head.split(",").index(label)
    if classes:
        lines = [",".join(classes[c] if j == where else c for j, c in enumerate(line.split(","))) for line in lines]
    rng = np.random.default_rng(seed)
    labels = np.array([line.split(",")[where] for line in lines])
    part = np.zeros(len(lines), dtype=int)
    for value in sorted(set(labels)):
        rows = rng.permutation(np.flatnonzero(labels == value))
        part[rows] = np.arange(len(rows)) % 5
    for fold in range(5):
        yield head, [l for l, p in zip(lines, part) if p != fold], [l for l, p in zip(lines, part) if p == fold]


def accuracy_of(name, label, classes, options):
    shares = []
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f for f in ("train.csv", "test.csv", "m.json", "p.csv")]
        for head, train, test in folds(name, label, classes):
            paths[0].write_text("\n".join([head, *train]) + "\n")
            paths[1].write_text("\n".join([head, *test]) + "\n")
            fsieve("learn", paths[0], "--label", label, *options, "-o", paths[2], "-q")
            out = fsieve("predict", paths[2], paths[1], "--unseen", "majority", "-o", paths[3], "--json", "-q")
            shares.append(json.loads(out)["accuracy"])
    return np.mean(shares)


def accuracy():
    settings = [
        (f"k = {k}, {basis}", ["-k", k, "--basis", basis]) for basis in ("product", "correlated") for k in (1, 2, 3, 4)
    ]
    settings += [("erm, k = 3", ["-k", 3, "--learner", "erm"])]
    settings += [(f"low-degree, k = {k}", ["-k", k, "--learner", "low-degree"]) for k in (1, 2)]
    print("| | " + " | ".join(name for name, *_ in TABLES) + " |\n|---|" + "---|" * len(TABLES))
    for title, options in settings:
        cells = []
        for name, label, classes in TABLES:
            cells.append(f"{100 * accuracy_of(name, label, classes, options):.1f}")
        print(f"| {title} | " + " | ".join(cells) + " |", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, label, classes in TABLES:
            head, train, test = next(folds(name, label, classes))
            path = Path(folder) / f"{name}.csv"
            path.write_text("\n".join([head, *train, *test]) + "\n")
            model = json.loads(fsieve("learn", path, "--label", label, "-k", 3, "--json", "-q"))
            print(f"\n{name}: {model['label']['classes'][1]} when {model['formula']}"
                  f"  (training error {100 * model['training_error']:.1f} %)")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["learning", "accuracy"])
    {"learning": learning, "accuracy": accuracy}[parser.parse_args().what]()
