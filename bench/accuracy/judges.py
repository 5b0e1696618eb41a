"""The judges: RBF support vectors and gradient-boosted trees, and how often each is right."""

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

FOLDS = 5


def support_vectors(train, classes, test):
    return SVC(kernel="rbf", C=1, gamma="scale").fit(train, classes).predict(test)


def trees(train, classes, test):
    """Few and small ones: 25 rounds of eight leaves."""
    from lightgbm import LGBMClassifier  # only here: the tables need no trees

    model = LGBMClassifier(n_estimators=25, num_leaves=8, learning_rate=0.2, min_child_samples=5, n_jobs=1,
                           random_state=0, deterministic=True, verbose=-1)
    return model.fit(train, classes).predict(test)


JUDGES = {"SVM": support_vectors, "trees": trees}


def deals(X, y, seeds):
    """The rows of each fold of each seed: seed, fold, train, test."""
    for seed in range(seeds):
        split = StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(X, y)
        for fold, (train, test) in enumerate(split):
            yield seed, fold, train, test


def accuracy(judge, X, y, train, test, columns):
    """In percent, of columns in any order."""
    columns = np.sort(columns)
    mean, spread = X[train][:, columns].mean(0), X[train][:, columns].std(0)
    scaled = (X[:, columns] - mean) / np.where(spread > 0, spread, 1)
    return 100 * float((JUDGES[judge](scaled[train], y[train], scaled[test]) == y[test]).mean())
