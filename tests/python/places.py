"""Where the repository and its build are (FSIEVE_BUILD says another build)."""

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("FSIEVE_BUILD", ROOT / "build" / "release"))
