"""A quick part of the fault injection and of the kill loops in tests/faults; bench/faults/run does all of it."""

import random
import sys
from pathlib import Path

import pytest
from conftest import SANITIZED, program

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "faults"))

import commands  # noqa: E402
import injection  # noqa: E402
import kills  # noqa: E402


pytestmark = pytest.mark.skipif(SANITIZED, reason="a sanitizer must be loaded before the library that makes calls fail")


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    if not commands.shim(program()).exists():
        pytest.skip("built without the library that makes calls fail")
    folder = tmp_path_factory.mktemp("faults")
    chosen = commands.prepared(str(program()), folder, ["csv", "parquet"])
    return folder, {command.name: command for command in chosen}


@pytest.mark.parametrize(
    "name",
    ["reduce csv over its input", "reduce, new files", "generate parquet", "select, three files", "learn from a checkpoint"],
)
def test_every_call_fails_once(prepared, name):
    folder, chosen = prepared
    reached = set()
    for kind, how in injection.MUST_FAIL:
        step = 41 if kind == "allocate" else 1  # one allocation in forty here
        for point in injection.points_of(str(program()), folder, chosen[name], kind, how, step):
            assert not point.trouble, point
            if point.reached and point.code != 0:
                reached.add(kind)
    expected = {"write", "rename", "open", "close", "allocate"} | ({"fsync"} if "new" not in name else set())
    assert reached >= expected, "a fault that nobody noticed tests nothing"


def test_calls_that_can_be_made_again_are(prepared):
    folder, chosen = prepared
    for kind, how in injection.MUST_NOT_MATTER:
        for point in injection.points_of(str(program()), folder, chosen["reduce csv"], kind, how):
            assert (point.code, point.trouble) == (0, ""), point


@pytest.mark.parametrize("kind", injection.INTERRUPTED)
def test_interrupts_leave_all_old_or_all_new(prepared, kind):
    """Code 130 is all old, 0 all new; once the first file has its new name the others get theirs."""
    folder, chosen = prepared
    for more in ["", "+"]:  # one signal; one at every further call
        for point in injection.points_of(
            str(program()), folder, chosen["reduce csv over its input"], kind, "interrupt", more=more
        ):
            assert not point.trouble, point
            if kind in ("rename", "link"):
                assert point.code == 0, point


def test_the_last_rename_fails_after_the_first_was_made(prepared):
    """The table has its new name when the result fails: it is put back."""
    folder, chosen = prepared
    point = injection.run_point(str(program()), folder, chosen["reduce csv over its input"], "rename:2:5")
    assert point.reached and point.code == 1 and not point.trouble
    assert commands.found(folder) == chosen["reduce csv over its input"].before


def test_kills_at_random_moments(tmp_path):
    trial = kills.Trial(str(program()), tmp_path, rows=5000)
    for number, alone, code, trouble in kills.loop(trial, 18, random.Random(1)):
        assert not trouble, (number, alone, code, trouble)
