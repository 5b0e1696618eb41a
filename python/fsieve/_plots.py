"""Pictures of results. matplotlib is needed only when one is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_scores(estimator: Any, *, top: int = 30, ax: Axes | None = None) -> Axes:
    """Bars of ``scores_`` in order of ``ranking_``, the best on top; selected features are filled.

    ``scores_`` of SFFS is the gain of each feature, of the others the norm or the variance left.

    Parameters
    ----------
    estimator : a fitted selector of fsieve
    top : int, default=30
        How many features are shown.
    ax : matplotlib axes, default=None
        Where to draw; default: a new figure.

    Returns
    -------
    ax : matplotlib axes
    """
    check_is_fitted(estimator)
    names = _all_names(estimator)
    scores = np.asarray(estimator.scores_, dtype=float)
    order = [j for j in _plotting_order(estimator, scores) if np.isfinite(scores[j])][:top]
    support = estimator.get_support()
    ax = _axes(ax, height=1 + 0.25 * max(len(order), 1))
    colours = ["tab:blue" if support[j] else "white" for j in order]
    ax.barh(range(len(order)), scores[order], color=colours, edgecolor="tab:blue")
    ax.set_yticks(range(len(order)), [names[j] for j in order])
    ax.invert_yaxis()
    ax.set_xlabel(_score_name(estimator))
    return ax


def plot_redundancy(estimator: Any, *, ax: Axes | None = None) -> Axes:
    """Which feature is explained by which: an arrow from each factor of an equation to its feature.

    Parameters
    ----------
    estimator : a fitted UFFS, GFS or GFA
    ax : matplotlib axes, default=None
        Where to draw; default: a new figure.

    Returns
    -------
    ax : matplotlib axes
    """
    check_is_fitted(estimator)
    edges = redundancy_edges(estimator.result_)
    sources = list(dict.fromkeys(source for source, _ in edges))
    targets = list(dict.fromkeys(target for _, target in edges))
    ax = _axes(ax, height=1 + 0.3 * max(len(sources), len(targets), 1))
    places = {("from", name): (0.0, -i) for i, name in enumerate(_spread(sources, targets))}
    places |= {("to", name): (1.0, -i) for i, name in enumerate(_spread(targets, sources))}
    for source, target in edges:
        (x0, y0), (x1, y1) = places["from", source], places["to", target]
        arrow = {"arrowstyle": "->", "color": "0.6", "shrinkA": 2, "shrinkB": 2}
        ax.annotate("", xy=(x1, y1), xytext=(x0, y0), arrowprops=arrow)
    for (side, name), (x, y) in places.items():
        if name is not None:
            ax.text(x, y, f" {name} ", ha="right" if side == "from" else "left", va="center")
    ax.set_xlim(-0.4, 1.4)
    ax.set_ylim(-max(len(sources), len(targets), 1) + 0.5, 0.8)
    ax.set_title("kept → removed" if edges else "no feature is explained by others")
    ax.axis("off")
    return ax


def redundancy_edges(result: dict[str, Any]) -> list[tuple[str, str]]:
    """Pairs (factor, removed feature) of all equations of a result."""
    edges = []
    for feature in result.get("removed") or []:
        equations = feature.get("equations") or [feature.get("equation")]
        factors = [
            factor
            for equation in equations
            if equation
            for term in equation["terms"]
            for factor in term["factors"]
        ]
        edges += [(factor, feature["name"]) for factor in dict.fromkeys(factors)]
    return edges


def plot_path(estimator: Any, *, ax: Axes | None = None) -> Axes:
    """Cross-validated accuracy (R² of a number) against the number of features, with error bars.

    Parameters
    ----------
    estimator : SFFS, fitted with k "auto"
    ax : matplotlib axes, default=None
        Where to draw; default: a new figure.

    Returns
    -------
    ax : matplotlib axes
    """
    check_is_fitted(estimator)
    path = estimator.result_.get("path")
    if not path:
        raise ValueError('there is no path: fit with k="auto"')
    sizes = [point["k"] for point in path]
    scores, errors = (
        np.array([point[key] for point in path], dtype=float) for key in ("score", "error")
    )
    chosen = len(estimator.result_["selected"])
    ax = _axes(ax, height=4)
    ax.errorbar(sizes, scores, yerr=errors, marker="o", markersize=3, capsize=2)
    ax.axvline(chosen, linestyle="--", color="0.6", label=f"chosen: {chosen}")
    ax.set_xlabel("features")
    number = estimator.result_.get("r2_estimate") is not None
    ax.set_ylabel(f"{'R²' if number else 'accuracy'} in cross-validation")
    ax.legend()
    return ax


def plot_accuracy(
    selector: Any,
    classifier: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = 5,
    ks: Sequence[int] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Score of a classifier or regressor on the first k features, against k, cross-validated.

    The features are chosen again in every fold, without its test rows, so the curve is honest.

    Parameters
    ----------
    selector : SFFS
        With the largest k of interest.
    classifier : a scikit-learn estimator
        Fitted on the selected features.
    X, y : the data
    cv : int or splitter, default=5
    ks : list of int, default=None
        Which k; default: 1 to the selector's.
    ax : matplotlib axes, default=None
        Where to draw; default: a new figure.

    Returns
    -------
    ax : matplotlib axes
    """
    ks, scores = accuracy_curve(selector, classifier, X, y, cv=cv, ks=ks)
    ax = _axes(ax, height=4)
    mean, spread = np.nanmean(scores, axis=0), np.nanstd(scores, axis=0)
    ax.plot(ks, mean, marker="o")
    ax.fill_between(ks, mean - spread, mean + spread, alpha=0.2)
    ax.set_xlabel("features")
    ax.set_ylabel(f"score of {type(classifier).__name__} (mean and deviation of folds)")
    return ax


