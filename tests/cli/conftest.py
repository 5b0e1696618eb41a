"""What all command line tests share: the program, and a check that it fails as promised."""

import json
import os
import stat
import subprocess
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import pytest
from referencing import Registry, Resource

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "docs" / "schema"
SANITIZED = bool(os.environ.get("FSIEVE_SANITIZED"))  # tools/sanitized runs the tests


def pytest_configure():
    if not program().exists():
        pytest.exit(f"{program()} is not built (FSIEVE says where the program is)", returncode=2)


def program():
    return Path(os.environ.get("FSIEVE") or ROOT / "build" / "release" / "fsieve").resolve()


def refuse_constant(text):
    raise ValueError(f"{text} is not JSON")


@pytest.fixture(scope="session")
def validate():
    """Checks an object against docs/schema/NAME.json."""
    schemas = {path.name: json.loads(path.read_text()) for path in SCHEMAS.glob("*.json")}
    registry = Registry().with_resources(
        [(name, Resource.from_contents(schema)) for name, schema in schemas.items()]
    )

    def check(value, name):
        schema = schemas[f"{name}.json"]
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.Draft202012Validator(schema, registry=registry).validate(value)
        return value

    return check


class Fsieve:
    """Runs the program in a folder of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.path = str(program())

    def run(self, *arguments, stdin=b"", env=None):
        done = subprocess.run(
            [self.path, *map(str, arguments)],
            input=stdin,
            capture_output=True,
            cwd=self.folder,
            timeout=60,
            check=False,
            env={**os.environ, **(env or {})},
        )
        return SimpleNamespace(
            code=done.returncode,
            bytes=done.stdout,
            out=done.stdout.decode(errors="surrogateescape"),
            err=done.stderr.decode(errors="surrogateescape"),
        )

    def __call__(self, *arguments, **options):
        """Runs the program, which must succeed; gives back its standard output."""
        done = self.run(*arguments, **options)
        assert done.code == 0, done.err
        assert "fsieve: error:" not in done.err
        return done.out

    def json(self, *arguments, **options):
        return json.loads(self(*arguments, "--json", **options), parse_constant=refuse_constant)

    def start(self, *arguments, **options):
        """The running program."""
        return subprocess.Popen(
            [self.path, *map(str, arguments)],
            cwd=self.folder,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
        )

    def files(self):
        return sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*"))

    def fails(self, code, says, *arguments, **options):
        """Must end with this code, one error line that holds `says`, and nothing left behind."""
        before = self.files()
        done = self.run(*arguments, **options)
        lines = done.err.splitlines()
        assert done.code == code, (done.code, done.err)
        assert done.out == ""
        assert sum("fsieve: error:" in line for line in lines) == 1, done.err
        assert lines[-1].startswith("fsieve: error: "), done.err
        for part in [says] if isinstance(says, str) else says:
            assert part in lines[-1], lines[-1]
        assert self.files() == before
        return lines[-1]


@pytest.fixture
def fsieve(tmp_path):
    return Fsieve(tmp_path)


@pytest.fixture
def write(tmp_path):
    """Writes a file into the test's folder."""

    def write_file(name, content):
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, encoding="utf-8")
        return path

    return write_file


@pytest.fixture
def full(tmp_path):
    """A device on which every write fails. Root's is one of its own: no fault here may remove the system's."""
    node = tmp_path / "full"
    try:
        os.mknod(node, 0o666 | stat.S_IFCHR, os.makedev(1, 7))
        open(node, "wb").close()
        return "full"
    except PermissionError:  # not root, or a file system without devices
        node.unlink(missing_ok=True)
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full")
    return "/dev/full"


CARS = "weight,litres,colour,wheels,inches\n" + "".join(
    f"{1000 + (i * 37) % 211},{0.0164 * (100 + (i * 53) % 97):.6f},{['red', 'blue', 'green'][(i * i) % 7 % 3]},"
    f"4,{100 + (i * 53) % 97}\n"
    for i in range(120)
)


@pytest.fixture
def cars(write):
    """120 rows: inches is litres in another unit, wheels a constant, colour text."""
    return write("cars.csv", CARS)
