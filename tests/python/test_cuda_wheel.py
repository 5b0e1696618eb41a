"""The wheel fsieve-cuda: what is in it, built where nvcc is, with no GPU."""

import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from places import ROOT

VERSION = re.search(r"project\(fsieve VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
NVCC = shutil.which("nvcc") or Path("/usr/local/cuda/bin/nvcc").exists()


@pytest.mark.skipif(not NVCC, reason="nvcc is not here")
@pytest.mark.skipif("FSIEVE_FAST" in os.environ, reason="set FSIEVE_FAST to leave out what builds packages")
def test_it_holds_the_library_and_nothing_else():
    done = subprocess.run([ROOT / "tools" / "cuda-wheel"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    path = Path(done.stdout.strip().splitlines()[-1])
    assert re.fullmatch(rf"fsieve_cuda-{re.escape(VERSION)}-py3-none-manylinux\w+_x86_64\.whl", path.name)
    wheel = zipfile.ZipFile(ROOT / path)
    files = {name for name in wheel.namelist() if ".dist-info/" not in name and not name.endswith("/")}
    assert files == {"fsieve_cuda/__init__.py", "fsieve_cuda/libfsieve_cuda.so"}
    assert wheel.read("fsieve_cuda/libfsieve_cuda.so")[:4] == b"\x7fELF"
    metadata = wheel.read(f"fsieve_cuda-{VERSION}.dist-info/METADATA").decode()
    assert f"Version: {VERSION}" in metadata and "Requires-Dist: fsieve\n" in metadata
    assert "Requires-Dist: nvidia-cublas" in metadata and "License-File: LICENSE" in metadata
