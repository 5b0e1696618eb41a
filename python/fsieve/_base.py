"""What the estimators have in common: input, options, the run, and its result as attributes."""

from __future__ import annotations

import functools
import json
import os
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np
import sklearn
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import assert_all_finite, check_array, column_or_1d
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from . import _core, _input, _options
from ._inverse import computed
from ._progress import ProgressBar
from ._result import Result

T = TypeVar("T")
Features = list[dict[str, Any]]


class Found(Generic[T]):
    """An attribute that is a key of the result: ``selected_`` is ``result_["selected"]``."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._key = name.removesuffix("_")

    def __get__(self, estimator: Any, owner: type | None = None) -> T:
        if estimator is None:
            return self
        result = estimator.result_
        if self._key not in result:
            raise AttributeError(f"the result of this {type(estimator).__name__} has no {self._key}")
        return result[self._key]


class FsieveEstimator(BaseEstimator):
    """Runs a command of the library on (X, y)."""

    _command: str
    _fixed_options: dict[str, str] = {}

    result_: Result
    n_features_in_: int
    feature_names_in_: np.ndarray
    data_ = Found[dict[str, Any]]()
    parameters_ = Found[dict[str, Any]]()
    ignored_ = Found[Features]()
    warnings_ = Found[list[str]]()
    timing_ = Found[dict[str, Any]]()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        ignored = self.__dict__.get("result_", {}).get("ignored")  # these may hold anything
        tags.input_tags.allow_nan = getattr(self, "missing", "error") != "error" or bool(ignored)
        return tags

    def _table(
        self, X: Any, reset: bool, least_rows: int = 2
    ) -> tuple[_core.Table, list[str]]:
        """X as a table, and the columns whose type says that they are categorical."""
        table = _core.Table()
        if _input.is_series(X):
            raise ValueError(
                "Expected 2D array, got 1D array instead: X is one column, not a table of columns. "
                "Reshape your data: X.to_frame() makes a frame of a series"
            )
        if _input.is_lazy(X):
            raise ValueError("X is a lazy frame, a plan without values: X.collect() makes a table of it")
        X = _input.unmasked(X)
        if _input.is_frame(X):
            declared = _input.add_frame(table, X)
            if not table.names:
                shape = getattr(X, "shape", (0, 0))
                raise ValueError(
                    f"X has no columns: 0 feature(s) (shape={shape}) while a minimum of 1 is required."
                )
            self._check_columns(X, table, reset)
            if table.rows == 0:
                raise ValueError("X: no data rows")
            return table, declared
        X = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse=("csc", "csr"),
            dtype=None,
            ensure_all_finite=False,
            ensure_min_samples=least_rows if reset else 1,
        )
        names = getattr(self, "feature_names_in_", None)
        names = list(names) if names is not None else _input.default_names(X.shape[1])
        if hasattr(X, "tocsc"):
            _input.add_sparse(table, names, X)
            return table, []
        if X.dtype.kind == "O":
            X = _numbers_if_all_are(X)
        _input.add_array(table, names, X)
        return table, []

    def _check_columns(self, X: Any, table: _core.Table, reset: bool) -> None:
        """Names and number of the columns of a frame, as scikit-learn keeps them."""
        if hasattr(X, "shape"):
            validate_data(self, X, reset=reset, skip_check_array=True)
        elif reset:
            self.n_features_in_ = len(table.names)
            self.feature_names_in_ = np.asarray(table.names, dtype=object)
        elif list(self.feature_names_in_) != table.names:
            raise ValueError("The feature names should match those that were passed during fit.")

    def _label(self, X_rows: int, y: Any) -> tuple[Any, str]:
        """The label as one column, and its name."""
        name = getattr(y, "name", None)
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )
        if not hasattr(y, "dtype") or isinstance(y, np.ndarray) or getattr(y, "ndim", 1) != 1:
            y = column_or_1d(y, warn=True)
        if getattr(self, "missing", "error") == "error" and getattr(y.dtype, "kind", "O") in "fc":
            assert_all_finite(np.asarray(y), input_name="y")
        check_consistent_length(y, np.empty(X_rows))
        return y, name if isinstance(name, str) and name else "y"

    def _options(self, declared: list[str]) -> dict[str, str]:
        parameters = self.get_params(deep=False)
        if declared:
            given = parameters.get("categorical")
            given = [given] if isinstance(given, str) else list(given or [])
            parameters["categorical"] = [*given, *(name for name in declared if name not in given)]
        return {**self._fixed_options, **_options.texts(self._command, parameters)}

    def _asked(self, X: Any, y: Any, labelled: bool) -> tuple[_core.Table, dict[str, str]]:
        """The table, its label last, and the options for it."""
        table, declared = self._table(X, reset=True)
        options: dict[str, str] = {}
        if labelled:
            y, name = self._label(table.rows, y)
            while name in table.names:
                name += "_"
            if _input.add_column(table, name, y):
                declared.append(name)
            options["label"] = name
        return table, options | self._options(declared)

    def _run(self, X: Any, y: Any = None, sample_weight: Any = None, *, labelled: bool) -> Result:
        table, options = self._asked(X, y, labelled)
        weights = _weights(sample_weight, table.rows)
        label = options.get("label")
        text = self._watched(lambda show: _core.run(table, self._command, options, weights, show), label)
        return self._keep(Result(json.loads(text)))

    def _watched(self, work: Callable[[ProgressBar | None], Any], label: str | None = None) -> Any:
        """Calls the library, with a progress bar where it is wanted and errors in words of Python."""
        bar = ProgressBar() if self.verbose else None
        try:
            return work(bar)
        except ValueError as error:
            sentence = _options.in_python_words(str(error), self._command)
            if label is not None and sentence.startswith(f'X: column "{label}",'):
                sentence = "y" + sentence.removeprefix(f'X: column "{label}"')
            said = ValueError(sentence)
            said.code = getattr(error, "code", "other")  # which mistake it is: Error::Code
            raise said from None
        finally:
            if bar is not None:
                bar.close()

    def _keep(self, result: Result) -> Result:
        self.result_ = result
        for message in result.get("warnings", []):
            warnings.warn(_options.in_python_words(message, self._command), stacklevel=_level_of_caller())
        return result


def _level_of_caller() -> int:
    """For `warnings.warn`: how far up the stack the first line is that is not of this package or of what wraps it."""
    inner = (os.path.dirname(__file__) + os.sep, os.path.dirname(sklearn.__file__) + os.sep, functools.__file__)
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(inner):
        level, frame = level + 1, frame.f_back
    return level


class FsieveSelector(SelectorMixin, FsieveEstimator):
    """A selector whose result has `selected` features."""

    selected_ = Found[Features]()

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[[feature["index"] for feature in self.result_["selected"]]] = True
        return mask

    def transform(self, X: Any) -> Any:
        """The selected columns of X.

        Parameters
        ----------
        X : array, frame or sparse matrix of shape (n_samples, n_features)
            Any table with the columns that ``fit`` has seen.

        Returns
        -------
        X_selected : of shape (n_samples, n_selected)
            See ``set_output`` for its type.
        """
        check_is_fitted(self)
        if hasattr(X, "fetchnumpy"):  # a DuckDB relation is no array
            X = np.column_stack(list(X.fetchnumpy().values()))
        return super().transform(X)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the selected columns, in the order of X.

        Parameters
        ----------
        input_features : array of str, default=None
            Names for the columns of X; default: those of the frame, else x0, x1, ...

        Returns
        -------
        names : array of str
        """
        check_is_fitted(self)
        if input_features is None and not hasattr(self, "feature_names_in_"):
            input_features = _input.default_names(self.n_features_in_)
        return super().get_feature_names_out(input_features)

    def _repr_html_inner(self) -> str:
        """scikit-learn's picture of the estimator, and below it the result."""
        picture = super()._repr_html_inner()
        return picture + (self.result_._repr_html_() if hasattr(self, "result_") else "")


