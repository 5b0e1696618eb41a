"""scikit-learn: univariate scores."""

import numpy as np
from sklearn.feature_selection import f_classif, mutual_info_classif

PACKAGES = ("scikit-learn",)


def best(scores, k):
    return np.argsort(-np.nan_to_num(scores), kind="stable")[:k]


METHODS = {
    "f_test": lambda X, y, k: best(f_classif(X, y)[0], k),
    "mutual_information": lambda X, y, k: best(mutual_info_classif(X, y, random_state=0, n_jobs=1), k),
}
