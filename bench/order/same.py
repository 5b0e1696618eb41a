"""Is every answer the same when columns or rows are turned about, or an identifier stands first?

python bench/order/same.py [--data FOLDER] [--exe PATH] [--rows N]

Tables of scikit-learn and small ones of a folder, every method; prints what differs. Ends with an error where anything does.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd
from sklearn import datasets

ROOT = pathlib.Path(__file__).resolve().parents[2]
LABELLED = [
    ["select"], ["select", "-k", "certain"], ["select", "-k", "5"], ["select", "-k", "4", "--depth", "1"], ["learn", "-k", "2"],
]
UNLABELLED = [["reduce"], ["gfs", "-k", "4"], ["gfa", "-k", "4"]]
MOST_CELLS = 100_000


def tables(folder, rows):
    for name in ("iris", "wine", "breast_cancer", "diabetes"):
        frame = getattr(datasets, f"load_{name}")(as_frame=True).frame.rename(columns={"target": "label"})
        yield name, frame if name == "diabetes" else frame.assign(label="class " + frame["label"].astype(str))
    for path in sorted(folder.glob("*.csv.gz")) if folder else []:
        frame = pd.read_csv(path, na_values="?").dropna()
        if "label" not in frame:
            frame = frame.rename(columns={frame.columns[-1]: "label"})
        frame = frame.sample(min(rows, len(frame)), random_state=0)
        if frame.size <= MOST_CELLS:
            yield path.name.split(".")[0], frame


def turned(frame):
    """The same table in other words."""
    for seed in (1, 2):
        yield f"columns turned about ({seed})", frame[np.random.default_rng(seed).permutation(frame.columns)]
    yield "rows turned about", frame.sample(frac=1, random_state=3)
    yield "an identifier in front", pd.concat([pd.Series([f"r{k:05d}" for k in range(len(frame))], frame.index, name="id"), frame], axis=1)


def answer(exe, words, frame):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "t.csv"
        frame.to_csv(path, index=False)
        label = ["--label", "label"] if "label" in frame else []
        done = subprocess.run([exe, words[0], path, *words[1:], *label, "--json", "--no-timing"], capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr
    result = json.loads(done.stdout)
    if words[0] == "learn":
        return sorted(feature["name"] for feature in result["features"]), result["training_error"]
    chosen = [feature["name"] for feature in result["selected"]]
    gone = sorted(feature["name"] for feature in result.get("removed", []))
    estimates = [round(result.get(key) or 0, 9) for key in ("accuracy_estimate", "r2_estimate")]
    return sorted(chosen) if words[0] == "reduce" else chosen, gone, estimates


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=pathlib.Path)
    parser.add_argument("--exe", default=ROOT / "build" / "release" / "fsieve")
    parser.add_argument("--rows", type=int, default=800)
    asked = parser.parse_args()
    runs = differ = 0
    for name, frame in tables(asked.data, asked.rows):
        for words in LABELLED + UNLABELLED:
            if words[0] == "learn" and frame["label"].nunique() != 2:
                continue
            table = frame if words in LABELLED else frame.drop(columns="label")
            first = answer(asked.exe, words, table)
            for what, other in turned(table):
                runs += 1
                if (found := answer(asked.exe, words, other)) != first:
                    differ += 1
                    print(f"{name}, {' '.join(words)}, {what}:\n  {first}\n  {found}", flush=True)
        print(f"{name}: done", flush=True)
    print(f"{runs} runs, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
