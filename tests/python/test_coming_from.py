"""docs/coming-from.md: our side of each comparison runs."""

import re

import numpy as np
import pandas as pd
import pytest
from places import ROOT

OTHERS = ("sklearn", "mrmr", "boruta", "fastcan")
TEXT = (ROOT / "docs" / "coming-from.md").read_text(encoding="utf-8")
BLOCKS = [block for block in re.findall(r"```python\n(.*?)```", TEXT, flags=re.S) if not any(f"from {name}" in block for name in OTHERS)]


@pytest.mark.filterwarnings("ignore")
def test_blocks_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 12))
    names = {"X": X, "y": (X[:, 2] * X[:, 5] > 0).astype(int), "frame": pd.DataFrame(X, columns=[f"x{j}" for j in range(12)])}
    assert len(BLOCKS) == 6
    for block in BLOCKS:
        exec(block, names)  # noqa: S102
    assert (tmp_path / "report.html").exists()


def test_attributes_it_names():
    from fsieve import SFFS

    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 6))
    selector = SFFS(k=2).fit(X, (X[:, 1] > 0).astype(int))
    for name in ("substitutes_", "qvalues_", "subsets_", "result_"):
        assert hasattr(selector, name)
    assert "ranking" in selector.result_
