"""The Python example of the README, and a Python that it is pasted into."""

import re

from places import ROOT

# Reads an example, types its lines one after another, and writes what the screen would show.
TYPIST = """
import code, sys
console = code.InteractiveConsole()
for line in sys.stdin.read().splitlines():
    if line.startswith((">>> ", "... ")):
        print(line, flush=True)
        console.push(line[4:])
"""


def example():
    """Its lines as they stand there, with the output that follows them."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    return "".join(block for block in blocks if block.startswith(">>> "))
