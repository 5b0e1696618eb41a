"""`fsieve reduce --method uffs` against the brute-force reference, the paper's examples, and itself.

The program is taken from the environment variable FSIEVE, else from build/release.
"""

import itertools
import json
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pyarrow import csv

import reference_uffs as reference

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data"
TOLERANCE = 1e-6


# --- the program ---------------------------------------------------------------------------------


def binary():
    path = os.environ.get("FSIEVE") or str(ROOT / "build" / "release" / "fsieve")
    assert Path(path).exists(), f"{path} is not built"
    return path


def refuse(text):
    raise ValueError(f"{text} is not JSON")


def fsieve(*arguments):
    done = subprocess.run([binary(), *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"fsieve {' '.join(map(str, arguments))}\n{done.stderr}"
    return done.stdout


def reduce(path, *arguments):
    """The walk in the order of the columns, which is what the reference does, unless another is asked for."""
    if "--order" not in arguments:
        arguments = (*arguments, "--order", "input")
    return json.loads(fsieve("reduce", path, "--json", "--no-timing", *arguments), parse_constant=refuse)


def write_csv(path, columns, names=None):
    names = names or [f"x{j + 1}" for j in range(len(columns))]
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(names) + "\n")
        for row in zip(*columns):
            file.write(",".join(v if isinstance(v, str) else repr(float(v)) for v in row) + "\n")
    return path


# --- options, for the reference and for the program ----------------------------------------------


def arguments(options):
    """The command line of the reference's keyword arguments."""
    words = []
    for key, value in options.items():
        if key == "stages" and value != "auto":
            value = ",".join(f"{depth}:{m}" if m else str(depth) for depth, m in value)
        elif key == "epsilon":
            value = ",".join(map(str, value))
        elif key == "rule" and value == "cumulative":
            value += ":" + ",".join(map(str, options["share"]))
        elif key == "share" or value is None:
            continue
        elif key == "prune":
            words += ["--prune"] if value else []
            continue
        words += [f"--{key}", value]
    return words


# --- comparing -----------------------------------------------------------------------------------


def close(printed, expected):
    if expected is None:
        return printed is None
    return printed is not None and abs(printed - expected) <= TOLERANCE


def assert_agrees(printed, expected, names):
    selected = [names[j] for j in expected.selected]
    assert [f["name"] for f in printed["selected"]] == selected
    assert [f["name"] for f in printed["removed"]] == [names[j] for j in expected.removed]
    for entry in printed["selected"] + printed["removed"]:
        feature = expected.features[entry["index"]]
        assert entry["name"] == names[entry["index"]]
        if feature.reason is None:
            assert entry["undecided"] == feature.undecided, entry
        else:
            assert (entry["reason"], entry["stage"]) == (feature.reason, feature.stage), entry
        if feature.reason == "constant":
            continue
        if not feature.undecided:
            assert close(entry["norm"], feature.norm), (entry, feature)
        assert close(entry["adjusted_norm"], feature.adjusted_norm), (entry, feature)
    for stage, counts in itertools.zip_longest(printed["stages"], expected.stages):
        assert {key: stage[key] for key in counts} == counts


class Values:
    """Columns by the names that equations use."""

    def __init__(self, names, columns):
        self.of, self.owner, self.parts = {}, {}, {}
        for name, column in zip(names, columns):
            if isinstance(column[0], str):
                parts = [f"{name}={level}" for level in reference.levels(column)[1:]]
            else:
                parts = [name]
            self.parts[name] = parts
            for part, values in zip(parts, reference.numbers(column)):
                self.of[part], self.owner[part] = values, name


def equations(entry, values):
    """(target, equation) of a removed feature."""
    parts = values.parts[entry["name"]]
    if "equations" in entry:
        assert "equation" not in entry
        assert len(entry["equations"]) == len(parts)
        return list(zip(parts, entry["equations"]))
    assert parts == [entry["name"]]
    return [(entry["name"], entry["equation"])]


def assert_r2(equation, target, of):
    """The printed r2_fit is that of exactly the printed terms."""
    parts = [term["coefficient"] * np.prod([of[f] for f in term["factors"]], axis=0) for term in equation["terms"]]
    residual = target - sum(parts, np.zeros(len(target)))
    r2 = 1 - np.sum(residual**2) / np.sum((target - target.mean()) ** 2)
    # Large terms that cancel take digits away from any evaluation.
    largest = max((np.max(np.abs(part)) for part in parts), default=0) / np.std(target)
    assert abs(equation["r2_fit"] - r2) <= 1e-9 + 1e-15 * largest, (equation, r2)
    assert equation["r2"] <= equation["r2_fit"] + 1e-9


def assert_equations(printed, names, columns):
    """Every r2 is that of exactly the printed terms; factors were kept where the target was removed."""
    values = Values(names, columns)
    left_at = {f["name"]: f["stage"] for f in printed["removed"]}
    for entry in printed["removed"]:
        if entry["reason"] == "constant":
            if not isinstance(columns[entry["index"]][0], str):
                (term,) = entry["equation"]["terms"]
                assert term == {"coefficient": columns[entry["index"]][0], "factors": []}
            continue
        for target, equation in equations(entry, values):
            assert equation["text"].startswith(f"{target} = ")
            assert_r2(equation, values.of[target], values.of)
            # The mean alone reaches 0; leaving even that out may cost a degree of freedom's worth.
            assert -0.01 - 2 / len(columns[0]) <= equation["r2_fit"] <= 1, entry
            factors = [tuple(sorted(term["factors"])) for term in equation["terms"]]
            assert len(set(factors)) == len(factors), entry
            for factor in itertools.chain(*factors):
                owner = values.owner[factor]
                assert owner not in left_at or left_at[owner] > entry["stage"], entry


# --- random data ---------------------------------------------------------------------------------

LEVELS = [["no", "yes"], ["b", "B", "a"], ["red", "green", "blue", "élan"]]
KINDS = ["real", "sign", "bit", "rare", "count", "constant", "copy", "affine", "sum", "almost", "product", "triple",
         "noisy product", "heavy", "shifted", "text", "recoded text", "merged text"]


def make_columns(kinds, n, seed):
    rng = np.random.default_rng(seed)
    columns = []

    def earlier(count):
        numeric = [c for c in columns if not isinstance(c[0], str) and not reference.is_constant(c)]
        if not numeric:
            return [rng.normal(size=n) for _ in range(count)]
        return [numeric[i] for i in rng.choice(len(numeric), size=count, replace=count > len(numeric))]

    def earlier_text():
        texts = [c for c in columns if isinstance(c[0], str)]
        return texts[rng.integers(len(texts))] if texts else text()

    def text():
        choices = LEVELS[rng.integers(len(LEVELS))]
        return [choices[i] for i in rng.integers(len(choices), size=n)]

    def unit(x):
        return x / np.std(x) if np.std(x) > 1e-6 * np.max(np.abs(x)) else x

    makers = {
        "real": lambda: rng.normal(size=n),
        "sign": lambda: rng.choice([-1.0, 1.0], size=n),
        "bit": lambda: rng.choice([0.0, 1.0], size=n),
        "rare": lambda: (rng.random(n) < 0.1).astype(float),
        "count": lambda: rng.integers(4, size=n).astype(float),
        "constant": lambda: np.full(n, rng.choice([0.0, 0.1, -7.0, 1e6])),
        "copy": lambda: earlier(1)[0].copy(),
        "affine": lambda: 3.0 - 2.5 * earlier(1)[0],
        "sum": lambda: sum(w * unit(x) for w, x in zip(rng.uniform(0.5, 1.5, 3), earlier(3))),
        "almost": lambda: unit(earlier(1)[0]) + rng.choice([0.03, 0.1, 0.3]) * rng.normal(size=n),
        "product": lambda: np.prod(earlier(2), axis=0),
        "triple": lambda: 3 * np.prod(earlier(3), axis=0),
        "noisy product": lambda: unit(np.prod(earlier(2), axis=0)) + 0.2 * rng.normal(size=n),
        "heavy": lambda: rng.standard_t(1.2, size=n),
        "shifted": lambda: 1000 + 0.01 * rng.normal(size=n),
        "text": text,
        "recoded text": lambda: ["Q" + v[::-1] for v in earlier_text()],
        "merged text": lambda: [v if v > "b" else "other" for v in earlier_text()],
    }
    for kind in kinds:
        columns.append(makers[kind]())
    return columns


def with_put_back(printed, expected, columns, options):
    """Under the adjusted rule a feature stays if rows left out do not confirm its equation (tests/unit/held_out_test.cpp
    has these judgements beside their definition): the reference is told which, and must agree on all the rest."""
    put_back, kept = set(), {feature["index"] for feature in printed["selected"]}
    while more := {j for j in expected.removed if j in kept} - put_back:
        assert options.get("rule", "adjusted") == "adjusted"
        put_back |= more
        expected = reference.uffs(columns, **options, put_back=put_back)
    return expected


def check(path, columns, options, engine, with_equations):
    """Compares one run; false when rounding could decide."""
    expected = reference.uffs(columns, **options)
    if expected.margin <= TOLERANCE:
        return False
    names = [f"x{j + 1}" for j in range(len(columns))]
    words = [*arguments(options), "--engine", engine]
    printed = reduce(path, *words, *([] if with_equations else ["--no-equations"]))
    expected = with_put_back(printed, expected, columns, options)
    if expected.margin <= TOLERANCE:
        return False
    try:
        assert_agrees(printed, expected, names)
        if with_equations:
            assert_equations(printed, names, columns)
    except AssertionError as error:
        raise AssertionError(f"fsieve reduce {' '.join(map(str, words))}: {error}") from error
    return True


@st.composite
def option_sets(draw):
    rule = draw(st.sampled_from(["adjusted", "adjusted", "paper", "paper", "cumulative"]))
    stage = st.tuples(st.integers(1, 3), st.sampled_from([0, 2, 3, 5]))
    stages = draw(st.lists(stage, min_size=1, max_size=3))
    if draw(st.integers(0, 3)) == 0:
        stages = "auto"
    count = len(stages) if stages != "auto" else 1
    count = draw(st.sampled_from([1, count]))
    epsilon = st.sampled_from([0.02, 0.1, 0.25, 0.5])
    options = {
        "stages": stages,
        "rule": rule,
        "order": draw(st.sampled_from(["input", "variance"])),
        "epsilon": draw(st.lists(epsilon, min_size=count, max_size=count)),
    }
    if rule == "cumulative":
        options["share"] = [draw(st.sampled_from([0.6, 0.9, 0.99]))]
    else:
        options["groups"] = draw(st.sampled_from([None, "any", "own"]))
    if rule == "paper" and options["groups"] is None or options.get("groups") == "own":
        options["prune"] = draw(st.booleans())
    return options


@st.composite
def cases(draw):
    n = draw(st.sampled_from([2, 5, 11, 12, 14, 20, 30, 45, 70]))
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=9))
    seed = draw(st.integers(0, 10**6))
    runs = draw(st.lists(st.tuples(option_sets(), st.sampled_from(["gram", "sample", "auto"]), st.booleans()),
                         min_size=1, max_size=4))
    return n, kinds, seed, runs


