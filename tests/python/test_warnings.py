"""Warnings point at the line that asked."""

import warnings

import numpy as np
import pytest
from fsieve import UFFS


@pytest.mark.parametrize(
    "ask",
    [
        lambda x: UFFS().fit(x),
        lambda x: UFFS().fit_transform(x),
        lambda x: UFFS(stages="1").partial_fit(x).result_,
        lambda x: UFFS(stages="1").partial_fit(x).get_support(),
    ],
)
def test_a_warning_points_at_the_caller(ask):
    x = np.random.default_rng(0).normal(size=(1000, 3))
    x[:, 1] = np.arange(1000) % 150 == 0
    x[:, 2] = x[:, 1]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ask(x)
    assert [warning.filename for warning in caught] == [__file__]
