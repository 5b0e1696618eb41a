"""The judge of all methods: an RBF support vector machine on standardised columns, five folds."""

import warnings

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

FOLDS, SEED = 5, 0


def folds(X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a class with fewer members than folds
        return list(StratifiedKFold(FOLDS, shuffle=True, random_state=SEED).split(X, y))


def accuracy(X, y, train, test, columns):
    """Share of the test rows that are told right from these columns."""
    scale = StandardScaler().fit(X[train][:, columns])
    model = SVC(kernel="rbf", C=1, gamma="scale").fit(scale.transform(X[train][:, columns]), y[train])
    return float((model.predict(scale.transform(X[test][:, columns])) == y[test]).mean())


def accuracies(X, y, sizes, choose):
    """Mean accuracy per k over the folds, in percent, of features chosen by CHOOSE(X, y, k) in the fold.

    CHOOSE gives a ranking and its seconds; columns that are constant in a fold are not shown to it. A
    ranking shorter than k counts as a whole. Returns the means, their deviations, the seconds of each
    fold and the number of features of each fold's ranking.
    """
    rows, seconds, found = [], [], []
    for train, test in folds(X, y):
        columns = np.flatnonzero(X[train].std(0) > 0)
        ranking, took = choose(X[train][:, columns], y[train], min(max(sizes), len(columns)))
        ranking = columns[np.asarray(ranking, dtype=int)]
        rows.append([accuracy(X, y, train, test, ranking[:k]) for k in sizes])
        seconds.append(took)
        found.append(len(ranking))
    rows = 100 * np.array(rows)
    return rows.mean(0).tolist(), rows.std(0).tolist(), seconds, found


def accuracy_of(X, y, columns):
    """Mean accuracy in percent of columns that were chosen without the label, and its deviation."""
    values = [100 * accuracy(X, y, train, test, columns) for train, test in folds(X, y)]
    return float(np.mean(values)), float(np.std(values))
