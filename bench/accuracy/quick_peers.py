"""Peers of the trial: those of bench/peers in one process, and quick forms of the slow ones.

mRMR gives the rankings of mrmr_selection (the same 30 of 300 genes of ALLAML in the same order), mutual information
the numbers of scikit-learn (tests/bench/test_accuracy.py): they take 41 and 10 seconds for one fold of ALLAML.
Recursive elimination is here since no package leaves out a share of what is left.
"""

import importlib.util
from pathlib import Path

import numpy as np
from scipy.special import digamma
from sklearn.feature_selection import f_classif, mutual_info_classif

PEERS = Path(__file__).resolve().parents[1] / "peers"
FEW_LEVELS = 10  # a column of not more different values is taken as discrete
FEW_ROWS = 120  # of so many all distances fit in memory
NEIGHBOURS = 3  # scikit-learn's default


def best(scores, k):
    return np.argsort(-np.nan_to_num(scores), kind="stable")[:k]


def mrmr(X, y, k):
    """F value over the mean absolute correlation with the features chosen; the quotient of mrmr_selection."""
    relevance = np.nan_to_num(f_classif(X, y)[0])
    Z = (X - X.mean(0)) / X.std(0) / np.sqrt(len(y))
    free = relevance > 0
    chosen, sums = [], np.zeros(X.shape[1])
    while len(chosen) < k and free.any():
        redundancy = sums / len(chosen) if chosen else np.ones(X.shape[1])
        score = np.where(free, relevance / np.maximum(redundancy, 1e-3), -1)
        chosen.append(int(np.argmax(score)))
        free[chosen[-1]] = False
        sums += np.maximum(np.abs(Z.T @ Z[:, chosen[-1]]), 1e-3)
    return chosen


def information_by_distances(X, y):
    """Ross's estimate for continuous columns and classes, all columns at once."""
    rows = np.flatnonzero(np.bincount(y)[y] > 1)
    X, y = X[rows], y[rows]
    n, sizes = len(y), np.bincount(y)[y]
    k = np.minimum(NEIGHBOURS, sizes - 1)
    same = y[:, None] == y[None]
    information = np.empty(X.shape[1])
    for first in range(0, X.shape[1], 500):
        columns = X[:, first:first + 500].T
        distances = np.abs(columns[:, :, None] - columns[:, None, :])
        within = np.sort(np.where(same, distances, np.inf), axis=2)  # the first is the row itself
        radius = np.nextafter(np.take_along_axis(within, k[None, :, None], 2), 0)
        near = (distances <= radius).sum(2)
        means = digamma(k).mean() - digamma(sizes).mean() - digamma(near).mean(1)
        information[first:first + 500] = np.maximum(0, digamma(n) + means)
    return information


def information_by_counts(X, y):
    """Of columns of few different values, from the counts of each value and class."""
    levels = np.column_stack([np.unique(column, return_inverse=True)[1] for column in X.T])
    classes = (y[:, None] == np.unique(y)[None]).astype(float)
    shares = np.array([(levels == level).T.astype(float) @ classes for level in range(levels.max() + 1)]) / len(y)
    apart = shares.sum(2, keepdims=True) * shares.sum(0, keepdims=True)
    logs = np.log(np.where(shares > 0, shares, 1) / np.where(shares > 0, apart, 1))
    return (shares * logs).sum((0, 2))


def with_noise(X):
    """As scikit-learn does: scaled, and equal values told apart."""
    X = X / np.std(X, axis=0)
    noise = np.random.RandomState(0).standard_normal(X.shape)
    return X + 1e-10 * np.maximum(1, np.mean(np.abs(X), axis=0)) * noise


def mutual_information(X, y, k):
    discrete = np.array([len(np.unique(column)) <= FEW_LEVELS for column in X.T])
    information = np.empty(X.shape[1])
    few = X[:, discrete]
    if few.size:
        information[discrete] = information_by_counts(few, y)
    real = X[:, ~discrete]
    if real.size and len(y) <= FEW_ROWS:
        information[~discrete] = information_by_distances(with_noise(real), y)
    elif real.size:
        information[~discrete] = mutual_info_classif(real, y, discrete_features=False, random_state=0)
    return best(information, k)


def ridge_weights(X, Y):
    """Of a ridge regression with penalty 1, by the smaller of both matrices."""
    if X.shape[1] > len(X):
        return X.T @ np.linalg.solve(X @ X.T + np.eye(len(X)), Y)
    return np.linalg.solve(X.T @ X + np.eye(X.shape[1]), X.T @ Y)


def recursive_elimination(X, y, k):
    """Leaves out the tenth of least weight in a ridge regression of the classes; the last 100 one by one."""
    Y = (y[:, None] == np.unique(y)[None]).astype(float)
    Y -= Y.mean(0)
    free, out = np.arange(X.shape[1]), []
    while len(free) > 1:
        weights = (ridge_weights(X[:, free], Y) ** 2).sum(1)
        fewer = max(1, min(len(free) // 10, len(free) - 100))
        worst = np.argsort(weights, kind="stable")[:fewer]
        out.extend(free[worst])
        free = np.delete(free, worst)
    return [*free, *out[::-1]][:k]


def of(folder, method):
    """A method of bench/peers, loaded when it is called first."""
    def choose(X, y, k):
        spec = importlib.util.spec_from_file_location("peer", PEERS / folder / "peer.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.METHODS[method](X, y, k)

    return choose


METHODS = {
    "F test": lambda X, y, k: best(f_classif(X, y)[0], k),
    "MI": mutual_information,
    "fastcan": of("fastcan", "fastcan"),
    "mRMR": mrmr,
    "LightGBM gain": of("lightgbm", "lightgbm"),
    "elimination": recursive_elimination,
    "ReliefF": of("skfeature", "relieff"),
}
