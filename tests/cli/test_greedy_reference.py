"""gfs and gfa beside the plain-loop twin: every family, both engines, data of every kind."""

import numpy as np
import pytest
from reference_greedy import greedy

FAMILIES = {
    "multilinear:1": ("multilinear:1",),
    "multilinear:2": ("multilinear:2",),
    "multilinear:3": ("multilinear:3",),
    "multilinear+squares:3": ("multilinear+squares:3",),
    "polynomial:2": ("polynomial:2",),
    "polynomial:3": ("polynomial:3",),
    "functions": (
        "functions",
        [
            (np.sin, 1),
            (lambda a, b: a * abs(b), 2),
            (lambda a, b: np.minimum(a, b) ** 2 - 0.5 * np.exp(-abs(a)), 2),
        ],
    ),
}
FUNCTIONS = ["sin(a)", "a*abs(b)", "min(a, b)^2 - 0.5*exp(-abs(a))"]


def random_table(kind, rows, random):
    columns = 7
    normal = random.standard_normal((rows, columns)) * random.uniform(0.2, 3, columns)
    if kind == "real":
        values = normal + random.uniform(-2, 2, columns)
        values[:, 5] = values[:, 0] * values[:, 1] + 0.3 * values[:, 2]
        values[:, 6] = np.sin(values[:, 3]) + 0.01 * normal[:, 6]
    elif kind == "signs":
        values = np.sign(normal)
        values[:, 4] = values[:, 0] * values[:, 1] * values[:, 2]
    elif kind == "bits":
        values = (normal > 0.4).astype(float)
        values[:, 4] = values[:, 0] * values[:, 1]
    elif kind == "copies":
        values = normal
        values[:, 3] = values[:, 1]
        values[:, 4] = -2 * values[:, 0] + 1
        values[:, 5] = 4.0
    elif kind == "collinear":
        values = normal
        values[:, 5] = values[:, 0] + values[:, 1]
        values[:, 6] = values[:, 0] - values[:, 2] + 0.2 * normal[:, 6]
    else:
        raise ValueError(kind)
    order = random.permutation(columns)
    return {f"c{order[j]}": values[:, j] for j in range(columns)}


def write_table(write, table, name="t.csv"):
    lines = [",".join(table)]
    columns = [
        [v if isinstance(v, str) else repr(float(v)) for v in column] for column in table.values()
    ]
    lines += [",".join(row) for row in zip(*columns)]
    return write(name, "\n".join(lines) + "\n")


def arguments_for(method, family, threshold, k, scale, constant, engine):
    arguments = ["--method", method, "--family", family, "--scale", scale, "--engine", engine]
    arguments += ["--epsilon2" if method == "gfs" else "--delta", repr(threshold)]
    if family == "functions":
        for function in FUNCTIONS:
            arguments += ["--function", function]
    if k is not None:
        arguments += ["-k", k]
    if not constant:
        arguments += ["--no-constant"]
    return arguments


def check(result, expected, tolerance=1e-8):
    assert [f["name"] for f in result["selected"]] == expected["selected"]
    close = {"rtol": 0, "atol": tolerance}
    np.testing.assert_allclose(result["trace"], expected["trace"], **close)
    np.testing.assert_allclose(
        [f["variance"] for f in result["selected"]], expected["variance"], **close
    )
    np.testing.assert_allclose(
        [f["variance_left"] for f in result["selected"]], expected["left_when_chosen"], **close
    )
    left = {f["name"]: f["variance_left"] for f in result["removed"]}
    assert left.keys() == expected["left"].keys()
    for name, value in left.items():
        assert abs(value - expected["left"][name]) < tolerance, name
    assert result["functions"] == expected["functions"]
    assert result["saturated"] == expected["saturated"]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", ["real", "signs", "bits", "copies", "collinear"])
def test_every_family_on_every_kind_of_data(fsieve, write, validate, family, kind):
    seed = sorted(FAMILIES).index(family) * 10 + len(kind)
    random = np.random.default_rng(seed)
    for case in range(2):
        rows = int(random.integers(60, 140))
        table = random_table(kind, rows, random)
        path = write_table(write, table)
        method = ["gfs", "gfa"][case]
        scale = ["standard", "none"][int(random.integers(2))]
        threshold = float(random.choice([1e-6, 0.01, 0.2]))
        k = [None, 4][int(random.integers(2))]
        constant = bool(random.integers(4))
        expected = greedy(table, method, FAMILIES[family], threshold, k, scale, constant)
        for engine in ["gram", "sample", "auto"]:
            result = fsieve.json(
                "reduce", path, *arguments_for(method, family, threshold, k, scale, constant, engine)
            )
            check(validate(result, "reduce"), expected)


