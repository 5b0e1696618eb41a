"""The way back from selected features to all, and the options of UFFS that go with it."""

import numpy as np
import pandas as pd
import pytest

from fsieve import GFA, GFS, UFFS


def table(rows=300):
    rng = np.random.default_rng(0)
    a, b, c = np.exp(0.3 * rng.normal(size=(3, rows)))
    return pd.DataFrame(
        {"product": a * b, "a": a, "b": b, "ratio": c / a**2, "c": c, "five": 5.0, "of_product": 3 - 2 * a * b}
    )


def test_logarithms_are_computed():
    rng = np.random.default_rng(2)
    price = np.exp(rng.normal(size=300))
    count = rng.poisson(4, 300).astype(float)
    X = pd.DataFrame({"price": price, "count": count, "lprice": np.log(price), "lcount": np.log1p(count)})
    found = UFFS().fit(X)
    assert list(found.get_feature_names_out()) == ["price", "count"]
    back = found.inverse_transform(found.transform(X))
    np.testing.assert_allclose(back, X, atol=1e-9)


@pytest.mark.parametrize("as_frame", [True, False])
def test_removed_columns_are_computed(as_frame):
    X = table() if as_frame else table().to_numpy()
    for estimator in (UFFS(), UFFS(order="input"), GFS(family="multilinear:2"), GFA()):
        found = estimator.fit(X)
        selected = X[found.get_feature_names_out()] if as_frame else found.transform(X)
        back = found.inverse_transform(selected)
        assert type(back) is type(X) and back.shape == X.shape
        values = np.asarray(back, float)
        kept = found.get_support()
        assert np.array_equal(values[:, kept], np.asarray(X)[:, kept])
        for feature in found.removed_:
            column = np.asarray(X)[:, feature["index"]]
            error = ((values[:, feature["index"]] - column) ** 2).sum()
            r2 = feature["equation"]["r2_fit"]
            spread = ((column - column.mean()) ** 2).sum()
            assert error == pytest.approx((1 - r2) * spread, abs=1e-6 * max(spread, 1))


def test_categories_come_back_by_name():
    rng = np.random.default_rng(1)
    colour = rng.choice(["red", "green", "blue"], 200)
    X = pd.DataFrame({"colour": colour, "code": np.char.upper(colour), "x": rng.normal(size=200)})
    found = UFFS().fit(X)
    assert len(found.removed_) == 1
    back = found.inverse_transform(X[found.get_feature_names_out()])
    pd.testing.assert_frame_equal(back.astype(X.dtypes), X)


def test_columns_without_an_equation_are_missing():
    X = table()
    found = UFFS(equations=False).fit(X)
    back = found.inverse_transform(found.transform(X))
    assert np.isnan(np.asarray(back)[:, ~found.get_support()]).all()


def test_wrong_width_is_refused():
    X = table()
    with pytest.raises(ValueError, match="features were selected"):
        UFFS().fit(X).inverse_transform(X)


def test_protect_and_clusters():
    X = table()
    assert "product" in UFFS(protect=["product"]).fit(X).get_feature_names_out()
    with pytest.raises(ValueError, match="nobody"):
        UFFS(protect="nobody").fit(X)
    found = UFFS(clusters=0.99).fit(X)
    (group,) = found.clusters_
    assert sorted(group["members"]) == ["of_product", "product"]
    back = found.inverse_transform(found.transform(X))
    assert np.allclose(back, X)
