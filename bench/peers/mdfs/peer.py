"""MDFS: the largest information gain of a feature in any pair."""

import mdfs
import numpy as np

PACKAGES = ("mdfs",)


def gains(X, y, discretisations):
    found = mdfs.compute_max_ig(
        np.asfortranarray(X), y.astype(np.intc), dimensions=2, divisions=1,
        discretizations=discretisations, seed=0,
    )
    return np.argsort(-np.array(found.max_igs), kind="stable")


METHODS = {
    "mdfs": lambda X, y, k: gains(X, y, 1),
    "mdfs30": lambda X, y, k: gains(X, y, 30),
}
