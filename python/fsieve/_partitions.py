"""Methods on a table in partitions that lie on many machines, whatever engine holds them.

The library asks questions ("the inner products of these functions"); every partition answers with the
sums of its rows, where it is; answers are merged in a tree whose shape follows from the number of
partitions alone, so the bytes do not depend on the number of workers or on who answers first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core, _input
from ._result import Result

FAN = 8  # answers that are merged at a time
MOST_GATHERED = 131_072  # rows of a table that comes to the driver whole, if it fits into `memory`

_SAID, _FAILED = b"+", b"!"  # what an answer begins with


@dataclass(frozen=True)
class Question:
    """What every partition is asked; runs where the partitions are."""

    command: str
    options: dict[str, str]
    known: bytes
    asked: bytes

    def answer(self, part: int, X: Any, y: Any = None, weights: Any = None) -> bytes:
        """What the partition of this number says: a mistake in its data is an answer too."""
        try:
            table = _table(part, X, y, self.options.get("label"))
            weights = _weights(part, weights, table.rows)
            return _SAID + _core.part_answer(
                table, part, self.command, self.options, weights, self.known, self.asked
            )
        except ValueError as error:
            return _FAILED + str(error).encode()

    def merge(self, answers: Sequence[bytes]) -> bytes:
        """One answer for all partitions whose answers these are, in their order."""
        for answer in answers:
            if answer.startswith(_FAILED):
                return answer
        if len(answers) == 1:
            return answers[0]
        try:
            return _SAID + _core.merged_answers(
                self.command, self.options, self.known, self.asked, [answer[1:] for answer in answers]
            )
        except ValueError as error:
            return _FAILED + str(error).encode()


def _table(part: int, X: Any, y: Any, label: str | None) -> _core.Table:
    """A partition as a table, its label last."""
    table = _core.Table()
    if _input.is_frame(X):
        _input.add_frame(table, X)
    elif hasattr(X, "tocsc"):
        _input.add_sparse(table, _input.default_names(X.shape[1]), X)
    else:
        _input.add_array(table, _input.default_names(X.shape[1]), np.asarray(X))
    if y is not None:
        if len(y) != table.rows:
            raise ValueError(f"X: partition {part} has {table.rows} rows, and its label {len(y)}")
        _input.add_column(table, label, y)
    return table


def _weights(part: int, weights: Any, rows: int) -> np.ndarray:
    """The weights of the rows of a partition; none where rows have none."""
    if weights is None:
        return np.empty(0)
    weights = np.asarray(weights, dtype=np.float64)
    if weights.shape != (rows,):
        raise ValueError(f"X: partition {part} has {rows} rows, and its weights have shape {weights.shape}")
    return np.ascontiguousarray(weights)


def tree(answers: Sequence[Any], merge: Callable[[Sequence[Any]], Any]) -> Any:
    """Merges neighbours, FAN at a time, until one is left."""
    level = list(answers)
    while len(level) > 1:
        level = [merge(level[i : i + FAN]) for i in range(0, len(level), FAN)]
    return level[0]


class Partitions:
    """A table in an engine: its columns, and how its partitions are asked."""

    names: list[str]  # of the features
    have_names: bool = True  # or they are x0, x1, ...
    declared: list[str]  # columns whose type says that they are categorical
    label: str | None = None  # the last column, where there is one
    weighted: bool = False  # whether rows have weights

    def ask(self, question: Question) -> bytes:
        """Asks all partitions, and merges their answers by :func:`tree`."""
        raise NotImplementedError

    def share_out(self, work: Callable[[bytes, bytes], bytes], common: bytes, pieces: list[bytes]) -> list[bytes]:
        """``work(common, piece)`` for every piece, on all machines; in their order."""
        raise NotImplementedError


class OnPartitions:
    """What an estimator does otherwise when its table is in partitions."""

    def _partitions(self, X: Any, y: Any, sample_weight: Any) -> Partitions | None:
        """The table where it is in partitions; None: it is here."""
        raise NotImplementedError

    def _run(self, X: Any, y: Any = None, sample_weight: Any = None, *, labelled: bool) -> Result:
        partitions = self._partitions(X, y if labelled else None, sample_weight)
        if partitions is None:
            return super()._run(X, y, sample_weight, labelled=labelled)
        if labelled and partitions.label is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )
        self.n_features_in_ = len(partitions.names)
        self.__dict__.pop("feature_names_in_", None)
        if partitions.have_names:
            self.feature_names_in_ = np.asarray(partitions.names, dtype=object)
        options = {} if partitions.label is None else {"label": partitions.label}
        options |= self._options(partitions.declared)
        sample = getattr(self, "sample", None)
        most_rows = sample if isinstance(sample, int) else MOST_GATHERED
        self.wire_: list[dict[str, Any]] = []
        found = self._watched(
            lambda show: _run(partitions, self._command, options, most_rows, self.wire_, show)
        )
        return self._keep(found)


def label_name(given: Any, names: Sequence[str]) -> str:
    """A name for the label that no feature has."""
    name = given if isinstance(given, str) and given else "y"
    while name in names:
        name += "_"
    return name


def _run(
    partitions: Partitions,
    command: str,
    options: dict[str, str],
    most_rows: int,
    wire: list[dict[str, Any]],
    show: Callable[[str, int, int], object] | None,
) -> Result:
    """Runs a command of the library; ``wire`` gets the bytes of every question and its answer."""

    def ask(known: bytes, asked: bytes) -> bytes:
        said = _said(partitions.ask(Question(command, options, known, asked)))
        wire.append({"question": _name(asked), "asked": len(known) + len(asked), "answer": len(said)})
        return said

    def share_out(common: bytes, pieces: list[bytes]) -> list[bytes]:
        said = [_said(answer) for answer in partitions.share_out(_work, common, pieces)]
        sizes = {"asked": len(common), "answer": sum(map(len, said)), "pieces": len(pieces)}
        wire.append({"question": "subsets", **sizes})
        return said

    text = _core.run_on_parts(command, options, partitions.weighted, ask, share_out, most_rows, show)
    return Result(json.loads(text))


def _work(common: bytes, piece: bytes) -> bytes:
    """What is said to a piece of work; runs on any machine."""
    try:
        return _SAID + _core.piece_answer(common, piece)
    except ValueError as error:
        return _FAILED + str(error).encode()


def _name(asked: bytes) -> str:
    """The name of a question: itself, or what stands behind the format and its own length."""
    if not asked.startswith(b"fsieve"):
        return asked.decode()
    return asked[16 : 16 + int.from_bytes(asked[8:16], "little")].decode()


def _said(answer: bytes) -> bytes:
    """What was said, without the mark that it begins with."""
    if answer.startswith(_FAILED):
        raise ValueError(answer[1:].decode())
    return answer[1:]
