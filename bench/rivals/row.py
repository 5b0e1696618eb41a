"""What one line of the table says, and how its seconds are taken."""

import dataclasses
import time


@dataclasses.dataclass
class Row:
    work: str
    table: str
    seconds: float  # of CPU, fsieve
    rival: str
    rival_seconds: float  # of CPU, or what the limit says
    aim: float | None  # at most this many times the rival's seconds; None: only told
    answers: str  # what both sides found; "DIFFER: ..." where they should agree

    @property
    def ratio(self):
        return self.seconds / self.rival_seconds

    @property
    def met(self):
        return self.aim is not None and self.ratio <= self.aim

    @property
    def wrong(self):
        return self.answers.startswith("DIFFER")


def cpu_seconds(work):
    """CPU time of one run in this process, and what it gave."""
    start = time.process_time()
    given = work()
    return time.process_time() - start, given


def best(*works, runs=5, enough=1.0):
    """The least CPU time of each work, run in turns, and its last answer; no more turns once they took `enough` seconds."""
    times, given, spent = [float("inf")] * len(works), [None] * len(works), 0.0
    for _ in range(runs):
        for at, work in enumerate(works):
            took, given[at] = cpu_seconds(work)
            times[at] = min(times[at], took)
            spent += took
        if spent > enough * len(works):
            break
    return list(zip(times, given, strict=True))
