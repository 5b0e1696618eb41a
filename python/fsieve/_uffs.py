"""UFFS: which features are functions of others, and by which equation."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from . import _core
from ._base import Features, Found, FsieveReducer, _weights, columns_of, equations_of, ignored_columns
from ._parameters import TableParameters, UffsParameters
from ._result import Result


@dataclass(kw_only=True, eq=False, repr=False)
class UFFS(TableParameters, UffsParameters, FsieveReducer):
    """Removes features that are functions of others, and says by which equation.

    Looks for relations among the features first (products, powers, sums), then keeps as few features as
    it can. A feature that others explain up to a remainder of norm ``epsilon`` is redundant: it goes, and
    its equation is given. Where features have names, their order makes no difference. The label plays no
    part. The parameters are the options of ``fsieve reduce``; docs/options.md explains each.

    Parameters
    ----------
    stages : str or list, default="auto"
        One run after another on what is left: products of up to ``depth`` features within groups of at
        most ``size``, as ``"1,2:50,3:30"`` or ``[1, (2, 50), (3, 30)]``.
    epsilon : float or list of float, default=0.1
        A standardised feature is redundant when what is left of it has at most this norm; one, or one
        per stage.
    r2 : float or list of float, default=None
        The same as a share of variance explained; give one of the two.
    rule : str, default="adjusted"
        ``"adjusted"`` corrects the norm for the degrees of freedom used up, ``"paper"`` does not,
        ``"cumulative:S"`` keeps the largest norms while their running share is below S.
    order : {"auto", "input", "variance", "random"}, default="auto"
        Which features are looked at first. ``"auto"``: relations among them decide (under the rules
        paper and cumulative, and for chunks, it is ``"input"``: as they stand).
    relations : bool, default=False
        Also list the relations found among the features, those of kept ones too.
    max_terms : int, default=12
        A feature whose equation is not exact goes only if so many terms, the constant not counted,
        are enough.
    protect : str or list of str, default=None
        Features that are never removed.
    clusters : float, default=None
        Instead of equations by several features: groups of interchangeable ones, of which every two
        explain at least this share of each other's variance. One of each group stays.
    groups : {"any", "own"}, default=None
        Test a feature against every group of kept features, or within its own run of features.
        Default: any under the adjusted rule, own else.
    prune : bool, default=False
        Redundant features bring no products (own groups only).
    sample : int or "all", default=None
        Prepare the decisions on so many rows, chosen by ``random_state``, and check them on all;
        ``"all"``: on all rows from the beginning. None: as many rows as tell, which are all where they
        are few.
    engine : {"auto", "gram", "sample"}, default="auto"
        How inner products are computed.
    equations : bool, default=True
        Look for the equations of removed features.
    device : str, default="auto"
        Where the gram engine multiplies matrices: ``"cpu"``; ``"cuda"`` or ``"cuda:N"``, an NVIDIA GPU;
        ``"auto"``: there if it is worth it. What is found does not depend on it, the last digits of
        numbers may.
    exclude : str or list of str, default=None
        Columns that are left out; patterns with ``*`` and ``?`` too.
    categorical : str or list of str, default=None
        Columns of numbers to be treated as categories; patterns with ``*`` and ``?`` too.
    use : str or list of str, default=None
        Columns to be used although they name the rows or are mostly missing (patterns too); such columns
        are else set aside, with a warning, and listed in ``ignored_``.
    missing : {"error", "drop", "mean"}, default="error"
        Missing values: stop; drop the row; put in the column's mean (most frequent category).
    na : str, float or list, default=None
        What counts as missing besides NaN and None.
    memory : str, default="512M"
        What a copy of the table may take where a method needs one.
    random_state : int, RandomState or None, default=None
        Fixes every random choice; None is 0.
    n_jobs : int, default=None
        Cores to use, as scikit-learn counts: None is one, -1 all. The result does not depend on it.
    verbose : bool, default=False
        Show a progress bar when it takes longer than a second.

    Attributes
    ----------
    selected_ : list of dict
        Kept features: ``name``, ``index``, ``norm``, ``adjusted_norm``, ``undecided``;
        where it is so also ``estimated`` (norms by some of the rows) and ``unconfirmed`` (little is left, but rows
        that were not used do not confirm that).
    removed_ : list of dict
        Removed features: also ``stage``, ``reason`` and ``equation`` (``equations`` for a category).
    equations_ : dict of str to list of str
        Equations of removed features by name, as a person would write them.
    scores_ : array of shape (n_features,)
        Norm of what is left of each standardised feature.
    ranking_ : array of shape (n_features,)
        1 for kept features; removed ones follow, least redundant first, and those set aside come last.
    stages_ : list of dict
        What each stage did.
    ignored_ : list of dict
        Columns that were set aside: ``name``, ``index``, ``reason`` (identifier, missing or rounded).
    relations_ : list of dict
        With ``relations=True``: ``target``, ``text``, ``r2``, ``r2_fit`` and ``terms`` of each, simplest first.
    clusters_ : list of dict
        With ``clusters``: ``representative``, ``members`` and ``r2`` (the smallest of two members)
        of each group, largest first.
    result_ : Result
        All of it: the JSON object of the command line.
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X has names.

    Examples
    --------
    >>> import numpy as np
    >>> from fsieve import UFFS
    >>> X = np.random.default_rng(0).normal(size=(300, 3))
    >>> X = np.column_stack([X, X[:, 0] * X[:, 2]])
    >>> UFFS().fit(X).equations_
    {'x3': ['x3 = x0·x2']}
    """

    _command = "reduce"

    stages_ = Found[Features]()
    relations_ = Found[Features]()
    clusters_ = Found[Features]()

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> UFFS:
        """Finds the redundant features of X.

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
        self.__dict__.pop("_sums", None)
        self._run(X, sample_weight=sample_weight, labelled=False)
        return self

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> UFFS:
        """Adds the rows of a chunk; the answer for all rows so far is computed when it is asked for.

        What is kept of the rows are the moments of the columns and the inner products of all their
        products up to the depth of ``stages`` (``"auto"`` is here of depth 2), so the columns must be
        numbers and not too many; of ten parts of the rows apart, as far as ``memory`` allows, so that rows
        that were not used confirm what is removed. Chunks may come in any number and order; estimators
        that saw different chunks can be pickled, sent and merged.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_features)
            The next rows.
        y : ignored
        sample_weight : array of shape (n_samples,), default=None
            How many rows each row stands for.

        Returns
        -------
        self
        """
        first = "_sums" not in self.__dict__
        table, declared = self._table(X, reset=first, least_rows=1)
        options, weights = self._options(declared), _weights(sample_weight, table.rows)
        sums = _core.Sums() if first else self._sums
        self._watched(lambda show: sums.add(table, options, weights, show))
        self._sums = sums
        self._forget_result()
        return self

    def merge(self, other: UFFS) -> UFFS:
        """Adds the rows that another estimator has seen by ``partial_fit``.

        Parameters
        ----------
        other : UFFS
            With the same columns and the same depth.

        Returns
        -------
        self
        """
        if "_sums" not in other.__dict__:
            raise ValueError("merge needs an estimator that has seen rows by partial_fit")
        if "_sums" not in self.__dict__:
            self._sums = _core.Sums()
            for name in ("n_features_in_", "feature_names_in_"):
                if name in other.__dict__:
                    setattr(self, name, getattr(other, name))
        self._watched(lambda show: self._sums.merge(other._sums))
        self._forget_result()
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return "result_" in self.__dict__ or "_sums" in self.__dict__

    @cached_property
    def result_(self) -> Result:
        """All of it; that of chunks is computed when it is first asked for."""
        if "_sums" not in self.__dict__:
            raise AttributeError(f"this {type(self).__name__} is not fitted: it has no result_")
        options = self._options([])
        text = self._watched(lambda show: self._sums.reduce(options, show))
        return self._keep(Result(json.loads(text)))

    @cached_property
    def equations_(self) -> dict[str, list[str]]:
        """Equations of removed features by name."""
        return equations_of(self.removed_)

    @cached_property
    def scores_(self) -> np.ndarray:
        """Norm of what is left of each standardised feature."""
        scores = np.full(self.n_features_in_, np.nan)
        for feature in reversed(self.selected_ + self.removed_):
            if feature["norm"] is not None:
                scores[feature["index"]] = feature["norm"]
        return scores

    @cached_property
    def ranking_(self) -> np.ndarray:
        """1 for kept features; removed ones follow, least redundant first."""
        ranking = np.ones(self.n_features_in_, dtype=int)
        kept = columns_of(self.selected_)
        removed = [index for index in columns_of(self.removed_) if index not in kept]
        removed.sort(key=lambda index: (-self.scores_[index], index))
        ranking[removed] = 2 + np.arange(len(removed))
        ranking[ignored_columns(self.result_)] = 2 + len(removed)
        return ranking

    def _keep(self, result: Result) -> Result:
        self._forget_result()
        return super()._keep(result)

    def _forget_result(self) -> None:
        for name in ("result_", "equations_", "scores_", "ranking_"):
            self.__dict__.pop(name, None)

    def _options(self, declared: list[str]) -> dict[str, str]:
        options = super()._options(declared)
        if self.r2 is not None and self.epsilon == 0.1:  # the default is not a choice of the user
            del options["epsilon"]
        return options
