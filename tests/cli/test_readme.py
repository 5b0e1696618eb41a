"""The README prints what the program prints."""

import re
import subprocess
import sys

import pytest
from conftest import ROOT

# Commands, and what they print in the block behind theirs.
EXAMPLES = re.findall(r"```sh\n((?:(?!```).)*)```\n\n```\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.S)


@pytest.mark.parametrize(("commands", "shown"), EXAMPLES, ids=["reduce", "select"])
def test_example(fsieve, commands, shown):
    script = commands.replace("./run", str(fsieve.path)).replace(".venv/bin/python", sys.executable)
    done = subprocess.run(["bash", "-ec", script], cwd=fsieve.folder, capture_output=True, text=True, check=True)
    # A line of … stands for lines that are left out.
    expected = "\n(?:.*\n)*".join(map(re.escape, shown.replace("\n…\n", "\0").split("\0")))
    assert re.fullmatch(expected + r"\n?", done.stdout), done.stdout
