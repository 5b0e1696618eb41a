"""skfeature-chappers: the methods that the papers compare with, settings of the package."""

import numpy as np
from skfeature.function.information_theoretical_based import LCSI
from skfeature.function.similarity_based import fisher_score, lap_score, reliefF, trace_ratio
from skfeature.function.sparse_learning_based import MCFS, NDFS, RFS, UDFS

PACKAGES = ("skfeature-chappers", "numpy")


def classes(y):
    return len(np.unique(y))


def mrmr(X, y, k):
    """Called below MRMR.mrmr, whose default gives ranks of the first k columns instead of an order.

    The columns (standardised) are cut at one deviation from the mean, as its discrete measure needs.
    """
    levels = np.digitize(X, (-1, 1))
    return LCSI.lcsi(levels, y, mode="index", gamma=0, function_name="MRMR", n_selected_features=k)


METHODS = {
    "relieff": lambda X, y, k: reliefF.reliefF(X, y, mode="index"),
    "mrmr_skfeature": mrmr,
    "rfs": lambda X, y, k: RFS.rfs(X, y, mode="index", gamma=0.1),
    "fisher": lambda X, y, k: fisher_score.fisher_score(X, y, mode="index"),
    "trace_ratio": lambda X, y, k: trace_ratio.trace_ratio(X, y, n_selected_features=k, mode="index"),
    "laplacian": lambda X, y, k: lap_score.lap_score(X, mode="index"),
    "mcfs": lambda X, y, k: MCFS.mcfs(X, n_selected_features=k, mode="index", n_clusters=classes(y)),
    "udfs": lambda X, y, k: UDFS.udfs(X, mode="index", n_clusters=classes(y)),
    "ndfs": lambda X, y, k: NDFS.ndfs(X, mode="index", n_clusters=classes(y)),
}
