"""The fsieve library as the package uses it."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

def version() -> str: ...
def build_info() -> str: ...
def options_json() -> str: ...
def report(json: str, width: int) -> str: ...

class Table:
    def __init__(self) -> None: ...
    def add_numbers(self, names: Sequence[str], values: NDArray[Any]) -> None: ...
    def add_sparse(
        self,
        names: Sequence[str],
        values: NDArray[Any],
        stored_rows: NDArray[Any],
        starts: Sequence[int],
        rows: int,
    ) -> None: ...
    def add_texts(self, name: str, codes: NDArray[np.int32], texts: Sequence[str]) -> None: ...
    def add_stream(self, capsule: object, table_name: str) -> None: ...
    def mark_date(self) -> None: ...
    def mark_unusable(self, type: str) -> None: ...
    def rename(self, column: int, name: str) -> None: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def rows(self) -> int: ...

class Sums:
    def __init__(self) -> None: ...
    def add(
        self,
        chunk: Table,
        options: dict[str, str],
        weights: NDArray[np.float64],
        show: Callable[[str, int, int], object] | None,
    ) -> None: ...
    def merge(self, other: Sums) -> None: ...
    def reduce(
        self, options: dict[str, str], show: Callable[[str, int, int], object] | None
    ) -> str: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def rows(self) -> int: ...

def run(
    table: Table,
    command: str,
    options: dict[str, str],
    weights: NDArray[np.float64],
    show: Callable[[str, int, int], object] | None,
) -> str: ...
def part_answer(
    table: Table,
    part: int,
    command: str,
    options: dict[str, str],
    weights: NDArray[np.float64],
    known: bytes,
    asked: bytes,
) -> bytes: ...
def merged_answers(
    command: str, options: dict[str, str], known: bytes, asked: bytes, answers: Sequence[bytes]
) -> bytes: ...
def piece_answer(common: bytes, piece: bytes) -> bytes: ...
def run_on_parts(
    command: str,
    options: dict[str, str],
    weighted: bool,
    ask: Callable[[bytes, bytes], bytes],
    share_out: Callable[[bytes, list[bytes]], list[bytes]],
    most_rows: int,
    show: Callable[[str, int, int], object] | None,
) -> str: ...
def report_page(
    table: Table,
    options: dict[str, str],
    show: Callable[[str, int, int], object] | None,
) -> str: ...
def predict(
    model: str,
    table: Table,
    options: dict[str, str],
    show: Callable[[str, int, int], object] | None,
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]: ...
