"""Ctrl-C ends long work with KeyboardInterrupt."""

import os
import signal
import subprocess
import sys
import time

from places import BUILD

SCRIPT = """
import numpy as np
from fsieve import UFFS
x = np.random.default_rng(0).normal(size=(60000, 400))
print("ready", flush=True)
try:
    UFFS(stages="2:400", no_equations=True).fit(x)
    print("finished")
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c():
    environment = {**os.environ, "PYTHONPATH": str(BUILD / "python")}
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0] == "interrupted\n"


def test_what_progress_raises_is_raised():
    import numpy as np
    import pytest

    from fsieve import _core

    table = _core.Table()
    x = np.random.default_rng(0).normal(size=(60000, 300))
    table.add_numbers([f"x{j}" for j in range(300)], x)

    def show(what, done, total):
        raise RuntimeError(what)

    with pytest.raises(RuntimeError):
        _core.run(table, "reduce", {"stages": "2:300"}, np.empty(0), show)
