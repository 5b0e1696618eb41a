"""The answer of UFFS does not depend on the order of the columns, and keeps as few as can be."""

import sys

import numpy as np
import pandas as pd
import pytest
from places import ROOT

from fsieve import UFFS

sys.path.insert(0, str(ROOT / "bench" / "order"))
from tables import formula_table, formulas, made_by_hand, shuffled

# Of columns that are the same up to unit and origin the first stays, whichever it is.
HAVE_COPIES = {"conversions", "duplicates", "circle", "shop"}
# Noise up to epsilon.
NOISY = {"noisy sum", "noisy product", "noisy copy"}
# No sum of products of powers: solving for any of their columns takes a root of a sum, or a sum below the line.
OUT_OF_REACH = {"lens 1/f = 1/a + 1/b", "c² = a² + b²", "centre of mass", "gamma"}


def fitted(columns, **options):
    frame = pd.DataFrame({name: values for name, values in columns.items() if name != "label"})
    return UFFS(**options).fit(frame)


def equations(found):
    """Every equation by its terms, numbers to nine digits."""
    result = {}
    for feature in found.removed_:
        for equation in feature.get("equations") or [feature["equation"]]:
            terms = sorted((*term["factors"], *term.get("powers", []), f"{term['coefficient']:.9g}") for term in equation["terms"])
            result[equation.get("indicator", feature["name"])] = terms
    return result


def value(equation, columns):
    total = 0
    for term in equation["terms"]:
        product = term["coefficient"]
        for factor, power in zip(term["factors"], term.get("powers", [1] * len(term["factors"])), strict=True):
            product = product * columns[factor] ** power
        total = total + product
    return total


@pytest.mark.parametrize("name", made_by_hand())
def test_fewest_kept_in_any_order(name):
    make, fewest = made_by_hand()[name]
    random = np.random.default_rng(5)
    columns = make(random)
    seen = []
    for _ in range(20):
        found = fitted(shuffled(columns, random))
        assert len(found.selected_) == fewest
        least = min((e["r2"] for f in found.removed_ for e in f.get("equations") or [f["equation"]]), default=1)
        assert least > (0.99 if name in NOISY else 1 - 1e-9)
        seen.append((sorted(f["name"] for f in found.selected_), equations(found)))
    assert name in HAVE_COPIES or all(answer == seen[0] for answer in seen)


@pytest.mark.parametrize("name", [name for name in formulas() if name not in OUT_OF_REACH])
def test_formulas_of_physics(name):
    random = np.random.default_rng([3, len(name)])
    found = fitted(formula_table(name, random))
    assert len(found.removed_) == 1
    fresh = formula_table(name, random)
    truth = fresh[found.removed_[0]["name"]]
    np.testing.assert_allclose(value(found.removed_[0]["equation"], fresh), truth, atol=1e-6 * np.abs(truth).max())


@pytest.mark.parametrize("kind", ["normal", "cauchy", "lognormal"])
def test_noise_stays(kind):
    random = np.random.default_rng(8)
    draw = {
        "normal": lambda: random.normal(size=(72, 200)),
        "cauchy": lambda: random.standard_cauchy(size=(500, 40)),
        "lognormal": lambda: np.exp(2 * random.normal(size=(500, 40))),
    }
    for _ in range(3):
        assert not UFFS().fit(draw[kind]()).removed_


def test_relations_are_listed():
    random = np.random.default_rng(1)
    columns = {name: random.uniform(1, 3, 200) for name in "abcd"}
    columns["area"] = columns["a"] * columns["b"]
    columns["ratio"] = columns["c"] / columns["d"]
    found = fitted(columns, relations=True)
    texts = {relation["text"] for relation in found.relations_}
    assert "area = a·b" in texts
    assert any("ratio" in text for text in texts)
    assert all(relation["r2"] > 1 - 1e-9 for relation in found.relations_)
    assert not hasattr(fitted(columns), "relations_")


def test_the_first_of_copies_stays():
    x = np.random.default_rng(0).normal(size=100)
    for names in (["m", "cm", "inch"], ["inch", "m", "cm"]):
        units = {"m": x, "cm": 100 * x, "inch": 39.37 * x}
        found = fitted({name: units[name] for name in names})
        assert [feature["name"] for feature in found.selected_] == names[:1]


# cos θ + cos(θ + 120°) + cos(θ + 240°) = 0, all of equal share: the last in byte order goes, and a copy that stands first in the file
# ("z" of "a") stays in the place of the other. It went instead.
def test_which_copy_stays_makes_no_difference_to_others():
    angle = 2 * np.pi * np.arange(300) / 300 + 0.1
    columns = {name: np.cos(angle + turn * np.pi / 3) for name, turn in (("m", 0), ("n", 2), ("a", 4), ("z", 4))}
    columns["u"] = np.random.default_rng(0).normal(size=300)
    for order in ("azmnu", "zamnu", "mnuza", "unmaz"):
        copy = "z" if order.index("a") < order.index("z") else "a"
        found = fitted({name: columns[name] for name in order})
        assert {feature["name"] for feature in found.removed_} == {"n", copy}


