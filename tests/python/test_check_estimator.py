"""scikit-learn's own check suite, for every estimator."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from fsieve import GFA, GFS, SFFS, UFFS


@parametrize_with_checks([UFFS(), SFFS(), GFS(), GFA()])
def test_scikit_learn(estimator, check):
    check(estimator)
