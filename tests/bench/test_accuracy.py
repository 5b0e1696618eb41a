"""bench/accuracy: its peers give what the packages give, and its tables follow from its judgements."""

import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn")
BENCH = Path(__file__).resolve().parents[2] / "bench"
sys.path[:0] = [str(BENCH), str(BENCH / "accuracy")]

import quick_peers  # noqa: E402
from standings import behind, ranks  # noqa: E402
from sklearn.feature_selection import mutual_info_classif  # noqa: E402


def test_mutual_information_is_that_of_scikit_learn():
    random = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [20, 15, 25])
    real = random.normal(size=(60, 6)) + np.outer(y, [1, 0.5, 0, 0, 0, 0])
    real /= real.std(0)
    theirs = mutual_info_classif(real, y, discrete_features=False, random_state=0)
    assert np.allclose(quick_peers.information_by_distances(quick_peers.with_noise(real), y), theirs, atol=1e-12)
    few = random.integers(0, 4, (60, 5)) + 2.0
    few[:, 0] = y
    theirs = mutual_info_classif(few, y, discrete_features=True)
    assert np.allclose(quick_peers.information_by_counts(few, y), theirs, atol=1e-12)


def test_elimination_leaves_what_the_label_is_made_of():
    random = np.random.default_rng(1)
    X = random.normal(size=(200, 300))
    y = (X[:, 7] - X[:, 40] + 0.5 * X[:, 250] > 0).astype(int)
    assert set(quick_peers.recursive_elimination(X, y, 3)) == {7, 40, 250}
    assert len(quick_peers.recursive_elimination(X, y, 50)) == 50


def test_ranks_share_ties_and_differences_are_to_the_best_peer():
    judged = {"ours": 80.0, "first": 80.0, "second": 70.0}
    said = {name: np.full((2, 4, 3), value) for name, value in judged.items()}  # judges, folds, sizes
    said["second"][1] = 85  # the other judge's best
    assert ranks(said, "ours", ["first", "second"]).tolist() == [2.0, 2.0, 2.0]
    assert behind(said, "ours", ["first", "second"]) == [(0.0, "first", 0.0), (5.0, "second", 0.0)]
