"""Output files: all or none, never over an input, through links, with any name."""

import os
import resource
import signal
import stat
import subprocess
import threading

import pytest

from running import reader_of, wait_for, wait_until_it_waits

OLD = "old\n"


def contents(fsieve):
    return {name: (fsieve.folder / name).read_bytes() for name in fsieve.files() if (fsieve.folder / name).is_file()}


def interrupted(fsieve, process, files_after):
    """Ctrl-C ends it, and these are the files then."""
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 130
    assert process.stderr.read() == b"fsieve: error: interrupted\n"
    assert fsieve.files() == files_after


@pytest.fixture
def result(fsieve, cars):
    fsieve("reduce", cars.name, "--save", "r.json", "-q")
    return "r.json"


@pytest.fixture
def model(fsieve, write):
    write("l.csv", "a,b,y\n" + "".join(f"{i % 2},{i // 2 % 2},{i % 2}\n" for i in range(40)))
    fsieve("learn", "l.csv", "--label", "y", "-k", "1", "-o", "m.json", "-q")
    return "m.json"


# All or none.


@pytest.mark.parametrize("bad", ["full", "folder/s.json", "link"])
def test_a_failed_second_output_leaves_the_first_as_it_was(fsieve, cars, full, bad):
    (fsieve.folder / "folder").write_text("not a folder")
    os.symlink(full, fsieve.folder / "link")
    bad = full if bad == "full" else bad
    before = contents(fsieve)
    fsieve.fails(1, bad, "reduce", cars.name, "-o", cars.name, "--save", bad)
    fsieve.fails(1, bad, "reduce", cars.name, "-o", "new.csv", "--save", bad)
    assert contents(fsieve) == before


def test_a_truth_that_cannot_be_written_leaves_the_table(fsieve, write):
    write("g.csv", OLD)
    (fsieve.folder / "g.csv.truth.json").mkdir()
    fsieve.fails(1, "g.csv.truth.json", "generate", "s1", "--rows", "20", "-o", "g.csv")
    assert contents(fsieve) == {"g.csv": OLD.encode()}


as_a_user = pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")


@as_a_user
@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_read_only_second_output_leaves_the_first_as_it_was(fsieve, cars, write, what):
    (fsieve.folder / "folder").mkdir()
    write("s.json", OLD).chmod(0o444)
    before = contents(fsieve)
    if what == "folder":
        (fsieve.folder / "folder").chmod(0o555)
    save = "s.json" if what == "file" else "folder/s.json"
    line = fsieve.fails(1, save, "reduce", cars.name, "-o", cars.name, "--save", save)
    assert "permission denied" in line.lower()
    assert contents(fsieve) == before


@pytest.fixture
def fifo(fsieve):
    """An input that nobody writes: whoever looks at it before the outputs waits for ever."""
    os.mkfifo(fsieve.folder / "fifo")
    return "fifo"


def refused_at_once(fsieve, code, says, arguments):
    before = contents(fsieve)
    process = fsieve.start(*arguments)
    try:
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode == code and out == b"", (arguments, err)
    assert err.startswith(b"fsieve: error: ") and err.count(b"\n") == 1, (arguments, err)
    assert says in err.decode(), (arguments, err)
    assert contents(fsieve) == before


def refused_before_the_work(fsieve, path):
    for arguments in [
        ["reduce", "fifo", "--save", path],
        ["reduce", "fifo", "-o", "o.csv", "--save", path],
        ["select", "fifo", "--label", "y", "-k", "1", "--save", path],
        ["select", "fifo", "--label", "y", "-k", "1", "--table", f"{path}.csv"],
        ["learn", "fifo", "--label", "y", "-k", "1", "-o", path],
        ["learn", "fifo", "--label", "y", "-k", "1", "--checkpoint", path],
        ["report", "fifo", "-o", path],
        ["predict", "fifo", "t.csv", "-o", f"{path}.csv"],
        ["predict", "m.json", "fifo", "-o", f"{path}.csv"],
        ["apply", "fifo", "t.csv", "-o", f"{path}.csv"],
        ["apply", "r.json", "fifo", "-o", f"{path}.csv"],
    ]:
        refused_at_once(fsieve, 1, f"error: {path}", arguments)


def test_a_missing_folder_is_said_before_the_work(fsieve, model, result, fifo):
    refused_before_the_work(fsieve, "nowhere/s")