def accuracy_curve(
    selector: Any, classifier: Any, X: Any, y: Any, *, cv: Any, ks: Sequence[int] | None
) -> tuple[list[int], np.ndarray]:
    """The k and the scores (folds x k) of :func:`plot_accuracy`; NaN where fewer were selected."""
    from sklearn.base import is_classifier
    from sklearn.model_selection import check_cv

    folds = list(check_cv(cv, y, classifier=is_classifier(classifier)).split(X, y))
    rankings = []
    for train, _ in folds:
        fold = clone(selector)
        if fold.get_params().get("k") != "auto":
            fold.set_params(folds=0)  # its own estimate is not asked for
        fitted = fold.fit(_safe_indexing(X, train), _safe_indexing(y, train))
        rankings.append([feature["index"] for feature in fitted.result_["selected"]])
    ks = list(ks) if ks is not None else list(range(1, max(map(len, rankings), default=0) + 1))
    scores = np.full((len(folds), len(ks)), np.nan)
    for f, (train, test) in enumerate(folds):
        for i, k in enumerate(ks):
            if k > len(rankings[f]):
                continue
            columns = sorted(rankings[f][:k])
            model = clone(classifier).fit(
                _safe_indexing(_safe_indexing(X, train), columns, axis=1), _safe_indexing(y, train)
            )
            scores[f, i] = model.score(
                _safe_indexing(_safe_indexing(X, test), columns, axis=1), _safe_indexing(y, test)
            )
    return ks, scores


def _spread(names: list[str], others: list[str]) -> list[str | None]:
    """The shorter of two lists with gaps, so that both are as long."""
    gap = (len(others) - len(names)) // 2
    return [None] * max(gap, 0) + list(names)


def _all_names(estimator: Any) -> list[str]:
    from ._input import default_names

    names = getattr(estimator, "feature_names_in_", None)
    return list(names) if names is not None else default_names(estimator.n_features_in_)


def _plotting_order(estimator: Any, scores: np.ndarray) -> np.ndarray:
    """By rank where all features have one of their own, else by score."""
    ranking = np.asarray(estimator.ranking_)
    apart = len(np.unique(ranking)) == len(ranking)
    return np.argsort(ranking if apart else -scores, kind="stable")


def _score_name(estimator: Any) -> str:
    return {"uffs": "norm left", "sffs": "gain: share of the label's variance", "gfs": "variance left", "gfa": "variance left"}.get(
        estimator.result_.get("method", ""), "score"
    )


def _axes(ax: Axes | None, height: float) -> Axes:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install matplotlib") from error
    return pyplot.subplots(figsize=(6.4, min(height, 20)), layout="constrained")[1]
