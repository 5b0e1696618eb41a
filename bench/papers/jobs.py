"""Sets, methods and jobs: what the experiments, the plan and the page speak of."""

import dataclasses

FIGURE_SETS = ("E1", "E2", "Australian", "Covertype", "Musk", "ALLAML", "Isolet", "COIL20", "USPS")
REAL_SETS = FIGURE_SETS[2:]
SIZES = {  # the horizontal axes of 000 Figure 1
    "E1": tuple(range(1, 21)), "E2": tuple(range(1, 21)), "Australian": tuple(range(2, 15, 2)),
    "Covertype": (5, 10, 15, 20, 25, 30, 35, 40), "USPS": (10, 30, 50, 100),
}
HUNDRED = (10, 20, 30, 40, 50, 60, 80, 100)

SFFS = {  # as a user calls it (forward), and Algorithm 1 of 000 (union)
    **{f"{search} t={t}": ("--search", search, "--depth", t, "--no-equations")
       for search in ("forward", "union") for t in (1, 2, 3, 4)},
    "loose t=2": ("--depth", 2, "--alpha", 0.5),  # longer rounds
}
SUPERVISED = ("f_test", "fisher", "trace_ratio", "fastcan", "lightgbm", "mrmr", "relieff", "mutual_information",
              "mdfs", "mdfs30", "rfs", "multisurf", "mrmr_skfeature", "boruta")
UNSUPERVISED = {"LS": "laplacian", "MCFS": "mcfs", "UDFS": "udfs", "NDFS": "ndfs"}
GFS_PEERS = {**UNSUPERVISED, "TR": "trace_ratio", "FS": "fisher"}
GFS_SETS = {"003 Table II": "USPS train", "003 Table III": "COIL20", "003 Table IV": "CA",
            "003 Table V": "USPS train", "003 Table VI": "COIL20", "003 Table VII": "CA"}


@dataclasses.dataclass(frozen=True)
class Job:
    experiment: str
    set: str
    method: str
    draw: int = 0

    @property
    def key(self):
        return (self.experiment, self.set, self.method, self.draw)


def figure_sizes(name):
    """The numbers of features of Figure 1."""
    return SIZES.get(name, HUNDRED)
