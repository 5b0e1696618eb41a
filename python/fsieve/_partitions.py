"""Methods on a table in partitions that lie on many machines, whatever engine holds them.

The library asks questions ("the inner products of these functions"); every partition answers with the
sums of its rows, where it is; answers are merged in a tree whose shape follows from the number of
partitions alone, so the bytes do not depend on the number of workers or on who answers first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from . import _core, _input
from ._result import Result

FAN = 8  # answers that are merged at a time
MOST_GATHERED = 20_000  # rows of a table that comes to the driver whole

_SAID, _FAILED = b"+", b"!"  # what an answer begins with


@dataclass(frozen=True)
class Question:
    """What every partition is asked; runs where the partitions are."""

    command: str
    options: dict[str, str]
    known: bytes
    asked: bytes

    def answer(self, part: int, X: Any, y: Any = None) -> bytes:
        """What the partition of this number says: a mistake in its data is an answer too."""
        try:
            table = _table(part, X, y, self.options.get("label"))
            return _SAID + _core.part_answer(
                table, part, self.command, self.options, self.known, self.asked
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
    else:
        _input.add_array(table, _input.default_names(X.shape[1]), np.asarray(X))
    if y is not None:
        if len(y) != len(X):
            raise ValueError(f"X: partition {part} has {len(X)} rows, and its label {len(y)}")
        _input.add_column(table, label, y)
    return table


def tree(answers: Sequence[Any], merge: Callable[[Sequence[Any]], Any]) -> Any:
    """Merges neighbours, FAN at a time, until one is left."""
    level = list(answers)
    while len(level) > 1:
        level = [merge(level[i : i + FAN]) for i in range(0, len(level), FAN)]
    return level[0]


class Partitions(Protocol):
    """A table in an engine."""

    names: list[str]  # of the features
    declared: list[str]  # those whose type says that they are categorical

    def ask(self, question: Question) -> bytes:
        """Asks all partitions, and merges their answers by :func:`tree`."""
        ...


def run(
    partitions: Partitions,
    command: str,
    options: dict[str, str],
    most_rows: int,
    show: Callable[[str, int, int], object] | None,
) -> Result:
    """Runs a command of the library; its result."""

    def ask(known: bytes, asked: bytes, what: str) -> bytes:
        said = partitions.ask(Question(command, options, known, asked))
        if said.startswith(_FAILED):
            raise ValueError(said[1:].decode())
        return said[1:]

    return Result(json.loads(_core.run_on_parts(command, options, ask, most_rows, show)))
