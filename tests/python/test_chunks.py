"""partial_fit: chunks add up to the whole, in any order, across processes."""

import io
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from places import BUILD
from test_weights import same

from fsieve import UFFS


def data(seed=0, n=700):
    """Columns far from zero and of different units, with relations of one and two."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 6)) * [1, 10, 0.1, 5, 1, 1] + [3, -40, 0.2, 100, 0, 7]
    sums = x[:, 0] + 2 * x[:, 2]
    products = x[:, 1] * x[:, 4]
    bit = rng.integers(0, 2, n)
    noisy = x[:, 0] * x[:, 5] + 0.001 * rng.normal(size=n)
    return np.column_stack([x, sums, products, bit, np.full(n, 5.0), noisy])


def answer(reducer):
    """What does not depend on the engine; numbers as good as sums of squares keep them."""
    result = reducer.result_
    return {
        "selected": [feature["name"] for feature in result["selected"]],
        "removed": [(feature["name"], feature["stage"]) for feature in result["removed"]],
        "equations": reducer.equations_,
        "rows": result["data"]["rows"],
    }


@pytest.mark.parametrize("stages", ["1", "1,2", "1,2:4", "2:5,1"])
@pytest.mark.parametrize("options", [{"order": "input"}, {"rule": "paper"}, {"order": "variance"}], ids=str)
@pytest.mark.parametrize("cuts", [[], [1], [100, 350], [2, 3, 5, 600]], ids=str)
def test_chunks_add_up(stages, options, cuts):
    x = data()
    whole = UFFS(stages=stages, engine="gram", **options).fit(x)
    chunked = UFFS(stages=stages, **options)
    for chunk in np.split(x, cuts):
        chunked.partial_fit(chunk)
    assert answer(chunked) == answer(whole)
    # What is left of an exact relation is rounding: about the root of the digits of its square.
    np.testing.assert_allclose(chunked.scores_, whole.scores_, atol=2e-6)


def test_auto_is_of_depth_two():
    found = UFFS().partial_fit(data())
    assert [stage["depth"] for stage in found.stages_] == [1, 2]
    assert set(found.equations_) == {"x6", "x7", "x9", "x10"}


def test_order_of_chunks_does_not_matter():
    x = data(1)
    one = UFFS().partial_fit(x[:100]).partial_fit(x[100:])
    other = UFFS().partial_fit(x[100:]).partial_fit(x[:100])
    assert answer(one) == answer(other)


def test_merge_and_pickle():
    x = data(2)
    whole = UFFS(stages="1,2", engine="gram", order="input").fit(x)
    parts = [UFFS(stages="1,2").partial_fit(chunk) for chunk in np.split(x, [150, 400])]
    parts = [pickle.loads(pickle.dumps(part)) for part in parts]
    merged = UFFS(stages="1,2")
    for part in parts:
        merged.merge(part)
    assert answer(merged) == answer(whole)
    assert merged.transform(x).shape == whole.transform(x).shape
    later = pickle.loads(pickle.dumps(merged)).partial_fit(x[:10])
    assert later.data_["rows"] == 710


def test_other_process():
    x = data(3)
    script = (
        "import io, pickle, sys, numpy as np, fsieve\n"
        "x = np.load(io.BytesIO(sys.stdin.buffer.read()))\n"
        "pickle.dump(fsieve.UFFS(stages='1,2').partial_fit(x), sys.stdout.buffer)\n"
    )
    buffer = io.BytesIO()
    np.save(buffer, x[300:])
    done = subprocess.run(
        [sys.executable, "-c", script], input=buffer.getvalue(), capture_output=True, check=True,
        env={"PYTHONPATH": str(BUILD / "python"), "PATH": ""},
    )  # fmt: skip
    here = UFFS(stages="1,2").partial_fit(x[:300]).merge(pickle.loads(done.stdout))
    assert answer(here) == answer(UFFS(stages="1,2", engine="gram", order="input").fit(x))


def test_weights():
    x = data(4, 200)
    weight = np.random.default_rng(0).integers(0, 4, 200)
    weighted = UFFS(stages="1,2").partial_fit(x[:90], sample_weight=weight[:90])
    weighted.partial_fit(x[90:], sample_weight=weight[90:])
    repeated = UFFS(stages="1,2").partial_fit(np.repeat(x, weight, axis=0))
    assert answer(weighted)["equations"] == answer(repeated)["equations"]
    same(weighted.selected_, repeated.selected_)


def test_fit_starts_again():
    x = data(5)
    found = UFFS(stages="1").partial_fit(x[:50]).fit(x)
    assert found.data_["rows"] == 700
    assert found.partial_fit(x[:60]).data_["rows"] == 60


def test_names_and_mistakes():
    frame = pd.DataFrame(data(), columns=list("abcdefghijk"))
    found = UFFS().partial_fit(frame[:300])
    assert list(found.partial_fit(frame[300:]).get_feature_names_out())[0] == "a"
    with pytest.raises(ValueError, match="features|names"):
        found.partial_fit(frame.drop(columns="a"))
    with pytest.raises(ValueError, match="columns of numbers only"):
        UFFS().partial_fit(frame.assign(t=["u", "v"] * 350))
    with pytest.raises(ValueError, match="does not go with chunks"):
        UFFS(missing="mean").partial_fit(frame)
    with pytest.raises(ValueError, match='allow it with memory="'):
        UFFS(stages="3", memory="100K").partial_fit(frame)
    with pytest.raises(ValueError, match="partial_fit"):
        UFFS().merge(UFFS())
    with pytest.raises(ValueError, match="cannot be merged"):
        UFFS(stages="1").partial_fit(frame).merge(UFFS(stages="2").partial_fit(frame))
    with pytest.raises(ValueError, match='"sample" needs the rows'):
        _ = UFFS(engine="sample").partial_fit(frame).result_
    with pytest.raises(ValueError, match="products of up to 1"):
        _ = UFFS(stages="1").partial_fit(frame).set_params(stages="2").result_


@pytest.mark.filterwarnings("ignore")
def test_only_what_other_rows_confirm_is_removed():
    """Independent flags of 1 to 5 %: chunks removed products of them at R² 1.0."""
    for seed in range(3):
        rng = np.random.default_rng([seed, 4])
        flags = (rng.random((200, 60)) < np.exp(rng.uniform(np.log(0.01), np.log(0.05), 60))).astype(float)
        found = UFFS()
        for chunk in np.array_split(flags, 4):
            found.partial_fit(chunk)
        assert [f["name"] for f in found.removed_ if f["reason"] != "constant"] == []


def test_r2_is_that_of_other_rows():
    rng = np.random.default_rng(6)
    x = rng.normal(size=(100, 3))
    x = np.column_stack([x, x[:, 0] - x[:, 1] + 0.05 * rng.normal(size=100)])
    [feature] = UFFS(stages="1").partial_fit(x[:30]).partial_fit(x[30:]).removed_
    equation = feature["equation"]
    assert 0.99 < equation["r2"] < equation["r2_fit"] < 1
    [alone] = UFFS(stages="1", order="input").fit(x).removed_
    assert equation["r2_fit"] == pytest.approx(alone["equation"]["r2_fit"], abs=1e-6)
    assert equation["r2"] == pytest.approx(alone["equation"]["r2"], abs=1e-3)


def test_fewer_parts_where_memory_is_short():
    x = data(7)
    small = UFFS(stages="1,2", memory="150K").partial_fit(x)
    assert answer(small) == answer(UFFS(stages="1,2").partial_fit(x))
    with pytest.raises(ValueError, match='parts of the rows cannot be merged: give both the same memory'):
        small.merge(UFFS(stages="1,2").partial_fit(x))


def test_chunks_promise_what_the_rows_do(recwarn):
    """Chunks forgot how many rows differ from the usual value: R² 0.83 and a warning of few rows."""
    parts = np.random.default_rng(0).integers(0, 4, (100, 4))
    x = np.column_stack([parts, parts[:, :3].sum(axis=1)]).astype(float)
    whole = UFFS(stages="1").fit(x)
    chunked = UFFS(stages="1").partial_fit(x[:50]).partial_fit(x[50:])
    for reducer in (whole, chunked):
        (removed,) = reducer.result_["removed"]
        assert removed["name"] == "x4" and removed["equation"]["r2"] == pytest.approx(1)
    assert [str(warning.message) for warning in recwarn] == []


def test_chunks_promise_little_of_a_rare_copy():
    x = np.random.default_rng(1).normal(size=(1000, 3))
    x[:, 1] = np.arange(1000) % 150 == 0
    x[:, 2] = x[:, 1]
    with pytest.warns(UserWarning, match="fewer than 50 of these tell"):
        (removed,) = UFFS(stages="1").partial_fit(x[:500]).partial_fit(x[500:]).result_["removed"]
    assert removed["equation"]["r2"] == pytest.approx(1 - np.log2(100) / 7, abs=0.02)
