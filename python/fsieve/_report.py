"""One page of HTML about a table: what is redundant, what predicts the label, by which rule."""

from __future__ import annotations

import json
import os
from html import escape
from typing import Any

from . import _core
from ._base import FsieveEstimator
from ._result import Result

_BEGIN, _END = '<script type="application/json" id="fsieve-report">', "</script>"


class Report:
    """A finished report: a page to save or to look at in a notebook, and the results in it.

    Attributes
    ----------
    html : str
        The page. It needs no other file and no network.
    data : dict
        ``reduce``, ``select`` and ``learn``: the results as :class:`Result`; None where one does not
        apply.
    """

    def __init__(self, html: str) -> None:
        self.html = html
        results = json.loads(html.split(_BEGIN, 1)[1].split(_END, 1)[0])
        self.data = {what: result and Result(result) for what, result in results.items()}

    def __repr__(self) -> str:
        made = ", ".join(what for what, result in self.data.items() if result)
        return f"<fsieve report: {made}; .save(path) writes the page>"

    def _repr_html_(self) -> str:
        """The page in a frame of its own: its style and script cannot touch the notebook's."""
        return (
            f'<iframe srcdoc="{escape(self.html)}" title="fsieve report" sandbox="allow-scripts" '
            'width="100%" height="800" style="border:1px solid #8884;border-radius:6px"></iframe>'
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page, for a browser and for ``fsieve show``.

        Parameters
        ----------
        path : str or path
            Where to, usually with the extension .html.
        """
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(self.html)


def report(
    X: Any,
    y: Any = None,
    *,
    k: int | str = "auto",
    depth: int = 2,
    task: str | None = None,
    class_weight: str | None = None,
    keep: str | list[str] | None = None,
    adjust: str | list[str] | None = None,
    stability: int = 0,
    rule_size: int = 3,
    sample: int | str | None = None,
    exclude: str | list[str] | None = None,
    categorical: str | list[str] | None = None,
    use: str | list[str] | None = None,
    missing: str = "error",
    na: str | float | list[Any] | None = None,
    memory: str = "512M",
    random_state: Any = None,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> Report:
    """Looks at a table and makes a page of it: what is redundant and by which equation, which columns
    predict the label and how well, and the rule for two classes.

    Parameters
    ----------
    X : array, frame or sparse matrix of shape (n_samples, n_features)
    y : array or series of shape (n_samples,), default=None
        Classes of any spelling, or numbers. Without it the page is about redundancy alone.
    k : int, "certain" or "auto", default="auto"
        How many features are selected, as for :class:`SFFS`.
    depth : int, default=2
        How many features are judged together, as for :class:`SFFS`.
    task : {"classification", "regression"}, default=None
        Whether the label names classes or is a number; default: as for :class:`SFFS`.
    class_weight, keep, adjust, stability
        As for :class:`SFFS`; ``stability=50`` says how many of 50 half-samples chose each feature.
    rule_size : int, default=3
        How many features the rule for two classes may look at, 1 to 6; 0: no rule.
    sample : int or "all", default=None
        Rows that decisions are prepared on, as for :class:`UFFS`.
    exclude, categorical, use, missing, na, memory, random_state, n_jobs, verbose
        As for :class:`UFFS`.

    Returns
    -------
    report : Report
        ``report.save("report.html")`` writes the page, a notebook shows it, and ``report.data`` has the
        results.

    Examples
    --------
    >>> import numpy as np
    >>> import fsieve
    >>> X = np.random.default_rng(0).integers(0, 2, size=(300, 6))
    >>> page = fsieve.report(X, X[:, 1] ^ X[:, 4], k=2)
    >>> [feature["name"] for feature in page.data["select"]["selected"]]
    ['x1', 'x4']
    >>> page.data["learn"]["formula"]
    '(x1 = 1 and x4 = 0) or (x1 = 0 and x4 = 1)'
    """
    given = {name: value for name, value in locals().items() if name not in ("X", "y")}
    return Report(_Reporter(given).page(X, y))


class _Reporter(FsieveEstimator):
    """The command as an estimator: it takes the same tables."""

    _command = "report"

    def __init__(self, parameters: dict[str, Any]) -> None:
        self._parameters = parameters
        self.missing = parameters["missing"]
        self.verbose = parameters["verbose"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return dict(self._parameters)

    def page(self, X: Any, y: Any) -> str:
        table, options = self._asked(X, y, labelled=y is not None)
        return self._watched(lambda show: _core.report_page(table, options, show))
