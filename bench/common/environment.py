"""Python environments of the benchmarks, made on demand under build/.

    python3 environment.py NAME REQUIREMENTS

makes build/environments/NAME with what REQUIREMENTS pins, unless it is there already, and prints the
path of its Python. Needs nothing but the standard library.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class CannotInstall(RuntimeError):
    """What could not be installed, in one sentence."""


def ensure(name, requirements):
    """The Python of environment NAME; installs it when it is missing or its requirements changed."""
    folder = ROOT / "build" / "environments" / name
    python, stamp = folder / "bin" / "python", folder / ".ready"
    wanted = Path(requirements).read_text()
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    print(f"setting up {folder.relative_to(ROOT)}", file=sys.stderr, flush=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements]
    for command in ([sys.executable, "-m", "venv", "--clear", folder], pip):
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
        if done.returncode:
            said = [line for line in done.stderr.splitlines() if line.strip()] or ["no reason given"]
            raise CannotInstall(f"{name} cannot be installed: {said[-1].strip()}")
    stamp.write_text(wanted)
    return python


if __name__ == "__main__":
    try:
        print(ensure(sys.argv[1], sys.argv[2]))
    except CannotInstall as problem:
        sys.exit(f"error: {problem}")
