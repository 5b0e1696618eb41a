"""A file-backed run never holds the file: its peak memory does not grow with the number of rows."""

import os
import subprocess


def peak_mib(command):
    """Runs a command to its end and returns the most memory it held."""
    with open(os.devnull, "wb") as nowhere:
        process = subprocess.Popen(command, stdout=nowhere, stderr=nowhere)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return usage.ru_maxrss / 1024


def test_peak_memory_does_not_grow_with_rows(fsieve, tmp_path):
    for extension in ("csv", "parquet"):
        peaks = {}
        for rows in (120_000, 360_000):
            path = tmp_path / f"{rows}.{extension}"
            fsieve("generate", "s1", "--rows", rows, "--seed", 1, "-o", path)
            # Depth 1 and 2: all passes there are, on few rows per second of test.
            peaks[rows] = peak_mib([fsieve.path, "reduce", str(path), "--label", "y",
                                    "--stages", "1,2:50", "--memory", "1M", "--json"])
        table = 360_000 * 31 * 8 / 2**20
        assert peaks[360_000] < peaks[120_000] + table / 3, peaks


def test_streaming_gives_the_same_bytes_as_memory(fsieve, tmp_path):
    for extension in ("csv", "csv.gz", "parquet", "feather", "npy"):
        path = tmp_path / f"a.{extension}"
        fsieve("generate", "s1", "--rows", 9_000, "--seed", 3, "-o", path)
        outputs = set()
        for memory in ("1M", "512M"):
            for threads in (1, 2, 7):
                outputs.add(fsieve("reduce", path, "--json", "--no-timing", "--memory", memory,
                                   "--threads", threads))
        assert len(outputs) == 1, extension
