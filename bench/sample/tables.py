"""Tables with relations of every strength around epsilon, noise, rare flags, rare levels and long tails."""

import numpy as np
import pandas as pd


def plain(rng, rows):
    """An independent column."""
    kind = rng.choice(["normal", "uniform", "sign", "skewed", "tails", "flag", "zeros", "grades"])
    if kind == "normal":
        return rng.normal(size=rows)
    if kind == "uniform":
        return rng.uniform(1, 3, rows)
    if kind == "sign":
        return rng.choice([-1.0, 1.0], rows)
    if kind == "skewed":
        return np.exp(rng.normal(scale=0.6, size=rows))
    if kind == "tails":
        return rng.standard_t(4, rows)
    if kind == "flag":
        return (rng.random(rows) < rng.choice([0.3, 0.01, 0.002])).astype(float)
    if kind == "zeros":
        return rng.normal(size=rows) * (rng.random(rows) < 0.05)
    return rng.integers(1, 6, rows).astype(float)


def planted(rng, columns):
    """A function of some columns with noise: its norm is 0.1 times something from 0.3 to 3, or 0."""
    z = [(c - c.mean()) / c.std() for c in columns]
    chosen = rng.choice(len(z), size=min(len(z), 3), replace=False)
    a, b, c = (z[k] for k in (*chosen, *chosen)[:3])
    kind = rng.choice(["sum", "product", "triple", "mixed", "copy"])
    if kind == "sum":
        clean = a + rng.choice([0.5, -1.0]) * b + rng.choice([0.0, 2.0]) * c
    elif kind == "product":
        clean = a * b
    elif kind == "triple":
        clean = a * b * c
    elif kind == "mixed":
        clean = a * b + 0.7 * c
    else:
        clean = -2 * a
    clean = (clean - clean.mean()) / clean.std()
    norm = 0.0 if rng.random() < 0.2 else 0.1 * np.exp(rng.uniform(-1.1, 1.1))
    noise = rng.normal(size=len(clean))
    return np.sqrt(1 - norm**2) * clean + norm * noise / noise.std()


def table(seed, rows=None, independent=None):
    rng = np.random.default_rng(seed)
    rows = rows or int(rng.choice([2000, 4000, 8000]))
    columns = [plain(rng, rows) for _ in range(independent or rng.integers(4, 9))]
    columns = [c for c in columns if c.std() > 0]
    columns += [planted(rng, columns) for _ in range(rng.integers(1, 6))]
    frame = pd.DataFrame({f"x{k}": columns[k] for k in rng.permutation(len(columns))})
    if rng.random() < 0.3:
        shares = np.array([0.6, 0.3, 0.095, 0.005])
        frame["level"] = rng.choice(list("abcd"), rows, p=shares)
        if rng.random() < 0.5:
            frame["group"] = np.where(frame["level"].isin(["a", "b"]), "low", "high")
    return frame


def category(rng, rows):
    """An independent one of 2 to 12 levels, some of them rare."""
    levels = int(rng.integers(2, 13))
    shares = rng.dirichlet(np.full(levels, rng.choice([0.3, 1.0, 10.0])))
    return rng.choice(levels, rows, p=shares)


def planted_category(rng, columns):
    """A table of two or three columns, or a coarser copy of one, with up to 3 % of the rows at random."""
    chosen = rng.choice(len(columns), size=int(rng.integers(1, 4)), replace=False)
    cell = np.zeros(len(columns[0]), int)
    for k in chosen:
        cell = cell * 13 + columns[k]
    levels = int(rng.integers(2, 6))
    names = rng.integers(0, levels, cell.max() + 1)[cell]
    wrong = rng.random(len(cell)) < rng.choice([0.0, 0.001, 0.005, 0.03])
    return np.where(wrong, rng.integers(0, levels, len(cell)), names)


def categories(seed, rows=None, independent=None):
    rng = np.random.default_rng(seed)
    rows = rows or int(rng.choice([2000, 4000, 8000]))
    columns = [category(rng, rows) for _ in range(independent or rng.integers(8, 25))]
    columns += [planted_category(rng, columns) for _ in range(rng.integers(1, 6))]
    return pd.DataFrame({f"x{k}": np.array(list("abcdefghijklm"))[columns[k]] for k in rng.permutation(len(columns))})