@as_a_user
@pytest.mark.parametrize("what", ["files", "folder"])
def test_a_read_only_output_is_said_before_the_work(fsieve, model, result, fifo, what):
    (fsieve.folder / "folder").mkdir()
    if what == "files":
        for name in ["s", "s.csv"]:
            (fsieve.folder / "folder" / name).write_text(OLD)
            (fsieve.folder / "folder" / name).chmod(0o444)
    else:
        (fsieve.folder / "folder").chmod(0o555)
    refused_before_the_work(fsieve, "folder/s")


# Pipes and devices are written, and stay what they are, whatever becomes of the other output.


@pytest.fixture(params=["pipe", "device"])
def special(fsieve, request):
    """A FIFO with a reader; a device of its own that swallows everything, never the system's."""
    path = fsieve.folder / "o.csv"
    if request.param == "pipe":
        os.mkfifo(path)
        with reader_of(path):
            yield path
        return
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        path.write_text("")
    except PermissionError:
        pytest.skip("only root makes devices, and not every file system has them")
    yield path


def is_special(path):
    mode = os.lstat(path).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def test_a_special_file_outlives_a_failed_second_output(fsieve, cars, special, full):
    fsieve.fails(1, full, "reduce", cars.name, "-o", special.name, "--save", full)
    assert is_special(special)


def test_a_special_file_outlives_success(fsieve, cars, special):
    fsieve("reduce", cars.name, "-o", special.name, "--save", "s.json", "-q")
    assert is_special(special) and (fsieve.folder / "s.json").is_file()


@pytest.mark.parametrize("times", [1, 2])
def test_a_special_file_outlives_an_interrupt(fsieve, cars, special, times):
    os.mkfifo(fsieve.folder / "unread")  # what is written second waits for a reader
    before = fsieve.files()
    process = fsieve.start("reduce", cars.name, "-o", special.name, "--save", "unread", "-q")
    wait_until_it_waits(process)
    if times == 2:
        process.send_signal(signal.SIGTERM)
    interrupted(fsieve, process, before)
    assert is_special(special)


def test_a_limit_on_file_sizes_is_an_error_like_others(fsieve, cars, write):
    write("out.csv", OLD)
    before = contents(fsieve)
    process = fsieve.start(
        "reduce", cars.name, "-o", "out.csv", "-q",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512)),
    )  # fmt: skip
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (1, b"fsieve: error: out.csv: cannot be written: file too large\n")
    assert contents(fsieve) == before


def test_a_second_interrupt_leaves_nothing_either(fsieve):
    process = fsieve.start("generate", "s1", "--rows", "2000000000", "-o", "big.csv.gz")
    wait_for(fsieve.files)
    # Both are on their way before the first is looked at.
    process.send_signal(signal.SIGSTOP)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGCONT)
    process.communicate(timeout=20)
    assert process.returncode == 130
    assert fsieve.files() == []


# Never over an input.


def test_json_replaces_no_input(fsieve, cars, model, result):
    os.symlink(cars.name, fsieve.folder / "link.json")
    os.link(cars, fsieve.folder / "hard.json")
    before = contents(fsieve)
    for arguments in [
        ["learn", "l.csv", "--label", "y", "-k", "1", "-o", "l.csv"],
        ["learn", "l.csv", "--label", "y", "-k", "1", "--checkpoint", "./l.csv"],
        ["reduce", cars.name, "--save", cars.name],
        ["reduce", cars.name, "--save", f"../{fsieve.folder.name}/{cars.name}"],
        ["reduce", cars.name, "--save", "link.json"],
        ["reduce", cars.name, "--save", "hard.json"],
        ["reduce", cars.name, "-o", "link.json"],
        ["reduce", "link.json", "-o", "link.json"],
        ["select", cars.name, "--label", "weight", "-k", "1", "--save", cars.name],
        ["predict", model, "l.csv", "-o", "./m.json"],
        ["apply", result, cars.name, "-o", result],
    ]:
        line = fsieve.fails(2, ["would replace the input", "another name"], *arguments)
        assert line.count(".") < 8, line
        assert contents(fsieve) == before, arguments