@settings(derandomize=True, deadline=None, max_examples=250,
          suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large])
@given(cases())
def test_random_data(case):
    n, kinds, seed, runs = case
    columns = make_columns(kinds, n, seed)
    with tempfile.TemporaryDirectory() as folder:
        path = write_csv(Path(folder) / "data.csv", columns)
        compared = [check(path, columns, options, engine, eq) for options, engine, eq in runs]
    assume(any(compared))


SETTINGS = {
    "adjusted": {},
    "adjusted own": {"groups": "own"},
    "adjusted own prune": {"groups": "own", "prune": True},
    "paper": {"rule": "paper"},
    "paper prune": {"rule": "paper", "prune": True},
    "paper any": {"rule": "paper", "groups": "any"},
    "cumulative": {"rule": "cumulative", "share": [0.9]},
}
RECIPES = [
    ["real", "real", "product", "real", "sum", "noisy product", "triple", "almost"],
    ["sign", "sign", "product", "sign", "triple", "constant", "copy", "bit", "product"],
    ["text", "real", "recoded text", "merged text", "bit", "text", "product", "text"],
    ["heavy", "heavy", "rare", "product", "affine", "shifted", "count", "sum"],
    ["real"] * 9,
]


@pytest.mark.parametrize("engine", ["gram", "sample"])
@pytest.mark.parametrize("setting", SETTINGS)
def test_every_setting(setting, engine, tmp_path):
    """Every rule with every kind of groups, depths 1 to 3, both orders, many and few rows."""
    compared = 0
    for seed, (kinds, n) in enumerate(itertools.product(RECIPES, [15, 60])):
        columns = make_columns(kinds, n, seed)
        path = write_csv(tmp_path / f"{seed}.csv", columns)
        for depth, order in itertools.product([1, 2, 3], ["input", "variance"]):
            options = {"stages": [(depth, [0, 3][(seed + depth) % 2])], "order": order, **SETTINGS[setting]}
            compared += check(path, columns, options, engine, with_equations=order == "input")
    assert compared >= 20


