"""The scripts in examples/python run, and find what they say."""

import runpy

import pytest
from places import ROOT

SCRIPTS = sorted((ROOT / "examples" / "python").glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore")
def test_example(script, capsys):
    runpy.run_path(str(script))
    assert capsys.readouterr().out
