"""SFFS: which columns say most about a label, together."""

# %% A label that is the exclusive-or of two columns among 1000. Neither says anything alone.
import numpy as np

from fsieve import SFFS

rng = np.random.default_rng(1)
X = rng.integers(0, 2, (500, 1000))
y = X[:, 16] ^ X[:, 404] ^ (rng.random(500) < 0.1)

# %% The features that convince.
selector = SFFS(k="certain").fit(X, y)
print(selector.result_)
assert sorted(selector.get_support(indices=True)) == [16, 404]
assert selector.selected_[0]["p_value"] < 1e-9

# %% Before a classifier, with the number of features searched for.
from sklearn.model_selection import GridSearchCV  # noqa: E402
from sklearn.pipeline import Pipeline  # noqa: E402
from sklearn.tree import DecisionTreeClassifier  # noqa: E402

pipeline = Pipeline([("select", SFFS(k=2)), ("tree", DecisionTreeClassifier(random_state=0))])
grid = GridSearchCV(pipeline, {"select__k": [1, 2, 4]}, cv=3).fit(X[:, :450], y)
print(f"best: {grid.best_params_}, accuracy {grid.best_score_:.2f}")
assert grid.best_score_ > 0.85

# %% A number as label.
Z = rng.normal(size=(300, 20))
found = SFFS(k="auto").fit(Z, Z[:, 3] * Z[:, 8] + Z[:, 1] + 0.1 * rng.normal(size=300))
assert sorted(found.get_support(indices=True)) == [1, 3, 8]
