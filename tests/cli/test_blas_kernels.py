"""Products are cut differently in memory and in passes. What is left over at the end of a cut goes another way through the
kernels of BLAS, and must not go with other digits, whichever kernels a machine has."""

import numpy as np
import pytest


def tables():
    rng = np.random.default_rng(0)
    flags = rng.random((997, 41)) < 0.3
    for name, values in [
        ("reals", rng.normal(size=(3001, 37))),
        ("counts", rng.integers(0, 4, (997, 41)) * flags),
        ("signs", np.where(rng.random((1500, 23)) < 0.5, -1.0, 1.0)),
    ]:
        values = values.astype(float)
        values[:, -1] = values[:, 0] * values[:, 1]
        values[:, -2] = values[:, 2] + values[:, 3] * values[:, 4]
        yield name, values


# The machine's own, and two that every machine of today has.
@pytest.mark.parametrize("kernel", ["", "Sandybridge", "Nehalem"])
def test_memory_and_passes_give_the_same_bytes(fsieve, kernel):
    for name, values in tables():
        np.save(fsieve.folder / f"{name}.npy", values)
        for options in ([], ["--rule", "paper", "--stages", "2:30", "--engine", "gram"]):
            command = ["reduce", f"{name}.npy", "--json", "--no-timing", *options]
            whole, *others = [
                fsieve(*command, *way, env={"OPENBLAS_CORETYPE": kernel})
                for way in (["--threads", 1], ["--threads", 5, "--memory", "1M"])
            ]
            assert others == [whole], (name, options)
