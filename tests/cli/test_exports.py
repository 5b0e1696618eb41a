"""The libraries show what the public headers declare, what libfsieve_io needs of libfsieve, and nothing else."""

import re
import subprocess

import pytest
from conftest import ROOT, program

BUILD = program().parent
LIBRARIES = [BUILD / "src" / "libfsieve.so", BUILD / "src" / "libfsieve_io.so"]

if not all(library.exists() for library in LIBRARIES):
    pytest.skip("no shared libraries in this build", allow_module_level=True)
if re.search(r"^FSIEVE_FUZZ:BOOL=(ON|1)", (BUILD / "CMakeCache.txt").read_text(), re.M):
    pytest.skip("under the sanitizers everything is shown", allow_module_level=True)

HEADERS = "\n".join(path.read_text() for path in sorted((ROOT / "include/fsieve").iterdir()))
CODE = re.sub(r"//[^\n]*", "", HEADERS)
NAMES = set(re.findall(r"\b(?:class|struct)\s+(\w+)|\b(\w+)\(", CODE))
NAMES = {name for pair in NAMES for name in pair if name}
# Of the rooms: what the map of the linker names as needed by libfsieve_io.
SHARED = (ROOT / "src/exported.map").read_text().partition("promised to nobody")[2]
FOR_IO = re.findall(r"fsieve::([\w:]+)\*;", SHARED)


def symbols(library, kind):
    """Whole names, without their arguments and what the compiler puts before them."""
    lines = subprocess.run(
        ["nm", "-D", kind, "--demangle", library], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    names = [re.sub(r"^[0-9a-f]* +\w ", "", line) for line in lines]
    return {re.sub(r"^[a-z -]+ (?:for|to) ", "", name).partition("(")[0].partition("[")[0] for name in names}


def shown(library):
    return symbols(library, "--defined-only")


def declared(name):
    """Is fsieve::NAME… in a public header, or fsieve::room::NAME… needed by libfsieve_io?"""
    first, _, rest = name.partition("::")
    return first == "fsieve" and (re.split("::|<", rest)[0] in NAMES or rest.startswith(tuple(FOR_IO)))


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda path: path.name)
def test_nothing_beyond_the_headers_is_shown(library):
    names = shown(library)
    assert names
    assert sorted(name for name in names if not declared(name)) == []


def test_no_library_touches_the_mask_of_its_process():
    """A library that sets umask, even for a moment, changes the files that other threads make meanwhile."""
    libraries = [*(BUILD / "src").glob("*.so"), *(BUILD / "python" / "fsieve").glob("_core*.so"), program()]
    assert set(LIBRARIES) < set(libraries)
    needed = {library: {name.partition("@")[0] for name in symbols(library, "--undefined-only")} for library in libraries}
    assert {"rename", "fchmod"} <= needed[LIBRARIES[0]] | needed[LIBRARIES[1]]  # which make the files
    assert [library.name for library in libraries if "umask" in needed[library]] == []


def test_all_functions_of_the_headers_are_there():
    wanted = {
        name
        for line, name in re.findall(r"^((?:\[\[nodiscard\]\] )?[A-Za-z][^\n;={]*?[ &*](\w+)\()", CODE, re.M)
        if not re.match(r"(\[\[nodiscard\]\] )?(inline|constexpr|using|template)\b", line)
    }
    assert {"uffs", "sffs", "gfs", "learn", "open_table", "describe", "to_json"} <= wanted
    names = {name.split("::")[1] for library in LIBRARIES for name in shown(library)}
    assert sorted(wanted - names) == []


def test_the_library_of_files_finds_what_it_needs():
    core, files = LIBRARIES
    needed = {name for name in symbols(files, "--undefined-only") if name.startswith("fsieve::")}
    assert needed
    assert sorted(needed - shown(core)) == []
