"""--device: the same answers with a GPU beside the CPU (here a stand-in for one), and clear words where there is none."""

import itertools
import json
import os
import shutil
import subprocess

import numpy as np
import pytest
from conftest import program

STANDIN = program().parent / "tests" / "libdevice_standin.so"


@pytest.fixture
def standin(tmp_path_factory):
    """The environment of a stand-in, and what it was asked."""

    class StandIn:
        notes = tmp_path_factory.mktemp("standin") / "notes.txt"

        def __call__(self, **settings):
            self.notes.unlink(missing_ok=True)
            given = {f"FSIEVE_STANDIN_{name.upper()}": str(value) for name, value in settings.items()}
            return {"FSIEVE_CUDA_LIBRARY": str(STANDIN), "FSIEVE_STANDIN_NOTES": str(self.notes), **given}

        def noted(self, what):
            if not self.notes.exists():
                return []
            lines = [line.split() for line in self.notes.read_text().splitlines()]
            return [tuple(map(int, line[1:])) for line in lines if line[0] == what]

        def screened(self):
            return self.noted("screen")

    assert STANDIN.exists(), "the build makes it"
    return StandIn()


@pytest.fixture
def bits(write):
    """More subsets of three than the CPU does before any device; a parity of three columns, and copies."""
    rng = np.random.default_rng(7)
    x = (rng.random((90, 130)) < rng.uniform(0.2, 0.8, 130)).astype(int)
    x[:2] = [[0] * 130, [1] * 130]
    x[:, 129] = x[:, 77]
    y = (x[:, 3] ^ x[:, 77] ^ x[:, 120]) ^ (rng.random(90) < 0.2)
    lines = [",".join(f"x{j}" for j in range(130)) + ",y"]
    lines += [",".join(map(str, [*row, label])) for row, label in zip(x, y.astype(int))]
    return write("bits.csv", "\n".join(lines) + "\n")


ARGUMENTS = ["learn", "bits.csv", "--label", "y", "-k", 3, "--no-timing", "--json"]


@pytest.mark.parametrize("how", [[], ["--basis", "product"], ["--learner", "erm"], ["--top", 0]])
def test_the_same_bytes(fsieve, bits, standin, how):
    alone = fsieve(*ARGUMENTS, *how, "--device", "cpu")
    assert fsieve(*ARGUMENTS, *how, "--device", "cuda", env=standin(devices=2)) == alone
    assert {device for device, _, _ in standin.screened()} == {0, 1}
    assert fsieve(*ARGUMENTS, *how, "--device", "cuda:1", env=standin(devices=2)) == alone
    assert {device for device, _, _ in standin.screened()} == {1}
    assert '"device"' not in alone


def test_weights_of_classes_are_for_the_cpu(fsieve, bits, standin):
    alone = fsieve(*ARGUMENTS, "--class-weight", "balanced")
    env = standin(devices=1)
    fsieve.fails(2, "a GPU counts every row the same", *ARGUMENTS, "--class-weight", "balanced", "--device", "cuda", env=env)
    assert fsieve(*ARGUMENTS, "--class-weight", "balanced", "--device", "auto", env=standin(devices=1)) == alone
    assert not standin.notes.exists() or not standin.screened()


def test_the_union_too(fsieve, bits, standin):
    arguments = ["select", "bits.csv", "--label", "y", "-k", 6, "--depth", 3, "--search", "union", "--reduce", "none"]
    arguments += ["--folds", 0, "--no-timing", "--json"]
    alone = fsieve(*arguments)
    assert fsieve(*arguments, "--device", "cuda", env=standin()) == alone
    assert standin.screened()


def test_what_no_device_does_the_cpu_does(fsieve, bits, standin):
    for command in (["learn", "-k", 1], ["learn", "-k", 2, "--search", "greedy"], ["select", "-k", 2]):
        arguments = [command[0], "bits.csv", "--label", "y", *command[1:], "--no-timing", "--json"]
        assert fsieve(*arguments, "--device", "cuda", env=standin()) == fsieve(*arguments)


def test_too_many_to_list(fsieve, bits, standin):
    assert fsieve(*ARGUMENTS, "--device", "cuda", env=standin(room=3)) == fsieve(*ARGUMENTS)


def test_checkpoints_are_exchanged(fsieve, bits, standin):
    """A search that a device began goes on without it, and the other way round."""
    alone = fsieve(*ARGUMENTS)
    checkpoint = fsieve.folder / "run.json"
    env = standin(fails="begin", milliseconds=150)  # time enough for a save
    done = fsieve.run(*ARGUMENTS, "--checkpoint", "run.json", "--device", "cuda", env=env)
    assert done.code == 1 and "GPU 0: the stand-in was told to fail" in done.err
    state = json.loads(checkpoint.read_text())
    assert state["done"] == [[0, state["done"][0][1]]] and 0 < state["done"][0][1] < 357760
    text = checkpoint.read_text()
    assert fsieve(*ARGUMENTS, "--checkpoint", "run.json", "--device", "cpu") == alone
    checkpoint.write_text(text)
    assert fsieve(*ARGUMENTS, "--checkpoint", "run.json", "--device", "cuda", env=standin()) == alone
    assert all(first >= state["done"][0][1] for _, first, _ in standin.screened())
    assert not checkpoint.exists()


