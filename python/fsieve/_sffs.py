"""SFFS: which features predict the label best, jointly."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._base import FsieveSelector, HiddenParameter, equations_of


class SFFS(FsieveSelector):
    """Chooses the features that predict a label best, together.

    Takes features step by step: each step brings what explains most of the part of the label that the
    features taken so far, and their products of up to ``depth``, do not explain. Features that are worth
    something only together (an exclusive-or) are found together; copies of a taken feature are worth
    nothing. The parameters are the options of ``fsieve select``; docs/options.md explains each.

    Parameters
    ----------
    k : int, "certain" or "auto", default="auto"
        How many features; certain: those that convince at level ``alpha``, maybe none; auto: the same.
    depth : int, default=2
        How many features are judged together: 1 to 6 where all are discrete, 1 to 4 else.
    search : str, default="forward"
        ``"forward"``, ``"union"`` (the best of all subsets, united) or ``"beam:W"``.
    score : {"l1", "l2"}, default="l1"
        Of subsets under the union.
    reduce : str or list, default=None
        Stages that first remove features which are functions of others, or ``"none"``. Default: 1
        under the union, none else.
    no_equations : bool, default=False
        Do not look for the equations of features that ``reduce`` removes.
    bins : int, default=None
        Cut every numeric feature into so many bins (2 to 16) and use these as categories.
    shape : {"curve", "plain"}, default="curve"
        What a numeric feature of more than two values brings to a forward or beam search. plain: its
        column; curve: also polynomials of its ranks, where they say more.
    class_weight : {"balanced"}, default=None
        Let every class weigh the same, however few rows it has.
    robust : bool, default=False
        A number as label enters a forward or beam search by its ranks; with k "certain" it always does.
    task : {"classification", "regression"}, default=None
        Whether the label names classes or is a number. Default: a number unless it is text, has two
        values, or has at most 50 that are all whole.
    top : int, default=20
        How many subsets are reported.
    alpha : float, default=0.01
        Level at which features convince, where one is asked for: k "certain", or permutations.
    permutations : int, default=0
        Test steps by so many shuffles instead of the tails of distributions; 0: do not.
    scan_limit : float, default=1e12
        Leave a scan out, with a warning, when its subsets times rows are more than this.
    delta : float, default=0.05
        The guarantee for two-valued features holds with probability 1 - delta.
    categorical, missing, na, memory, random_state, n_jobs, verbose
        As for :class:`UFFS`.

    Attributes
    ----------
    selected_ : list of dict
        Best first: ``name``, ``index``, ``rank``, ``round``, ``score``, ``p_value``.
    subsets_ : list of dict
        ``features`` and ``score`` of the steps, or of the best subsets under the union.
    measure_ : str
        What the scores are.
    accuracy_estimate_ : float or None
        Of a classification by the best rule on the selected features.
    bound_ : dict or None
        The guarantee where all features are two-valued.
    scores_ : array of shape (n_features,)
        Score of each selected feature, NaN for others.
    ranking_ : array of shape (n_features,)
        1 for the best feature; all that are not selected share the last place.
    equations_ : dict of str to list of str
        Of the features that ``reduce`` removed.
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
    array(['x4', 'x8'], dtype=object)
    """

    _command = "select"
    score = HiddenParameter("score")  # a pipeline that ends in a selector has no score

    def __init__(
        self,
        k: int | str = "auto",
        *,
        depth: int = 2,
        search: str = "forward",
        score: str = "l1",
        reduce: str | list[Any] | None = None,
        no_equations: bool = False,
        bins: int | None = None,
        shape: str = "curve",
        class_weight: str | None = None,
        robust: bool = False,
        task: str | None = None,
        top: int = 20,
        alpha: float = 0.01,
        permutations: int = 0,
        scan_limit: float = 1e12,
        delta: float = 0.05,
        categorical: str | list[str] | None = None,
        missing: str = "error",
        na: str | float | list[Any] | None = None,
        memory: str = "512M",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.k = k
        self.depth = depth
        self.search = search
        self.score = score
        self.reduce = reduce
        self.no_equations = no_equations
        self.bins = bins
        self.shape = shape
        self.class_weight = class_weight
        self.robust = robust
        self.task = task
        self.top = top
        self.alpha = alpha
        self.permutations = permutations
        self.scan_limit = scan_limit
        self.delta = delta
        self.categorical = categorical
        self.missing = missing
        self.na = na
        self.memory = memory
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

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
        selected = result["selected"]
        self.scores_ = np.full(self.n_features_in_, np.nan)
        self.ranking_ = np.full(self.n_features_in_, len(selected) + 1)
        for feature in selected:
            self.ranking_[feature["index"]] = feature["rank"]
            if feature["score"] is not None:
                self.scores_[feature["index"]] = feature["score"]
        self.equations_ = equations_of((result.get("reduced") or {}).get("removed", []))
        return self
