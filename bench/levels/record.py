"""Draws of noise in a file, one line each, so that a run which was ended goes on from there."""

import resource
import time
from collections import defaultdict


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Record:
    """Lines of cell, seed, whether something was selected, the smallest p-value, and processor seconds."""

    def __init__(self, path):
        self.path = path
        self.draws = defaultdict(dict)
        try:
            with open(path) as lines:
                for line in lines:
                    if line.endswith("\n"):  # one that was cut off is drawn again
                        self._note(*line.rstrip("\n").split("\t"))
        except FileNotFoundError:
            pass

    def _note(self, cell, seed, alarm, p_value, seconds):
        self.draws[cell][int(seed)] = (int(alarm), float(p_value), float(seconds))

    def add(self, cell, seed, alarm, p_value, seconds):
        line = (cell, str(seed), str(int(alarm)), f"{p_value:.3g}", f"{seconds:.3f}")
        with open(self.path, "a") as out:
            out.write("\t".join(line) + "\n")
        self._note(*line)

    def seconds(self, cell):
        """Of one draw."""
        own = self.draws[cell].values()
        return sum(draw[2] for draw in own) / len(own)

    def counts(self, cell):
        """Draws, alarms, and the smallest p-value."""
        own = self.draws[cell].values()
        return len(own), sum(draw[0] for draw in own), min((draw[1] for draw in own), default=1.0)


def fill(record, cells, draws, first, alarm, limit=None):
    """Draws what the record lacks: one of every cell, then the cheapest cell's first, for `limit` seconds of the clock."""
    began = time.monotonic()

    def complete(cell, wanted):
        name = " ".join(map(str, cell))
        for seed in range(first, first + wanted):
            if seed in record.draws[name]:
                continue
            if limit is not None and time.monotonic() - began > limit:
                return
            before = children_seconds()
            record.add(name, seed, *alarm(cell, seed), children_seconds() - before)

    for cell in cells:
        complete(cell, 1)
    started = [cell for cell in cells if record.draws[" ".join(map(str, cell))]]
    for cell in sorted(started, key=lambda cell: record.seconds(" ".join(map(str, cell)))):
        complete(cell, draws)
