"""Selections and judgements of the trial, kept on disk: what was computed once is never computed again."""

import hashlib
import json

import numpy as np

from common import sets
from common.program import chosen, on_arrays
from common.results import Results
from judges import JUDGES, accuracy, deals
from quick_peers import METHODS

SIZES = (3, 5, 10, 20, 50)
FEW_ROWS = 200  # with fewer rows there are more seeds


def fsieve(X, y, k, options):
    result = on_arrays("select", X, y, "-k", k, "--folds", 0, "--no-ranking", "--threads", 1, "--task",
                       "classification", *options)
    return chosen(result)


class Trial:
    """One set: the selections of every method in every fold, and what the judges say of them.

    NAMED: the options of fsieve by the name that the tables have for it.
    """

    def __init__(self, name, folder, rows, seeds, cache, named):
        self.name, self.named = name, named
        self.X, self.y = sets.sampled(*sets.load(name, 0, folder), rows)
        self.X = self.X[:, self.X.std(0) > 0]
        self.y = np.unique(self.y, return_inverse=True)[1]
        self.sizes = [k for k in SIZES if k < self.X.shape[1]]
        self.deals = list(deals(self.X, self.y, seeds if len(self.y) >= FEW_ROWS else 2 * seeds))
        self.results = Results(cache / f"{name}-{rows}.jsonl")
        self.known = {r["key"]: r["value"] for r in self.results.records}

    def once(self, key, compute):
        if key not in self.known:
            self.known[key] = compute()
            self.results.add({"key": key, "value": self.known[key]})
        return self.known[key]

    def ranking(self, method, seed, fold, train):
        def compute():
            X, y = self.X[train], self.y[train]
            columns = np.flatnonzero(X.std(0) > 0)
            X = X[:, columns]
            k = min(max(self.sizes), X.shape[1])
            if method in self.named:
                ranking = fsieve(X, y, k, self.named[method])
            else:
                ranking = list(METHODS[method]((X - X.mean(0)) / X.std(0), y, k))
            return [int(j) for j in columns[ranking[:k]]]

        return self.once(f"{method} {seed} {fold}", compute)

    def judged(self, method):
        """Accuracy by judge, fold and size."""
        said = np.empty((len(JUDGES), len(self.deals), len(self.sizes)))
        for d, (seed, fold, train, test) in enumerate(self.deals):
            ranking = self.ranking(method, seed, fold, train)
            for s, k in enumerate(self.sizes):
                columns = ranking[:k]
                digest = hashlib.sha1(json.dumps(sorted(columns)).encode()).hexdigest()[:16]
                for j, judge in enumerate(JUDGES):
                    said[j, d, s] = self.once(
                        f"{judge} {seed} {fold} {digest}",
                        lambda judge=judge, train=train, test=test, columns=columns:
                            accuracy(judge, self.X, self.y, train, test, columns))
        return said
