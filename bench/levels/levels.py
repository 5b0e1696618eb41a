"""What the level of `fsieve select -k certain` promises, tried on tables whose truth is known.

    levels.py noise     tables without any relation, the cells of NOISE: runs in which anything was selected
    levels.py large     the same for more features, labels, numbers of rows and columns
    levels.py curves    labels that are curved functions of a feature: found, and false ones beside them
    levels.py uniform   the p-values of single features in noise: shares below 0.001, 0.01 and 0.05
    levels.py power     hidden pairs of heavy-tailed and rare features, rare classes; E1 and E2

--draws N per cell, --first S is the first seed, --cells TEXT keeps the cells whose name has it,
--options "..." goes to the program. The environment variable FSIEVE names another program.
noise and large with --record FILE: every draw is written there, and a later run goes on from it, the cheapest
cells first; --limit SECONDS ends it. The table printed is that of all draws in the file.
"""

import argparse
import sys
from math import exp, lgamma, log
from pathlib import Path
from zlib import crc32

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common.program import chosen, on_arrays  # noqa: E402
from record import Record, fill  # noqa: E402


def zero_inflated(g, n, p):
    return g.poisson(2.0, (n, p)) * (g.random((n, p)) < 0.15) * 1.0


def factor_model(g, n, p):
    return g.normal(size=(n, 3)) @ g.normal(size=(3, p)) + 0.5 * g.normal(size=(n, p))


def heteroscedastic(g, n, p):
    return g.normal(size=(n, p)) * np.exp(g.normal(size=(n, 1)))


def genotypes(g, n, p):
    frequency = g.uniform(0.05, 0.5, p)
    return (g.random((n, p)) < frequency).astype(float) + (g.random((n, p)) < frequency)


FEATURES = {
    "normal": lambda g, n, p: g.normal(size=(n, p)),
    "lognormal": lambda g, n, p: g.lognormal(0, 2, (n, p)),
    "Cauchy": lambda g, n, p: g.standard_cauchy((n, p)),
    "flags": lambda g, n, p: (g.random((n, p)) < 0.03) * 1.0,
    "counts": zero_inflated,
    "t3": lambda g, n, p: g.standard_t(3, (n, p)),
    "factors": factor_model,
    "uneven": heteroscedastic,
    "genotypes": genotypes,
}


def rare(share):
    def label(g, n):
        y = (g.random(n) < share) * 1
        return y if y.sum() else rare(share)(g, n)

    return label


def skewed(g, n):
    return g.choice(6, n, p=(0.5, 0.25, 0.12, 0.07, 0.04, 0.02))


LABELS = {
    "even": (lambda g, n: g.permutation(np.arange(n) % 2), "classification"),
    "5 %": (rare(0.05), "classification"),
    "1 %": (rare(0.01), "classification"),
    "six": (lambda g, n: g.integers(0, 6, n), "classification"),
    "skewed six": (skewed, "classification"),
    "normal number": (lambda g, n: g.normal(size=n), "regression"),
    "Cauchy number": (lambda g, n: g.standard_cauchy(n), "regression"),
    "lognormal number": (lambda g, n: g.lognormal(0, 2, n), "regression"),
    "count": (lambda g, n: g.poisson(1.0, n), "regression"),
}


SHARES = (0.001, 0.01, 0.05)


def noise_cells():
    """The first table: 200 rows, 300 features, 60 of them at depth 3."""
    labels = ("even", "5 %", "six", "normal number", "Cauchy number")
    for feature in ("normal", "lognormal", "Cauchy", "flags"):
        for label in labels:
            for depth in (1, 2, 3):
                yield feature, label, 200, 60 if depth == 3 else 300, depth
    for depth in (1, 2, 3):
        yield "genotypes", "5 %", 2000, 100 if depth == 3 else 1000, depth


def large_cells():
    """Three times as large: all features and labels, each with other numbers of rows and columns."""
    shapes = ((60, 300, 1), (200, 100, 2), (1000, 100, 2), (200, 2000, 1), (60, 40, 3), (200, 40, 3), (1000, 30, 3))
    place = 0
    for feature in FEATURES:
        for label in LABELS:
            for step in (0, 3):
                yield (feature, label, *shapes[(place + step) % len(shapes)])
            place += 1


