"""The estimators on Dask DataFrames and Arrays: ``pip install fsieve[dask]``.

Partitions stay where they are: workers compute sums over their rows, the sums are merged, and the
driver decides. ``transform`` and ``predict`` are lazy.

>>> import pandas as pd
>>> import dask.dataframe as dd
>>> from fsieve.dask import UFFS
>>> frame = pd.DataFrame({"a": range(0, 300, 3), "b": [i % 7 for i in range(100)]})
>>> frame["c"] = 2 * frame["a"] + frame["b"]
>>> table = dd.from_pandas(frame, npartitions=4)
>>> UFFS().fit(table).equations_
{'a': ['a = -0.500·b + 0.500·c']}
"""

from __future__ import annotations

import contextlib
import functools
import pickle
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import dask
import dask.array
import dask.dataframe
import numpy as np
import pandas as pd
from dask.base import get_scheduler
from sklearn.utils.validation import check_is_fitted

import fsieve

from . import _core, _input, _partitions

__all__ = ["GFA", "GFS", "SFFS", "UFFS", "JuntaClassifier"]


def _is_frame(X: Any) -> bool:
    return isinstance(X, dask.dataframe.DataFrame)


def _is_dask(X: Any) -> bool:
    return _is_frame(X) or isinstance(X, dask.array.Array)


class _DaskPartitions(_partitions.Partitions):
    """The partitions of X, and those of y and of the weights, as tasks of Dask."""

    def __init__(self, X: Any, y: Any, sample_weight: Any) -> None:
        meta = X._meta if _is_frame(X) else None
        if meta is None:
            X = X.rechunk({1: -1})
        self.names = _input.default_names(X.shape[1]) if meta is None else _input.frame_names(meta)
        self.have_names = meta is not None and self.names == list(meta.columns)
        self.declared = [] if meta is None else _input.add_frame(_core.Table(), meta)
        self._parts = [(part,) for part in _delayed(X)]
        self._add_beside(X, y, "y")
        self._add_beside(X, sample_weight, "sample_weight")
        self.weighted = sample_weight is not None
        if y is not None:
            self._name_label(y)
        self._scheduler = get_scheduler()  # of the caller: questions come from another thread

    def _add_beside(self, X: Any, column: Any, name: str) -> None:
        """Puts the partitions of a column beside those of X."""
        beside = [None] * len(self._parts) if column is None else _delayed(_like(X, column, name))
        if len(beside) != len(self._parts):
            raise ValueError(f"X has {len(self._parts)} partitions, and {name} {len(beside)}")
        self._parts = [(*part, values) for part, values in zip(self._parts, beside)]

    def _name_label(self, y: Any) -> None:
        is_series = isinstance(y, dask.dataframe.Series)
        self.label = _partitions.label_name(y.name if is_series else None, self.names)
        if isinstance(y.dtype, pd.CategoricalDtype):
            self.declared.append(self.label)

    def ask(self, question: _partitions.Question) -> bytes:
        with self._told(question) as asked:
            answers = [
                dask.delayed(_answer)(asked, number, *part) for number, part in enumerate(self._parts)
            ]
            whole = _partitions.tree(answers, lambda some: dask.delayed(_merge)(asked, some))
            return self._computed([whole])[0]

    @contextlib.contextmanager
    def _told(self, question: _partitions.Question) -> Iterator[Any]:
        """The question for tasks.

        On a cluster it lies with the scheduler meanwhile, where workers fetch it. As what tasks depend on it would lie
        with one worker, and draw tasks to it, with their partitions.
        """
        client = getattr(self._scheduler, "__self__", None)
        if not hasattr(client, "set_metadata"):
            yield question
            return
        asked = _Asked(uuid.uuid4().hex)
        client.set_metadata(asked.place(), pickle.dumps(question))
        try:
            yield asked
        finally:
            client.set_metadata(asked.place(), None)

    def share_out(self, work: Any, common: bytes, pieces: list[bytes]) -> list[bytes]:
        shared = dask.delayed(common)
        return self._computed([dask.delayed(work)(shared, piece) for piece in pieces])

    def _computed(self, tasks: list[Any]) -> list[bytes]:
        return list(dask.compute(*tasks, scheduler=self._scheduler))


@dataclass(frozen=True)
class _Asked:
    """A question that lies with the scheduler."""

    name: str

    def place(self) -> list[str]:
        return ["fsieve", self.name]


@functools.lru_cache(maxsize=4)
def _fetched(asked: _Asked) -> _partitions.Question:
    from distributed import get_client

    return pickle.loads(get_client().get_metadata(asked.place()))


def _question(asked: _Asked | _partitions.Question) -> _partitions.Question:
    return _fetched(asked) if isinstance(asked, _Asked) else asked


def _answer(asked: _Asked | _partitions.Question, number: int, *part: Any) -> bytes:
    return _question(asked).answer(number, *part)


