"""Every method on partitions beside one machine, on real tables: the same features, verdicts and equations, numbers to 1e-9.

    bench/scale/equality.py FOLDER [NAME ...]

FOLDER has tables NAME.csv.gz whose last column is the label. Rows are cut into seven partitions of different sizes, one of
them empty, and none is small enough to be gathered. Needs a build of the package (tools/build release fsieve_python).
"""

import argparse
import sys
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "build" / "release" / "python"), str(ROOT / "tests" / "python")]

import dask  # noqa: E402
import dask.dataframe as dd  # noqa: E402
import pandas as pd  # noqa: E402
from partition_cases import assert_close, cut  # noqa: E402

import fsieve  # noqa: E402
import fsieve.dask as on_dask  # noqa: E402
from fsieve import _partitions  # noqa: E402

MOST_COLUMNS = 600  # beyond, all inner products of a table take minutes
MOST_ROWS = 25_000


def methods(rows, classes):
    """Estimator, parameters, and whether it takes the label."""
    sample = max(100, rows // 3)
    yield "UFFS", {"engine": "gram"}, False
    yield "UFFS", {"engine": "gram", "stages": "1,2:8", "sample": sample}, False
    yield "GFS", {"engine": "gram", "k": 8}, False
    yield "GFA", {"engine": "gram", "k": 8}, False
    yield "SFFS", {"k": 5, "folds": 0, "sample": sample}, True
    yield "SFFS", {"k": 5, "folds": 0, "sample": sample, "class_weight": "balanced"}, True
    yield "SFFS", {"k": 5, "folds": 0, "sample": sample, "search": "union", "bins": 4}, True
    if classes == 2:
        yield "JuntaClassifier", {"k": 2}, True


def in_parts(frame):
    """Seven partitions, the second without rows."""
    rows = len(frame)
    pieces = cut(frame, (rows // 9, rows // 9, rows // 8, rows // 3, rows // 2, rows - 1))
    return dd.from_map(lambda piece: piece, pieces, meta=frame.iloc[:0])


def compare(name, parameters, frame, label):
    """What differs, in a word; nothing where all is the same."""
    given = () if label is None else (label,)
    alone = getattr(fsieve, name)(**parameters).fit(frame, *given)
    parts = () if label is None else (in_parts(label),)
    many = getattr(on_dask, name)(**parameters).fit(in_parts(frame), *parts)
    try:
        assert_close(alone.result_, many.result_)
    except AssertionError as difference:
        return str(difference)[:300]
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    _partitions.MOST_GATHERED = 0
    compared, wrong = 0, []
    with dask.config.set(scheduler="synchronous"):
        for path in sorted(arguments.folder.glob("*.csv.gz")):
            set_name = path.name.removesuffix(".csv.gz")
            if arguments.names and set_name not in arguments.names:
                continue
            frame = pd.read_csv(path)
            if not arguments.names and (len(frame) > MOST_ROWS or len(frame.columns) > MOST_COLUMNS):
                continue
            label = frame.pop(frame.columns[-1])
            gaps = {"na": "?", "missing": "drop"} if frame.isin(["?"]).any(axis=None) else {}
            for name, parameters, labelled in methods(len(frame), label.nunique()):
                said = compare(name, parameters | gaps, frame, label if labelled else None)
                compared += 1
                if said:
                    wrong.append(f"{set_name}: {name}({parameters}): {said}")
                print(f"{set_name:18} {name:16} {parameters} {'DIFFERS: ' + said if said else 'same'}", flush=True)
    print(f"{compared} comparisons, {len(wrong)} differences")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