def test_few_degrees_of_freedom(tmp_path):
    """The bound is max(10, n/20), with a true quotient: 12 of 230 rows are enough, 11 are not."""
    columns = make_columns(["real"] * 14, 230, 1)
    path = write_csv(tmp_path / "noise.csv", columns)
    for groups, engine in itertools.product(["any", "own"], ["gram", "sample"]):
        options = {"stages": [(3, 0)], "groups": groups}
        assert check(path, columns, options, engine, with_equations=False)
        expected = reference.uffs(columns, **options)
        assert expected.stages[0]["parities"] == 230 - 11
        assert sum(f.undecided for f in expected.features) == 3


def test_number_codes_as_categories(tmp_path):
    """--categorical: levels of a number column are texts, in byte order: 1, 10, 2, 9."""
    rng = np.random.default_rng(7)
    codes = rng.choice(["1", "10", "2", "9"], size=80).tolist()
    columns = [codes, (rng.normal(size=80)), [float(c == "9") for c in codes]]
    path = write_csv(tmp_path / "codes.csv", columns)
    expected = reference.uffs(columns, stages=[(2, 0)])
    printed = reduce(path, "--stages", "2", "--categorical", "x1")
    assert_agrees(printed, expected, ["x1", "x2", "x3"])
    assert [f["name"] for f in printed["removed"]] == ["x3"]
    (term,) = printed["removed"][0]["equation"]["terms"]
    assert term["factors"] == ["x1=9"] and term["coefficient"] == pytest.approx(1)


