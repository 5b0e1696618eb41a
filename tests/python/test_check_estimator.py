"""scikit-learn's own check suite, for every estimator."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from fsieve import GFA, GFS, SFFS, UFFS, JuntaClassifier


@parametrize_with_checks([UFFS(), SFFS(), GFS(), GFA(), JuntaClassifier()])
def test_scikit_learn(estimator, check):
    check(estimator)
