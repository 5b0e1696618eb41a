"""The Python package as it was built last, and the program beside it."""

import json
import subprocess
import sys

import pytest
from places import BUILD

sys.path.insert(0, str(BUILD / "python"))


def pytest_configure(config):
    config.addinivalue_line("markers", "cluster: many workers, and takes minutes (tools/check cluster)")
    if not list((BUILD / "python" / "fsieve").glob("_core*.so")):
        pytest.exit(f"the Python module is not built in {BUILD} (tools/build release)", returncode=2)


def pytest_collection_modifyitems(config, items):
    """What takes minutes runs when it is asked for."""
    if "cluster" in config.getoption("-m"):
        return
    skip = pytest.mark.skip(reason="asked for by -m cluster")
    for item in items:
        if item.get_closest_marker("cluster"):
            item.add_marker(skip)


@pytest.fixture
def fsieve_json(tmp_path):
    """Runs the program and returns its JSON."""

    def run(*arguments):
        command = [str(BUILD / "fsieve"), *map(str, arguments), "--json", "--no-timing", "--quiet"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run
