"""FSIEVE_SIMD: every instruction set of this machine gives the same answers, others are refused."""

import re

import numpy as np
import pytest


def refusal(fsieve):
    done = fsieve.run("--version", env={"FSIEVE_SIMD": "mmx"})
    assert done.code == 2
    assert done.out == ""
    assert len(done.err.splitlines()) == 1
    return done.err


@pytest.fixture
def sets(fsieve):
    return re.search(r"it has (.*)\)", refusal(fsieve)).group(1).split(", ")


def test_version_names_the_set(fsieve, sets):
    assert sets[-1] == "portable"
    assert f"SIMD: {sets[0]}\n" in fsieve("--version", env={"FSIEVE_SIMD": ""})
    for name in sets[1:]:
        shown = fsieve("--version", env={"FSIEVE_SIMD": name})
        assert f"SIMD: {name} (FSIEVE_SIMD; the best here is {sets[0]})\n" in shown


def test_a_command_refuses_an_unknown_set(fsieve, write):
    write("a.csv", "a,b\n1,2\n2,1\n")
    done = fsieve.run("reduce", "a.csv", env={"FSIEVE_SIMD": "mmx"})
    assert done.code == 2
    assert "FSIEVE_SIMD is mmx, which is no instruction set of this machine" in done.err


def tables():
    rng = np.random.default_rng(11)
    bits = rng.integers(0, 2, (300, 12))
    label = (bits[:, 2] ^ bits[:, 7]) ^ (rng.random(300) < 0.1)
    reals = rng.normal(size=(300, 8))
    kinds = np.digitize(reals[:, 1] * reals[:, 4], [-0.3, 0.3])
    return np.column_stack([bits, label]), np.column_stack([reals.round(3), kinds])


def csv(values):
    names = [f"x{j + 1}" for j in range(values.shape[1] - 1)] + ["y"]
    rows = (",".join(f"{value:g}" for value in row) for row in values)
    return "\n".join([",".join(names), *rows]) + "\n"


@pytest.mark.parametrize(
    "arguments",
    [
        "learn bits.csv --label y -k 3",
        "learn bits.csv --label y -k 3 --class-weight balanced --permutations 2",
        "learn bits.csv --label y -k 2 --class-weight balanced --basis product",
        "select bits.csv --label y -k 3 --depth 2",
        "reduce bits.csv --label y --stages 3",
    ],
)
def test_counts_are_the_same_bytes(fsieve, write, sets, arguments):
    write("bits.csv", csv(tables()[0]))
    answers = {
        name: fsieve(*arguments.split(), "--json", "--no-timing", env={"FSIEVE_SIMD": name}) for name in sets
    }
    assert len(set(answers.values())) == 1


@pytest.mark.parametrize("search", ["forward", "union"])
def test_sums_of_reals_are_the_same_up_to_rounding(fsieve, write, sets, search):
    write("reals.csv", csv(tables()[1]))
    command = ["select", "reals.csv", "--label", "y", "-k", "3", "--depth", "2", "--search", search]
    first, *others = [fsieve.json(*command, env={"FSIEVE_SIMD": name}) for name in sets]
    for other in others:
        for mine, theirs in zip(first["subsets"], other["subsets"], strict=True):
            assert theirs["features"] == mine["features"]
            assert theirs["score"] == pytest.approx(mine["score"], rel=1e-10)
        assert [f["name"] for f in other["selected"]] == [f["name"] for f in first["selected"]]
