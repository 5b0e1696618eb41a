"""A table in partitions, each of which could lie on another machine.

With a cluster, connect first (``distributed.Client("scheduler:8786")``); nothing else changes. Without one Dask
works on the threads of this machine.
"""

import dask.dataframe as dd
import numpy as np
import pandas as pd
from fsieve.dask import UFFS, JuntaClassifier


def day(number: int) -> pd.DataFrame:
    """What the sensors of a plant said on one day: here made up, else read from a file."""
    rng = np.random.default_rng(number)
    table = pd.DataFrame(rng.normal(20, 5, size=(200, 3)), columns=["inlet", "outlet", "flow"])
    table["drop"] = table.inlet - table.outlet
    table["heat"] = 4.2 * table["drop"] * table.flow
    table["valve"] = rng.choice(["open", "shut"], 200)
    table["alarm"] = np.where((table.inlet > 20) & (table.valve == "shut"), "yes", "no")
    return table


table = dd.from_map(day, range(6))

sensors = table.drop(columns="alarm")
reducer = UFFS().fit(sensors)
for name, equations in reducer.equations_.items():
    print(f"{name} is not needed: {'; '.join(equations)}")
print("kept:", ", ".join(reducer.transform(sensors).columns))

rule = JuntaClassifier(k=2, binarize=20).fit(sensors, table.alarm)
print("alarm, when", rule.formula_)
wrong = (rule.predict(sensors) != table.alarm).sum()  # nothing is computed yet
print("rows that the rule has wrong:", wrong.compute())
