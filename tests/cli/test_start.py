"""What a short command does not wait for."""

import os
import re
import subprocess

import pytest
from conftest import program


def test_no_timer_is_measured_when_the_library_is_loaded():
    env = {**os.environ, "LD_DEBUG": "bindings"}
    said = subprocess.run([program(), "--version"], capture_output=True, text=True, check=True, env=env).stderr
    bindings = [line for line in said.splitlines() if "hwy8platform15TimerResolution" in line and "libhwy" in line]
    if not bindings:
        pytest.skip("Highway's library is not loaded, or measures nothing")
    assert all(re.search(r"to \S*fsieve \[0\]: normal", line) for line in bindings)
