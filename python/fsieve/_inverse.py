"""The way back from selected features to all: removed ones are computed by their equations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


def computed(
    removed: list[dict[str, Any]], selected: Mapping[str, np.ndarray], rows: int
) -> dict[str, np.ndarray]:
    """Columns of removed features by name, from those of selected ones.

    A feature whose equation uses other removed ones waits for these. One without an equation is
    missing in the answer.
    """
    found: dict[str, np.ndarray] = {}
    waiting = {f["name"]: f for f in removed if "equation" in f or "equations" in f}
    while waiting:
        known = {**selected, **found}
        ready = {}
        for name, feature in waiting.items():
            column = _column(feature, known, rows)
            if column is not None:
                ready[name] = column
        if not ready:
            break
        found |= ready
        for name in ready:
            del waiting[name]
    return found


def _column(
    feature: dict[str, Any], known: Mapping[str, np.ndarray], rows: int
) -> np.ndarray | None:
    if "equation" in feature:
        return _sum(feature["equation"], known, rows)
    equations = feature["equations"]
    if not equations:
        return None
    levels, scores = [], []
    for equation in equations:
        values = _sum(equation, known, rows)
        if values is None:
            return None
        levels.append(equation["indicator"][len(feature["name"]) + 1 :])
        scores.append(values)
    if "baseline" in feature:  # the level that has no indicator
        levels.append(feature["baseline"])
        scores.append(1 - np.sum(scores, axis=0))
    return _numbers(levels)[np.argmax(scores, axis=0)]


def _numbers(levels: list[str]) -> np.ndarray:
    """Levels as numbers where all are."""
    try:
        return np.asarray([float(level) for level in levels])
    except ValueError:
        return np.asarray(levels, dtype=object)


def _sum(
    equation: dict[str, Any], known: Mapping[str, np.ndarray], rows: int
) -> np.ndarray | None:
    total = np.zeros(rows)
    for term in equation["terms"]:
        product = np.full(rows, np.nan if term["coefficient"] is None else term["coefficient"])
        powers = term.get("powers", [1] * len(term["factors"]))
        for factor, power in zip(term["factors"], powers, strict=True):
            values = _factor(factor, known)
            if values is None:
                return None
            with np.errstate(all="ignore"):
                product *= values if power == 1 else values**power
        total += product
    return total


#: Logarithms as equations write them.
_LOGARITHMS = (("log(1 + ", np.log1p), ("log(", np.log))


def _factor(factor: str, known: Mapping[str, np.ndarray]) -> np.ndarray | None:
    """A column of numbers, its logarithm, or the indicator of a level, as in color=red."""
    if factor in known:
        try:
            return known[factor].astype(float)
        except (TypeError, ValueError):
            return None
    for at in (i for i, c in enumerate(factor) if c == "="):
        if factor[:at] in known:
            values, level = known[factor[:at]], factor[at + 1 :]
            try:  # numbers that are categories: 1.0 is the level 1
                return (values.astype(float) == float(level)).astype(float)
            except (TypeError, ValueError):
                return (values.astype(str) == level).astype(float)
    for opening, logarithm in _LOGARITHMS:
        if factor.startswith(opening) and factor.endswith(")"):
            values = _factor(factor[len(opening) : -1], known)
            if values is not None:
                with np.errstate(all="ignore"):
                    return logarithm(values)
    return None
