"""mrmr_selection: F test over mean correlation."""

import pandas as pd
from mrmr import mrmr_classif

PACKAGES = ("mrmr-selection",)


def mrmr(X, y, k):
    return mrmr_classif(pd.DataFrame(X), pd.Series(y), K=k, show_progress=False, n_jobs=1)


METHODS = {"mrmr": mrmr}