def test_the_total_goes():
    random = np.random.default_rng(2)
    columns = {name: random.normal(size=300) for name in ("z", "b", "c")}
    columns["a"] = columns["z"] + columns["b"] + columns["c"]
    assert [feature["name"] for feature in fitted(columns).removed_] == ["a"]


# Columns that grow slowly are nearly products of odd powers of each other: `all = 1.79·goods^0.288·services^0.716/…`
# stood where goods + services is exact.
@pytest.mark.parametrize("seed", range(3))
def test_totals_of_growing_columns_are_sums(seed):
    random = np.random.default_rng(seed)
    month = np.arange(120)

    def people(size):
        season = 0.05 * random.uniform(0.2, 1) * np.sin(month / random.uniform(10, 30))
        growth = 0.001 * month * random.uniform(0.2, 2) + np.cumsum(random.normal(0, 0.001, 120))
        return np.round(size * (1 + season + growth))

    columns = {name: people(size) for name, size in zip("abcdefgh", (700, 6000, 8000, 5000, 15000, 5500, 8000, 2700), strict=True)}
    columns["goods"] = columns["a"] + columns["b"] + columns["c"]
    columns["trade"] = columns["d"] + columns["e"] + columns["f"]
    columns["services"] = columns["trade"] + columns["g"] + columns["h"]
    columns["all"] = columns["goods"] + columns["services"]
    exact = [relation for relation in fitted(columns, relations=True).relations_ if relation["r2"] > 1 - 1e-5]
    assert len(exact) == 4
    for relation in exact:
        assert all(len(term["factors"]) == 1 and "powers" not in term for term in relation["terms"]), relation["text"]
        assert all(abs(term["coefficient"]) == pytest.approx(1, abs=1e-9) for term in relation["terms"]), relation["text"]


# What charges round off is fitted by dozens of states: `charge = 0.170·minutes + 0.000665·state=s3 − …`, 36 and 56 terms.
@pytest.mark.parametrize("levels", [12, 50])
def test_rounded_columns_take_up_nothing_else(levels):
    random = np.random.default_rng(levels)
    rows = 2000
    columns = {name: random.normal(size=rows) for name in ("calls", "age", "visits")}
    for name, rate, mean, spread in (("day", 0.17, 180, 54), ("eve", 0.085, 200, 50), ("night", 0.045, 200, 50), ("abroad", 0.27, 10, 2.8)):
        minutes = np.round(random.normal(mean, spread, rows), 1)
        columns |= {f"{name}_minutes": minutes, f"{name}_charge": np.round(rate * minutes, 2)}
    columns["state"] = np.array([f"s{level:02d}" for level in random.integers(0, levels, rows)])
    removed = fitted(columns).removed_
    assert len(removed) == 4
    for feature in removed:
        [term] = feature["equation"]["terms"]
        assert term["factors"][0].split("_")[0] == feature["name"].split("_")[0]


# In a narrow range a sum is nearly a product: `x = 0.250·total²/y`, `y = mean²/x`.
@pytest.mark.parametrize("digits", [2, 12])
def test_sums_in_a_narrow_range_are_sums(digits):
    x, y, u = np.round(1000 + np.random.default_rng(0).normal(size=(3, 300)), digits)
    [mean] = fitted({"x": x, "y": y, "u": u, "mean": np.round((x + y) / 2, digits)}).removed_
    assert mean["equation"]["text"] == "mean = 0.500·x + 0.500·y"
    [area] = fitted({"x": x, "y": y, "u": u, "area": np.round(x * y / 1000, digits)}).removed_
    assert area["equation"]["text"] == "area = 0.00100·x·y"


# A coarse category is a sum of levels of a finer one; multiples of that sum stood in the equations of others:
# `big = 0.0524·state=B − 0.0524·city=c − …`.
def test_coarser_categories_are_no_terms():
    random = np.random.default_rng(6)
    cities = np.array([f"{state}{town}" for state in "ABC" for town in "abcdefgh"])
    city = cities[random.integers(0, len(cities), 2000)]
    letter = np.array([name[1] for name in city])
    columns = {"city": city, "state": [name[0] for name in city], "size": np.where(letter < "e", "big", "small")}
    columns |= {"coast": np.isin(letter, ["a", "h"]) * 1.0, "x": random.normal(size=2000)}
    found = fitted(shuffled(columns, random))
    assert {feature["name"] for feature in found.removed_} == {"state", "size", "coast"}
    for name, terms in equations(found).items():
        assert all(len(term) == 1 or term[0].startswith("city=") for term in terms), name
        assert all(float(term[-1]) in (1, -1) for term in terms), (name, terms)


