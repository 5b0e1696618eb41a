"""A user's first hour: install into an empty environment, paste the example, get what it shows."""

import os
import subprocess
import sys
import venv
import zipfile

import pytest
from places import BUILD, ROOT
from readme import TYPIST, example

WHEN_INSTALLED = "set FSIEVE_FAST to leave out what installs packages"


def python_of(folder):
    """An empty environment."""
    venv.create(folder, with_pip=True)
    return folder / "bin" / "python"


def call(*command, text=None, **options):
    command = list(map(str, command))
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def pip(python, *arguments):
    call(python, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments)


def test_readme_example_as_built():
    environment = {**os.environ, "PYTHONPATH": str(BUILD / "python")}
    assert call(sys.executable, "-c", TYPIST, text=example(), env=environment) == example()


@pytest.mark.skipif("FSIEVE_FAST" in os.environ, reason=WHEN_INSTALLED)
def test_pip_install_and_readme_example(tmp_path):
    python = python_of(tmp_path / "env")
    pip(python, "install", ROOT)
    assert call(python, "-c", TYPIST, text=example(), cwd=tmp_path) == example()


SELF_CONTAINED = """
import fsieve, numpy as np
x = np.random.default_rng(0).normal(size=(300, 3))
x = np.column_stack([x, x[:, 0] * x[:, 2]])
print(fsieve.UFFS().fit(x).equations_)
loaded = {line.split()[-1] for line in open("/proc/self/maps") if ".so" in line}
names = {path.rsplit("/", 1)[-1].split(".so")[0] for path in loaded if path.startswith(("/usr", "/lib"))}
print(sorted(name for name in names if name.startswith(("libtbb", "libfmt", "libhwy", "libarrow", "libscipy"))))
"""


@pytest.mark.skipif("FSIEVE_FAST" in os.environ, reason=WHEN_INSTALLED)
def test_wheel_is_self_contained(tmp_path):
    call(ROOT / "tools" / "wheel", sys.executable)
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = tag if sys.version_info < (3, 12) else "cp312-abi3"
    wheel = max((ROOT / "build" / "wheels").glob(f"fsieve-*-{tag}*manylinux*.whl"), key=os.path.getmtime)
    files = zipfile.ZipFile(wheel).namelist()
    assert "fsieve/py.typed" in files and "fsieve/_core.pyi" in files
    python = python_of(tmp_path / "env")
    pip(python, "install", wheel)
    said = call(python, "-c", SELF_CONTAINED, cwd=tmp_path, env={"PATH": ""})
    assert said.splitlines() == ["{'x3': ['x3 = x0·x2']}", "[]"]
