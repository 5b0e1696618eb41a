"""What the sources themselves must keep."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools" / "unique-names"


def names(folder):
    done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def test_two_types_of_one_name_are_found(tmp_path, write):
    write("a.h", "namespace fsieve {\nclass Sums : public Base {\n  struct Row { int x{}; };\n};\n}\n")
    write("b.cpp", "namespace fsieve {\nnamespace {\nclass Sums {};\n}\nvoid f() { struct Sums {}; }\n}\n")
    write("c.h", 'namespace fsieve::io {\nstruct Sums { const char* s = "struct Sums {"; };  // {\n}\n')
    assert names(tmp_path) == (0, "")
    write("d.h", "namespace fsieve {\nenum class Kind { a };\nstruct alignas(64) Sums final {};\n}\n")
    code, said = names(tmp_path)
    assert code == 1 and said.count("\n") == 1
    assert said.startswith("fsieve::Sums is defined in") and "a.h" in said and "d.h" in said


@pytest.mark.parametrize(
    "opening",
    ["namespace fsieve::inline span", "namespace fsieve {\ninline namespace span", 'extern "C" {\nnamespace fsieve::span'],
)
def test_inline_namespaces_are_looked_into(tmp_path, write, opening):
    write("a.h", f"{opening} {{\nstruct Sums {{}};\n{'}' * (opening.count('{') + 1)}\n")
    assert names(tmp_path) == (0, "")
    write("b.h", "namespace fsieve::inline span {\nstruct Sums {};\n}\n")
    code, said = names(tmp_path)
    assert code == 1 and said.startswith("fsieve::span::Sums is defined in")


def test_the_types_of_the_sources_are_seen():
    definitions = runpy.run_path(str(SCRIPT))["definitions"]
    headers = sorted((ROOT / "src").rglob("*.h"))
    seen = {name for path in headers for name in definitions(path.read_text(encoding="utf-8"))}
    assert {"fsieve::bits::SignCounts", "fsieve::span::SignMoments", "fsieve::io::table::OriginalColumn"} <= seen
    # At the beginning of a line, where a definition of its own stands.
    for path in headers:
        for name in re.findall(r"^(?:class|struct) (\w+)(?: final)?(?: : [^;{]*)? \{", path.read_text(), re.M):
            assert any(name in full.split("::") for full in seen), f"{path}: {name}"
    assert names(ROOT / "src") == (0, "")


# What these read and write depends on the locale that a program has set; base/number.h reads alike in every one.
BY_LOCALE = re.compile(r"\b(?:sto(?:d|f|ld)|strto\w+|wcsto\w+|ato[fil]l?|v?[fs]?n?(?:scanf|printf)|setlocale|imbue)\s*\(")


def test_no_number_is_read_by_locale():
    for called in ("std::stod(text)", "strtod (p, &end)", "::strtof(p, &e)", 'sscanf(p, "%lf", &x)', "atof(p)"):
        assert BY_LOCALE.search(called)
    assert not BY_LOCALE.search("stop(); restore(); history(1); to_string(2)")
    not_code = runpy.run_path(str(SCRIPT))["NOT_CODE"]
    sources = [path for folder in ("include", "src", "python/src") for path in (ROOT / folder).rglob("*")]
    sources = [path for path in sources if path.suffix in (".h", ".cpp")]
    assert len(sources) > 400
    for path in sources:
        found = BY_LOCALE.search(not_code.sub(" ", path.read_text(encoding="utf-8")))
        assert not found, f"{path}: {found[0]}"
