"""docs/architecture.md is the law of the house: rooms use rooms above them in its table, never one below."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SRC = ROOT / "src"
ROW = re.compile(r"^\| `(\w+)` \|([^|]*)\|", re.M)


def rooms():
    """Rooms in order, each with its public headers."""
    found = ROW.findall((ROOT / "docs/architecture.md").read_text())
    return {room: re.findall(r"`([\w.]+)`", headers) for room, headers in found}


ROOMS = rooms()
HEIGHT = {room: height for height, room in enumerate(ROOMS)}
PUBLIC = {header: room for room, headers in ROOMS.items() for header in headers}


def source_files():
    return sorted(path for path in SRC.rglob("*") if path.suffix in (".h", ".cpp"))


def included(path):
    return re.findall(r'^#include "([^"]+)"', path.read_text(), re.M)


def room_of(include):
    first, _, rest = include.partition("/")
    return PUBLIC[rest] if first == "fsieve" else first


def test_every_folder_is_a_room_and_every_room_a_folder():
    assert {path.name for path in SRC.iterdir() if path.is_dir()} == set(ROOMS)


def test_every_public_header_has_a_room():
    assert {path.name for path in (ROOT / "include/fsieve").iterdir()} == set(PUBLIC)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_uses_rooms_above_it_only(room):
    files = [path for path in source_files() if path.relative_to(SRC).parts[0] == room]
    assert files
    below = [
        f"{path.relative_to(ROOT)} includes {include}"
        for path in files
        for include in included(path)
        if HEIGHT[room_of(include)] > HEIGHT[room]
    ]
    assert below == []


def test_public_headers_follow_the_order_too():
    below = [
        f"{path.name} includes {include}"
        for path in sorted((ROOT / "include/fsieve").iterdir())
        for include in included(path)
        if HEIGHT[room_of(include)] > HEIGHT[PUBLIC[path.name]]
    ]
    assert below == []


def test_methods_do_not_use_each_other():
    folders = {path.name for path in (SRC / "methods").iterdir() if path.is_dir()}
    across = [
        f"{path.relative_to(ROOT)} includes {include}"
        for path in source_files()
        for include in included(path)
        if (parts := path.relative_to(SRC).parts)[0] == "methods"
        and len(parts) == 3
        and include.startswith("methods/")
        and include.split("/")[1] in folders - {parts[1]}
    ]
    assert across == []


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_has_a_namespace_of_its_own(room):
    """What only a room uses is in its namespace: two things of one name never meet at link time."""
    own = {"table": "io::inline table", "io": "io", "cli": "cli", "relations": "relations"}.get(room, f"inline {room}")
    allowed = re.compile(rf"namespace fsieve(::{own}(::\w+)?)? {{|inline namespace \w+ {{|namespace (\w+ )?{{|namespace \w+ = ")
    for path in source_files():
        if path.relative_to(SRC).parts[0] != room:
            continue
        text = path.read_text()
        for line in re.findall(r"^(?:inline )?namespace .*", text, re.M):
            fine = allowed.match(line) or (room in ("base", "linalg") and re.match(r"namespace fsieve::(simd|blas)(::HWY_NAMESPACE)? {", line))
            fine = fine or "class" in text.split(line, 1)[1][:20]  # a declaration for another room's class
            assert fine, f"{path.relative_to(ROOT)}: {line}"
