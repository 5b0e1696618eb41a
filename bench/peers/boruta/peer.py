"""BorutaPy: confirmed, tentative and rejected features; those of one rank by their mean importance."""

import numpy as np
from boruta import BorutaPy
from sklearn.ensemble import RandomForestClassifier

PACKAGES = ("Boruta", "scikit-learn")


def boruta(X, y, k):
    forest = RandomForestClassifier(max_depth=5, class_weight="balanced", n_jobs=1, random_state=0)
    found = BorutaPy(forest, n_estimators="auto", max_iter=50, random_state=0).fit(X, y)
    importance = np.nanmean(np.nan_to_num(found.importance_history_[1:]), axis=0)
    return np.lexsort((-importance, found.ranking_))


METHODS = {"boruta": boruta}
