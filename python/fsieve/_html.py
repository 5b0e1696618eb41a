"""Results as a notebook shows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

_SHOWN = 50  # rows of a table


def result_html(result: dict[str, Any]) -> str:
    """The report as tables."""
    if "subset" in result:
        return _model(result)
    data = result.get("data", {})
    what = "selected" if result.get("command") == "select" else "kept"
    head = (
        f"<p><b>{escape(str(result.get('method', '')))}</b>: {len(result.get('selected', []))} of "
        f"{data.get('features')} features {what} ({data.get('rows')} rows)</p>"
    )
    parts = [head, _selected(result), _removed(result.get("removed") or [])]
    accuracy = result.get("accuracy_estimate")
    if accuracy is not None:
        parts.append(f"<p>Accuracy estimate: {100 * accuracy:.1f} %</p>")
    r2 = result.get("r2_estimate")
    if r2 is not None:
        parts.append(f"<p>R² estimate: {r2:.3f}</p>")
    parts += [f"<p>&#9888; {escape(warning)}</p>" for warning in result.get("warnings", [])]
    return f"<div class='fsieve'>{''.join(parts)}</div>"


def _model(model: dict[str, Any]) -> str:
    classes = model["label"]["classes"]
    rule = model.get("formula")
    parts = [
        f"<p><b>junta learner</b>: {escape(model['label']['name'])} from "
        f"{escape(', '.join(model['subset'][:10]))}; training error {100 * model['training_error']:.1f} %</p>"
    ]
    if rule:
        parts.append(f"<p>{escape(classes[1])} when {escape(rule)}</p>")
    cells = model.get("table") or []
    if cells:
        names = list(cells[0]["cell"])
        rows = (
            [*(cell["cell"][name] for name in names), cell["count"], cell["positive"], cell["prediction"]]
            for cell in cells
        )
        parts.append(_table([*names, "rows", f"of them {classes[1]}", "prediction"], rows, len(cells)))
    return f"<div class='fsieve'>{''.join(parts)}</div>"


def _selected(result: dict[str, Any]) -> str:
    features = result.get("selected", [])
    if not features:
        return "<p>No feature is selected.</p>"
    columns = [key for key in features[0] if key not in ("index", "undecided", "estimated", "unconfirmed")]
    rows = ([feature.get(key) for key in columns] for feature in features)
    return _table(columns, rows, len(features))


def _removed(features: Sequence[dict[str, Any]]) -> str:
    if not features:
        return ""
    rows = []
    for feature in features:
        equations = feature.get("equations") or [feature.get("equation")]
        equations = [equation for equation in equations if equation]
        text = "; ".join(equation["text"] for equation in equations)
        worst = min((equation["r2"] for equation in equations), default=None)
        rows.append([feature["name"], feature.get("reason", ""), worst, text])
    return _table(["removed", "reason", "R²", "equation"], rows, len(rows))


def _table(columns: Sequence[str], rows: Iterable[Sequence[Any]], count: int) -> str:
    head = "".join(f"<th>{escape(column.replace('_', ' '))}</th>" for column in columns)
    body = []
    for number, row in enumerate(rows):
        if number == _SHOWN:
            body.append(f"<tr><td colspan={len(columns)}>… {count - _SHOWN} more</td></tr>")
            break
        body.append("<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row) + "</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    return escape(f"{value:.4g}" if isinstance(value, float) else str(value))