def draw_noise(g, feature, label, n, p):
    X = FEATURES[feature](g, n, p)
    X[:2, np.ptp(X, axis=0) == 0] = [[0.0], [1.0]]
    make, task = LABELS[label]
    y = make(g, n)
    while len(np.unique(y)) < 2:
        y = make(g, n)
    return X, y, task


def certain(X, y, depth, task, options, seed=0):
    result = on_arrays("select", X, y, "-k", "certain", "--folds", 0, "--depth", depth, "--task", task, "--seed", seed, *options)
    return chosen(result), [feature["p_value"] for feature in result["selected"]]


def alarm(cell, seed, options):
    """Whether something was selected, and the smallest p-value."""
    feature, label, n, p, depth = cell
    g = np.random.default_rng([seed, n, p, depth, crc32(feature.encode()), crc32(label.encode())])
    X, y, task = draw_noise(g, feature, label, n, p)
    names = ",".join(f"x{j + 1}" for j in range(p))
    levels = ["--categorical", names] if feature == "genotypes" else []
    selected, p_values = certain(X, y, depth, task, [*levels, *options])
    return bool(selected), min([1.0, *p_values])


def alarms(cell, draws, first, options):
    """In how many draws something was selected, and the smallest p-value."""
    found = [alarm(cell, seed, options) for seed in range(first, first + draws)]
    return sum(own for own, _ in found), min(p for _, p in found)


def binomial_bound(draws, share, chance):
    """The smallest count that a binomial number exceeds with at most this chance."""
    below = 0.0
    for count in range(draws + 1):
        arrangements = lgamma(draws + 1) - lgamma(count + 1) - lgamma(draws - count + 1)
        below += exp(arrangements + count * log(share) + (draws - count) * log(1 - share))
        if 1 - below <= chance:
            return count
    return draws


def noise(cells, draws, first, options):
    print(f"| features | label | rows x columns, depth | alarms of {draws} | smallest p |\n|---|---|---|---|---|")
    total = runs = 0
    for cell in cells:
        found, smallest = alarms(cell, draws, first, options)
        feature, label, n, p, depth = cell
        print(f"| {feature} | {label} | {n} x {p}, {depth} | {found} | {smallest:.1e} |", flush=True)
        total, runs = total + found, runs + draws
    print(f"\n{total} alarms in {runs} runs; 99 % of runs at level 0.01 have at most {binomial_bound(runs, 0.01, 0.01)}")


def recorded_noise(path, cells, draws, first, options, limit):
    record = Record(path)
    fill(record, cells, draws, first, lambda cell, seed: alarm(cell, seed, options), limit)
    print("| features | label | rows x columns, depth | draws | alarms | smallest p |\n|---|---|---|---|---|---|")
    total = runs = 0
    for cell in cells:
        feature, label, n, p, depth = cell
        drawn, found, smallest = record.counts(" ".join(map(str, cell)))
        print(f"| {feature} | {label} | {n} x {p}, {depth} | {drawn} | {found} | {smallest:.1e} |")
        total, runs = total + found, runs + drawn
    print(f"\n{total} alarms in {runs} runs; 99 % of runs at level 0.01 have at most {binomial_bound(runs, 0.01, 0.01)}")


def uniform_cells():
    for feature in ("normal", "lognormal", "Cauchy", "flags", "counts"):
        for label in ("even", "5 %", "1 %", "six", "normal number", "Cauchy number"):
            for n in (60, 200, 1000):
                yield feature, label, n


