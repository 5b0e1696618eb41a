"""Large tables are read where they lie."""

import os
import subprocess
import sys

import pytest
from places import BUILD

SCRIPT = """
import resource, sys
import numpy as np, pandas as pd
from fsieve import UFFS

n, d = 1_000_000, 100
pattern = np.random.default_rng(0).normal(size=n + 37 * d)
values = np.empty((d, n))
for j in range(d):
    values[j] = pattern[37 * j : 37 * j + n]
X = values.T if sys.argv[1] == "numpy" else pd.DataFrame(values.T, columns=[f"c{j}" for j in range(d)], copy=False)
if sys.argv[1] == "arrow":
    import pyarrow as pa
    X = pa.table([pa.array(column) for column in values], names=[f"c{j}" for j in range(d)])
UFFS(stages="1", equations=False).fit(np.random.default_rng(1).normal(size=(5000, d)))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = UFFS(stages="1", equations=False).fit(X)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(len(found.selected_), (after - before) // 1024)
"""


@pytest.mark.parametrize("kind", ["pandas", "arrow"])
def test_no_copy_of_a_large_table(kind):
    """800 MB of doubles: what a fit adds is a small part of them."""
    environment = {**os.environ, "PYTHONPATH": str(BUILD / "python")}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, kind], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    kept, mebibytes = map(int, done.stdout.split())
    assert kept == 100
    assert mebibytes < 80


def test_import_is_light():
    """What fsieve adds to NumPy and scikit-learn are its own modules."""
    script = (
        "import sys, numpy, sklearn.feature_selection, sklearn.utils.multiclass\n"
        "before = set(sys.modules)\n"
        "import fsieve\n"
        "print(sorted({name.split('.')[0] for name in set(sys.modules) - before}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(BUILD / "python")},
    )  # fmt: skip
    assert done.stdout.strip() == "['fsieve']"
