"""What a running program is doing, so that tests wait for it instead of for some time."""

import fcntl
import os
import struct
import termios
import threading
import time
from contextlib import contextmanager
from pathlib import Path


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def stat_of(process):
    """The fields of /proc/PID/stat from the state on."""
    return Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()


def cpu_seconds(process):
    fields = stat_of(process)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for_work(process, seconds=0.3):
    """Until the program, which must not be done before, has computed for so long."""
    wait_for(lambda: process.poll() is not None or cpu_seconds(process) >= seconds)
    assert process.poll() is None, "too quick to be interrupted"


def wait_until_it_waits(process):
    """Until the program sleeps, and goes on sleeping."""
    asleep = 0
    end = time.monotonic() + 60
    while asleep < 5:
        assert process.poll() is None and time.monotonic() < end
        asleep = asleep + 1 if stat_of(process)[0] == "S" else 0
        time.sleep(0.01)


def unread_bytes(pipe):
    """What was written into a pipe and not read yet."""
    return struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, struct.pack("i", 0)))[0]


@contextmanager
def reader_of(path):
    """Somebody reads from this FIFO, whatever comes, and as often as it is written."""
    descriptor = os.open(path, os.O_RDWR)  # as a writer it keeps the FIFO open
    seen = []

    def read():
        while not (chunk := os.read(descriptor, 65536)).endswith(b"\0"):
            seen.append(chunk)

    thread = threading.Thread(target=read)
    thread.start()
    try:
        yield seen
    finally:
        os.write(descriptor, b"\0")
        thread.join()
        os.close(descriptor)
