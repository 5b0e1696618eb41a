"""SFFS: which features predict the label best, jointly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._base import Features, Found, FsieveSelector, equations_of
from ._parameters import SffsParameters, TableParameters


@dataclass(kw_only=True, eq=False, repr=False)
class SFFS(TableParameters, SffsParameters, FsieveSelector):
    """Chooses the features that predict a label best, together.

    Takes features step by step: each step brings what explains most of the part of the label that the
    features taken so far, and their products of up to ``depth``, do not explain. Features that are worth
    something only together (an exclusive-or) are found together; copies of a taken feature are worth
    nothing. The parameters are the options of ``fsieve select``; docs/options.md explains each.

    Parameters
    ----------
    k : int, "certain" or "auto", default="auto"
        How many features; auto: as many as predict best in cross-validation, maybe none; certain: those
        that convince at level ``alpha``, maybe none.
    depth : int, default=2
        How many features are judged together: 1 to 6 where all are discrete, 1 to 4 else.
    search : str, default="forward"
        ``"forward"``, ``"union"`` (the best of all subsets, united) or ``"beam:W"``.
    score : {"l1", "l2"}, default="l1"
        Of subsets under the union.
    reduce : str or list, default=None
        Stages that first remove features which are functions of others, or ``"none"``. Default: 1
        under the union, none else.
    equations : bool, default=True
        Look for the equations of features that ``reduce`` removes.
    bins : int, default=None
        Cut every numeric feature into so many bins (2 to 16) and use these as categories.
    shape : {"curve", "plain"}, default="curve"
        What a numeric feature of more than two values brings to a forward or beam search. plain: its
        column; curve: also polynomials of its ranks, where they say more.
    class_weight : {"balanced"}, default=None
        Let every class weigh the same, however few rows it has.
    robust : bool, default=False
        A number as label enters a forward or beam search by its ranks; with k "certain" it always does.
    keep : list of str, default=None
        Columns that are taken first, and the others given them; ``k`` counts them.
    adjust : list of str, default=None
        Covariates (age, sex, batch): everything is judged given these columns, which are not selected.
    group : dict of str to pattern or list of patterns, default=None
        Columns that go together: taken as one, and counted as one by ``k``.
    cost : dict of str to float, default=None
        What columns cost; others cost 1. Gain per cost decides.
    stability : int, default=0
        Repeat the selection on so many half-samples, an even number, and say how many chose each feature.
    ranking : bool, default=True
        Tell what every feature is worth, selected or not, and what could stand in for the selected ones. False:
        only what is selected, in a fraction of the time on tables of many columns.
    task : {"classification", "regression"}, default=None
        Whether the label names classes or is a number. Default: a number unless it is text, has two
        values, or has at most 50 that are all whole.
    top : int, default=20
        How many subsets are reported.
    alpha : float, default=0.01
        Level at which features convince, where one is asked for: k "certain", or permutations.
    permutations : int, default=0
        Test steps by so many shuffles instead of the tails of distributions; 0: do not.
    sample : int or "all", default=None
        Prepare decisions on so many rows, chosen by ``random_state``, and check them on all;
        ``"all"``: on all rows from the beginning. None: as many rows as tell, which are all where they
        are few.
    scan_limit : float, default=1e12
        Leave a scan out, with a warning, when its subsets times rows are more than this.
    delta : float, default=0.05
        The guarantee for two-valued features holds with probability 1 - delta.
    folds : int, default=5
        Parts of the rows, each predicted by what is selected and learnt from the others: for k "auto" and
        the estimates. 0: no estimates, and no time spent on them.
    device : str, default="auto"
        Where subsets are scanned and candidates estimated, as for :class:`JuntaClassifier`.
    exclude, categorical, use, missing, na, memory, random_state, n_jobs, verbose
        As for :class:`UFFS`.

    Attributes
    ----------
    selected_ : list of dict
        Best first: ``name``, ``index``, ``rank``, ``round``, ``score``, ``p_value``.
    subsets_ : list of dict
        ``features`` and ``score`` of the steps, or of the best subsets under the union.
    measure_ : str
        What the scores are.
    path_ : list of dict
        With k "auto": ``k``, ``score`` (accuracy, or R² of a number) and ``error`` of every size that was
        tried, in cross-validation. :func:`plot_path` draws it.
    accuracy_estimate_, r2_estimate_ : float or None
        Accuracy, or R² of a number, in cross-validation with the selection inside the folds.
    estimate_model_ : str or None
        The model that predicts in the folds.
    bound_ : dict or None
        The guarantee where all features are two-valued.
    scores_ : array of shape (n_features,)
        The gain of each feature: the share of the label's variance that it explained when it was taken;
        for the others what they would add to the selected ones. NaN for columns that were left out. None
        where ``ranking`` is False; so are the p-values, q-values and substitutes.
    ranking_ : array of shape (n_features,)
        1 for the best feature; no two have the same rank, and the selected ones come first. Where ``ranking``
        is False all that are not selected share the rank after these.
    pvalues_, qvalues_ : arrays of shape (n_features,)
        Of each feature alone against the label, and the same by Benjamini and Hochberg; NaN for constants.
    stability_shares_ : array of shape (n_features,) or None
        Share of the half-samples in which each feature was chosen.
    stability_ : dict or None
        The bound on the expected number of false features among those chosen often.
    substitutes_ : list of dict
        ``name`` could stand in ``for`` a selected feature, with the ``loss`` of what is explained.
    equations_ : dict of str to list of str
        Of the features that ``reduce`` removed.
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
    >>> from fsieve import SFFS
    >>> X = np.random.default_rng(0).integers(0, 2, size=(400, 50))
    >>> y = X[:, 3] ^ X[:, 7]
    >>> SFFS().fit(X, y).get_feature_names_out()
    array(['x3', 'x7'], dtype=object)
    """

    _command = "select"

    measure_ = Found[str]()
    subsets_ = Found[Features]()
    substitutes_ = Found[Features | None]()
    stability_ = Found[dict[str, Any] | None]()
    path_ = Found[Features]()
    accuracy_estimate_ = Found[float | None]()
    r2_estimate_ = Found[float | None]()
    estimate_model_ = Found[str | None]()
    bound_ = Found[dict[str, Any] | None]()
    reduced_ = Found[dict[str, Any] | None]()

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters of this estimator, by name."""
        return {name: self.__dict__[name] for name in self._get_param_names()}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> SFFS:
        """Finds the features of X that predict y best, together.

        Parameters
        ----------
        X : array, frame or sparse matrix of shape (n_samples, n_features)
        y : array or series of shape (n_samples,)
            Classes of any spelling, or numbers.
        sample_weight : array of shape (n_samples,), default=None
            How many rows each row stands for.

        Returns
        -------
        self
        """
        result = self._run(X, y, sample_weight, labelled=True)
        ranking = result["ranking"]
        self.ranking_ = self._full_ranking(ranking or result["selected"])
        if ranking is None:
            self.ranking_ = np.minimum(self.ranking_, len(result["selected"]) + 1)
        self.scores_ = self._by_feature(ranking, "gain")
        self.pvalues_ = self._by_feature(ranking, "p_value")
        self.qvalues_ = self._by_feature(ranking, "q_value")
        self.stability_shares_ = self._by_feature(ranking, "stability") if result["stability"] else None
        self.equations_ = equations_of((result.get("reduced") or {}).get("removed", []))
        return self

    def _by_feature(self, ranking: list[dict[str, Any]] | None, key: str) -> np.ndarray | None:
        if ranking is None:
            return None
        values = np.full(self.n_features_in_, np.nan)
        for feature in reversed(ranking):  # a date may be several features: the best counts
            if feature[key] is not None:
                values[feature["index"]] = feature[key]
        return values

    def _full_ranking(self, ranking: list[dict[str, Any]]) -> np.ndarray:
        """Ranks by column; those that were left out come last, in their order."""
        ranks = np.zeros(self.n_features_in_, dtype=int)
        for feature in reversed(ranking):
            ranks[feature["index"]] = feature["rank"]
        absent = np.flatnonzero(ranks == 0)
        ranks[absent] = len(ranking) + 1 + np.arange(len(absent))
        return ranks
