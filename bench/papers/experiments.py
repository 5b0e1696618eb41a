"""The papers' experiments as jobs: one set, one method, one draw each; what a job gives is a record."""

import dataclasses
import re
import resource
import tempfile
from pathlib import Path

import numpy as np

import peers
from common import judge, sets
from common.program import Failed, TimedOut, chosen, fsieve, on_arrays
from jobs import GFS_PEERS, GFS_SETS, SFFS, UNSUPERVISED, figure_sizes

@dataclasses.dataclass(frozen=True)
class Context:
    """What a job may use: the folder of the data, seconds per selection, the published tables."""

    folder: Path
    limit: int
    published: dict
    repeats: int = 3


def cpu_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def sffs(X, y, k, options, context):
    """The result of fsieve select, and its seconds on one thread.

    These are the wall clock of the selection, or the CPU time of the whole program where that is less: a
    busy machine stretches the one, the other includes starting and reading.
    """
    common = ("--task", "classification", "--threads", 1)
    begin = cpu_of_children()
    try:
        result = on_arrays("select", X, y, "-k", k, "--folds", 0, *options, *common, timeout=10 * context.limit)
    except Failed as problem:  # the reduction of --search union may leave fewer
        fewer = re.search(r"only (\d+) can be chosen", str(problem))
        if not fewer:
            raise
        result = on_arrays("select", X, y, "-k", fewer[1], "--folds", 0, *options, *common, timeout=10 * context.limit)
    cpu = cpu_of_children() - begin
    if cpu > context.limit + 10:
        raise TimedOut(f"more than {context.limit} s")
    return result, min(result["timing"]["fit_s"], cpu)


def selector(method, context, versions):
    """choose(X, y, k) of a method by its name in the results."""

    def by_fsieve(X, y, k):
        result, seconds = sffs(X, y, k, SFFS[method], context)
        return chosen(result), seconds

    def by_peer(X, y, k):
        answer = peers.select(method, X, y, k, context.limit)
        versions.update(answer["versions"])
        return answer["ranking"], answer["cpu_seconds"]

    return by_fsieve if method in SFFS else by_peer


def shape(X, y):
    return {"rows": len(y), "features": X.shape[1], "classes": int(y.max()) + 1}


def figure1(job, context):
    """000 Figure 1: accuracy against k, selection inside the fold."""
    X, y = sets.load(job.set, job.draw, context.folder)
    versions, sizes = {}, [k for k in figure_sizes(job.set) if k <= X.shape[1]]
    means, deviations, seconds, found = judge.accuracies(X, y, sizes, selector(job.method, context, versions))
    return {**shape(X, y), "k": sizes, "accuracy": means, "deviation": deviations, "seconds": seconds,
            "found": found, "versions": versions}


def figure2(job, context):
    """000 Figure 2: accuracy against the depth."""
    X, y = sets.load(job.set, job.draw, context.folder)
    sizes = [int(k) for k in context.published["000 Figure 2"][job.set]]
    means, deviations, seconds, found = judge.accuracies(X, y, sizes, selector(job.method, context, {}))
    return {**shape(X, y), "k": sizes, "accuracy": means, "deviation": deviations, "seconds": seconds,
            "found": found}


def best_time(X, y, k, options, context):
    """The smallest of a few runs, or the first if that is long."""
    best = sffs(X, y, k, options, context)[1]
    for _ in range(context.repeats - 1 if best < 2 else 0):
        best = min(best, sffs(X, y, k, options, context)[1])
    return best


def times(job, context):
    """000 Table 3: one selection on the whole set."""
    X, y = sets.load(job.set, job.draw, context.folder)
    k = min(max(figure_sizes(job.set)), X.shape[1])
    if job.method in SFFS:
        ten, most = (best_time(X, y, size, SFFS[job.method], context) for size in (10, k))
        return {**shape(X, y), "k": k, "seconds": most, "seconds_10": ten}
    answer = peers.select(job.method, X, y, k, context.limit)
    return {**shape(X, y), "k": k, "seconds": answer["cpu_seconds"], "versions": answer["versions"]}


