"""fsieve reduce: columns that are logarithms of others go, by the equation that made them."""

import numpy as np
import pytest

ROWS = 400


def prices():
    """A table as economists and biologists keep them; log_price was kept beside price, or went by a sum of roots."""
    rng = np.random.default_rng(0)
    price = np.exp(rng.normal(3, 1, ROWS)).round(2)
    area = rng.uniform(1, 100, ROWS).round(1)
    count = rng.poisson(3, ROWS).astype(float)
    return {
        "price": price,
        "area": area,
        "count": count,
        "balance": rng.normal(size=ROWS),
        "log_price": np.log(price),
        "log10_area": np.log10(area).round(4),
        "log2_count": np.log2(1 + count),
        "log_ratio": np.log(price / area),
    }


EQUATIONS = {
    "log_price": "log_price = log(price)",
    "log10_area": "log10_area = 0.434·log(area)",
    "log2_count": "log2_count = 1.44·log(1 + count)",
    "log_ratio": "log_ratio = −log(area) + log(price)",
}


def csv(columns):
    rows = zip(*columns.values())
    return "\n".join([",".join(columns), *(",".join(repr(float(v)) for v in row) for row in rows)]) + "\n"


def equations(result):
    return {feature["name"]: feature["equation"]["text"] for feature in result["removed"]}


@pytest.mark.parametrize("shuffle", [None, 1, 2])
def test_logarithms_are_found(fsieve, write, validate, shuffle):
    columns = prices()
    if shuffle is not None:
        names = np.random.default_rng(shuffle).permutation(list(columns))
        columns = {name: columns[name] for name in names}
    path = write("prices.csv", csv(columns))
    result = validate(fsieve.json("reduce", path.name), "reduce")
    assert equations(result) == EQUATIONS
    values = columns | {f"log({name})": np.log(np.maximum(column, 1e-9)) for name, column in columns.items()}
    values["log(1 + count)"] = np.log1p(columns["count"])
    for feature in result["removed"]:
        terms = feature["equation"]["terms"]
        given = sum(t["coefficient"] * np.prod([values[f] for f in t["factors"]], axis=0) for t in terms)
        target = columns[feature["name"]]
        assert 1 - ((target - given) ** 2).sum() / ((target - target.mean()) ** 2).sum() == pytest.approx(
            feature["equation"]["r2_fit"], abs=1e-9
        )


def test_a_product_is_told_through_its_logarithm(fsieve, write):
    """All that is kept are the parts: log of a product, where the product goes too, is a sum of logarithms."""
    rng = np.random.default_rng(3)
    a, b = np.exp(rng.normal(size=(2, ROWS)))
    path = write("t.csv", csv({"a": a, "b": b, "area": a * b, "log_area": np.log(a * b)}))
    found = equations(fsieve.json("reduce", path.name))
    assert found["area"] == "area = a·b"
    assert found["log_area"] == "log_area = log(a) + log(b)"


def test_none_of_what_has_none(fsieve, write):
    """Negative values have no logarithm, and a column and its logarithm in one sum are a curve through its values."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=ROWS)
    arms = rng.integers(0, 4, ROWS).astype(float)
    path = write("t.csv", csv({"x": x, "size": np.log(np.abs(x)), "arms": arms, "treated": (arms > 0) * 1.0}))
    assert not any("log(" in text for text in equations(fsieve.json("reduce", path.name)).values())


def test_noise_of_a_line_makes_no_logarithm(fsieve, write):
    """In a narrow range everything is a logarithm of everything that grows with it."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        x = rng.uniform(20, 30, ROWS)
        path = write("t.csv", csv({"x": x, "y": 3 * x + 0.5 * rng.normal(size=ROWS)}))
        assert list(equations(fsieve.json("reduce", path.name, "--r2", "0.98"))) == ["y"]
        assert not any("log(" in text for text in equations(fsieve.json("reduce", path.name)).values())


def test_one_more_is_for_who_needs_it(fsieve, write):
    """Of large values both logarithms fit a noisy target; where ones count, only log(1 + x) does."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        cost = np.exp(rng.normal(8, 1, ROWS))
        few = rng.poisson(3, ROWS) + 1.0
        columns = {"cost": cost, "lcost": np.log(cost) + 0.02 * rng.normal(size=ROWS), "few": few, "lfew": np.log1p(few)}
        found = equations(fsieve.json("reduce", write("t.csv", csv(columns)).name))
        assert "log(cost)" in found["lcost"] and found["lfew"] == "lfew = log(1 + few)"


def test_constants_of_rounding_are_left_out(fsieve, write):
    """log_cost = log(cost) − 4.99e-06 says that digits were cut off; a constant of its own stays, however small beside the rest."""
    rng = np.random.default_rng(6)
    cost = np.exp(rng.normal(8, 1, ROWS))
    number = rng.integers(0, 1_000_000, ROWS).astype(float)
    columns = {"cost": cost, "log_cost": np.floor(1e5 * np.log(cost)) / 1e5, "number": number, "from_one": number + 1}
    found = equations(fsieve.json("reduce", write("t.csv", csv(columns)).name))
    assert found == {"log_cost": "log_cost = log(cost)", "from_one": "from_one = number + 1.00"}
