"""skrebate: MultiSURF, the Relief that its authors recommend."""

from skrebate import MultiSURF

PACKAGES = ("skrebate",)

METHODS = {"multisurf": lambda X, y, k: MultiSURF(n_features_to_select=k, n_jobs=1).fit(X, y).top_features_}
