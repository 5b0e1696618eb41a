"""UFFS straight from its definition: slow, short, and independent of the implementation.

Every parity is made orthogonal to the kept ones before it, one column at a time and twice over.
What is not here: equations, the random order, files.

`Result.margin` is the smallest distance of any decision from its threshold. Where it is tiny, rounding
decides, and two right programs may differ.
"""

from dataclasses import dataclass, field

import numpy as np

TIE = 1e-6


@dataclass
class Feature:
    norm: float | None = None
    adjusted_norm: float | None = None  # none when undecided, or when no degree of freedom is left
    undecided: bool = False
    stage: int | None = None  # where it was removed; 0 for constants
    reason: str | None = None  # of the removal; none for selected features


@dataclass
class Result:
    features: list[Feature]
    stages: list[dict] = field(default_factory=list)
    margin: float = np.inf

    @property
    def selected(self):
        return [j for j, f in enumerate(self.features) if f.reason is None]

    @property
    def removed(self):
        return [j for j, f in enumerate(self.features) if f.reason is not None]

    def near(self, distance):
        self.margin = min(self.margin, abs(distance))


def levels(column):
    """The distinct texts of a categorical column in byte order."""
    return sorted(set(column), key=lambda text: text.encode())


def numbers(column):
    """A column in original units: itself, or the 0/1 indicators of every level but the first."""
    if isinstance(column[0], str):
        return [np.array([float(v == level) for v in column]) for level in levels(column)[1:]]
    return [np.asarray(column, dtype=float)]


def is_constant(column):
    return all(v == column[0] for v in column)


def length(x):
    return np.sqrt(np.mean(x**2))


def centre(x):
    x = x - x[0]  # so that a large mean costs no digits
    return x - x.mean()


def standardise(x):
    return centre(x) / length(centre(x))


def variance(column):
    return max(np.mean(centre(x) ** 2) for x in numbers(column))


def parity_count(depth, features, width=1):
    """Products of at most `depth` of so many features, `width` indicators each, the empty one included."""
    count = term = 1
    for size in range(1, depth + 1):
        term = term * (features - size + 1) * width / size
        count += term
    return count


def auto_stages(n, width=1, result=None):
    """Depths 1, 2 and 3 with the largest groups whose parities number at most n/4, for features of the
    average number of indicators."""
    stages = []
    for depth, limit in ((1, np.inf), (2, 50), (3, 30)):
        m = 0
        while m < limit and parity_count(depth, m + 1, width) <= n / 4:
            m += 1
        if result and width % 1:
            result.near(parity_count(depth, m, width) - n / 4)
            result.near(parity_count(depth, m + 1, width) - n / 4)
        if m >= 2:
            stages.append((depth, m))
    return stages


