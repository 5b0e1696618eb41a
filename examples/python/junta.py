"""JuntaClassifier: the few features that decide a label of two classes, and the rule."""

# %% Twenty switches; an alarm goes when two of them are on, or a third is off.
import numpy as np
import pandas as pd

from fsieve import JuntaClassifier

rng = np.random.default_rng(4)
switches = pd.DataFrame(
    np.where(rng.random((800, 20)) < 0.5, "on", "off"), columns=[f"s{j + 1}" for j in range(20)]
)
on = switches == "on"
alarm = np.where((on["s3"] & on["s9"]) | ~on["s14"], "alarm", "quiet")

# %% The rule, in words and as a table.
rule = JuntaClassifier(k=3).fit(switches, alarm)
print(rule.result_)
assert rule.subset_ == ["s3", "s9", "s14"]
assert rule.score(switches, alarm) == 1

# %% Probabilities, and new rows.
print(rule.predict_proba(switches[:3]).round(2))
assert list(rule.classes_) == ["alarm", "quiet"]

# %% Columns of numbers are cut in two.
from sklearn.datasets import load_breast_cancer  # noqa: E402
from sklearn.model_selection import cross_val_score  # noqa: E402

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
cut = JuntaClassifier(k=2, binarize="median", basis="correlated")
print(f"two of {X.shape[1]} columns: {cross_val_score(cut, X, y).mean():.2f}")
