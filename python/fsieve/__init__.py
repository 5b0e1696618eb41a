"""fsieve: which columns of a table could be computed from the others, and by which equation; and,
given a label, which predict it best together.

Every method is a scikit-learn estimator:

>>> import numpy as np
>>> from fsieve import UFFS
>>> rng = np.random.default_rng(0)
>>> X = rng.normal(size=(500, 4))
>>> X[:, 3] = 2 * X[:, 0] * X[:, 1]
>>> reducer = UFFS().fit(X)
>>> reducer.equations_
{'x3': ['x3 = 2.00·x0·x1']}
>>> reducer.transform(X).shape
(500, 3)
"""

from ._core import build_info
from ._core import version as _version
from ._greedy import GFA, GFS
from ._junta import JuntaClassifier
from ._plots import plot_accuracy, plot_path, plot_redundancy, plot_scores
from ._report import Report, report
from ._result import Result, load
from ._sffs import SFFS
from ._uffs import UFFS

__version__ = _version()

__all__ = [
    "GFA",
    "GFS",
    "SFFS",
    "UFFS",
    "JuntaClassifier",
    "Report",
    "Result",
    "build_info",
    "load",
    "plot_accuracy",
    "plot_path",
    "plot_redundancy",
    "plot_scores",
    "report",
]