def uffs_options(way, name, context):
    """The ways to run UFFS: fsieve's own, the papers' text, the code that 000 points to."""
    if way == "default":
        return ()
    if way.startswith("paper"):
        stages = {"paper": "1,2:50,3:30", "paper 1": "1", "paper 2": "1,2:50"}[way]
        return ("--rule", "paper", "--groups", "own", "--stages", stages, "--order", "random")
    code = context.published["000 Table 2, settings of the code"][name]
    return ("--rule", f"cumulative:{code['share']}", "--stages", code["stages"], "--epsilon", code["epsilon"])


def uffs(X, way, name, context):
    options = uffs_options(way, name, context)
    return on_arrays("reduce", X, None, "--no-equations", "--threads", 1, *options, timeout=20 * context.limit)


def table2(job, context):
    """000 Table 2: how many features are not redundant."""
    X, y = sets.load(job.set, job.draw, context.folder)
    result = uffs(X, job.method, job.set, context)
    reasons = [removed["reason"] for removed in result["removed"]]
    return {**shape(X, y), "kept": len(result["selected"]), "saturated": reasons.count("saturated"),
            "undecided": sum(bool(s.get("undecided")) for s in result["selected"]),
            "stages": result["parameters"]["stages"], "seconds": result["timing"]["fit_s"]}


def unsupervised(job, context):
    """001 Table II: accuracy on features chosen without the label, on the whole set."""
    X, y = sets.load(job.set, job.draw, context.folder)
    record = shape(X, y)
    if job.method == "all features":
        columns = np.arange(X.shape[1])
    elif job.method.startswith("uffs"):
        result = uffs(X, job.method.split(" ", 1)[1], job.set, context)
        columns, record["seconds"] = np.array(chosen(result)), result["timing"]["fit_s"]
    else:
        k = context.published["001 Table II"]["UFFS k"][job.set]
        answer = peers.select(UNSUPERVISED[job.method], X, y, min(k, X.shape[1]), context.limit)
        columns, record["seconds"] = np.array(answer["ranking"]), answer["cpu_seconds"]
        record["versions"] = answer["versions"]
    record["accuracy"], record["deviation"] = judge.accuracy_of(X, y, columns)
    return {**record, "kept": len(columns)}


def unit_range(X):
    """Columns scaled to [0, 1]."""
    return (X - X.min(0)) / (X.max(0) - X.min(0))


def gfs_counts(job, context):
    """003 Tables II to IV: features selected at each threshold, multilinear of one degree.

    The choices do not depend on the threshold, only where they end: one run gives the row.
    """
    thresholds = context.published[job.set]["epsilon2"]
    options = ("--method", "gfs", "--family", f"multilinear:{job.method[-1]}", "--epsilon2", min(thresholds),
               "--no-equations", "--threads", 1)
    if job.set == "003 Table IV":
        result = fsieve("reduce", context.folder / "crx.csv.gz", "--label", "A16", "--na", "?", "--missing", "mean",
                        *options, timeout=20 * context.limit)
    else:
        X, _ = sets.load(GFS_SETS[job.set], 0, context.folder)
        X = (X + 1) / 2 if job.set == "003 Table II" else X  # pixels from [-1, 1] to [0, 1]
        result = on_arrays("reduce", X, None, *options, "--scale", "none", timeout=20 * context.limit)
    counts = [next((i for i, left in enumerate(result["trace"]) if left <= threshold), len(result["selected"]))
              for threshold in thresholds]
    return {"counts": counts, "functions": result["functions"], "saturated_run": result["saturated"],
            "seconds": result["timing"]["fit_s"], "rows": result["data"]["rows"]}


