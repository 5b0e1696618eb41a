"""A user's first hour: install into an empty environment, paste the example, get what it shows."""

import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile

import pytest
from places import BUILD, ROOT
from readme import TYPIST, example

INSTALLS = pytest.mark.skipif("FSIEVE_FAST" in os.environ, reason="set FSIEVE_FAST to leave out what installs packages")
VERSION = re.search(r"project\(fsieve VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


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


@pytest.fixture(scope="module")
def built():
    """The source distribution and the wheel, from one build."""
    call(ROOT / "tools" / "wheel", sys.executable)
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = tag if sys.version_info < (3, 12) else "cp312-abi3"
    folder = ROOT / "build" / "wheels"
    return folder / f"fsieve-{VERSION}.tar.gz", next(folder.glob(f"fsieve-{VERSION}-{tag}*manylinux*.whl"))


SELF_CONTAINED = """
import fsieve, numpy as np
x = np.random.default_rng(0).normal(size=(300, 3))
x = np.column_stack([x, x[:, 0] * x[:, 2]])
print(fsieve.UFFS().fit(x).equations_)
loaded = {line.split()[-1] for line in open("/proc/self/maps") if ".so" in line}
names = {path.rsplit("/", 1)[-1].split(".so")[0] for path in loaded if path.startswith(("/usr", "/lib"))}
print(sorted(name for name in names if name.startswith(("libtbb", "libfmt", "libhwy", "libarrow", "libscipy"))))
"""


def carried(command):
    """The libraries that a command would load, less those of the system."""
    listed = call(command, env={"LD_TRACE_LOADED_OBJECTS": "1"}).splitlines()
    pairs = [line.split(" => ") for line in listed if " => " in line]
    return {name.strip().split(".so")[0].split("-")[0]: path for name, path in pairs if not path.startswith(("/lib", "/usr/lib"))}


@INSTALLS
def test_wheel_is_self_contained(built, tmp_path):
    files = zipfile.ZipFile(built[1]).namelist()
    assert "fsieve/py.typed" in files and "fsieve/_core.pyi" in files
    environment = tmp_path / "env"
    python = python_of(environment)
    pip(python, "install", built[1])
    assert call(python, "-c", TYPIST, text=example(), cwd=tmp_path) == example()
    said = call(python, "-c", SELF_CONTAINED, cwd=tmp_path, env={"PATH": ""})
    assert said.splitlines() == ["{'x3': ['x3 = x0·x2']}", "[]"]

    # The command line beside it, on a file that needs Arrow.
    command, nothing = environment / "bin" / "fsieve", {"PATH": ""}
    assert call(command, "--version", env=nothing).splitlines()[0] == f"fsieve {VERSION}"
    call(command, "demo", "-o", tmp_path / "cars.parquet", env=nothing)
    assert "(constant) wheels = 4" in call(command, "reduce", tmp_path / "cars.parquet", env=nothing)
    program = next(environment.glob("lib/python*/site-packages/fsieve/bin/fsieve"))
    libraries = carried(program)
    assert {"libarrow", "libparquet", "libtbb", "libfmt", "libhwy"} <= libraries.keys()
    assert all(path.startswith(str(environment)) for path in libraries.values()), libraries
    # Loaded when it is needed, from the same folder.
    assert (program.parents[1] / "libscipy_openblas.so").exists() and "libscipy_openblas" not in libraries


@INSTALLS
def test_pip_builds_the_source_distribution(built, tmp_path):
    """As a user's pip does, in an environment of its own; the program needs no Python package."""
    names = tarfile.open(built[0]).getnames()
    assert f"fsieve-{VERSION}/LICENSE" in names and not [name for name in names if "/build/" in name or "/tests/" in name]
    environment = tmp_path / "env"
    pip(python_of(environment), "install", "--no-deps", built[0])
    assert call(environment / "bin" / "fsieve", "--version").splitlines()[0] == f"fsieve {VERSION}"
    assert list(environment.glob("lib/python*/site-packages/fsieve/_core*.so"))


def test_says_which_libraries_are_missing(tmp_path):
    """One sentence, with the words to type."""
    without = ["-DCMAKE_DISABLE_FIND_PACKAGE_hwy=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON"]
    done = subprocess.run(["cmake", "-S", ROOT, "-B", tmp_path, *without], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    sentence = "fsieve: error: these Debian packages are missing: libhwy-dev libcli11-dev (as root: apt-get install libhwy-dev libcli11-dev)"
    assert sentence in " ".join(done.stderr.split())