def test_several_devices_share_the_work(fsieve, bits, standin):
    fsieve(*ARGUMENTS, "--device", "cuda", env=standin(devices=3))
    parts = sorted((first, end) for device, first, end in standin.screened() if first > 0)
    assert all(end == first for (_, end), (first, _) in itertools.pairwise(parts))
    assert parts[-1][1] == 357760


def test_a_wrong_device_is_found_out(fsieve, bits, standin):
    fsieve.fails(1, ["does not count right", "--device cpu"], *ARGUMENTS, "--device", "cuda", env=standin(blind=0))


def test_no_library_no_driver_no_such_gpu(fsieve, bits, standin):
    nowhere = {"FSIEVE_CUDA_LIBRARY": "/nowhere/libfsieve_cuda.so"}
    fsieve.fails(1, ["--device cuda", "libfsieve_cuda.so", "--device cpu"], *ARGUMENTS, "--device", "cuda", env=nowhere)
    fsieve.fails(1, ["--device cuda", "driver"], *ARGUMENTS, "--device", "cuda", env=standin(devices=0))
    fsieve.fails(1, ["cuda:7", "one GPU"], *ARGUMENTS, "--device", "cuda:7", env=standin())
    fsieve.fails(2, ["--device", "did you mean cuda"], *ARGUMENTS, "--device", "cude")
    fsieve.fails(2, ["--device"], *ARGUMENTS, "--device", "cuda:x")
    assert fsieve(*ARGUMENTS, "--device", "auto", env=nowhere) == fsieve(*ARGUMENTS)


@pytest.fixture
def related(write):
    """Columns of which some are sums and products of others, but for noise."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(400, 9))
    more = [x[:, 0] * x[:, 1] * x[:, 2], x[:, 3] - 2 * x[:, 4], x[:, 5] * x[:, 6] + 0.02 * rng.normal(size=400)]
    x = np.column_stack([x, *more])
    lines = [",".join(f"x{j}" for j in range(12)), *(",".join(f"{value:.6f}" for value in row) for row in x)]
    return write("related.csv", "\n".join(lines) + "\n")


def close(a, b):
    """Equal, but for the last digits of numbers."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(close(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(close, a, b))
    return abs(a - b) < 1e-9 if isinstance(a, float) else a == b


REDUCE = ["reduce", "related.csv", "--engine", "gram", "--json", "--no-timing"]


@pytest.mark.parametrize("how", [
    ["--stages", "3:6"], ["--stages", "2:5", "--order", "input"], ["--stages", "1,2", "--rule", "paper"],
    ["--stages", "2:5", "--memory", "1K"], ["--method", "gfs", "-k", 5],
    ["--method", "gfs", "--family", "functions", "--function", "sin(a)", "-k", 4],
    ["--method", "gfa", "--family", "polynomial:3", "-k", 4],
])  # fmt: skip
def test_reduce_finds_the_same(fsieve, related, standin, how):
    alone = json.loads(fsieve(*REDUCE, *how, "--device", "cpu"))
    beside = json.loads(fsieve(*REDUCE, *how, "--device", "cuda:1", env=standin(devices=2)))
    assert standin.noted("algebra") == [(1,)] and standin.noted("gemm")
    assert close(alone, beside)
    text = fsieve(*REDUCE[:-2], *how, "--device", "cuda", env=standin())
    assert text == fsieve(*REDUCE[:-2], *how), "with as many digits as are shown to people"


def test_reduce_takes_the_cores_for_small_work(fsieve, related, standin):
    alone = fsieve(*REDUCE, "--stages", "3:6", "--device", "cpu")
    assert fsieve(*REDUCE, "--stages", "3:6", env=standin()) == alone
    assert not standin.noted("algebra")


def test_a_function_that_fails_is_said_by_its_row(fsieve, related, standin):
    run = [*REDUCE, "--method", "gfs", "--family", "functions", "--function", "log(a)"]
    said = {fsieve.run(*run, "--device", device, env=standin()).err for device in ("cpu", "cuda")}
    assert len(said) == 1 and "log(a)" in said.pop()


def test_found_in_the_wheel_beside(fsieve, bits, standin, tmp_path):
    """site-packages/fsieve/bin and site-packages/fsieve_cuda, by a path and through $PATH."""
    if "libfsieve.so" in os.popen(f"ldd {program()}").read():
        pytest.skip("fsieve is a library beside the program, not in it as in a wheel")
    binaries = tmp_path / "fsieve" / "bin"
    for folder in (binaries, tmp_path / "fsieve_cuda"):
        folder.mkdir(parents=True)
    shutil.copy(program(), binaries / "fsieve")
    shutil.copy(STANDIN, tmp_path / "fsieve_cuda" / "libfsieve_cuda.so")
    alone = fsieve(*ARGUMENTS)
    for command in (binaries / "fsieve", "fsieve"):
        env = {**os.environ, **standin(), "FSIEVE_CUDA_LIBRARY": "", "PATH": f"{binaries}:{os.environ['PATH']}"}
        words = [command, *map(str, ARGUMENTS), "--device", "cuda"]
        done = subprocess.run(words, env=env, cwd=fsieve.folder, capture_output=True, text=True, check=False)
        assert done.stdout == alone, done.stderr
        assert standin.screened()
