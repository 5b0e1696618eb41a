"""Where long work stands, on a terminal or in a notebook."""

from __future__ import annotations

import html
import sys
import time
from typing import Any

_QUIET_SECONDS = 1.0
_CELLS = 30


class ProgressBar:
    """Called with what is done, how much of it, and of how much (0: not known)."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._drawn = False
        self._handle: Any = None
        self._notebook = _in_notebook()

    def __call__(self, what: str, done: int, total: int) -> None:
        if not what or time.monotonic() - self._started < _QUIET_SECONDS:
            return
        share = min(1.0, done / total) if total else None
        if self._notebook:
            self._draw_html(what, done, share)
        elif sys.stderr is not None and sys.stderr.isatty():
            cells = "" if share is None else f"[{'#' * int(share * _CELLS):.<{_CELLS}}] "
            amount = f"{done}" if share is None else f"{100 * share:3.0f} %"
            sys.stderr.write(f"\r{what[:40]} {cells}{amount}\033[K")
            sys.stderr.flush()
        self._drawn = True

    def _draw_html(self, what: str, done: int, share: float | None) -> None:
        from IPython.display import HTML, display

        bar = f"<progress value='{share:.3f}' max='1'></progress>" if share is not None else f"{done}"
        picture = HTML(f"<span>{html.escape(what)} {bar}</span>")
        if self._handle is None:
            self._handle = display(picture, display_id=True)
        else:
            self._handle.update(picture)

    def close(self) -> None:
        """Takes the bar away."""
        if not self._drawn:
            return
        if self._handle is not None:
            from IPython.display import HTML

            self._handle.update(HTML(""))
        elif not self._notebook and sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    if shell is None:
        return False
    return type(shell.get_ipython()).__name__ == "ZMQInteractiveShell"
