"""The Python package as it was built last, and the program beside it."""

import json
import subprocess
import sys

import pytest
from places import BUILD

sys.path.insert(0, str(BUILD / "python"))


def pytest_configure():
    if not list((BUILD / "python" / "fsieve").glob("_core*.so")):
        pytest.exit(f"the Python module is not built in {BUILD} (tools/build release)", returncode=2)


@pytest.fixture
def fsieve_json(tmp_path):
    """Runs the program and returns its JSON."""

    def run(*arguments):
        command = [str(BUILD / "fsieve"), *map(str, arguments), "--json", "--no-timing", "--quiet"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run
