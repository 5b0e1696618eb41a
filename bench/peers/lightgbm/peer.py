"""LightGBM: total gain of a feature's splits."""

import numpy as np
from lightgbm import LGBMClassifier

PACKAGES = ("lightgbm",)


def gain(X, y, k):
    model = LGBMClassifier(importance_type="gain", n_jobs=1, random_state=0, deterministic=True, verbose=-1)
    return np.argsort(-model.fit(X, y).feature_importances_, kind="stable")


METHODS = {"lightgbm": gain}