class FsieveReducer(FsieveSelector):
    """A selector that knows how what it removes follows from what it keeps."""

    removed_ = Found[Features]()

    def inverse_transform(self, X: Any) -> Any:
        """All columns from the selected ones: those that were removed are computed by their equations.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_selected)
            What ``transform`` gives.

        Returns
        -------
        X_original : array or frame of shape (n_samples, n_features)
            NaN in columns of which no equation is known.
        """
        check_is_fitted(self)
        frame = X if _input.is_frame(X) and hasattr(X, "iloc") else None
        places = np.flatnonzero(self._get_support_mask())
        values = np.asarray(X.toarray() if hasattr(X, "toarray") else X)
        if values.ndim != 2 or values.shape[1] != len(places):
            raise ValueError(f"X has shape {values.shape}, but {len(places)} features were selected")
        columns = [values[:, k] if frame is None else frame.iloc[:, k].to_numpy() for k in range(len(places))]
        by_place = dict(zip(places.tolist(), columns, strict=True))
        features = self.result_["selected"] + self.result_["removed"]
        count = Counter(feature["index"] for feature in features)  # a date may be several features
        selected = {f["name"]: by_place[f["index"]] for f in self.result_["selected"] if count[f["index"]] == 1}
        removed = [f for f in self.result_["removed"] if count[f["index"]] == 1]
        found = computed(removed, selected, len(values))
        by_place |= {f["index"]: found[f["name"]] for f in removed if f["name"] in found}
        unknown = np.full(len(values), np.nan)
        ordered = [by_place.get(place, unknown) for place in range(self.n_features_in_)]
        if frame is not None:
            names = getattr(self, "feature_names_in_", _input.default_names(self.n_features_in_))
            return type(frame)(dict(zip(names, ordered, strict=True)), index=frame.index)
        return np.column_stack(ordered)


def equations_of(removed: list[dict[str, Any]]) -> dict[str, list[str]]:
    """The equations of removed features as text, by name."""
    found = {}
    for feature in removed:
        equations = feature.get("equations") or [feature.get("equation")]
        texts = [equation["text"] for equation in equations if equation]
        if texts:
            found[feature["name"]] = texts
    return found


def columns_of(features: list[dict[str, Any]]) -> list[int]:
    """Places of the columns that features are of, each once: a date may be several features."""
    return list(dict.fromkeys(feature["index"] for feature in features))


def ignored_columns(result: Result) -> list[int]:
    """Places of the columns that were set aside."""
    return [column["index"] for column in result.get("ignored", [])]


def _numbers_if_all_are(X: np.ndarray) -> np.ndarray:
    """An array of objects that are all numbers is an array of numbers."""
    try:
        return X.astype(np.float64)
    except (TypeError, ValueError):
        return X


def _weights(sample_weight: Any, rows: int) -> np.ndarray:
    if sample_weight is None:
        return np.empty(0)
    weights = check_array(
        sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight"
    )
    if weights.shape != (rows,):
        raise ValueError(f"sample_weight has shape {weights.shape}, but X has {rows} rows")
    if not weights.any():
        raise ValueError("every sample weight is zero")
    return weights
