"""The junta learner as a classifier."""

import locale
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_score

from fsieve import JuntaClassifier


def bits(n=400, d=12, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 2, size=(n, d))
    return x, x[:, 3] ^ x[:, 7]


def test_the_rule():
    x, y = bits()
    fitted = JuntaClassifier(k=2).fit(x, y)
    assert fitted.subset_ == ["x3", "x7"]
    assert fitted.score(x, y) == 1 and fitted.training_error_ == 0
    assert "x3 = 1" in fitted.formula_
    assert list(fitted.ranking_ == 1) == [j in (3, 7) for j in range(12)]
    assert fitted.scores_[3] == fitted.candidates_[0]["score"]
    assert len(fitted.table_) == 4 and sum(cell["count"] for cell in fitted.table_) == 400
    assert fitted.subsets_ == fitted.candidates_


@pytest.mark.parametrize("kind", [int, float, bool, str])
def test_labels_of_any_spelling(kind):
    x, y = bits()
    label = np.where(y == 1, "yes", "no") if kind is str else y.astype(kind)
    fitted = JuntaClassifier().fit(x, label)
    assert fitted.classes_.dtype == label.dtype
    assert np.array_equal(fitted.predict(x), label)
    probability = fitted.predict_proba(x)
    assert probability.shape == (400, 2)
    np.testing.assert_allclose(probability.sum(axis=1), 1)
    assert np.array_equal(probability.argmax(axis=1), y)
    assert np.array_equal(fitted.decision_function(x) > 0, y == 1)


@pytest.fixture
def decimal_comma():
    """A locale that writes 1.5 as 1,5."""
    before = locale.setlocale(locale.LC_NUMERIC)
    for name in ("de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"):
        try:
            locale.setlocale(locale.LC_NUMERIC, name)
        except locale.Error:
            continue
        if locale.localeconv()["decimal_point"] == ",":
            yield
            locale.setlocale(locale.LC_NUMERIC, before)
            return
    pytest.skip("no locale with a decimal comma: tools/setup --tests makes one")


def test_labels_with_a_point_in_any_locale(decimal_comma):
    """Read up to the point 10.25 and 10.5 are one class, and 0.5 is 0."""
    x, y = bits()
    for low, high in (("0.5", "1.5"), ("10.25", "10.5"), ("7.5", "0.5")):
        label = np.where(y == 1, high, low)
        fitted = JuntaClassifier().fit(x, label)
        assert set(fitted.predict(x)) == {low, high}
        assert np.array_equal(fitted.predict(x), label)


@pytest.mark.parametrize("texts", [["9", "10"], ["10", "9"], ["-0.75", "-0.25"], ["1e1", "2"], ["+1", "0"]])
def test_texts_that_are_numbers(texts):
    """In order of the texts, as all classes of scikit-learn; the library goes by the numbers."""
    x, y = bits()
    label = np.asarray(texts)[y]
    fitted = JuntaClassifier().fit(x, label)
    assert list(fitted.classes_) == sorted(texts)
    assert np.array_equal(fitted.predict(x), label)
    assert np.array_equal(fitted.decision_function(x) > 0, label == fitted.classes_[1])
    assert np.array_equal(fitted.classes_[fitted.predict_proba(x).argmax(axis=1)], label)
    objects = JuntaClassifier().fit(x, label.astype(object))
    assert np.array_equal(objects.predict(x), label)


def test_probabilities_are_shares():
    rng = np.random.default_rng(1)
    x = rng.integers(0, 2, size=(4000, 3))
    y = (rng.random(4000) < np.where(x[:, 0] == 1, 0.8, 0.3)).astype(int)
    fitted = JuntaClassifier(k=1, basis="correlated").fit(x, y)
    for value in (0, 1):
        share = y[x[:, 0] == value].mean()
        row = [[value, 0, 0]]
        assert fitted.predict_proba(row)[0, 1] == pytest.approx(share, abs=0.01)


def test_frames():
    x, y = bits()
    frame = pd.DataFrame(np.where(x == 1, "on", "off"), columns=[f"switch {j}" for j in range(12)])
    frame["colour"] = np.random.default_rng(0).choice(["red", "green", "blue"], 400)
    fitted = JuntaClassifier().fit(frame, y)
    assert fitted.subset_ == ["switch 3", "switch 7"]
    assert fitted.score(frame, y) == 1
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.predict(frame), y)
    odd = frame.copy()
    odd.loc[5, "switch 3"] = "broken"
    with pytest.raises(ValueError, match='row 6: "broken" was never seen in training'):
        fitted.predict(odd)
    assert fitted.set_params(unseen="majority").predict(odd).shape == (400,)


