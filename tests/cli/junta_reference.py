"""The junta learner in NumPy, from the formulas of the paper: slow, and nothing like the program.

Features are ±1, a row per sample. Equation numbers are those of "Fourier-Based Universal Learning".
"""

import itertools
import math

import numpy as np


def parities(x, subset):
    """Equation (7), right: every product of standardised features of a subset, on all samples."""
    standardised = (x - x.mean(axis=0)) / x.std(axis=0)
    sets = [s for size in range(len(subset) + 1) for s in itertools.combinations(subset, size)]
    return sets, np.array([standardised[:, list(s)].prod(axis=1) for s in sets])


def score_1(x, y, subset):
    """Equation (8), sample by sample."""
    n = len(y)
    _, psi = parities(x, subset)
    f = psi @ y / n
    inner = (f[:, None] * psi - y * psi**2 / n).sum(axis=0)
    return np.abs(inner).sum() / (n - 1)


def weighted_parities(x, subset, w):
    """The same with rows that weigh w, n in all."""
    mean = np.average(x, axis=0, weights=w)
    standardised = (x - mean) / np.sqrt(np.average((x - mean) ** 2, axis=0, weights=w))
    sets = [()]  # in standard order: {1}, {2}, {1,2}, {3}, ...
    for j in subset:
        sets += [(*s, j) for s in sets]
    return np.array([standardised[:, list(s)].prod(axis=1) for s in sets])


def weighted_score(x, y, subset, w, correlated):
    """Equation (8) with weights: what the others, weighed, say of each row; rows by their weights."""
    n = len(y)
    psi = weighted_parities(x, subset, w)
    if correlated:
        kept = []
        for values in psi:
            for _ in range(2):
                for other in kept:
                    values = values - other * np.average(other * values, weights=w)
            norm = np.sqrt(np.average(values**2, weights=w))
            if norm > 1e-7:
                kept.append(values / norm)
        psi = np.array(kept)
    f = psi @ (w * y) / n
    inner = f @ psi - w * y * (psi**2).sum(axis=0) / n
    return (w / (n - w) * np.abs(inner)).sum()


def best_subsets(x, y, k, top):
    """All subsets by score to 12 decimals, then in lexicographic order."""
    ranked = [(-round(score_1(x, y, s), 12), s) for s in itertools.combinations(range(x.shape[1]), k)]
    return [(s, -score) for score, s in sorted(ranked)[:top]]


def projection(x, y, subset, rows):
    """The coefficients of (7) and the sum of Algorithm 1, line 7, on other rows."""
    sets, psi = parities(x, subset)
    f = psi @ y / len(y)
    other = (rows - x.mean(axis=0)) / x.std(axis=0)
    return dict(zip(sets, f)), sum(c * other[:, list(s)].prod(axis=1) for s, c in zip(sets, f))


def excess(x):
    """U of Lemma 3."""
    return x**3 + 1.5 * x**2 + 1.25 * x


def rows_needed(k, d, epsilon1, epsilon2, delta, ck, n):
    """Lemma 4 (which has n on both sides) and Lemma 7, with half of delta each."""
    gap = epsilon1 - 2 ** (k / 2) / math.sqrt(n - 1)
    n1 = 72 * 2 ** (2 * k) * ck**2 / gap**2 * math.log(math.comb(d, k) / delta) if gap > 0 else math.inf
    n2 = 8 * 2 ** (k / 2) * ck / epsilon2**2 * math.log(2 * k * d**k / (delta / 2))
    return n1, n2


def enough(k, d, epsilon, delta, ck, n):
    """Do n rows do, with any split of epsilon? Tries many, and the neighbourhood of the best."""
    low, high = 0.0, 1.0
    for _ in range(6):
        grid = np.linspace(low, high, 400)[1:-1]
        worst = []
        for epsilon2 in grid:
            epsilon1 = epsilon - excess(epsilon2)
            worst.append(max(rows_needed(k, d, epsilon1, epsilon2, delta, ck, n)) if epsilon1 > 0 else math.inf)
        best = int(np.argmin(worst))
        if worst[best] <= n:
            return True
        low = grid[best - 1] if best > 0 else low
        high = grid[best + 1] if best + 1 < len(grid) else high
    return False
