"""device=: the same results with a GPU beside the CPU, here a stand-in for one."""

import numpy as np
import pytest
from places import BUILD

from fsieve import GFS, SFFS, UFFS, JuntaClassifier

STANDIN = BUILD / "tests" / "libdevice_standin.so"


def bits(n, d):
    rng = np.random.default_rng(4)
    x = (rng.random((n, d)) < rng.uniform(0.3, 0.7, d)).astype(int)
    x[:2] = [[0] * d, [1] * d]
    return x, (x[:, 3] ^ x[:, 7] ^ x[:, d - 2]) ^ (rng.random(n) < 0.1)


def test_a_device_changes_nothing(monkeypatch, tmp_path):
    x, y = bits(60, 130)
    alone = JuntaClassifier(k=3, device="cpu").fit(x, y)
    monkeypatch.setenv("FSIEVE_CUDA_LIBRARY", "/nowhere/libfsieve_cuda.so")  # first: a library stays once it is loaded
    with pytest.raises(ValueError, match="libfsieve_cuda.so, which cannot be loaded"):
        JuntaClassifier(k=3, device="cuda").fit(x, y)
    monkeypatch.setenv("FSIEVE_CUDA_LIBRARY", str(STANDIN))
    monkeypatch.setenv("FSIEVE_STANDIN_NOTES", str(tmp_path / "notes"))
    beside = JuntaClassifier(k=3, device="cuda").fit(x, y)
    assert beside.candidates_ == alone.candidates_ and beside.table_ == alone.table_
    assert "screen 0" in (tmp_path / "notes").read_text()
    union = {"k": 4, "depth": 3, "search": "union", "reduce": "none", "folds": 0}
    assert SFFS(**union, device="cuda:0").fit(x, y).subsets_ == SFFS(**union).fit(x, y).subsets_
    with pytest.raises(ValueError, match="cuda:1: there is one GPU"):
        JuntaClassifier(k=3, device="cuda:1").fit(x, y)
    with pytest.raises(ValueError, match="did you mean cuda"):
        JuntaClassifier(device="cude").fit(x, y)


def test_matrices_on_a_device(monkeypatch, tmp_path):
    x = np.random.default_rng(2).normal(size=(300, 5))
    x = np.column_stack([x, x[:, 0] * x[:, 1] * x[:, 2], x[:, 3] - x[:, 4]])
    monkeypatch.setenv("FSIEVE_CUDA_LIBRARY", str(STANDIN))
    monkeypatch.setenv("FSIEVE_STANDIN_NOTES", str(tmp_path / "notes"))
    for estimator in (UFFS(stages="3", engine="gram"), GFS(k=3, engine="gram")):
        alone = estimator.set_params(device="cpu").fit(x)
        kept, equations, scores = alone.get_support(), alone.equations_, alone.scores_
        beside = estimator.set_params(device="cuda").fit(x)
        assert (beside.get_support() == kept).all() and beside.equations_ == equations
        np.testing.assert_allclose(beside.scores_, scores, atol=1e-9)
    assert (tmp_path / "notes").read_text().count("algebra 0\n") == 2
