"""bench/rivals: its page follows from its rows."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "bench")]

from rivals.page import line, page  # noqa: E402
from rivals.row import Row, best  # noqa: E402


def row(seconds, aim=2.0, answers="the same"):
    return Row("work", "table", seconds, "rival", 0.5, aim, answers)


def test_a_row_says_its_ratio_and_whether_that_is_the_aim():
    assert line(row(0.75)) == "| work | table | 0.75 | rival | 0.5 | 1.5 | ≤ 2 | yes | the same |"
    assert line(row(5)).split(" | ")[5:8] == ["10", "≤ 2", "**no**"]
    assert row(1, answers="DIFFER: 3 and 4").wrong and not row(1).wrong


def test_the_page_counts_what_is_at_its_aim():
    said = page("About.", [row(0.1), row(5)])
    assert said == page("About.", [row(0.1), row(5)])
    assert "About." in said and "1 of 2 lines that have an aim are at it." in said


def test_a_row_without_an_aim_is_only_told():
    told = row(5, aim=None)
    assert line(told) == "| work | table | 5 | rival | 0.5 | 10 |  |  | the same |"
    assert "1 of 1 lines" in page("About.", [row(0.1), told])


def test_turns_end_after_enough_time_and_give_each_its_answer():
    calls = []
    (_, first), (_, second) = best(lambda: calls.append(1) or "a", lambda: calls.append(2) or "b", runs=3)
    assert (first, second) == ("a", "b") and calls == [1, 2] * 3
    calls.clear()
    best(lambda: calls.append(1), enough=-1, runs=3)
    assert calls == [1]