def test_walks_take_the_columns_as_they_stand():
    random = np.random.default_rng(4)
    x, y = random.normal(size=(2, 400))
    columns = {"product": x * y, "x": x, "y": y}
    assert fitted(columns, order="input").removed_ == []
    assert [feature["name"] for feature in fitted(columns).removed_] == ["product"]
    assert fitted(columns, rule="paper").result_["parameters"]["order"] == "input"


def test_dummies_of_rare_levels():
    """One indicator of a category is written by the others, also where a level has one row in five thousand.

    The rows on which relations are looked for had no row of such a level: 40 indicators of soil types stayed, all of them.
    """
    random = np.random.default_rng(3)
    sizes = {"a": 2000, "b": 1500, "c": 1000, "d": 492, "e": 5, "f": 2, "g": 1}
    levels = random.permutation(np.repeat(list(sizes), list(sizes.values())))
    columns = {f"is_{level}": (levels == level).astype(float) for level in sizes}
    columns["x"] = random.normal(size=len(levels))
    for order in ([*columns], [*columns][::-1], sorted(columns, key=lambda name: columns[name].sum())):
        found = fitted({name: columns[name] for name in order})
        (removed,) = found.removed_
        assert removed["name"] == "is_a"
        assert sorted(tuple(t["factors"]) for t in removed["equation"]["terms"]) == sorted(
            [(), *((f"is_{level}",) for level in sizes if level != "a")]
        )
        assert np.allclose(value(removed["equation"], columns), columns["is_a"], atol=1e-9)


def test_rare_flags_stay():
    """Flags of a few rows are no sums of each other, though a few rows hardly tell."""
    random = np.random.default_rng(4)
    share = random.uniform(0.0004, 0.004, size=60)
    flags = (random.random((6000, 60)) < share).astype(float)
    columns = {f"f{j}": flags[:, j] for j in range(60) if flags[:, j].sum() > 1}
    assert not fitted(columns).removed_


def test_logarithms_are_said_as_such():
    """As economists' tables have them, also in products, and of products of kept columns."""
    random = np.random.default_rng(11)
    area, people, wage = np.exp(random.normal(size=(3, 400)))
    union = random.integers(0, 2, 400).astype(float)
    columns = {
        "area": area,
        "people": people,
        "wage": wage,
        "union": union,
        "density": people / area,
        "log_people": np.log(people),
        "log_density": np.log(people / area),
        "log10_wage": np.log10(wage) + 4,
        "log_wage_squared": np.log(wage) ** 2,
        "union_log_wage": union * np.log(wage),
        "log_wage_per_head": np.round(np.log(wage) - np.log(people), 4),
    }
    for _ in range(5):
        found = fitted(shuffled(columns, random))
        assert sorted(f["name"] for f in found.selected_) == ["area", "density", "union", "wage"]
        assert {name: texts[0] for name, texts in found.equations_.items() if name != "log_wage_per_head"} == {
            "people": "people = area·density",
            "log_people": "log_people = log(area) + log(density)",
            "log_density": "log_density = log(density)",
            "log10_wage": "log10_wage = 0.434·log(wage) + 4.00",
            "log_wage_squared": "log_wage_squared = log(wage)²",
            "union_log_wage": "union_log_wage = log(wage)·union",
        }
        assert found.equations_["log_wage_per_head"][0].startswith("log_wage_per_head = −log(area) − log(density) + log(wage)")


def test_a_line_in_a_narrow_range_is_no_logarithm():
    random = np.random.default_rng(12)
    year = random.integers(1990, 2021, 500).astype(float)
    found = fitted({"year": year, "index": np.round(3 * year + random.normal(0, 0.02, 500), 2), "x": random.normal(size=500)})
    assert "log(" not in str(found.equations_) and found.removed_


# `totpart = 0.0100·prate·totelg/ltotemp^0.00135 − 0.330`: in the digits of the file the last factor is nothing.
def test_a_power_of_next_to_nothing_is_left_out():
    random = np.random.default_rng(13)
    rate, workers = np.exp(random.normal([1, 7], 1, (800, 2))).T
    size = np.exp(random.normal(0, 0.3, 800))
    found = fitted({"rate": rate, "workers": workers, "members": rate * workers * size**0.0015, "size": size})
    (equation,) = (feature["equation"] for feature in found.removed_)
    assert equation["r2"] > 1 - 1e-6
    assert "size" not in equation["text"]


def test_logarithms_among_many_columns():
    """More than the library of products can hold, and of numbers that the same sums write too."""
    random = np.random.default_rng(14)
    levels = np.exp(random.normal(size=(90, 600)))
    columns = {f"level{j}": values for j, values in enumerate(levels)}
    logarithms = {f"log{j}": np.log(values) for j, values in enumerate(levels)}
    found = fitted({**logarithms, **columns})
    assert {name: texts[0] for name, texts in found.equations_.items()} == {
        f"log{j}": f"log{j} = log(level{j})" for j in range(90)
    }
