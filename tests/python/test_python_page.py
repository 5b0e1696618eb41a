"""docs/python.md: its examples, pasted one after another, run."""

import re
import subprocess

import pytest
from places import BUILD, ROOT

TEXT = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


@pytest.mark.filterwarnings("ignore")
def test_blocks_run_as_they_stand(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib").use("agg")
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^env/bin/fsieve (.*?)(?: +#.*)?$", TEXT, flags=re.M)
    assert len(commands) == 2
    for words in commands:
        subprocess.run([BUILD / "fsieve", *words.split()], check=True, capture_output=True)
    blocks = re.findall(r"```python\n(.*?)```", TEXT, flags=re.S)
    assert len(blocks) == 5
    names = {}
    for block in blocks:
        exec(block, names)  # noqa: S102
    assert names["reducer"].equations_["range"] == ["range = economy·tank"]
    assert set(names["small"].columns) == set(names["reducer"].get_feature_names_out())
    assert len(names["total"].equations_) == 10  # depth 2: sums, no products of three
    assert (tmp_path / "report.html").exists() and (tmp_path / "result.json").exists()
