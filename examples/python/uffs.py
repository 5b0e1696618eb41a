"""UFFS: which columns could be computed from the others, and by which equation."""

# %% A table that has grown: the same quantity in two units, a product, a sum, a constant.
import numpy as np
import pandas as pd

from fsieve import UFFS

rng = np.random.default_rng(0)
n = 400
cars = pd.DataFrame(
    {
        "weight": rng.normal(1500, 300, n).round(),
        "tank": rng.normal(55, 8, n).round(1),
        "economy": rng.normal(14, 2, n).round(2),
        "colour": rng.choice(["red", "grey", "blue"], n),
    }
)
cars["pounds"] = 2.20462 * cars["weight"]
cars["range"] = cars["tank"] * cars["economy"]
cars["wheels"] = 4

# %% The report, as the command line prints it. In a notebook `reducer` alone shows a table.
reducer = UFFS().fit(cars)
print(reducer.result_)
assert list(reducer.get_feature_names_out()) == ["weight", "tank", "economy", "colour"]

# %% Equations as text, and as numbers.
print(reducer.equations_["range"])
terms = reducer.removed_[1]["equation"]["terms"]
assert terms[0]["factors"] == ["economy", "tank"]

# %% Rows that stand for more than one.
weighted = UFFS().fit(cars, sample_weight=rng.integers(1, 4, n))
assert weighted.equations_.keys() == reducer.equations_.keys()

# %% Chunk by chunk: only sums are kept. Parts that other processes have seen can be merged.
numbers = cars.drop(columns="colour")
first = UFFS().partial_fit(numbers[:100]).partial_fit(numbers[100:200])
second = UFFS().partial_fit(numbers[200:])
print(first.merge(second).equations_)

# %% In a pipeline.
from sklearn.linear_model import Ridge  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402

price = 10 * cars["weight"] + 100 * cars["range"]
model = make_pipeline(UFFS(), Ridge()).fit(numbers, price)
print(f"R² {model.score(numbers, price):.3f}")