def own_groups(order, m):
    """The running order cut into G = ceil(d/m) runs at floor(d*g/G)."""
    d = len(order)
    count = 1 if m == 0 else -(-d // m)
    return [order[d * g // count : d * (g + 1) // count] for g in range(count)]


class Group:
    """Features, all products of up to `depth` of them, and an orthonormal basis of these."""

    def __init__(self, n, depth, epsilon, adjusted, result):
        self.n, self.depth, self.epsilon, self.adjusted = n, depth, epsilon, adjusted
        self.result = result
        self.members = 0
        self.products = [(0, np.ones(n))]  # (number of factors, values), trivial ones too
        self.basis = np.ones((n, 1))

    @property
    def rank(self):
        return self.basis.shape[1]

    def open(self):
        """Whether enough degrees of freedom are left to test and to add."""
        left = self.n - self.rank
        return not self.adjusted or (left >= 10 and 20 * left >= self.n)

    def residual(self, x):
        if self.rank == self.n:
            return np.zeros(self.n)
        for _ in range(2):
            x = x - self.basis @ (self.basis.T @ x / self.n)
        return x

    def adjust(self, norm):
        left = self.n - self.rank
        return norm * np.sqrt(self.n / left) if left > 0 else None

    def norms(self, indicators):
        """(norm, adjusted norm) of a feature; its norm is its largest indicator's."""
        norm = max(length(self.residual(x)) for x in indicators)
        return norm, self.adjust(norm)

    def trivial(self, norm, adjusted_norm):
        value = adjusted_norm if self.adjusted else norm
        self.result.near(value - self.epsilon)
        return value <= self.epsilon

    def add(self, indicators):
        """Joins a feature: it alone, then with every earlier subset of fewer than `depth`."""
        self.members += 1
        if not self.open():
            return
        new = [(size + 1, values * x) for size, values in self.products if size < self.depth for x in indicators]
        self.products += new
        for _, values in new:
            if not self.open():
                return
            residual = self.residual(values)
            norm = length(residual)
            if not self.trivial(norm, self.adjust(norm)):
                self.basis = np.column_stack([self.basis, residual / norm])


def best_group(groups, indicators, adjusted, result):
    """The group that explains a feature best, with its norms; none when no group can test it."""
    tests = [(group, *group.norms(indicators)) for group in groups if group.open()]
    if not tests:
        return None
    key = (lambda test: test[2]) if adjusted else (lambda test: test[1])
    best = min(tests, key=key)  # the first of equals
    for test in tests:
        tied = key(test) - key(best) <= TIE
        full = test[2] is None
        if tied and (full != (best[2] is None) or not full and abs(test[2] - best[2]) > TIE / 10):
            result.near(0)
    return best


def run_stage(columns, order, number, stage, epsilon, share, rule, mode, prune, put_back, result):
    """One stage; returns the survivors in the running order."""
    if not order:
        result.stages.append(dict.fromkeys(("features", "kept", "groups", "parities"), 0))
        return order
    n = len(columns[order[0]][0])
    depth, m = stage
    adjusted = rule == "adjusted"
    dropped = set()

    def new_group():
        return Group(n, depth, epsilon, adjusted, result)

    def judge(j, test):
        """Notes a feature's norms; true when it is redundant."""
        feature = result.features[j]
        if test is None:
            feature.norm, feature.adjusted_norm, feature.undecided = None, None, True
            return False
        group, feature.norm, feature.adjusted_norm = test
        feature.undecided = False
        if rule == "cumulative" or not group.trivial(feature.norm, feature.adjusted_norm):
            return False
        feature.stage = number
        feature.reason = "saturated" if rule == "paper" and group.rank == n else "redundant"
        dropped.add(j)
        return True

    if mode == "any":
        groups = [new_group()]
        for j in order:
            if not judge(j, best_group(groups, columns[j], adjusted, result)):
                if m and groups[-1].members == m:
                    groups.append(new_group())
                groups[-1].add(columns[j])
    else:
        groups = []
        for members in own_groups(order, m):
            group = new_group()
            groups.append(group)
            for j in members:
                redundant = judge(j, best_group([group], columns[j], adjusted, result))
                if not (redundant and prune):
                    group.add(columns[j])
            if rule == "cumulative":
                dropped |= smallest(members, number, share, result)

    for j in dropped & set(put_back):
        result.features[j].stage, result.features[j].reason = None, None
    dropped -= set(put_back)
    survivors = [j for j in order if j not in dropped]
    result.stages.append(
        {
            "features": len(order),
            "kept": len(survivors),
            "groups": len(groups),
            "parities": sum(group.rank for group in groups),
        }
    )
    return survivors


def smallest(members, number, share, result):
    """Cumulative rule: of a group's features by falling squared norm, those whose running share of
    the sum, their own included, is not below `share`."""
    ranked = sorted(members, key=lambda j: -result.features[j].norm)
    squares = np.array([result.features[j].norm ** 2 for j in ranked])
    running = np.cumsum(squares) / squares.sum()
    for value in running:
        result.near(value - share)
    kept = int(np.sum(running < share))
    if 0 < kept < len(ranked):
        result.near(squares[kept - 1] - squares[kept])
    for j in ranked[kept:]:
        result.features[j].stage, result.features[j].reason = number, "redundant"
    return set(ranked[kept:])


def each(values, count):
    return list(values) * count if len(values) == 1 else list(values)


def uffs(columns, stages="auto", epsilon=(0.1,), rule="adjusted", share=(), order="input", groups=None, prune=False,
         put_back=()):
    """columns: numbers or texts. stages: (depth, group size) pairs, size 0 for a single group. put_back: features
    that rows left out do not confirm, and that a stage keeps at its end."""
    n = len(columns[0])
    result = Result([Feature() for _ in columns])
    running = []
    for j, column in enumerate(columns):
        if is_constant(column):
            result.features[j] = Feature(stage=0, reason="constant")
        else:
            running.append(j)
    if order == "variance":
        size = {j: variance(columns[j]) for j in running}
        for i in running:
            for j in running:
                if i < j and not np.array_equal(columns[i], columns[j]):
                    if abs(size[i] - size[j]) <= 1e-9 * size[i]:
                        result.near(0)
        running.sort(key=lambda j: -size[j])

    standard = {j: [standardise(x) for x in numbers(columns[j])] for j in running}
    if stages == "auto":
        width = sum(map(len, standard.values())) / len(standard) if standard else 1
        stages = auto_stages(n, width, result)
        if not stages:  # nothing can be tested
            for j in running:
                result.features[j].undecided = True
    epsilon, share = each(epsilon, len(stages)), each(share or (None,), len(stages))
    mode = groups or ("any" if rule == "adjusted" else "own")
    for number, stage in enumerate(stages, start=1):
        running = run_stage(
            standard, running, number, stage, epsilon[number - 1], share[number - 1], rule, mode, prune,
            put_back, result
        )
    return result
