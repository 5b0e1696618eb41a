"""Other tools, each in an environment of its own, behind one protocol."""

import dataclasses
import json
import resource
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from common.environment import CannotInstall, ensure
from common.program import Failed, TimedOut

HERE = Path(__file__).resolve().parent
MEMORY = 8 << 30


@dataclasses.dataclass(frozen=True)
class Peer:
    name: str  # as the tables print it
    folder: str  # of its environment and peer.py
    method: str  # in peer.py
    two_classes: bool = False  # takes no more


PEERS = {
    peer.method: peer
    for peer in (
        Peer("F test (scikit-learn)", "scikit-learn", "f_test"),
        Peer("MI (scikit-learn)", "scikit-learn", "mutual_information"),
        Peer("ReliefF (skfeature)", "skfeature", "relieff"),
        Peer("mRMR (skfeature)", "skfeature", "mrmr_skfeature"),
        Peer("RFS (skfeature)", "skfeature", "rfs"),
        Peer("Fisher score (skfeature)", "skfeature", "fisher"),
        Peer("trace ratio (skfeature)", "skfeature", "trace_ratio"),
        Peer("LS (skfeature)", "skfeature", "laplacian"),
        Peer("MCFS (skfeature)", "skfeature", "mcfs"),
        Peer("UDFS (skfeature)", "skfeature", "udfs"),
        Peer("NDFS (skfeature)", "skfeature", "ndfs"),
        Peer("mRMR (mrmr_selection)", "mrmr", "mrmr"),
        Peer("fastcan", "fastcan", "fastcan"),
        Peer("MDFS, default", "mdfs", "mdfs", two_classes=True),
        Peer("MDFS, 30 discretisations", "mdfs", "mdfs30", two_classes=True),
        Peer("MultiSURF (skrebate)", "skrebate", "multisurf"),
        Peer("BorutaPy", "boruta", "boruta"),
        Peer("LightGBM gain", "lightgbm", "lightgbm"),
    )
}


def install(methods):
    """Environments of these methods; gives back what cannot be installed, by folder."""
    problems = {}
    for folder in sorted({PEERS[m].folder for m in methods}):
        try:
            ensure(f"peer-{folder}", HERE / folder / "requirements.txt")
        except CannotInstall as problem:
            problems[folder] = str(problem)
    return problems


def select(method, X, y, k, limit):
    """The answer of a peer on standardised columns: ranking, seconds, versions.

    LIMIT is in seconds of CPU time, so that a busy machine does not decide who is late.
    """
    peer = PEERS[method]
    if peer.two_classes and len(np.unique(y)) > 2:
        raise Failed("takes two classes only")
    python = ensure(f"peer-{peer.folder}", HERE / peer.folder / "requirements.txt")
    spread = X.std(0)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.npz"
        np.savez(data, X=(X - X.mean(0)) / np.where(spread > 0, spread, 1), y=y, k=k)
        command = [python, "-I", HERE / "runner.py", HERE / peer.folder / "peer.py", method, data]
        done = subprocess.run(
            [str(c) for c in command], capture_output=True, text=True, check=False,
            preexec_fn=lambda: limits(limit + 10),  # importing is not counted
        )
    if not done.stdout:
        if done.returncode in (-24, -9):  # SIGXCPU, and SIGKILL should that be caught
            raise TimedOut(f"more than {limit} s")
        raise Failed(f"ended with {done.returncode}")
    answer = json.loads(done.stdout)
    if "error" in answer:
        raise Failed(answer["error"])
    if answer["cpu_seconds"] > limit:
        raise TimedOut(f"more than {limit} s")
    return answer


def limits(seconds):
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