def _merge(asked: _Asked | _partitions.Question, answers: Sequence[bytes]) -> bytes:
    return _question(asked).merge(answers)


def _delayed(X: Any) -> list[Any]:
    return list(np.ravel(X.to_delayed()))


def _with_columns(chunk: Any) -> Any:
    """A chunk whose columns can be picked: of SciPy's sparse matrices only some kinds know how."""
    return chunk.tocsr() if hasattr(chunk, "tocsr") and chunk.format not in ("csr", "csc") else chunk


def _different(values: Any) -> np.ndarray:
    return np.asarray(pd.Series(values).dropna().unique())


def _like(X: Any, column: Any, name: str) -> Any:
    """A column, the label or the weights, with the partitions of X."""
    if not isinstance(column, (dask.dataframe.Series, dask.array.Array)):
        raise TypeError(f"{name} must be a Dask Series or Array as X is in Dask, not {type(column).__name__}")
    if isinstance(column, dask.array.Array) and not _is_frame(X):
        return column.rechunk((X.chunks[0],))
    return column


class _OnDask(_partitions.OnPartitions):
    """fit on partitions where X is in Dask, else as the estimator that this derives from."""

    def _partitions(self, X: Any, y: Any, sample_weight: Any) -> _DaskPartitions | None:
        return _DaskPartitions(X, y, sample_weight) if _is_dask(X) else None

    def _check_lazily(self, X: Any) -> None:
        """X has the columns that fit has seen."""
        check_is_fitted(self)
        if _is_frame(X):
            self._check_columns(X._meta, None, reset=False)
        elif X.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {X.shape[1]} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input."
            )


class _DaskSelector(_OnDask):
    def transform(self, X: Any) -> Any:
        """The selected columns of X; of a Dask collection when it is computed."""
        if not _is_dask(X):
            return super().transform(X)
        self._check_lazily(X)
        kept = np.flatnonzero(self._get_support_mask())
        if _is_frame(X):
            return X[list(X.columns[kept])]
        return X.map_blocks(_with_columns, dtype=X.dtype, meta=_with_columns(X._meta))[:, kept]


class UFFS(_DaskSelector, fsieve.UFFS):
    __doc__ = fsieve.UFFS.__doc__


class GFS(_DaskSelector, fsieve.GFS):
    __doc__ = fsieve.GFS.__doc__


class GFA(_DaskSelector, fsieve.GFA):
    __doc__ = fsieve.GFA.__doc__


class SFFS(_DaskSelector, fsieve.SFFS):
    __doc__ = fsieve.SFFS.__doc__


class JuntaClassifier(_OnDask, fsieve.JuntaClassifier):
    __doc__ = fsieve.JuntaClassifier.__doc__

    def _label_values(self, y: Any) -> np.ndarray:
        if not isinstance(y, (dask.dataframe.Series, dask.array.Array)):
            return super()._label_values(y)
        return np.concatenate(dask.compute(*[dask.delayed(_different)(part) for part in _delayed(y)]))

    def predict(self, X: Any) -> Any:
        """The class of each row; of a Dask collection when it is computed."""
        return self._lazily(X, "predict", self.classes_.dtype, 1)

    def decision_function(self, X: Any) -> Any:
        """The score of each row: above 0 where the second class is predicted."""
        return self._lazily(X, "decision_function", np.dtype(float), 1)

    def predict_proba(self, X: Any) -> Any:
        """Estimated probability of each class, one column per class."""
        return self._lazily(X, "predict_proba", np.dtype(float), 2)

    def _lazily(self, X: Any, method: str, dtype: np.dtype, dimensions: int) -> Any:
        """What a method of this estimator says of every partition, when it is computed."""
        if not _is_dask(X):
            return getattr(super(), method)(X)
        self._check_lazily(X)
        empty = np.empty((0, 2)[:dimensions], dtype=dtype)
        if _is_frame(X):
            meta = _in_pandas(empty, X._meta)
            return X.map_partitions(_in_frame, self, method, empty, meta=meta)
        X = X.rechunk({1: -1})
        if dimensions == 1:
            return X.map_blocks(_in_block, self, method, empty, dtype=dtype, drop_axis=1)
        chunks = (X.chunks[0], (2,))
        return X.map_blocks(_in_block, self, method, empty, dtype=dtype, chunks=chunks)


def _in_pandas(values: np.ndarray, like: pd.DataFrame) -> Any:
    kind = pd.Series if values.ndim == 1 else pd.DataFrame
    return kind(values, index=like.index[: len(values)])


def _in_block(X: Any, estimator: Any, method: str, empty: np.ndarray) -> np.ndarray:
    return getattr(estimator, method)(X) if X.shape[0] else empty


def _in_frame(X: Any, estimator: Any, method: str, empty: np.ndarray) -> Any:
    return _in_pandas(_in_block(X, estimator, method, empty), X)
