"""A finished run: what the command line prints with --json, as a dictionary that shows itself."""

from __future__ import annotations

import json
import os
from typing import Any

from . import _core


class Result(dict[str, Any]):
    """The JSON object of a run by its keys; ``print`` gives the report, a notebook shows a table."""

    def __str__(self) -> str:
        return self.report().rstrip("\n")

    def __repr__(self) -> str:
        data = self.get("data", {})
        if "subset" in self:
            return f"<fsieve model: {self.get('formula') or self['subset']}>"
        return f"<fsieve {self.get('method')} result: {len(self['selected'])} of {data.get('features')} features>"

    def _repr_html_(self) -> str:
        from ._html import result_html

        return result_html(self)

    def to_json(self) -> str:
        """The text that ``fsieve show`` and ``fsieve apply`` read."""
        return json.dumps(self, ensure_ascii=False, indent=2) + "\n"

    def report(self, width: int = 100) -> str:
        """What ``fsieve show`` prints."""
        return _core.report(self.to_json(), width)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the result for ``fsieve show``, ``fsieve apply`` and :func:`load`."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_json())


def load(path: str | os.PathLike[str]) -> Result:
    """Reads a result that :meth:`Result.save` or ``fsieve reduce --save`` wrote."""
    with open(path, encoding="utf-8") as file:
        return Result(json.load(file))