def uniform(cells, draws, first, options):
    """Single features are tested in tables of 100, each with a label of its own."""
    columns = 100
    bounds = [binomial_bound(draws, share, 0.001 / len(cells)) for share in SHARES]
    print(f"| features | label | rows | {' | '.join(f'below {share}' for share in SHARES)} |\n|---|---|---|---|---|---|")
    worst = np.zeros(len(SHARES), int)
    for feature, label, n in cells:
        below = np.zeros(len(SHARES), int)
        for seed in range(first, first + draws // columns):
            g = np.random.default_rng([seed, n, crc32(feature.encode()), crc32(label.encode())])
            X, y, task = draw_noise(g, feature, label, n, columns)
            result = on_arrays("select", X, y, "-k", 1, "--folds", 0, "--depth", 1, "--task", task, *options)
            p_values = np.array([row["p_value"] for row in result["ranking"]], float)
            below += [(p_values < share).sum() for share in SHARES]
        print(f"| {feature} | {label} | {n} | {' | '.join(map(str, below))} |", flush=True)
        worst = np.maximum(worst, below)
    print(f"\nof {draws}; most in a cell: {worst.tolist()}, allowed: {bounds}")


def curve_tasks(g, n=500, p=100):
    """Name, features, label, task, and the relevant ones."""
    X, V, e = g.normal(size=(n, p)), g.random((n, p)), g.normal(size=n)
    a, b = X[:, 3], X[:, 8]
    friedman = 10 * np.sin(np.pi * V[:, 0] * V[:, 1]) + 20 * (V[:, 2] - 0.5) ** 2 + 10 * V[:, 3] + 5 * V[:, 4] + e
    yield "x² > 1, noisy", X, (a**2 + 0.3 * e > 1) * 1, "classification", {3}
    yield "x₁² + x₂² > 2", X, (a**2 + b**2 + 0.2 * e > 2) * 1, "classification", {3, 8}
    yield "sin 3x", X, np.sin(3 * a) + 0.3 * e, "regression", {3}
    yield "Friedman 1", V, friedman, "regression", {0, 1, 2, 3, 4}
    yield "x²", X, a**2 + 0.3 * e, "regression", {3}
    yield "exp 1.5 x", X, np.exp(1.5 * a) + 0.3 * e, "regression", {3}
    yield "linear", X, a + b + X[:, 20] + 2 * e, "regression", {3, 8, 20}


def power_tasks(g):
    n = 500
    X = g.lognormal(0, 2, (n, 50))
    side = np.log(X) > 0
    yield "exclusive or of lognormals", X, (side[:, 3] ^ side[:, 8]) ^ (g.random(n) < 0.1), "classification", {3, 8}
    X = (g.random((n, 50)) < 0.1) * 1.0
    y = (X[:, 3] != X[:, 8]) ^ (g.random(n) < 0.05)
    yield "exclusive or of rare flags", X, y * 1, "classification", {3, 8}
    X = g.choice([-1.0, 1.0], (1000, 50))
    y = (X[:, 3] * X[:, 8] > 0) & (g.random(1000) < 0.1)
    yield "exclusive or, 5 % class", X, y * 1, "classification", {3, 8}
    X = g.normal(size=(n, 100))
    yield "linear classes", X, (X[:, 3] + X[:, 8] + g.normal(size=n) > 0) * 1, "classification", {3, 8}
    X = g.choice([-1.0, 1.0], (300, 100))
    y = (X[:, 3] * X[:, 8] > 0) ^ (g.random(300) < 0.1)
    yield "exclusive or", X, y * 1, "classification", {3, 8}


def planted(tasks, depths, draws, first, options):
    print(f"| label | depth | all found, of {draws} | with a false one |\n|---|---|---|---|")
    for depth in depths:
        rows = {}
        for seed in range(first, first + draws):
            g = np.random.default_rng(seed)
            for name, X, y, task, truth in tasks(g):
                selected = set(certain(X, y, depth, task, options)[0])
                row = rows.setdefault(name, [0, 0])
                row[0] += truth <= selected
                row[1] += bool(selected - truth)
        for name, (found, false) in rows.items():
            print(f"| {name} | {depth} | {found} | {false} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=("noise", "large", "uniform", "curves", "power"))
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--cells", default="")
    parser.add_argument("--depths", default="")
    parser.add_argument("--options", default="")
    parser.add_argument("--record", help="file of the draws of noise and large")
    parser.add_argument("--limit", type=float, help="seconds after which no draw begins, with --record")
    arguments = parser.parse_args()
    options = arguments.options.split()
    if arguments.table in ("noise", "large"):
        cells = noise_cells() if arguments.table == "noise" else large_cells()
        kept = [c for c in cells if arguments.cells in " ".join(map(str, c))]
        if arguments.record:
            recorded_noise(arguments.record, kept, arguments.draws, arguments.first, options, arguments.limit)
        else:
            noise(kept, arguments.draws, arguments.first, options)
        return
    if arguments.table == "uniform":
        kept = [c for c in uniform_cells() if arguments.cells in " ".join(map(str, c))]
        uniform(kept, arguments.draws, arguments.first, options)
        return
    tasks = curve_tasks if arguments.table == "curves" else power_tasks
    depths = [int(d) for d in (arguments.depths or ("1,2" if tasks is curve_tasks else "2")).split(",")]
    planted(tasks, depths, arguments.draws, arguments.first, options)


if __name__ == "__main__":
    main()
