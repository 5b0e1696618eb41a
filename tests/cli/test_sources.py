"""What the sources themselves must keep."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "unique-names"


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