def gfs_accuracy(job, context):
    """003 Tables V to VII: accuracy on the first k features of GFS, multilinear of degree 4."""
    X, y = sets.load(GFS_SETS[job.set], 0, context.folder)
    sizes = context.published[job.set]["k"]
    record = {**shape(X, y), "k": sizes}
    if job.method in ("TR", "FS"):  # these see the label, so they choose inside the fold
        means, _, seconds, _ = judge.accuracies(X, y, sizes, selector(GFS_PEERS[job.method], context, {}))
        return {**record, "accuracy": means, "seconds": seconds}
    if job.method.startswith("GFS"):
        table, scale = (unit_range(X), "none") if job.method == "GFS, [0, 1]" else (X, "standard")
        result = on_arrays("reduce", table, None, "--method", "gfs", "--family", "multilinear:4", "-k", max(sizes),
                           "--scale", scale, "--no-equations", "--threads", 1, timeout=10 * context.limit)
        ranking, seconds = chosen(result), result["timing"]["fit_s"]
    else:
        answer = peers.select(GFS_PEERS[job.method], X, y, max(sizes), context.limit)
        ranking, seconds, record["versions"] = answer["ranking"], answer["cpu_seconds"], answer["versions"]
    values = [judge.accuracy_of(X, y, np.array(ranking[:k]))[0] for k in sizes]
    return {**record, "accuracy": values, "seconds": seconds, "found": len(ranking)}


def generated(kind, rows, seed, *options):
    """A shuffled synthetic set as an array, and the positions of its informative columns."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "set.npy"
        truth = fsieve("generate", kind, "--rows", rows, "--seed", seed, "--shuffle", "-o", path, *options)
        X = np.load(path)
    names = truth["features"]
    return X[:, :len(names)], {names.index(name) for name in truth["informative"]}


def reduce_by(method, X, k):
    options = ["--no-equations", "--threads", 1]
    if method == "UFFS":
        options += ["--stages", "3", "--groups", "own", "--rule", "paper"]
    elif method != "UFFS, default":
        options += ["--method", method.lower(), "--family", "multilinear+squares:3", "--scale", "none", "-k", k]
        options += ["--epsilon2", 1e-6] if method == "GFS" else []
    return on_arrays("reduce", X, None, *options)


def gfs_redundant(job, context):
    """003 Tables VIII and IX: time of UFFS and GFS, and runs that select a redundant feature."""
    rows, seeds = int(job.set), runs(job.set, job.method)
    wrong, seconds = 0, []
    for seed in seeds:
        X, informative = generated("gfs", rows, seed)
        result = reduce_by(job.method, X, 10)
        wrong += bool(set(chosen(result)) - informative)
        seconds.append(result["timing"]["fit_s"])
    return {"rows": rows, "runs": len(seeds), "wrong": wrong, "seconds": float(np.median(seconds))}


def gfs_labels(job, context):
    """003 Table X: accuracy on as many features from UFFS as from GFS."""
    rows, values = int(job.set), []
    for seed in range(3):
        X, informative = generated("gfs", rows, seed)
        w = X[:, sorted(informative)]
        b = np.random.default_rng(seed).random((11, 3))
        y = (np.prod(b[0] + (w / w.std(0)) @ b[1:], axis=1) > 0).astype(int)
        columns = chosen(reduce_by(job.method, X, 10))[:10]
        some, labels = sets.sampled(X, y, 5000)
        values.append(judge.accuracy_of(some, labels, np.array(columns))[0])
    return {"rows": rows, "runs": len(values), "accuracy": float(np.mean(values))}


def gfa(job, context):
    """003 Tables XI and XII: runs in which GFA finds exactly the ten latent features."""
    rows, pairs = int(job.set), ("--pairs",) if job.method == "pairs" else ()
    right, share = 0, 0.0
    for seed in runs(job.set):
        X, informative = generated("gfa", rows, seed, *pairs)
        found = set(chosen(reduce_by("gfa", X, 10)))
        right += found == informative
        share += len(found & informative) / len(informative)
    count = len(runs(job.set))
    return {"rows": rows, "runs": count, "exact": right, "correct": 100 * share / count}


def runs(rows, method="GFS"):
    """Seeds of the repeated synthetic runs; the papers have 10 000 of each."""
    count = {"1000": 400, "5000": 100, "10000": 100, "50000": 20}[rows]
    return range({"UFFS": 2, "UFFS, default": 5}.get(method, count))  # these are slower, and the same every time


PERFORM = {
    "000 Table 2": table2, "000 Table 3": times, "000 Figure 1": figure1, "000 Figure 2": figure2,
    "001 Table II": unsupervised, "003 Tables II-IV": gfs_counts, "003 Tables V-VII": gfs_accuracy, "003 Tables VIII-IX": gfs_redundant,
    "003 Table X": gfs_labels, "003 Tables XI-XII": gfa,
}
