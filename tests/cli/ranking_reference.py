"""The forward search without products and curves, from its formulas: plain loops over features, and a
least-squares fit for every question. As slow as it is short."""

import numpy as np
from scipy import stats

TRIVIAL = 1e-3  # of a column: nothing new beside the span


def ranks(values, weights):
    """Twice the weighted mid-rank share less 1."""
    below = np.array([weights[values < v].sum() for v in values])
    equal = np.array([weights[values == v].sum() for v in values])
    return 2 * (below + equal / 2) / weights.sum() - 1


def design(column, weights):
    """Standardised columns of a feature: numbers as they are, text as indicators of all levels but the first."""
    if column.dtype.kind in "fi":
        columns = [column.astype(float)]
    else:
        columns = [(column == level).astype(float) for level in sorted(set(column))[1:]]
    standardised = []
    for x in columns:
        x = x - np.average(x, weights=weights)
        if np.any(x):
            standardised.append(x / np.sqrt(np.average(x * x, weights=weights)))
    return standardised


def label_columns(y, weights, task, scored=False):
    if task == "number":
        y = y.astype(float)
        y = stats.norm.ppf((1 + ranks(y, weights)) / 2) if scored else y
        columns = [y]
    else:
        classes = sorted(set(y))
        columns = [np.where(y == classes[1], 1.0, -1.0)] if len(classes) == 2 else [(y == c) * 1.0 for c in classes]
    return np.stack([c - np.average(c, weights=weights) for c in columns], axis=1)


class Twin:
    def __init__(self, table, y, task, weights=None, robust=False, adjust=(), costs=None, groups=None):
        self.n = len(y)
        self.weights = np.ones(self.n) if weights is None else weights
        self.root = np.sqrt(self.weights)
        self.features = {
            name: [self.root * x for x in design(column, self.weights)] for name, column in table.items()
        }
        for members in (groups or {}).values():
            self.features[members[0]] = [x for name in members for x in self.features[name]]
            for name in members[1:]:
                del self.features[name]
        self.label = self.root[:, None] * label_columns(y, self.weights, task, robust)
        self.total = (self.label**2).sum()
        self.costs = costs or {}
        self.base = [self.root] + [x for name in adjust for x in self.features.pop(name)]

    def left(self, columns):
        """What is left of the label beside the columns, and their rank; nearly dependent ones are skipped."""
        basis = np.zeros((self.n, 0))
        for x in columns:
            rest = x - basis @ (basis.T @ x)
            rest -= basis @ (basis.T @ rest)
            if rest @ rest > TRIVIAL * self.weights.sum():
                basis = np.column_stack([basis, rest / np.sqrt(rest @ rest)])
        residual = self.label - basis @ (basis.T @ self.label)
        return (residual**2).sum(), basis.shape[1]

    def gain(self, taken, name):
        """Share of the label that a feature explains beside those taken, beyond what noise would."""
        columns = self.base + [x for other in taken for x in self.features[other]]
        before, rank = self.left(columns)
        after, grown = self.left(columns + self.features[name])
        free = max(self.weights.sum() - grown, 1)
        return max(0.0, (before - after - (grown - rank) * after / free) / self.total)

    def select(self, k, keep=()):
        taken = list(keep)[:0]
        gains = {}
        for step in range(k):
            rest = [name for name in self.features if name not in taken and self.features[name]]
            best = keep[step] if step < len(keep) else None
            if best is None:
                best = max(rest, key=lambda name: self.gain(taken, name) / self.costs.get(name, 1))
            gains[best] = self.gain(taken, best)
            taken.append(best)
        for name in self.features:
            if name not in taken:
                gains[name] = self.gain(taken, name)
        return taken, gains

    def substitutes(self, taken, gains_of_others):
        found = []
        for feature in taken:
            others = [name for name in taken if name != feature]
            own = self.gain(others, feature)
            losses = [
                (own - gain, name)
                for name in gains_of_others
                if own > 0 and (gain := self.gain(others, name)) > 0 and gain >= 0.5 * own
            ]
            found += [(name, feature, loss) for loss, name in sorted(losses)[:3]]
        return found


def benjamini_hochberg(p_values):
    p = np.asarray(p_values)
    return [min(min(1.0, p[p <= other].size and len(p) * other / (p <= other).sum()) for other in p[p >= own]) for own in p]
