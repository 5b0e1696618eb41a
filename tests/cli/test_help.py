"""Help, version, and the table of options that the docs are made of."""

import json
import re

import pytest
from conftest import ROOT

COMMANDS = ["reduce", "select", "learn", "predict", "bounds", "report", "apply", "show", "generate", "demo"]


def test_overview_names_every_command(fsieve):
    text = fsieve("--help")
    for command in COMMANDS:
        assert re.search(rf"^  {command} ", text, re.M)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_teaches(fsieve, command):
    text = fsieve(command, "--help")
    assert text.startswith(f"fsieve {command}: ")
    assert f"Usage: fsieve {command}" in text
    assert text.count(f"  fsieve ") >= 2
    assert "Examples:" in text
    assert "[default: " in text
    assert max(map(len, text.splitlines())) <= 100
    assert fsieve(command, "-h") == text


def test_help_wins_over_missing_arguments(fsieve):
    assert fsieve("reduce", "--epsilon", "0.2", "--help").startswith("fsieve reduce")


def test_version_says_what_it_runs_on(fsieve):
    lines = fsieve("--version").splitlines()
    assert re.fullmatch(r"fsieve \d+\.\d+\.\d+", lines[0])
    assert len(lines) > 1


def test_options_page_is_up_to_date(fsieve):
    assert fsieve("options", "--markdown") == (ROOT / "docs" / "options.md").read_text()


def test_options_for_programs(fsieve):
    table = json.loads(fsieve("options", "--json"))
    assert [command["name"] for command in table["commands"]] == COMMANDS
    reduce = {o["option"]: o for o in table["commands"][0]["options"] if o["option"]}
    assert reduce["--epsilon"]["default"] == "0.1"
    assert reduce["--missing"]["choices"] == ["error", "drop", "mean"]
    for name in "label columns exclude categorical missing na delimiter no-header header rows".split():
        assert f"--{name}" in reduce


def test_options_may_stand_before_the_command(fsieve, cars):
    assert fsieve("--threads", 1, "-q", "reduce", cars.name) == fsieve("reduce", cars.name)