@pytest.mark.parametrize("engine", ["gram", "sample"])
@pytest.mark.parametrize("family", ["multilinear:2", "multilinear:3", "polynomial:2"])
def test_products_that_fill_the_space_of_the_rows(fsieve, write, family, engine):
    random = np.random.default_rng(5)
    table = {f"c{j}": random.standard_normal(18) for j in range(30)}
    expected = greedy(table, "gfs", FAMILIES[family], 1e-6)
    assert expected["saturated"]
    result = fsieve.json(
        "reduce", write_table(write, table), "--method", "gfs", "--family", family,
        "--epsilon2", "1e-6", "--engine", engine,
    )  # fmt: skip
    check(result, expected, 1e-7)
    assert {f["reason"] for f in result["removed"]} == {"saturated"}
    assert any("fill all 18 dimensions" in warning for warning in result["warnings"])


def test_nearly_dependent_functions_need_the_sample_engine(fsieve, write):
    random = np.random.default_rng(8)
    x = random.standard_normal((150, 5))
    x[:, 4] = x[:, 0] - x[:, 1] + 1e-4 * x[:, 4]
    table = {f"c{j}": x[:, j] for j in range(5)}
    expected = greedy(table, "gfs", ("polynomial:2",), 1e-12)
    path = write_table(write, table)
    run = ["reduce", path, "--method", "gfs", "--family", "polynomial:2", "--epsilon2", "1e-12"]
    check(fsieve.json(*run), expected)
    check(fsieve.json(*run, "--engine", "sample"), expected)
    warnings = fsieve.json(*run, "--engine", "gram")["warnings"]
    assert any("the sample engine knows more" in warning for warning in warnings)


@pytest.mark.parametrize("engine", ["gram", "sample"])
@pytest.mark.parametrize("family", ["multilinear:2", "polynomial:3", "functions"])
def test_categorical_columns_are_one_feature(fsieve, write, validate, family, engine):
    random = np.random.default_rng(11)
    n = 120
    colour = random.choice(["red", "green", "blue"], n)
    size = random.choice(["s", "m"], n)
    x = random.standard_normal(n)
    table = {
        "x": x,
        "colour": list(colour),
        "size": list(size),
        "y": x * (colour == "red") + 0.5 * (size == "s"),
        "warm": ["yes" if c == "red" else "no" for c in colour],
    }
    expected = greedy(
        table, "gfs", FAMILIES[family], 0.01, categorical=("colour", "size", "warm")
    )
    arguments = arguments_for("gfs", family, 0.01, None, "standard", True, engine)
    result = validate(fsieve.json("reduce", write_table(write, table), *arguments), "reduce")
    check(result, expected)


@pytest.mark.parametrize("method", ["gfs", "gfa"])
def test_the_order_of_the_columns_does_not_matter(fsieve, write, method):
    random = np.random.default_rng(3)
    x = random.standard_normal((200, 8))
    x[:, 3] = x[:, 1]  # a tie
    x[:, 5] = x[:, 0] * x[:, 2]
    table = {name: x[:, j] for j, name in enumerate("hbcdaefg")}
    results = []
    for _ in range(3):
        names = list(random.permutation(list(table)))
        path = write_table(write, {name: table[name] for name in names})
        results.append(fsieve.json("reduce", path, "--method", method, "-k", "5"))
    assert "b" in [f["name"] for f in results[0]["selected"]]
    for result in results[1:]:
        assert [f["name"] for f in result["selected"]] == [f["name"] for f in results[0]["selected"]]
        np.testing.assert_allclose(result["trace"], results[0]["trace"], rtol=1e-12)


def test_ties_go_to_the_first_name(fsieve, write):
    random = np.random.default_rng(4)
    table = {name: random.standard_normal(50) for name in ["x2", "x10", "b", "x1"]}
    result = fsieve.json("reduce", write_table(write, table), "--method", "gfs", "-k", "1")
    assert result["selected"][0]["name"] == "b"


@pytest.mark.parametrize("scale", ["standard", "none"])
def test_gfa_takes_the_largest_variance_in_the_file_s_units(fsieve, write, scale):
    random = np.random.default_rng(5)
    table = {f"x{j}": random.standard_normal(80) * deviation for j, deviation in enumerate([1, 3, 2])}
    path = write_table(write, table)
    result = fsieve.json("reduce", path, "--method", "gfa", "--scale", scale)
    assert [f["name"] for f in result["selected"]] == ["x1", "x2", "x0"]
