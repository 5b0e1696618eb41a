"""tools/bench: what it calls slower, and what noise."""

import importlib.machinery
import importlib.util
from pathlib import Path

import pytest

PATH = Path(__file__).resolve().parents[2] / "tools" / "bench"


@pytest.fixture(scope="module")
def bench():
    loader = importlib.machinery.SourceFileLoader("fsieve_bench", str(PATH))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("fsieve_bench", loader))
    loader.exec_module(module)
    return module


def test_interval_leaves_out_one_in_twenty_at_most(bench):
    assert bench.interval([3, 1, 2]) == (1, 3)  # three pairs say little
    assert bench.interval([9, 8, 7, 6, 5, 4, 3, 2, 1]) == (2, 8)  # 2 * 10 / 512
    assert bench.interval(range(1, 18)) == (5, 13)  # 0.049


@pytest.mark.parametrize("ratios, said", [
    ([1.05, 1.04, 1.06, 1.05, 0.9, 1.05, 1.04, 1.07, 1.05], "SLOWER"),  # one lucky run of nine
    ([1.05, 1.04, 0.98, 1.05, 0.9, 1.05, 1.04, 1.07, 1.05], ""),
    ([1.01] * 9, ""),  # sure, and not worth a word
    ([0.8] * 9, "faster"),
    ([1.5, 0.7] * 4, ""),
])
def test_verdict(bench, ratios, said):
    assert bench.verdict(ratios, 0.02) == said


def test_what_is_slower_is_asked_twice(bench):
    slow, even = [1.1] * 9, [1.0] * 9
    assert bench.judged(iter([slow, even]).__next__, 0.02) == (even, "")
    assert bench.judged(iter([slow, slow]).__next__, 0.02) == (slow, "SLOWER")
    assert bench.judged(iter([even]).__next__, 0.02) == (even, "")
