"""Freezes what XGBoost trains with tree_method=exact, for peers_test.go: xgboost_exact.json.gz, whose form
freeze.py describes.

    python3 freeze_exact.py

with python3-xgboost 1.7.4 of Debian. The tables are those of freeze.py and

- xor.csv      the exclusive or of two columns, with one row repeated: no split of the root gains much.
- adult        with fnlwgt, whose values are nearly all distinct, and more than 255.
- spambase     every 20th row of two columns that are no short binary fractions, and one of long runs.

Here columns have more values than hist has bins, and a threshold is the middle of two values of a node's rows.
"""

import gzip
import json
import os
import sys

import numpy as np
import pandas as pd
import xgboost as xgb

import freeze

HERE = freeze.HERE
ADULT = ["age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"]
MAIL = ["char_freq_!", "capital_run_length_average", "capital_run_length_total"]

# name: (file below ROOT or HERE, features, rows that are used)
TABLES = {
    **{name: freeze.TABLES[name] for name in ("made", "iris", "regression", "classification")},
    "xor": (os.path.join(HERE, "xor.csv"), ["a", "b"], 5),
    "adult": (freeze.TABLES["adult"][0], ADULT, 900),
    "mail": (os.path.join(HERE, "mail.csv"), MAIL, 231),
}


def make():
    """Writes xor.csv and mail.csv."""
    a, b = np.array([0, 0, 1, 1, 0]), np.array([0, 1, 0, 1, 0])
    pd.DataFrame({"a": a, "b": b, "y": a ^ b}).to_csv(TABLES["xor"][0], index=False)
    all_mail = pd.read_csv(os.path.join(freeze.ROOT, "spambase", "spambase.csv"), skipinitialspace=True)
    all_mail[MAIL + ["spam"]].iloc[::20].to_csv(TABLES["mail"][0], index=False)


VARIED = [{"max_depth": d} for d in range(1, 7)] + [{"max_depth": 6, "gamma": g} for g in (0.5, 2.0, 8.0)] + [
    {"lambda": 0.0, "min_child_weight": 0.0, "max_depth": 3},
    {"lambda": 8.0, "gamma": 1.0},
    {"alpha": 0.7, "gamma": 1.0},
    {"min_child_weight": 12.0, "gamma": 1.5},
    {"eta": 0.1, "max_depth": 5, "lambda": 2.0, "alpha": 0.4, "gamma": 0.3, "min_child_weight": 5.0},
]
FEW = [{"max_depth": 2}, {"max_depth": 6, "gamma": 1.0}, VARIED[-1]]


def cases():
    """Yields table, objective or "" for given gradients, label, weight, further parameters, rounds."""
    for v in VARIED:
        yield "made", "reg:squarederror", "real", "weight", v, 3
        yield "made", "binary:logistic", "binary", "weight", v, 3
        yield "adult", "binary:logistic", "income", "", v, 3
    for v in FEW:
        yield "made", "reg:squarederror", "real", "", v, 3
        yield "made", "count:poisson", "count", "weight", {k: a for k, a in v.items() if k != "alpha"}, 3
        yield "iris", "multi:softprob", "species", "", v, 3
        yield "mail", "binary:logistic", "spam", "", v, 3
    for more in ({"monotone_constraints": "(1,-1,0,0,0,0,1)"}, {"interaction_constraints": "[[0,1,4],[1,2,3],[5,6]]"}):
        yield "made", "reg:squarederror", "real", "weight", {"gamma": 1.0, **more}, 3
    by_hand = {"lambda": 0.0, "min_child_weight": 0.0, "max_depth": 2}
    for gamma in (0.0, 134.0, 150.0, 160.0, 161.0):
        yield "regression", "reg:squarederror", "y", "", {**by_hand, "gamma": gamma}, 1
    for gamma in (0.0, 1.5, 2.5, 3.0):
        yield "classification", "binary:logistic", "y", "", {**by_hand, "gamma": gamma}, 1
    for gamma in (0.0, 0.5, 1.0):
        yield "xor", "reg:squarederror", "y", "", {**by_hand, "gamma": gamma}, 1


def load(name):
    file, features, rows = TABLES[name]
    table = pd.read_csv(file, skipinitialspace=True, nrows=rows)
    return table, table[features].to_numpy(float)


def main():
    freeze.TABLES, freeze.load = TABLES, load
    freeze.BASE = {**freeze.BASE, "tree_method": "exact"}
    make()
    out = {"versions": {"python": sys.version.split()[0], "xgboost": xgb.__version__, "numpy": np.__version__},
           "tables": {name: {"file": os.path.relpath(file, HERE), "features": features, "rows": rows}
                      for name, (file, features, rows) in TABLES.items()},
           "cases": [freeze.freeze(*c) for c in cases()]}
    for c in out["cases"]:
        print("%s: %s leaves" % (c["name"], " ".join(str(sum(v < 0 for v in t["left"])) for t in c["trees"])))
    target = os.path.join(HERE, "xgboost_exact.json.gz")
    text = json.dumps(out, separators=(",", ":"), allow_nan=False)
    with open(target, "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="", compresslevel=9) as packed:
        packed.write(text.encode())
    print("%s: %d bytes, %d cases" % (os.path.basename(target), os.path.getsize(target), len(out["cases"])))


if __name__ == "__main__":
    main()
