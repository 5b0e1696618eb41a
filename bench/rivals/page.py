"""The table as Markdown, and docs/speed.md around it."""

import datetime
import importlib.metadata
import os
import platform
from pathlib import Path

from common.program import version

HEAD = "| work | table | fsieve, s | beside | its s | times that | aim | | answers |\n|---|---|---|---|---|---|---|---|---|"


def digits(value):
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def line(row):
    cells = (row.work, row.table, digits(row.seconds), row.rival, digits(row.rival_seconds), digits(row.ratio),
             *(("", "") if row.aim is None else (f"≤ {digits(row.aim)}", "yes" if row.met else "**no**")), row.answers)
    return "| " + " | ".join(cells) + " |"


def processor():
    found = [text.split(":")[1].strip() for text in Path("/proc/cpuinfo").read_text().splitlines() if text.startswith("model name")]
    return found[0] if found else platform.machine()


def circumstances(words):
    """What a run is to be read with, in a sentence."""
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("fastcan", "numpy", "scipy"))
    return (f"Written by `{' '.join(['bench/rivals/run', *words])}` on {datetime.date.today()}: {processor()}, {os.cpu_count()} cores, "
            f"load {os.getloadavg()[0]:.0f};\nfsieve {version()}, {versions}.")


def page(about, rows):
    return f"""# Speed

{about}

CPU seconds of one thread: the whole `fit` in Python on columns in order (for UFFS of depth 1 without making the Python object), the least
of a few runs in turns with the other side.
*Its matrix products*: the multiply-adds of inner products of all parities with those kept before them and of their factorisation, at the
rate of a product of 2048³ measured in the same run. *Bare popcount*: a word counted in a register and nothing else. A table with a star
is made up, in the shape of that set. *Times that* is fsieve's time over the other's: 0.1 is ten times as fast. *Alone*: what fastcan
does too, without the ranking of all features and the estimate of the accuracy (`--no-ranking --folds 0`); `learn` has no ranking.

{chr(10).join([HEAD, *map(line, rows)])}

{sum(row.met for row in rows)} of {sum(row.aim is not None for row in rows)} lines that have an aim are at it.
"""
