"""The README and the pages print what the program prints."""

import re
import subprocess
import sys

import pytest
from conftest import ROOT

# Commands, and what they print in the block behind theirs.
PAIR = re.compile(r"```sh\n((?:(?!```).)*)```\n\n```\n(.*?)```", flags=re.S)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLES = [pytest.param(*pair, id=f"{page.stem}-{k}") for page in PAGES for k, pair in enumerate(PAIR.findall(page.read_text(encoding="utf-8")))]


@pytest.mark.parametrize(("commands", "shown"), EXAMPLES)
def test_example(fsieve, commands, shown):
    script = re.sub(r"^(?:\./run|fsieve)\b", str(fsieve.path), commands, flags=re.M).replace(".venv/bin/python", sys.executable)
    done = subprocess.run(["bash", "-ec", script], cwd=fsieve.folder, capture_output=True, text=True, check=True)
    # A line of … stands for lines that are left out.
    expected = "\n(?:.*\n)*".join(map(re.escape, re.split(r"\n *…\n", shown)))
    assert re.fullmatch(expected + r"\n?", done.stdout), done.stdout


def test_every_page_with_examples_is_read():
    assert len(EXAMPLES) >= 6