def test_equations_far_from_zero(tmp_path):
    """Columns around 100000 that vary by 1: monomials in original units nearly cancel."""
    kinds = ["sign", "shifted", "shifted", "noisy product", "real", "almost", "count", "sign", "real"]
    columns = make_columns(kinds, 150, 761627)
    path = write_csv(tmp_path / "far.csv", columns)
    names = [f"x{j + 1}" for j in range(len(columns))]
    for depth, epsilon in itertools.product([2, 3], [0.1, 0.3, 0.5]):
        words = ["--stages", depth, "--rule", "paper", "--epsilon", epsilon, "--prune", "--order", "variance"]
        assert_equations(reduce(path, *words), names, columns)


def test_random_order_is_fixed_by_the_seed(tmp_path):
    """The random order is some order: the copy of each pair that comes first stays."""
    rng = np.random.default_rng(3)
    columns = [x for x in rng.normal(size=(8, 100)) for _ in range(2)]
    path = write_csv(tmp_path / "pairs.csv", columns)
    kept = set()
    for seed in range(6):
        runs = [reduce(path, "--order", "random", "--seed", seed, "--stages", "1") for _ in range(2)]
        assert runs[0] == runs[1]
        names = tuple(f["name"] for f in runs[0]["selected"])
        assert len(names) == 8 and len({(int(name[1:]) - 1) // 2 for name in names}) == 8
        kept.add(names)
    assert len(kept) > 1


# --- the paper's examples ------------------------------------------------------------------------


def test_example_1_signs(tmp_path):
    """x3 = x1 x2 on {-1, 1}: four parities are not trivial, whatever the means."""
    rng = np.random.default_rng(1)
    a, b = rng.choice([-1.0, 1.0], p=[0.4, 0.6], size=(2, 500))
    path = write_csv(tmp_path / "signs.csv", [a, b, a * b])
    for engine in ("gram", "sample"):
        printed = reduce(path, "--groups", "own", "--stages", 3, "--rule", "paper", "--engine", engine)
        assert printed["stages"][0]["parities"] == 4
        assert [f["name"] for f in printed["removed"]] == ["x3"]


def test_example_1_product(tmp_path):
    for seed, words in itertools.product(range(4), ([], ["--stages", "3", "--rule", "paper"])):
        a, b = np.random.default_rng(seed).normal(size=(2, 500))
        path = write_csv(tmp_path / "product.csv", [a, b, a * b])
        printed = reduce(path, *words)
        assert [f["name"] for f in printed["selected"]] == ["x1", "x2"]
        (removed,) = printed["removed"]
        (term,) = removed["equation"]["terms"]
        assert sorted(term["factors"]) == ["x1", "x2"] and term["coefficient"] == pytest.approx(1, rel=1e-9)
        assert removed["equation"]["r2"] == pytest.approx(1)
        assert removed["equation"]["text"] == "x3 = x1·x2"


def test_example_1_sign_of_product(tmp_path):
    """sign(x1 x2) = (2/pi) x1 x2 + something new."""
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 40000))
    path = write_csv(tmp_path / "sign.csv", [a, b, np.sign(a * b)])
    printed = reduce(path, "--stages", "3")
    assert [f["name"] for f in printed["selected"]] == ["x1", "x2", "x3"]
    assert printed["selected"][2]["norm"] == pytest.approx(np.sqrt(1 - (2 / np.pi) ** 2), abs=0.01)