def test_names_with_an_equals_sign():
    x, y = bits()
    frame = pd.DataFrame(x[:, [0, 3, 7]], columns=["a", "a=b", "colour=red=1"])
    frame.insert(0, "a=b=c", np.random.default_rng(0).choice(["x=y", "z", "w"], 400))
    fitted = JuntaClassifier().fit(frame, y)
    assert fitted.subset_ == ["a=b", "colour=red=1"]
    assert list(fitted.ranking_) == [2, 2, 1, 1]
    assert fitted.scores_[2] == fitted.scores_[3] == fitted.candidates_[0]["score"]
    best = {}
    for candidate in fitted.candidates_:
        assert len(candidate["indices"]) == 2
        for name, j in zip(candidate["features"], candidate["indices"]):
            assert name.startswith(frame.columns[j])
            best[j] = max(best.get(j, -1), candidate["score"])
    assert [best[j] for j in range(4)] == list(fitted.scores_)


def test_numbers_are_cut():
    """Without binarize they were an error."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=(300, 5))
    y = (x[:, 1] > 0).astype(int)
    with pytest.warns(UserWarning, match="cut in two at the median"):
        rule = JuntaClassifier(k=1).fit(x, y)
    assert rule.subset_ == ["x1"]
    assert rule.score(x, y) > 0.9
    assert JuntaClassifier(k=1, binarize=0).fit(x, y).score(x, y) == 1
    assert cross_val_score(JuntaClassifier(k=1, binarize="median"), x, y, cv=3).mean() > 0.9


def test_checkpoint_is_gone_afterwards(tmp_path):
    x, y = bits()
    path = tmp_path / "state.json"
    assert JuntaClassifier(checkpoint=str(path)).fit(x, y).subset_ == ["x3", "x7"]
    assert not path.exists()


def test_shown():
    x, y = bits()
    result = JuntaClassifier().fit(x, y).result_
    assert "x3" in str(result) and "x3" in result._repr_html_() and "x3" in repr(result)


def rare(seed=3):
    """One row in twenty is a case; cases have x3 and x7 in common."""
    x, _ = bits(n=2000, seed=seed)
    both = (x[:, 3] == 1) & (x[:, 7] == 1)
    y = np.random.default_rng(seed).random(2000) < np.where(both, 0.19, 0.005)
    return x, y.astype(int)


@pytest.mark.parametrize("how", [{}, {"basis": "product"}, {"learner": "erm"}, {"search": "greedy"}])
def test_rare_classes(how):
    x, y = rare()
    assert not JuntaClassifier(k=2, **how).fit(x, y).predict(x).any()
    fitted = JuntaClassifier(k=2, class_weight="balanced", **how).fit(x, y)
    assert fitted.subset_ == ["x3", "x7"]
    predicted = fitted.predict(x)
    missed, alarms = (predicted[y == 1] == 0).mean(), (predicted[y == 0] == 1).mean()
    assert fitted.weighted_error_ == pytest.approx((missed + alarms) / 2)
    assert fitted.training_error_ == pytest.approx((predicted != y).mean())
    same = JuntaClassifier(k=2, class_weight={0: (y == 1).sum(), 1: float((y == 0).sum())}, **how).fit(x, y)
    assert same.candidates_ == fitted.candidates_ and same.table_ == fitted.table_


@pytest.mark.parametrize("kind", [bool, float, str])
def test_weights_by_class_of_any_spelling(kind):
    x, y = rare()
    label = np.where(y == 1, "a,b", "c=d") if kind is str else y.astype(kind)
    heavy = "a,b" if kind is str else kind(1)
    fitted = JuntaClassifier(k=2, class_weight={heavy: 20}).fit(x, label)
    wanted = JuntaClassifier(k=2, class_weight={1: 20}).fit(x, y)
    assert fitted.subset_ == wanted.subset_ and fitted.score_ == wanted.score_
    assert np.array_equal(fitted.predict(x) == heavy, wanted.predict(x) == 1)


def test_wrong_weights():
    x, y = rare()
    with pytest.raises(ValueError, match='class_weight: "2" is no class of label "y"'):
        JuntaClassifier(class_weight={2: 5}).fit(x, y)
    with pytest.raises(ValueError, match="class_weight"):
        JuntaClassifier(class_weight="heavy").fit(x, y)
    with pytest.raises(ValueError, match="above 0"):
        JuntaClassifier(class_weight={1: 0}).fit(x, y)


def test_shuffles():
    x, y = bits()
    fitted = JuntaClassifier(k=2, permutations=9, random_state=1).fit(x, y)
    assert fitted.p_value_ == 0.1 and fitted.shuffled_["largest"] < fitted.candidates_[0]["score"]
    again = JuntaClassifier(k=2, permutations=9, random_state=1, n_jobs=2).fit(x, y)
    assert again.shuffled_ == fitted.shuffled_
    noise = JuntaClassifier(k=2, permutations=9).fit(x, np.random.default_rng(5).integers(0, 2, 400))
    assert noise.p_value_ > 0.1
    assert JuntaClassifier(k=2).fit(x, y).p_value_ is None
