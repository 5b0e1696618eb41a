"""The brute-force reference of UFFS (reference_uffs.py) against what can be worked out by hand."""

import itertools

import numpy as np
import pytest

import reference_uffs as reference


def factorial(k, repeat=1):
    """All rows of {-1, 1}^k: orthogonal columns, and so are their products."""
    rows = list(itertools.product([-1.0, 1.0], repeat=k)) * repeat
    return [np.array(c) for c in zip(*rows)]


def norms(result):
    return [f.norm for f in result.features]


def test_reference_standardises():
    assert reference.standardise(np.array([1.0, 3.0, 1.0, 3.0])).tolist() == [-1, 1, -1, 1]
    assert reference.standardise(np.array([1.0, 2.0, 3.0])) == pytest.approx([-np.sqrt(1.5), 0, np.sqrt(1.5)])


def test_reference_order_of_products():
    a, b, c = factorial(3)
    group = reference.Group(8, 2, 0.1, False, reference.Result([]))
    for x in (a, b, c):
        group.add([x])
    expected = [a * 0 + 1, a, b, a * b, c, a * c, b * c]
    assert [size for size, _ in group.products] == [0, 1, 1, 2, 1, 2, 2]
    assert np.allclose([values for _, values in group.products], expected)
    assert np.allclose(group.basis.T, expected)


def test_reference_norms():
    a, b = factorial(2, repeat=5)  # 20 rows
    y = 3 * a + 4 * b + 7
    result = reference.uffs([a, y, b], stages=[(1, 0)])
    assert norms(result) == pytest.approx([1, 0.8, 0], abs=1e-12)
    assert result.features[0].adjusted_norm == pytest.approx(np.sqrt(20 / 19))
    assert result.features[1].adjusted_norm == pytest.approx(0.8 * np.sqrt(20 / 18))
    assert result.selected == [0, 1] and result.features[2].stage == 1
    assert result.stages == [{"features": 3, "kept": 2, "groups": 1, "parities": 3}]


def test_reference_adjusted_threshold():
    """0.8 is below 0.82; 0.8 * sqrt(20/18) = 0.843 is not."""
    a, b = factorial(2, repeat=5)
    columns = [a, 3 * a + 4 * b]
    assert reference.uffs(columns, stages=[(1, 0)], epsilon=[0.82], rule="paper").removed == [1]
    assert reference.uffs(columns, stages=[(1, 0)], epsilon=[0.82]).removed == []
    assert reference.uffs(columns, stages=[(1, 0)], epsilon=[0.85]).removed == [1]


def test_reference_products_and_groups():
    a, b, c = factorial(3, repeat=8)
    columns = [a, b, c, a * b, a * c, b + 2 * c]
    one = reference.uffs(columns, stages=[(2, 0)])
    assert one.removed == [3, 4, 5] and one.stages[0]["parities"] == 7
    # Groups {a, b}, {c}: ab and b + 2c are seen, the latter at 1/sqrt(5) in {c}; ac is not.
    pairs = reference.uffs(columns, stages=[(2, 2)])
    assert pairs.removed == [3]
    assert pairs.features[5].norm == pytest.approx(1 / np.sqrt(5))
    assert pairs.stages == [{"features": 6, "kept": 5, "groups": 3, "parities": 10}]
    # Own groups {a, b}, {c, ab}, {ac, b + 2c}: nothing is seen.
    assert reference.uffs(columns, stages=[(2, 2)], groups="own").removed == []
    # Later stages see what earlier ones leave.
    staged = reference.uffs(columns, stages=[(1, 0), (2, 0)])
    assert [staged.features[j].stage for j in (3, 4, 5)] == [2, 2, 1]


def test_reference_prune():
    """x = a + b goes; its product with c brings ac + bc only where it is not pruned."""
    a, b, c = factorial(3, repeat=8)
    columns = [a, b, a + b, c, a * c + b * c]
    kept = reference.uffs(columns, stages=[(2, 0)], rule="paper")
    pruned = reference.uffs(columns, stages=[(2, 0)], rule="paper", prune=True)
    assert kept.removed == pruned.removed == [2, 4]
    e = factorial(2, repeat=16)[0] + np.tile([0.0, 1.0, 0.5, 0.25], 16)
    squares = [e, 2 * e + 1, e * e]  # e times its copy is its square
    assert reference.uffs(squares, stages=[(2, 0)], groups="own").removed == [1, 2]
    assert reference.uffs(squares, stages=[(2, 0)], groups="own", prune=True).removed == [1]
    assert reference.uffs(squares, stages=[(2, 0)], groups="any").removed == [1]


