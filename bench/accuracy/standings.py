"""The tables of the trial."""

import numpy as np
from scipy.stats import rankdata

from judges import JUDGES


def ranks(said, ours, peers):
    """Rank of one of fsieve's forms and of the peers, mean over judges and sizes, of one set."""
    methods = [ours, *peers]
    means = np.array([said[m].mean(1) for m in methods])  # method, judge, size
    return rankdata(-np.round(means, 9), axis=0).reshape(len(methods), -1).mean(1)


def behind(said, ours, peers):
    """By judge: points behind the best peer on average over k, its name, and the error of the difference."""
    rows = []
    for j in range(len(JUDGES)):
        best = max(peers, key=lambda p: said[p][j].mean())
        difference = (said[best][j] - said[ours][j]).mean(1)
        rows.append((difference.mean(), best, difference.std(ddof=1) / np.sqrt(len(difference))))
    return rows


def accuracies(said, methods):
    for j, judge in enumerate(JUDGES):
        print(f"{judge}, mean over k\n\n| set | {' | '.join(methods)} |\n|---|{'---|' * len(methods)}")
        table = [[said[name][m][j].mean() for m in methods] for name in said]
        for name, row in [*zip(said, table), ("mean", np.mean(table, 0))]:
            cells = [f"**{v:.1f}**" if round(v, 1) == round(max(row), 1) else f"{v:.1f}" for v in row]
            print(f"| {name} | {' | '.join(cells)} |")
        print()


def report(said, ours, peers):
    accuracies(said, [*ours, *peers])
    if not peers:
        return
    print(f"Mean rank among {len(peers) + 1}\n\n| with | ours | {' | '.join(peers)} |\n|---|---|{'---|' * len(peers)}")
    for name in ours:
        mean = np.mean([ranks(said[s], name, peers) for s in said], 0)
        print(f"| {name} | {' | '.join(f'{v:.2f}' for v in mean)} |")
    print(f"\nPoints behind the best peer (± standard error)\n\n| set | {' | '.join(f'{o}, {j}' for o in ours for j in JUDGES)} |")
    print(f"|---|{'---|' * (len(ours) * len(JUDGES))}")
    for s in said:
        cells = [f"{d:+.1f} ± {e:.1f} ({best})" for o in ours for d, best, e in behind(said[s], o, peers)]
        print(f"| {s} | {' | '.join(cells)} |")
    print()
