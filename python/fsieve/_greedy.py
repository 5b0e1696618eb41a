"""GFS and GFA: greedy choice of features, given a family of functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from ._base import Features, Found, FsieveReducer, columns_of, equations_of, ignored_columns
from ._parameters import GfaParameters, GfsParameters, TableParameters

Self = TypeVar("Self", bound="GreedySelector")


class GreedySelector(FsieveReducer):
    """What the two have in common."""

    _command = "reduce"

    trace_ = Found[list[float]]()
    functions_ = Found[int]()
    saturated_ = Found[bool]()
    engine_ = Found[str]()
    standardised_ = Found[Features]()
    entropy_bound_ = Found[dict[str, Any]]()

    def fit(self: Self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Chooses features of X.

        Parameters
        ----------
        X : array, frame or sparse matrix of shape (n_samples, n_features)
        y : ignored
        sample_weight : array of shape (n_samples,), default=None
            How many rows each row stands for.

        Returns
        -------
        self
        """
        result = self._run(X, sample_weight=sample_weight, labelled=False)
        self.equations_ = equations_of(result["removed"])
        self.scores_ = np.full(self.n_features_in_, np.nan)
        for feature in reversed(result["selected"] + result["removed"]):
            if feature["variance_left"] is not None:
                self.scores_[feature["index"]] = feature["variance_left"]
        chosen = columns_of(result["selected"])
        removed = [index for index in columns_of(result["removed"]) if index not in chosen]
        removed.sort(key=lambda index: (-self.scores_[index], index))
        order = chosen + removed
        self.ranking_ = np.empty(self.n_features_in_, dtype=int)
        self.ranking_[order] = 1 + np.arange(len(order))
        self.ranking_[ignored_columns(result)] = 1 + len(order)
        return self


@dataclass(kw_only=True, eq=False, repr=False)
class GFS(TableParameters, GfsParameters, GreedySelector):
    """Chooses again and again the feature with most variance left, given functions of the chosen ones.

    What is left of a feature when the functions of the chosen ones are taken out is its variance left.
    The parameters are the options of ``fsieve reduce --method gfs``; docs/options.md explains each.

    Parameters
    ----------
    k : int, default=None
        Choose at most so many features. Default: as many as the threshold says.
    epsilon2 : float, default=0.01
        The end, when no feature has more variance left.
    family : str, default="multilinear:2"
        Functions by which features may depend on chosen ones: ``"multilinear:T"`` (products of up to T
        different features), ``"multilinear+squares:T"``, ``"polynomial:T"`` or ``"functions"``.
    function : str or list of str, default=None
        Functions of one or two chosen features for ``family="functions"``: ``"sin(a)"``, ``"a/b"``.
    scale : {"standard", "none"}, default="standard"
        Compare variances of standardised features, or in original units.
    constant : bool, default=True
        Is the constant function in the family?
    engine : {"auto", "gram", "sample"}, default="auto"
        How inner products are computed.
    equations : bool, default=True
        Look for the equations of features that are not chosen.
    device, exclude, categorical, use, missing, na, memory, random_state, n_jobs, verbose
        As for :class:`UFFS`.

    Attributes
    ----------
    selected_ : list of dict
        In order of choice: ``name``, ``index``, ``variance``, ``variance_left``.
    removed_ : list of dict
        All others: ``name``, ``index``, ``variance_left``, ``equation``.
    trace_ : list of float
        Largest variance left before the first choice and after each.
    functions_ : int
        How many functions were kept.
    saturated_ : bool
        Whether the functions fill all dimensions that the rows have.
    equations_ : dict of str to list of str
        Equations of the features that are not chosen, by name.
    scores_ : array of shape (n_features,)
        Variance left: when a feature was chosen, and in the end for others.
    ranking_ : array of shape (n_features,)
        Order of choice from 1; all others follow, most variance left first.
    ignored_ : list of dict
        Columns that were set aside: ``name``, ``index``, ``reason`` (identifier, missing or rounded).
    result_ : Result
        All of it: the JSON object of the command line.
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X has names.

    Examples
    --------
    >>> import numpy as np
    >>> from fsieve import GFS
    >>> X = np.random.default_rng(0).normal(size=(300, 3))
    >>> X = np.column_stack([X[:, 0] * X[:, 1], X])
    >>> found = GFS(k=3).fit(X)
    >>> len(found.trace_)
    4
    """

    _fixed_options = {"method": "gfs"}


@dataclass(kw_only=True, eq=False, repr=False)
class GFA(TableParameters, GfaParameters, GreedySelector):
    """Chooses the features that generate all others: those of largest variance that are not functions of
    features chosen before.

    The parameters are the options of ``fsieve reduce --method gfa``; docs/options.md explains each.

    Parameters
    ----------
    k : int, default=None
        Choose at most so many features. Default: as many as the threshold says.
    delta : float, default=1e-5
        Features with less variance left are functions of the chosen ones, and passed over.
    family : str, default="multilinear:2"
        Functions by which features may depend on chosen ones: ``"multilinear:T"`` (products of up to T
        different features), ``"multilinear+squares:T"``, ``"polynomial:T"`` or ``"functions"``.
    function : str or list of str, default=None
        Functions of one or two chosen features for ``family="functions"``: ``"sin(a)"``, ``"a/b"``.
    scale : {"standard", "none"}, default="standard"
        Variances of standardised features, or in original units, as ``delta`` and the results have them;
        the largest is always chosen in original units.
    constant : bool, default=True
        Is the constant function in the family?
    engine : {"auto", "gram", "sample"}, default="auto"
        How inner products are computed.
    equations : bool, default=True
        Look for the equations of features that are not chosen.
    device, exclude, categorical, use, missing, na, memory, random_state, n_jobs, verbose
        As for :class:`UFFS`.

    Attributes
    ----------
    selected_ : list of dict
        In order of choice: ``name``, ``index``, ``variance``, ``variance_left``.
    removed_ : list of dict
        All others: ``name``, ``index``, ``variance_left``, ``equation``.
    trace_ : list of float
        Largest variance left before the first choice and after each.
    functions_ : int
        How many functions were kept.
    saturated_ : bool
        Whether the functions fill all dimensions that the rows have.
    equations_ : dict of str to list of str
        Equations of the features that are not chosen, by name.
    scores_ : array of shape (n_features,)
        Variance left: when a feature was chosen, and in the end for others.
    ranking_ : array of shape (n_features,)
        Order of choice from 1; all others follow, most variance left first.
    ignored_ : list of dict
        Columns that were set aside: ``name``, ``index``, ``reason`` (identifier, missing or rounded).
    result_ : Result
        All of it: the JSON object of the command line.
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X has names.

    Examples
    --------
    >>> import numpy as np
    >>> from fsieve import GFA
    >>> X = np.random.default_rng(0).normal(size=(300, 3)) * [1.0, 0.9, 0.8]
    >>> X = np.column_stack([X, 0.3 * X[:, 0] * X[:, 1]])
    >>> GFA().fit(X).equations_
    {'x3': ['x3 = 0.300·x0·x1']}
    """

    _fixed_options = {"method": "gfa"}