def terms(equation):
    """The coefficient of every set of factors."""
    return {tuple(sorted(term["factors"])): term["coefficient"] for term in equation["terms"]}


SETS = {"default": [], "one stage": ["--stages", "3"], "published stages": ["--stages", "1,2:50,3:30"],
        "paper": ["--stages", "3", "--rule", "paper"]}


@pytest.mark.parametrize("words", SETS.values(), ids=SETS)
@pytest.mark.parametrize("kind", ["s1", "s2", "s3"])
def test_synthetic_sets(kind, words, tmp_path):
    """Section V: ten features are informative, and every other one is an equation of these."""
    path = tmp_path / "set.csv"
    for seed in range(1, 11):
        fsieve("generate", kind, "--rows", 1000, "--seed", seed, "-o", path)
        truth = json.loads(Path(f"{path}.truth.json").read_text(encoding="utf-8"))
        truth = {equation["name"]: terms(equation) for equation in truth["equations"]}
        printed = reduce(path, "--label", "y", *words)
        assert [f["name"] for f in printed["selected"]] == [f"x{j}" for j in range(1, 11)]
        assert len(printed["removed"]) == 20
        for entry in printed["removed"]:
            assert terms(entry["equation"]) == pytest.approx(truth[entry["name"]], rel=1e-6), (seed, entry)
            assert entry["equation"]["r2"] == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("depth", [2, 3])
