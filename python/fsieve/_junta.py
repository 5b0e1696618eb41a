"""The junta learner: the few features that decide a label of two classes, and the rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import assert_all_finite, check_is_fitted

from . import _core, _input, _options
from ._base import Features, Found, FsieveEstimator
from ._parameters import JuntaParameters, TableParameters

_TINY = 1e-12  # smaller scores are ties


@dataclass(kw_only=True, eq=False, repr=False)
class JuntaClassifier(TableParameters, JuntaParameters, ClassifierMixin, FsieveEstimator):
    """Finds the k features that decide a label of two classes best, and the rule on them.

    Features have two values, of any spelling; a text column of more counts as one feature per value
    (``colour=red``), and numbers are cut in two (``binarize``). The parameters are the options of ``fsieve
    learn`` (``unseen``: of ``fsieve predict``); docs/options.md explains each.

    Parameters
    ----------
    k : int, default=2
        How many features the rule may look at, 1 to 6.
    learner : {"fourier", "low-degree", "erm"}, default="fourier"
        The subset of the largest score; all products of up to k features; the table with the fewest
        training errors.
    basis : {"product", "correlated"}, default=None
        Products of standardised features, right for independent ones; or these made orthogonal on the
        data. Default: correlated, product for the learner "low-degree".
    search : str, default="exhaustive"
        ``"exhaustive"``, ``"greedy"`` or ``"beam:W"``.
    binarize : {"median", "mean"} or float, default=None
        Cut columns of numbers in two: above the column's median or mean, or above a value. Without it
        columns of more than two numbers are cut at their medians, and a warning says so.
    class_weight : {"balanced"} or dict, default=None
        What the rows of a class count for, in scores, rule and coefficients: ``{class: weight}``, or the same
        for both classes together, however few rows one has. None: every row counts the same, and the common
        class decides what is best.
    top : int, default=20
        How many subsets are reported.
    permutations : int, default=0
        Search this many shuffles of the label too, and say in ``p_value_`` how often chance finds as good a score.
    checkpoint : str, default=None
        A file for the state of the search, to go on from when the same is run again.
    unseen : {"error", "majority"}, default="error"
        A value that training never saw: stop, or predict the more frequent class.
    device : str, default="auto"
        Where the exhaustive search runs: ``"cpu"``, ``"cuda"`` (all NVIDIA GPUs), ``"cuda:N"``, or ``"auto"``: on a GPU
        if there is one and it is worth it. The result does not depend on it.
    exclude, categorical, use, missing, na, memory, random_state, n_jobs, verbose
        As for :class:`UFFS`. Rows cannot be dropped when they are to be predicted.

    Attributes
    ----------
    classes_ : array of shape (2,)
        The classes; the second is +1.
    subset_ : list of str
        The features of the rule.
    formula_ : str or None
        When the second class is predicted, in words (k up to 4).
    table_ : list of dict
        Every case with its support.
    coefficients_ : list of dict
        Fourier coefficients, largest first.
    candidates_ : list of dict
        The best subsets with their scores; ``subsets_`` is the same.
    training_error_ : float
        Share of the training rows that the rule gets wrong.
    p_value_ : float or None
        (1 + shuffles whose best score is as good) / (1 + permutations); None without ``permutations``.
    scores_ : array of shape (n_features,)
        Score of the best reported subset with the feature; NaN where there is none.
    ranking_ : array of shape (n_features,)
        1 for the features of the rule, 2 for all others.
    ignored_ : list of dict
        Columns that were set aside: ``name``, ``index``, ``reason`` (identifier, missing or rounded).
    result_ : Result
        All of it: the JSON object of the command line, which ``fsieve predict`` reads.
    n_features_in_ : int
    feature_names_in_ : array of str
        Where X has names.

    Examples
    --------
    >>> import numpy as np
    >>> from fsieve import JuntaClassifier
    >>> X = np.random.default_rng(0).integers(0, 2, size=(300, 10))
    >>> y = X[:, 2] & X[:, 5]
    >>> rule = JuntaClassifier(k=2).fit(X, y)
    >>> rule.formula_
    'x2 = 1 and x5 = 1'
    >>> rule.predict([[0, 0, 1, 0, 0, 1, 0, 0, 0, 0]])
    array([1])
    """

    _command = "learn"

    label_ = Found[dict[str, Any]]()
    subset_ = Found[list[str]]()
    score_ = Found[float]()
    training_error_ = Found[float]()
    weighted_error_ = Found[float]()
    p_value_ = Found[float | None]()
    shuffled_ = Found[dict[str, Any]]()
    formula_ = Found[str | None]()
    subsets_scored_ = Found[int]()
    candidates_ = Found[Features]()
    features_ = Found[Features]()
    coefficients_ = Found[Features]()
    table_ = Found[Features | None]()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = True  # k features alone may say little
        return tags

    def _options(self, declared: list[str]) -> dict[str, str]:
        options = super()._options(declared)
        options.pop("unseen", None)
        return options

    def fit(self, X: Any, y: Any) -> JuntaClassifier:
        """Finds the rule.

        Parameters
        ----------
        X : array, frame or sparse matrix of shape (n_samples, n_features)
        y : array or series of shape (n_samples,)
            Two classes of any spelling.

        Returns
        -------
        self
        """
        if y is not None:
            try:
                classes = self._classes(self._label_values(y))
            except ValueError:
                if _input.is_empty(X):
                    self._table(X, reset=True)  # says so
                raise
        try:
            result = self._run(X, y, labelled=True)
        except ValueError as error:
            if getattr(error, "code", None) != "too_few_features":
                raise
            said = ValueError(f"{error} (n_features = {self.n_features_in_})")
            said.code = "too_few_features"
            raise said from None
        self.classes_ = classes
        self.subsets_ = result["candidates"]
        self.scores_ = np.full(self.n_features_in_, np.nan)
        for candidate in result["candidates"]:
            for j in candidate["indices"]:
                if not self.scores_[j] >= candidate["score"]:
                    self.scores_[j] = candidate["score"]
        self.ranking_ = np.full(self.n_features_in_, 2)
        self.ranking_[[feature["index"] for feature in result["features"]]] = 1
        return self

    def _label_values(self, y: Any) -> Any:
        """All values of the label, in any order and number."""
        return y

    def _classes(self, values: Any) -> np.ndarray:
        kind = type_of_target(values, input_name="y")
        if kind != "binary":
            check_classification_targets(values)
            kind = type_of_target(values, input_name="y", raise_unknown=True)
            raise ValueError(
                f"Only binary classification is supported. The type of the target is {kind}."
            )
        classes = np.unique(np.asarray(values))
        if len(classes) < 2:
            raise ValueError("y has one class only: there is nothing to predict")
        return classes

    def _predictions(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """For every row whether the second class is predicted, and the score."""
        check_is_fitted(self)
        if self.missing == "error" and isinstance(X, np.ndarray) and X.dtype.kind == "f":
            assert_all_finite(X, input_name="X")  # in columns that the rule does not need too
        table, declared = self._table(X, reset=False)
        parameters = {
            name: getattr(self, name) for name in ("unseen", "categorical", "missing", "na", "memory")
        }
        if declared:
            given = parameters["categorical"]
            given = [given] if isinstance(given, str) else list(given or [])
            parameters["categorical"] = [*given, *(name for name in declared if name not in given)]
        if parameters["missing"] == "drop":
            parameters["missing"] = "error"  # every row is to be predicted
        options = _options.texts("predict", {**parameters, "n_jobs": self.n_jobs})
        model = self.result_.to_json()
        second, scores = self._watched(lambda show: _core.predict(model, table, options, show))
        if self._is_second_class(str(self.classes_[0])):
            return 1 - second, -scores
        return second, scores

    def _is_second_class(self, text: str) -> bool:
        """Of the library, which orders texts that are numbers as numbers; scikit-learn puts "10" before "9"."""
        classes = self.label_["classes"]
        if text in classes:
            return text == classes[1]
        try:
            return float(text) == float(classes[1])  # "+10" is "10" there
        except ValueError:
            return False

    def decision_function(self, X: Any) -> np.ndarray:
        """The score of each row: above 0 where the second class is predicted.

        Parameters
        ----------
        X : array, frame or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        scores : array of shape (n_samples,)
        """
        second, scores = self._predictions(X)
        sign = np.where(second == 1, 1.0, -1.0)
        return np.where(np.sign(scores) == sign, scores, sign * _TINY)  # ties go to the prediction

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row.

        Parameters
        ----------
        X : array, frame or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        y : array of shape (n_samples,)
        """
        second, _ = self._predictions(X)
        return self.classes_[second.astype(int)]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Estimated probability of each class: the score is an estimate of P(second) - P(first).

        Parameters
        ----------
        X : array, frame or sparse matrix of shape (n_samples, n_features)

        Returns
        -------
        probabilities : array of shape (n_samples, 2)
        """
        second = np.clip((1 + self.decision_function(X)) / 2, 0, 1)
        return np.column_stack([1 - second, second])
