"""scikit-learn's own check suite, for every estimator."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from fsieve import GFA, GFS, SFFS, UFFS, JuntaClassifier

# Two-valued features are all it knows: the suite's numbers have to be cut.
JUNTA = JuntaClassifier(binarize="median")


@parametrize_with_checks([UFFS(), SFFS(), GFS(), GFA(), JUNTA])
def test_scikit_learn(estimator, check):
    check(estimator)