def test_noise_with_few_rows(depth, tmp_path):
    """72 rows of 500 independent features: the printed rule runs out of rank, the adjusted one says so."""
    columns = list(np.random.default_rng(depth).normal(size=(500, 72)))
    path = write_csv(tmp_path / "noise.csv", columns)
    paper = reduce(path, "--stages", depth, "--rule", "paper", "--no-equations")
    assert len(paper["removed"]) > 400
    assert {f["reason"] for f in paper["removed"][-400:]} == {"saturated"}
    adjusted = reduce(path, "--stages", f"{depth}:500")
    assert adjusted["removed"] == []
    assert sum(f["undecided"] for f in adjusted["selected"]) > 400
    assert reduce(path)["removed"] == []


# --- real data -----------------------------------------------------------------------------------

shared_data = pytest.mark.skipif(not DATA.is_dir(), reason="no real data beside the repository")
FILES = sorted(path.name.removesuffix(".csv.gz") for path in DATA.glob("*.csv.gz"))
SLOW = ["BASEHOCK", "USPS", "covtype_93k", "covtype_first20k"]  # products and equations take their time
SPECIAL = {"crx": ["--label", "A16", "--missing", "drop", "--na", "?"]}


def data_words(name):
    return [DATA / f"{name}.csv.gz", *SPECIAL.get(name, ["--label", "label"])]


def read_columns(path, missing=()):
    """Names and columns of a file, numbers or texts, without rows where something is missing."""
    convert = csv.ConvertOptions(null_values=list(missing), strings_can_be_null=True)
    table = csv.read_csv(path, convert_options=convert).drop_null()
    columns = [c.to_pylist() if pa.types.is_string(c.type) else c.to_numpy().astype(float) for c in table.columns]
    return table.column_names, columns


@shared_data
@pytest.mark.parametrize("name", FILES)
def test_engines_agree_on_real_data(name):
    """Up to the first feature where rounding decides."""
    runs = []
    for engine in ("gram", "sample"):
        printed = reduce(*data_words(name), "--stages", 1, "--no-equations", "--engine", engine)
        entries = sorted(printed["selected"] + printed["removed"], key=lambda entry: entry["index"])
        runs.append([{"stage": None, "undecided": False, **entry} for entry in entries])
    assert len(runs[0]) == len(runs[1])
    for gram, sample in zip(*runs):
        adjusted = gram["adjusted_norm"]
        if adjusted is not None and abs(adjusted - 0.1) <= TOLERANCE:
            break
        for key in ("name", "stage", "undecided"):
            assert gram[key] == sample[key], (gram, sample)
        assert close(gram["adjusted_norm"], sample["adjusted_norm"]), (gram, sample)
        assert gram["undecided"] or close(gram["norm"], sample["norm"]), (gram, sample)


@shared_data
@pytest.mark.parametrize("name", FILES)
def test_equations_of_real_data(name, tmp_path):
    """The reduced file and the equations give the removed columns back, as well as they say."""
    out = tmp_path / "reduced.csv"
    printed = reduce(*data_words(name), "-o", out, "--stages", 1 if name in SLOW else "auto")
    whole = Values(*read_columns(DATA / f"{name}.csv.gz", ["?"] if name == "crx" else []))
    label = SPECIAL.get(name, ["--label", "label"])[1]
    names, columns = read_columns(out)
    assert names == [f["name"] for f in printed["selected"]] + [label]
    kept = Values(names, columns)
    for entry in printed["removed"]:
        if entry["reason"] == "constant":
            continue
        for target, equation in equations(entry, whole):
            if all(factor in kept.of for term in equation["terms"] for factor in term["factors"]):
                assert_r2(equation, whole.of[target], kept.of)