def test_what_would_be_replaced_is_said_before_the_work(fsieve, model, result, fifo):
    for arguments in [
        ["reduce", "fifo", "-o", "./new.json", "--save", "new.json"],
        ["learn", "fifo", "--label", "y", "-k", "1", "-o", "new.json", "--checkpoint", "./new.json"],
    ]:
        refused_at_once(fsieve, 2, "are the same file", arguments)
    for arguments in [["predict", model, "fifo", "-o", "./m.json"], ["apply", result, "fifo", "-o", result]]:
        refused_at_once(fsieve, 2, "would replace the input", arguments)


def test_a_table_may_replace_its_input(fsieve, cars, model, result):
    fsieve("reduce", cars.name, "-o", cars.name, "-q")
    assert cars.read_text().startswith("weight,")
    fsieve("predict", model, "l.csv", "-o", "l.csv", "-q")
    assert "prediction" in (fsieve.folder / "l.csv").read_text()
    fsieve("apply", result, cars.name, "-o", f"./{cars.name}", "-q")


@pytest.mark.parametrize("table, save", [("r.json", "r.json"), ("./r.json", "r.json"), ("r.json", "folder/../r.json"),
                                         ("r.json", "link"), ("hard.json", "r.json")])  # fmt: skip
@pytest.mark.parametrize("exists", [False, True])
def test_two_outputs_are_two_files(fsieve, cars, write, table, save, exists):
    (fsieve.folder / "folder").mkdir()
    os.symlink("r.json", fsieve.folder / "link")
    if exists:
        os.link(write("r.json", OLD), fsieve.folder / "hard.json")
    elif table == "hard.json":
        return  # a hard link needs a file
    before = contents(fsieve)
    fsieve.fails(2, ["-o", "--save"], "reduce", cars.name, "-o", table, "--save", save)
    fsieve.fails(2, ["-o", "--checkpoint"], "learn", cars.name, "--label", "weight", "-k", "1", "-o", table,
                 "--checkpoint", save)  # fmt: skip
    assert contents(fsieve) == before


# Links, names, modes.


def test_a_link_stays_a_link(fsieve, cars, write):
    (fsieve.folder / "there").mkdir()
    write("there/old.csv", OLD)
    os.symlink("there/old.csv", fsieve.folder / "old.csv")
    os.symlink("there/new.csv", fsieve.folder / "new.csv")  # leads to nothing yet
    os.symlink("new.csv", fsieve.folder / "chain.csv")
    for name, target in [("old.csv", "old.csv"), ("new.csv", "new.csv"), ("chain.csv", "new.csv")]:
        fsieve("reduce", cars.name, "-o", name, "-q")
        assert (fsieve.folder / name).is_symlink()
        assert (fsieve.folder / "there" / target).read_text().startswith("weight,")
        (fsieve.folder / "there" / target).unlink()
    os.symlink("nowhere/x.csv", fsieve.folder / "lost.csv")
    fsieve.fails(1, ["lost.csv", "no folder"], "reduce", cars.name, "-o", "lost.csv")
    os.symlink("circle.csv", fsieve.folder / "circle.csv")
    fsieve.fails(1, "circle.csv", "reduce", cars.name, "-o", "circle.csv")


@pytest.mark.parametrize("stem", ["n" * 251, "é" * 125])
def test_the_longest_legal_name(fsieve, cars, stem):
    name = f"{stem}.csv"
    fsieve("reduce", cars.name, "-o", name, "--save", f"{stem}.xyz"[-255:], "-q")
    fsieve("reduce", cars.name, "-o", name, "--save", f"{stem}.xyz"[-255:], "-q")  # over the old ones
    assert sorted(fsieve.files()) == sorted([cars.name, name, f"{stem}.xyz"])
    fsieve.fails(1, "name too long", "generate", "s1", "--rows", "20", "-o", name)


def test_modes_follow_the_mask_and_the_old_file(fsieve, cars, write):
    write("old.csv", OLD).chmod(0o640)
    process = fsieve.start("reduce", cars.name, "-o", "old.csv", "--save", "new.json", "-q", umask=0o027)
    process.communicate(timeout=60)
    assert process.returncode == 0
    modes = {name: stat.S_IMODE((fsieve.folder / name).stat().st_mode) for name in ["old.csv", "new.json"]}
    assert modes == {"old.csv": 0o640, "new.json": 0o640}
    write("open.csv", OLD).chmod(0o666)
    fsieve("reduce", cars.name, "-o", "open.csv", "-q")
    assert stat.S_IMODE((fsieve.folder / "open.csv").stat().st_mode) == 0o666


