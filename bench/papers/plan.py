"""Which jobs there are, cheap ones first, so that an interrupted run has a page to show."""

from jobs import FIGURE_SETS, GFS_PEERS, REAL_SETS, SFFS, SUPERVISED, UNSUPERVISED, Job

COUNT_TABLES = ("003 Table II", "003 Table III", "003 Table IV")
ACCURACY_TABLES = ("003 Table V", "003 Table VI", "003 Table VII")
QUICK_SETS = ("E1", "E2", "Australian", "Covertype", "Musk")
QUICK_PEERS = ("f_test", "fastcan", "lightgbm", "mrmr", "relieff", "mutual_information", "mdfs", "mdfs30")


def depths(name):
    return (1, 2, 3) if name in ("E1", "E2") else (1, 2)


def figure1(names, peers, draws):
    return [Job("000 Figure 1", name, method, draw) for name in names
            for method in (*(f"{search} t={t}" for search in ("forward", "union") for t in depths(name)),
                           *(["loose t=2"] if name in QUICK_SETS else []), *peers)
            for draw in range(draws if name in ("E1", "E2") else 1)]


def figure2(names):
    reach = {"ALLAML": ("forward t=1", "forward t=2", "forward t=3", "forward t=4", "union t=1", "union t=2")}
    every = [method for method in SFFS if not method.startswith("loose")]
    return [Job("000 Figure 2", name, method) for name in names for method in reach.get(name, every)]


def table2(names):
    jobs = [Job("000 Table 2", name, way) for name in names for way in ("paper", "code", "default")]
    if "ALLAML" in names:
        jobs += [Job("000 Table 2", "ALLAML", way) for way in ("paper 1", "paper 2")]
    return jobs


def unsupervised(names, methods, draws):
    return [Job("001 Table II", name, method, draw)
            for method in ("all features", "uffs default", "uffs paper", *methods) for name in names
            for draw in range(draws if name in ("S1", "S2", "S3") else 1)]


def times(names, peers):
    """Timed one after another, when everything else is done."""
    own = [f"{search} t={t}" for search in ("forward", "union") for t in (1, 2)]
    return [Job("000 Table 3", name, method) for name in names for method in (*own, *peers)]


def gfs(counts, tables, methods, quick):
    jobs = [Job("003 Tables II-IV", table, f"degree {t}") for t in (1, 2, 3, 4) for table in counts]
    jobs += [Job("003 Tables V-VII", table, method) for method in ("GFS", "GFS, [0, 1]", *methods) for table in tables]
    sizes = ("5000",) if quick else ("5000", "10000", "50000")
    jobs += [Job("003 Tables VIII-IX", rows, method) for rows in sizes for method in ("GFS", "UFFS", "UFFS, default")]
    jobs += [Job("003 Table X", rows, method) for rows in sizes for method in ("GFS", "UFFS")]
    sizes = ("1000",) if quick else ("1000", "5000", "10000")
    return jobs + [Job("003 Tables XI-XII", rows, kind) for rows in sizes for kind in ("triples", "pairs")]


SLOW = ("rfs", "multisurf", "mrmr_skfeature", "boruta", "UDFS", "NDFS")
LARGE = ("Isolet", "COIL20", "USPS", "003 Table III", "003 Table VI", "003 Table II", "003 Table V", "50000")


def cost(job):
    """What comes first: small sets, then Figure 1 of the large ones, then what is slow, large or both."""
    slow, large = job.method in SLOW, job.set in LARGE
    main = job.experiment == "000 Figure 1"
    tier = {(False, False): 0, (False, True): 1 if main else 3, (True, False): 2, (True, True): 4}[(slow, large)]
    return tier, LARGE.index(job.set) if large else 0


def is_synthetic(job):
    return job.set in ("E1", "E2", "S1", "S2", "S3") or job.set.isdigit()


def plan(quick, with_data, with_gfs):
    """The jobs that may run side by side, and those that are timed alone."""
    if quick:
        real = QUICK_SETS[2:]
        jobs = table2(QUICK_SETS) + figure1(QUICK_SETS, QUICK_PEERS, 1) + figure2(("Australian",))
        jobs += unsupervised(("S1", "S2", "S3", "Australian", "Covertype"), ("LS", "MCFS"), 1)
        jobs += gfs(("003 Table IV",), ("003 Table VII",), ("LS", "MCFS"), True) if with_gfs else []
        alone = times(real, QUICK_PEERS)
    else:
        jobs = table2(FIGURE_SETS) + figure2(("Australian", "Covertype", "ALLAML"))
        jobs += figure1(FIGURE_SETS, SUPERVISED, 1)
        jobs += unsupervised(("S1", "S2", "S3", *REAL_SETS), UNSUPERVISED, 3)
        jobs += gfs(COUNT_TABLES, ACCURACY_TABLES, GFS_PEERS, False) if with_gfs else []
        alone = times(REAL_SETS, SUPERVISED)
    return [sorted((job for job in group if with_data or is_synthetic(job)), key=cost) for group in (jobs, alone)]


def missing(jobs, records, limit):
    """Jobs without a result, or whose result is a limit smaller than this one."""
    settled = set()
    for record in records:
        final = record["status"] == "done" or (record["status"] == "failed" and "installed" not in record["reason"])
        if final or (record["status"] == "timed out" and record["limit"] >= limit):
            settled.add((record["experiment"], record["set"], record["method"], record["draw"]))
    return [job for job in jobs if job.key not in settled]


def not_too_late(jobs, records):
    """Timing what was too late on four fifths of the rows would only be late again."""
    late = {(r["set"], r["method"]): r["status"] != "done" for r in records if r["experiment"] == "000 Figure 1"}
    return [job for job in jobs if not late.get((job.set, job.method))]
