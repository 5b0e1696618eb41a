"""Does what is in a raw table beside its features change what is found?

Every draw takes some rows and columns of a real set and adds an identifier, a date, a constant, a near copy of
a column, a column of which nine in ten values are missing and a column of free text. `select -k certain` and
`reduce` run on the table with and without them. The same: the same original columns, where the near copy may stand for
its original. The date may be kept, or chosen: it is no identifier; what else is chosen must be the same.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn import datasets

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common.program import PROGRAM
from common.sets import FOLDER, from_file

BUNDLED = {
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
    "breast_cancer": datasets.load_breast_cancer,
    "diabetes": datasets.load_diabetes,
    "digits": datasets.load_digits,
}
FILES = ["australian", "spect", "kr-vs-kp", "musk1", "madelon", "lung_small"]
ADDED = {"id", "when", "same", "copy", "gaps", "notes"}
WORDS = "good bad late early broken new old red green the a very not quite same other box case door".split()


def table_of(name):
    if name in BUNDLED:
        loaded = BUNDLED[name]()
        return loaded.data, loaded.target
    return from_file(FOLDER, name)


def sample(name, chance):
    """Some rows and columns of a set, as a frame with the label y."""
    X, y = table_of(name)
    # Never all rows: a feature that is on the edge of the level in a small set would be so in every draw.
    most = int(min(500, 0.8 * len(y)))
    rows = chance.permutation(len(y))[: int(chance.integers(min(100, most), most + 1))]
    X = X[rows]
    varied = np.flatnonzero(X.std(axis=0) > 0)
    columns = np.sort(chance.permutation(varied)[:12])
    frame = pd.DataFrame(X[:, columns], columns=[f"c{j}" for j in columns])
    frame["y"] = [f"k{label}" for label in y[rows]] if name != "diabetes" else y[rows]
    return frame


def with_raw_columns(frame, chance):
    rows = len(frame)
    raw = frame.copy()
    original = str(chance.choice([name for name in frame.columns if name != "y"]))
    values = frame[original].to_numpy(float)
    numbers = chance.permutation(rows) + int(chance.integers(0, 10000))
    added = {
        "id": numbers if chance.random() < 0.5 else [f"r{number:06d}" for number in numbers],
        "when": pd.Timestamp("2020-01-01") + pd.to_timedelta(chance.integers(0, 1200, rows), unit="D"),
        "same": np.full(rows, 7),
        "copy": values + 1e-7 * values.std() * chance.normal(size=rows),
        "gaps": np.where(chance.random(rows) < 0.1, chance.normal(size=rows), np.nan),
        "notes": [" ".join(chance.choice(WORDS, 6)) for _ in range(rows)],
    }
    for name, column in added.items():
        raw.insert(int(chance.integers(0, raw.shape[1])), name, column)
    return raw, original


def run(arguments, frame, folder):
    path = Path(folder) / "t.csv"
    frame.to_csv(path, index=False)
    done = subprocess.run(
        [PROGRAM, *arguments[:1], str(path), *arguments[1:], "--label", "y", "--json", "--quiet"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        return None, done.stderr.strip().splitlines()[-1]
    return json.loads(done.stdout), ""


def chosen(result, original):
    """The original columns; the copy is its original, the parts of the date are none of them."""
    names = {feature["name"] for feature in result["selected"]}
    names = {original if name == "copy" else name for name in names}
    return {name for name in names if name.split(".")[0] not in ADDED}


def judge(arguments, frame, raw, original, folder):
    """What is wrong; nothing where all is right."""
    plain, problem = run(arguments, frame, folder)
    if plain is None:
        return None, f"without them: {problem}"
    found, problem = run(arguments, raw, folder)
    if found is None:
        return "error", problem
    ignored = {column["name"]: column["reason"] for column in found["ignored"]}
    if ignored != {"id": "identifier", "gaps": "missing", "notes": "identifier"}:
        return "ignored", str(ignored)
    for name in ignored:
        if sum(f'column "{name}"' in warning for warning in found["warnings"]) != 1:
            return "warnings", str(found["warnings"])
    if chosen(found, original) != chosen(plain, original):
        return "selection", f"{sorted(chosen(plain, original))} became {sorted(chosen(found, original))}"
    return "", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--draws", type=int, default=500)
    parser.add_argument("--first", type=int, default=0, help="number of the first draw")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    names = [*BUNDLED, *(name for name in FILES if (FOLDER / f"{name}.csv.gz").exists())]
    commands = {"select": ["select", "-k", "certain"], "reduce": ["reduce"]}
    counts = {command: {"": 0} for command in commands}
    with tempfile.TemporaryDirectory() as folder:
        for draw in range(options.first, options.first + options.draws):
            chance = np.random.default_rng(draw)
            name = names[draw % len(names)]
            frame = sample(name, chance)
            raw, original = with_raw_columns(frame, chance)
            for command, arguments in commands.items():
                wrong, why = judge(arguments, frame, raw, original, folder)
                if wrong is None:
                    continue
                counts[command][wrong] = counts[command].get(wrong, 0) + 1
                if wrong and options.verbose:
                    print(f"draw {draw} ({name}, {len(frame)} rows), {command}: {wrong}: {why}", flush=True)
    for command, count in counts.items():
        total = sum(count.values())
        others = ", ".join(f"{number} {wrong}" for wrong, number in count.items() if wrong)
        print(f"{command}: {count['']} of {total} the same ({100 * count[''] / total:.1f} %); {others or 'nothing wrong'}")


if __name__ == "__main__":
    main()