def test_reference_own_groups():
    assert reference.own_groups(list(range(7)), 3) == [[0, 1], [2, 3], [4, 5, 6]]
    assert reference.own_groups(list(range(6)), 3) == [[0, 1, 2], [3, 4, 5]]
    assert reference.own_groups([4, 2], 0) == [[4, 2]]


def test_reference_auto():
    assert reference.parity_count(3, 5) == 1 + 5 + 10 + 10 and reference.parity_count(3, 2) == 4
    assert reference.auto_stages(100) == [(1, 24), (2, 6), (3, 4)]
    assert reference.auto_stages(12) == [(1, 2)]
    assert reference.auto_stages(16) == [(1, 3), (2, 2), (3, 2)]
    assert reference.auto_stages(100, width=4) == [(1, 6), (2, 2), (3, 2)]  # 1 + 2*4 + 4*4 = 25
    assert reference.auto_stages(10**6) == [(1, 249999), (2, 50), (3, 30)]


def test_reference_undecided():
    """12 rows: ten degrees of freedom must be left, so no group judges more than two."""
    columns = list(np.random.default_rng(0).normal(size=(5, 12)))
    result = reference.uffs(columns, stages=[(1, 0)])
    assert [f.undecided for f in result.features] == [False, False, True, True, True]
    assert result.stages[0] == {"features": 5, "kept": 5, "groups": 1, "parities": 3}
    groups = reference.uffs(columns, stages=[(1, 2)])
    assert [f.undecided for f in groups.features] == [False, False, True, False, True]
    assert groups.stages[0]["groups"] == 3


def test_reference_saturation():
    a, b = factorial(2)
    columns = [a, b, a * b, a + 2 * b]
    assert reference.uffs(columns, stages=[(1, 0)], rule="paper").features[3].reason == "saturated"
    result = reference.uffs(columns, stages=[(2, 0)], rule="paper")
    assert [result.features[j].reason for j in (2, 3)] == ["saturated", "saturated"]
    assert result.features[2].adjusted_norm is None


def test_reference_cumulative():
    a, b, c = factorial(3)
    columns = [a, a, b, 3 * a + 4 * c]  # squared norms 1, 0, 1, 0.64
    for share, kept in [(0.3, []), (0.4, [0]), (0.77, [0, 2]), (0.9, [0, 2])]:
        result = reference.uffs(columns, stages=[(1, 0)], rule="cumulative", share=[share])
        assert result.selected == kept
    assert result.features[3].reason == "redundant"


def test_reference_categories():
    """Three levels of equal weight: indicators correlate at -1/2."""
    color = ["a", "b", "c"] * 12
    half = np.tile([1.0, 1, 1, -1, -1, -1], 6)
    result = reference.uffs([color, half, [c == "c" for c in color]], stages=[(2, 0)])
    assert norms(result)[:2] == pytest.approx([1, 1])
    assert result.removed == [2] and result.stages[0]["parities"] == 6  # 1, b, c, half, b*half, c*half
    # Given the indicator of b, that of a (dropped) is free, and c's is left at sqrt(3)/2.
    result = reference.uffs([[float(c == "b") for c in color], color], stages=[(1, 0)])
    assert norms(result) == pytest.approx([1, np.sqrt(3) / 2])
    # A column that merges two levels is a function of the finer one.
    result = reference.uffs([color, ["x" if c == "a" else "y" for c in color]], stages=[(1, 0)])
    assert result.removed == [1]


def test_reference_order():
    x = np.tile([0.0, 1.0, 2.0, 5.0], 10)
    text = ["p", "p", "q", "q"] * 10  # variance 1/4
    columns = [text, 0.1 * x, [float(t == "q") * 0.9 for t in text], x]
    result = reference.uffs(columns, stages=[(1, 0)], order="variance")
    assert result.selected == [0, 3]
    assert reference.uffs(columns, stages=[(1, 0)]).selected == [0, 1]


def test_reference_constants():
    result = reference.uffs([np.full(20, 0.1), ["a"] * 20, np.arange(20.0)])
    assert [f.reason for f in result.features] == ["constant", "constant", None]
