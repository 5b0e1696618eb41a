"""Plots draw without a display, and show what they should."""

import matplotlib
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

matplotlib.use("Agg")

from test_estimators import labelled, redundant  # noqa: E402

from fsieve import SFFS, UFFS, _plots, plot_accuracy, plot_path, plot_redundancy, plot_scores  # noqa: E402


def labels(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def test_scores():
    ax = plot_scores(UFFS().fit(redundant()))
    assert set(labels(ax)) == {f"x{j}" for j in range(7)}
    assert ax.get_xlabel() == "norm left"
    x, y = labelled()
    shown = plot_scores(SFFS().fit(x, y), top=5)
    assert set(labels(shown)[:2]) == {"x4", "x11"} and len(labels(shown)) == 5
    widths = [bar.get_width() for bar in shown.patches]
    assert widths == sorted(widths, reverse=True)


def test_path():
    x, y = labelled(200)
    found = SFFS().fit(x, y)
    ax = plot_path(found)
    sizes = ax.containers[0].lines[0].get_xdata()
    assert list(sizes) == [point["k"] for point in found.path_] and found.path_[0]["k"] == 0
    assert ax.get_ylabel() == "accuracy in cross-validation"
    assert "chosen: 2" in ax.get_legend().get_texts()[0].get_text()
    with pytest.raises(ValueError, match="auto"):
        plot_path(SFFS(k=2).fit(x, y))


def test_redundancy():
    found = UFFS().fit(redundant())
    edges = _plots.redundancy_edges(found.result_)
    assert set(edges) == {("x0", "x5"), ("x1", "x5"), ("x2", "x6"), ("x3", "x6")}
    ax = plot_redundancy(found)
    assert {text.get_text().strip() for text in ax.texts} >= {"x0", "x5", "x6"}
    plot_redundancy(UFFS().fit(redundant()[:, :5]))


def test_accuracy():
    x, y = labelled(200)
    ks, scores = _plots.accuracy_curve(SFFS(k=3), LogisticRegression(), x, y, cv=3, ks=None)
    assert ks == [1, 2, 3] and scores.shape == (3, 3)
    assert np.all((scores >= 0) & (scores <= 1))
    ax = plot_accuracy(SFFS(k=2), LogisticRegression(), x, y, cv=2)
    assert ax.get_xlabel() == "features"


def test_unfitted():
    with pytest.raises(Exception, match="not fitted"):
        plot_scores(UFFS())
