"""The papers' experiments beside the published figures and the peers; writes docs/papers.md and a page per paper.

Results are kept as JSON lines, so a run that was interrupted goes on where it ended; a selection that
was too late under a smaller --limit is tried again. The page is written from all results there are.
"""

import argparse
import concurrent.futures
import json
import multiprocessing
import os
import platform
import sys
import time
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
for library in ("OMP", "OPENBLAS", "MKL"):  # the judge takes one core per job
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import peers  # noqa: E402
import plan  # noqa: E402
import report  # noqa: E402
from common import judge, program, sets  # noqa: E402
from common.results import Results  # noqa: E402
from experiments import PERFORM, Context  # noqa: E402
from jobs import GFS_PEERS  # noqa: E402

ROOT = program.ROOT


def perform(job, context, problems):
    """The record of a job, whatever happens to it."""
    warnings.simplefilter("ignore")
    begin = time.monotonic()
    record = {"experiment": job.experiment, "set": job.set, "method": job.method, "draw": job.draw,
              "seed": judge.SEED, "limit": context.limit}
    try:
        method = GFS_PEERS.get(job.method, job.method)
        if method in peers.PEERS and peers.PEERS[method].folder in problems:
            raise program.Failed(problems[peers.PEERS[method].folder])
        record.update(status="done", **PERFORM[job.experiment](job, context))
    except program.TimedOut as late:
        record.update(status="timed out", reason=str(late))
    except (program.Failed, FileNotFoundError, ValueError, MemoryError) as problem:
        record.update(status="failed", reason=str(problem) or type(problem).__name__)
    record["took"] = round(time.monotonic() - begin, 1)
    record["versions"] = {**versions(), **record.get("versions", {})}
    return record


def versions():
    import numpy
    import sklearn

    return {"fsieve": program.version(), "python": platform.python_version(), "numpy": numpy.__version__,
            "scikit-learn": sklearn.__version__}


def run(jobs, context, problems, results, workers):
    if not jobs:
        return
    done = 0
    with concurrent.futures.ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("fork")) as pool:
        waiting = [pool.submit(perform, job, context, problems) for job in jobs]
        try:
            for future in concurrent.futures.as_completed(waiting):
                record, done = future.result(), done + 1
                results.add(record)
                said = record.get("reason", "")
                print(f"[{done}/{len(jobs)}] {record['experiment']}, {record['set']}, {record['method']}: "
                      f"{record['status']} {said}", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="only the small sets and the quick peers")
    parser.add_argument("--data", type=Path, default=sets.FOLDER, help="folder of the data sets [%(default)s]")
    parser.add_argument("--limit", type=int, help="CPU seconds for one selection [30; quick: 10]")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="side by side [%(default)s]")
    parser.add_argument("--only", default="", metavar="TEXT", help='run only what is named so, say "Figure 1, Musk"')
    parser.add_argument("--skip", metavar="TEXT", help="leave out what is named so")
    parser.add_argument("--times", action="store_true", help="take the times again; the smallest counts")
    parser.add_argument("--results", type=Path, default=ROOT / "build" / "papers" / "results.jsonl")
    parser.add_argument("--output", type=Path, default=ROOT / "docs", help="where the page goes [%(default)s]")
    parser.add_argument("--page", action="store_true", help="only write the page from the results there are")
    return parser.parse_args()


def main():
    options = arguments()
    published = json.loads((HERE / "published.json").read_text())
    results = Results(options.results)
    if not options.page:
        with_data = options.data.is_dir()
        if not with_data:
            print(f"{options.data} is not there: synthetic sets only", file=sys.stderr)
        context = Context(options.data, options.limit or (10 if options.quick else 30), published)
        together, alone = plan.plan(options.quick, with_data, has_gfs())
        methods = {job.method for job in together + alone}
        problems = peers.install([m for m in peers.PEERS if m in methods] + list(GFS_PEERS.values()))
        together, alone = ([job for job in jobs if wanted(job, options)] for jobs in (together, alone))
        run(plan.missing(together, results.records, context.limit), context, problems, results, options.jobs)
        alone = plan.not_too_late(alone, results.records)
        alone = alone if options.times else plan.missing(alone, results.records, context.limit)
        run(alone, context, problems, results, 1)
    for path in report.write(results.records, published, options.output):
        print(path)


def wanted(job, options):
    name = f"{job.experiment}, {job.set}, {job.method}"
    return options.only in name and not (options.skip and options.skip in name)


def has_gfs():
    """Whether this fsieve has GFS and GFA."""
    try:
        program.fsieve("reduce", "nothing.csv", "--method", "gfs")
    except program.Failed as problem:
        return "method" not in str(problem)
    return True


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command goes on from here")
