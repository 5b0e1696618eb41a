"""scikit-learn's own check suite, for every estimator."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from fsieve import SFFS, UFFS


@parametrize_with_checks([UFFS(), SFFS()])
def test_scikit_learn(estimator, check):
    check(estimator)
