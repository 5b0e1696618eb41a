"""fsieve bounds beside the lemmas computed in Python."""

import math

import junta_reference as reference
import pytest

CASES = [
    (1, 10, 0.1, 0.05, 1.0),
    (3, 50, 0.1, 0.05, 1.0),
    (2, 2, 0.5, 0.9, 1.0),
    (3, 50, 0.3, 0.01, 27.0),
    (6, 1000, 0.05, 0.001, 2.5),
]


def bounds(fsieve, k, d, *options):
    return fsieve.json("bounds", "-k", k, "-d", d, *options)


@pytest.mark.parametrize("k,d,epsilon,delta,ck", CASES)
def test_rows_are_the_fewest(fsieve, validate, k, d, epsilon, delta, ck):
    result = validate(bounds(fsieve, k, d, "--epsilon", epsilon, "--delta", delta, "--ck", ck), "bounds")
    assert [result[key] for key in ("k", "d", "epsilon", "delta", "ck")] == [k, d, epsilon, delta, ck]
    n, epsilon1, epsilon2 = result["n"], result["epsilon1"], result["epsilon2"]
    assert n == max(result["n1"], result["n2"]) == int(n)
    assert epsilon1 + reference.excess(epsilon2) == pytest.approx(epsilon, rel=1e-12)
    n1, n2 = reference.rows_needed(k, d, epsilon1, epsilon2, delta, ck, n)
    assert (n1, n2) == pytest.approx((result["n1"], result["n2"]), rel=1e-6, abs=2)
    assert reference.enough(k, d, epsilon, delta, ck, 1.0001 * n + 1)
    assert not reference.enough(k, d, epsilon, delta, ck, 0.999 * n - 1)
    # Lemma 8, at the accuracy that Lemmas 12 and 13 ask for.
    epsilon0 = min(epsilon1, epsilon2) / (k * 2**k * ck)
    assert result["epsilon0"] == pytest.approx(epsilon0)
    assert result["n0"] == pytest.approx(8 / epsilon0**2 * math.log(2 * d / (delta / 2)), rel=1e-9, abs=1)
    # And back.
    back = bounds(fsieve, k, d, "--rows", n, "--delta", delta, "--ck", ck)
    assert back["n"] == n and back["epsilon"] == pytest.approx(epsilon, rel=1 / n + 1e-9)
    assert back["epsilon"] <= epsilon * (1 + 1e-12)


def test_bias(fsieve):
    result = bounds(fsieve, 3, 50, "--epsilon", 0.1, "--bias", 0.5)
    assert result["ck"] == pytest.approx(((1 + 0.5) / math.sqrt(1 - 0.25)) ** 6)
    assert bounds(fsieve, 3, 50, "--epsilon", 0.1, "--bias", 0) == bounds(fsieve, 3, 50, "--epsilon", 0.1)


def test_of_a_file(fsieve, write, validate):
    # Means as ±1: a 0.5, b -0.25, c 0; e is constant.
    rows = [(int(i % 4 > 0), "u" if i % 8 < 5 else "v", i % 2, 7, i % 2) for i in range(80)]
    write("f.csv", "a,b,c,e,y\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    result = validate(fsieve.json("bounds", "f.csv", "--label", "y", "-k", 2, "--epsilon", 0.2), "bounds")
    assert result["d"] == 3 and result["data"] == {"source": "f.csv"}
    assert result["ck"] == pytest.approx((1.5 / 0.5) * (1.25 / 0.75))
    assert fsieve.json("bounds", "f.csv", "--label", "y", "-k", 2, "-d", 9, "--epsilon", 0.2)["d"] == 9
    own = fsieve.json("bounds", "f.csv", "--label", "y", "-k", 2)
    assert own["n"] == 80 and own["vacuous"]
    fsieve.fails(1, ["f.csv", "k = 4"], "bounds", "f.csv", "--label", "y", "-k", 4, "--epsilon", 0.2)
    write("r.csv", "a,b\n" + "".join(f"{i},{i % 2}\n" for i in range(9)))
    cut = fsieve.run("bounds", "r.csv", "-k", 1, "--epsilon", 0.2)
    assert cut.code == 0 and '"a" has more than two values and is cut in two at the median' in cut.err
    assert fsieve.json("bounds", "r.csv", "-k", 1, "--epsilon", 0.2, "--binarize", "median")["d"] == 2


def test_text(fsieve):
    text = fsieve("bounds", "-k", 3, "-d", 50, "--epsilon", 0.1)
    assert "rows are enough" in text and "Lemma 4" in text
    assert "guarantee nothing" in fsieve("bounds", "-k", 3, "-d", 50, "--rows", 100)


@pytest.mark.parametrize(
    "code,options,says",
    [
        (1, ["-k", 3, "-d", 2, "--epsilon", 0.1], "k = 3"),
        (2, ["-k", 3, "--epsilon", 0.1], "-d"),
        (2, ["-k", 3, "-d", 5], "--epsilon"),
        (2, ["-k", 0, "-d", 5, "--epsilon", 0.1], "-k"),
        (2, ["-k", 3, "-d", 5, "--epsilon", 1], "--epsilon"),
        (2, ["-k", 3, "-d", 5, "--epsilon", 0.1, "--rows", 10], "give one"),
        (2, ["-k", 3, "-d", 5, "--epsilon", 0.1, "--ck", 0.5], "--ck"),
        (2, ["-k", 3, "-d", 5, "--epsilon", 0.1, "--ck", 2, "--bias", 0.1], "give one"),
        (2, ["-k", 3, "-d", 5, "--epsilon", 0.1, "--bias", 1], "--bias"),
        (2, ["-k", 3, "-d", 5, "--epsilon", 0.1, "--delta", 0], "--delta"),
        (2, ["-k", 3, "-d", 5, "--rows", 1], "--rows"),
        (2, ["-k", 3, "-d", 5, "--epsilon", 0.1, "--binarize", "mean"], "FILE"),
    ],
)
def test_refused(fsieve, code, options, says):
    fsieve.fails(code, says, "bounds", *options)
