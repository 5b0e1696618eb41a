"""Tables of other libraries as tables of fsieve, without copies where the layout allows.

NumPy arrays and the numeric columns of pandas frames are read where they lie, whatever their order and
number type; polars, pyarrow and DuckDB come through the Arrow PyCapsule interface, also where they lie.
Text and categories are held as positions of their levels. Sparse matrices stay sparse: csc is read where it lies, other
forms are brought to it, and their columns are filled in block by block as they are read; so are sparse columns of pandas.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from ._core import Table

_NUMBER_KINDS = "fiub"


def is_frame(X: Any) -> bool:
    """Whether X has named columns of different types."""
    return _is_pandas(X, "DataFrame") or hasattr(X, "__arrow_c_stream__")


def is_series(X: Any) -> bool:
    """Whether X is one column of some library, not a table."""
    return hasattr(X, "name") and len(getattr(X, "shape", (0, 0))) == 1


def is_lazy(X: Any) -> bool:
    """Whether X is only the plan of a table."""
    return hasattr(X, "collect") and not hasattr(X, "__arrow_c_stream__") and not hasattr(X, "shape")


def unmasked(X: Any) -> Any:
    """A masked array with NaN where it is masked: what stands there is not meant."""
    if not isinstance(X, np.ma.MaskedArray) or X.dtype.kind not in _NUMBER_KINDS or not np.ma.is_masked(X):
        return X
    return X.astype(np.result_type(X.dtype, np.float32)).filled(np.nan)


def is_empty(X: Any) -> bool:
    """Whether X is known to have no rows or no columns."""
    return any(isinstance(size, int) and size == 0 for size in getattr(X, "shape", ()))


def default_names(count: int) -> list[str]:
    """As scikit-learn names columns that have no names."""
    return [f"x{j}" for j in range(count)]


def add_frame(table: Table, X: Any) -> list[str]:
    """Adds the columns of a frame; returns the names of those that are declared categorical."""
    if not _is_pandas(X, "DataFrame"):
        table.add_stream(X.__arrow_c_stream__(), "X")
        return []
    names = frame_names(X)
    declared = []
    for name, (_, column) in zip(names, X.items()):
        if add_column(table, name, column):
            declared.append(name)
    return declared


def frame_names(X: Any) -> list[str]:
    """Names of the columns of a pandas frame; x0, x1, ... where they are not text."""
    if all(isinstance(name, str) for name in X.columns):
        return list(X.columns)
    return default_names(X.shape[1])


def add_array(table: Table, names: Sequence[str], values: np.ndarray) -> None:
    """Adds the columns of a matrix, or a vector as one column."""
    if values.dtype.kind in _NUMBER_KINDS:
        table.add_numbers(names, _readable(values))
        return
    for name, column in zip(names, values.T if values.ndim == 2 else [values]):
        if values.dtype.kind == "M":
            _add_dates(table, name, column)
        else:
            _add_objects(table, name, column)


def add_sparse(table: Table, names: Sequence[str], matrix: Any) -> None:
    """Adds the columns of a SciPy matrix or array; what is not stored is 0."""
    columns = matrix.tocsc()
    if not columns.has_canonical_format:  # rows in order, each once
        columns = columns.copy() if columns is matrix else columns
        columns.sum_duplicates()
    values = columns.data
    if values.dtype.kind not in _NUMBER_KINDS:
        raise ValueError(f"X has type {values.dtype}, which is no number")
    table.add_sparse(names, _readable(values), columns.indices, columns.indptr.tolist(), columns.shape[0])


def add_column(table: Table, name: str, column: Any) -> bool:
    """Adds a vector or series. Whether its type says that it is categorical."""
    if not _is_pandas(column, "Series"):
        if hasattr(column, "__arrow_c_stream__"):
            table.add_stream(column.__arrow_c_stream__(), name)
            table.rename(len(table.names) - 1, name)
        else:
            add_array(table, [name], np.asarray(column))
        return False
    dtype = column.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in _NUMBER_KINDS:
        table.add_numbers([name], _readable(column.to_numpy()))
    elif type(dtype).__name__ == "SparseDtype" and dtype.kind in _NUMBER_KINDS and dtype.fill_value == 0:
        stored = column.array
        rows = stored.sp_index.to_int_index().indices
        table.add_sparse([name], _readable(stored.sp_values), rows, [0, len(rows)], len(column))
    elif type(dtype).__name__ == "CategoricalDtype":
        codes = np.ascontiguousarray(column.cat.codes, dtype=np.int32)
        categories = column.cat.categories
        if categories.dtype.kind in _NUMBER_KINDS and not _has_long(categories):
            numbers = np.append(categories.to_numpy(dtype=float), np.nan)
            table.add_numbers([name], numbers[codes])
        else:
            table.add_texts(name, codes, [str(text) for text in categories])
        return True
    elif getattr(dtype, "kind", "O") in _NUMBER_KINDS and not _has_long(column):  # numbers that may be missing
        table.add_numbers([name], column.to_numpy(dtype=np.float64, na_value=np.nan))
    elif dtype.kind == "M":
        _add_dates(table, name, column.dt.tz_convert(None) if getattr(dtype, "tz", None) else column)
    elif dtype.kind in "mc":
        _add_unusable(table, name, column, str(dtype))
    else:
        try:
            codes, values = column.factorize()
        except TypeError:  # lists, sets and the like have no equals
            value = next(value for value in column if not isinstance(value, Hashable))
            _add_unusable(table, name, column, type(value).__name__)
            return False
        table.add_texts(name, codes.astype(np.int32), _spelled(name, values))
    return False


def _has_long(column: Any) -> bool:
    """Whole numbers of more digits than a double has: as texts the library sees them all, and warns."""
    if column.dtype.kind not in "iu" or getattr(column.dtype, "itemsize", 8) < 8:  # sparse ones say no size
        return False
    rounded = column.to_numpy(dtype=np.float64, na_value=np.nan)
    return bool(np.any(np.abs(rounded) >= 2.0**53))


def _add_unusable(table: Table, name: str, column: Any, dtype: str) -> None:
    """A column that is an error unless it is left out."""
    table.add_texts(name, np.full(len(column), -1, dtype=np.int32), [])
    table.mark_unusable(dtype)


def _add_dates(table: Table, name: str, column: Any) -> None:
    """Days since 1970-01-01; the library makes the parts."""
    times = np.asarray(column, dtype="datetime64[us]")
    days = times.astype(np.int64) / 86_400e6
    days[np.isnat(times)] = np.nan
    table.add_numbers([name], days)
    table.mark_date()


def _add_objects(table: Table, name: str, column: np.ndarray) -> None:
    """Text, or objects of any sort; None and NaN are missing."""
    if column.dtype.kind not in "OUST":
        _add_unusable(table, name, column, str(column.dtype))
        return
    positions: dict[Any, int] = {}
    codes = np.empty(len(column), dtype=np.int32)
    for i, value in enumerate(column.tolist()):
        missing = value is None or value != value
        codes[i] = -1 if missing else positions.setdefault(_hashable(value), len(positions))
    table.add_texts(name, codes, _spelled(name, positions))


def _hashable(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        raise TypeError(
            f"argument must be a string or a real number, not {type(value).__name__!r}"
        ) from None
    return value


def _spelled(name: str, values: Any) -> list[str]:
    return [value if isinstance(value, str) else _spelling(value) for value in values]


def _spelling(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, bytes):
        return value.decode()
    return str(value)


def _readable(values: np.ndarray) -> np.ndarray:
    """The array itself where the library can read it in place."""
    native = values.dtype.isnative and values.dtype.itemsize <= 8
    whole_steps = all(step % max(values.itemsize, 1) == 0 for step in values.strides)
    if native and whole_steps:
        return values
    return np.ascontiguousarray(values, dtype=np.float64 if not native else None)


def _is_pandas(value: Any, kind: str) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, getattr(pandas, kind))
