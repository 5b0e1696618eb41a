"""GFS: the fewest columns, chosen greedily, that leave little of any other."""

# %% Ten columns; five more are products of two of them.
import numpy as np

from fsieve import GFS

rng = np.random.default_rng(2)
base = rng.normal(size=(500, 10))
products = np.column_stack([base[:, j] * base[:, j + 1] for j in range(5)])
X = np.column_stack([base, products])

# %% Largest variance left before the first choice and after each: an elbow says how many are enough.
found = GFS(epsilon2=0.05).fit(X)
print(found.result_)
print([round(left, 3) for left in found.trace_])
assert found.trace_[-1] <= 0.05

# %% Another family: squares and cubes too; and at most four features.
few = GFS(k=4, family="polynomial:3").fit(X)
assert len(few.selected_) == 4
assert few.ranking_[few.selected_[0]["index"]] == 1

# %% A family of your own functions.
own = GFS(family="functions", function=["a*b", "sin(a)"], k=5).fit(X)
print(own.get_feature_names_out())