def test_pipes_are_written_before_files_are_replaced(fsieve, cars, write):
    os.mkfifo(fsieve.folder / "pipe")
    write("out.csv", OLD)
    seen = []

    def read():
        with open(fsieve.folder / "pipe", "rb") as pipe:
            seen.append(pipe.read())

    reader = threading.Thread(target=read)
    reader.start()
    fsieve("reduce", cars.name, "-o", "out.csv", "--save", "pipe", "-q")
    reader.join()
    assert seen[0].startswith(b"{") and stat.S_ISFIFO((fsieve.folder / "pipe").stat().st_mode)
    assert (fsieve.folder / "out.csv").read_text() != OLD


# Standard output.


def test_a_result_on_standard_output_is_one_object(fsieve, cars, model, validate):
    for name, arguments in [
        ("reduce", ["reduce", cars.name, "--no-timing"]),
        ("select", ["select", cars.name, "--label", "weight", "-k", "1", "--no-timing"]),
    ]:
        expected = validate(fsieve.json(*arguments), name)
        for save in ["-", "/dev/stdout"]:
            assert fsieve.json(*arguments, "--save", save) == expected
            assert fsieve(*arguments, "--save", save) == fsieve(*arguments, "--json")
    learn = ["learn", "l.csv", "--label", "y", "-k", "1", "--no-timing"]
    assert fsieve(*learn, "-o", "-") == fsieve(*learn, "--json")


def test_a_result_is_not_lost_with_the_report(fsieve, cars, write):
    """The report comes last: a full disk behind standard output, or a reader that went away, changes no file."""
    arguments = ["reduce", cars.name, "--no-timing"]
    fsieve(*arguments, "-o", "expected.csv", "--save", "expected.json")
    for more in [[], ["--json"]]:
        for out in ["/dev/full", "closed pipe"]:
            write("r.json", OLD)
            write("o.csv", OLD)
            if out == "closed pipe":
                reader, stdout = os.pipe()
                os.close(reader)
            else:
                stdout = os.open(out, os.O_WRONLY)
            process = fsieve.start(*arguments, "-q", *more, "-o", "o.csv", "--save", "r.json", stdout=stdout)
            os.close(stdout)
            _, err = process.communicate(timeout=60)
            assert process.returncode == (1 if out == "/dev/full" else 0), err
            assert err.count(b"fsieve: error: cannot write to standard output") == process.returncode
            for name in ["r.json", "o.csv"]:
                expected = (fsieve.folder / f"expected{name[1:]}").read_bytes()
                assert (fsieve.folder / name).read_bytes() == expected
    assert fsieve.files() == sorted([cars.name, "expected.csv", "expected.json", "o.csv", "r.json"])


def test_an_interrupt_ends_a_report_that_nobody_reads(fsieve, cars, write):
    """The files are new by then, and stay so."""
    arguments = ["reduce", cars.name, "--no-timing", "-q"]
    fsieve(*arguments, "-o", "expected.csv", "--save", "expected.json")
    write("r.json", OLD)
    write("o.csv", OLD)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        while True:
            os.write(writer, b" " * 4096)
    except BlockingIOError:
        os.set_blocking(writer, True)
    process = fsieve.start(*arguments, "-o", "o.csv", "--save", "r.json", stdout=writer)
    os.close(writer)
    wait_for(lambda: (fsieve.folder / "r.json").read_text() != OLD)
    wait_until_it_waits(process)
    interrupted(fsieve, process, sorted([cars.name, "expected.csv", "expected.json", "o.csv", "r.json"]))
    os.close(reader)
    for name in ["o.csv", "r.json"]:
        assert (fsieve.folder / name).read_bytes() == (fsieve.folder / f"expected{name[1:]}").read_bytes()


def test_standard_output_into_the_same_file(fsieve, cars):
    with open(fsieve.folder / "out.csv", "wb") as out:
        done = subprocess.run(
            [fsieve.path, "reduce", cars.name, "-o", "out.csv"], cwd=fsieve.folder, stdout=out, stderr=subprocess.PIPE,
            check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == b"fsieve: error: -o out.csv is where standard output goes\n"
