"""GFA: the columns that generate all others."""

# %% Latent columns of large variance, and functions of them of smaller variance, in any order.
import numpy as np

from fsieve import GFA

rng = np.random.default_rng(3)
latent = rng.normal(size=(600, 4)) * [2.0, 1.8, 1.6, 1.4]
made = 0.3 * np.column_stack([latent[:, 0] * latent[:, 1], latent[:, 2] + latent[:, 3]])
X = np.column_stack([made, latent])

# %% Features of largest variance that are no functions of those chosen before.
found = GFA(scale="none").fit(X)
print(found.result_)
assert sorted(found.get_support(indices=True)) == [2, 3, 4, 5]
assert set(found.equations_) == {"x0", "x1"}
