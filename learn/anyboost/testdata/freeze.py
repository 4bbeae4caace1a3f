"""Freezes what scikit-learn's gradient boosting makes of some tables, for the tests of learn/anyboost.

    /usr/bin/python3 freeze.py DATA

DATA is the folder of data sets: data/ below the folder that COPPICE_DATA names. Writes sklearn.json.gz beside this script. The
same versions write the same bytes.

A case is a set, its loss and settings, and

- start:   what all rows start with, one number for each output
- trees:   by round and output: feature (-2 = leaf), split_point and value of the nodes in preorder
- staged:  raw scores of every seventh row after some rounds, output by output

scikit-learn looks at columns in random order and keeps the first of splits that are equally good. A case whose scores depend on
that order is left out. Where gradients are signs many splits are equally good, unless rows have weights, as they have there.
Scores start beside the median or quantile then: at a label of the table the gradient is 0 here and -1 there.

Features are rounded to four digits, so that float32, which scikit-learn casts them to, takes no two for neighbours that it
holds for equal (within 1e-7).
"""

import gzip
import io
import json
import os
import sys

import numpy as np
import pandas as pd
import sklearn
from sklearn.dummy import DummyRegressor
from sklearn.datasets import make_friedman1
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

DATA = sys.argv[1]
ROUNDS = 40
STAGES = [1, 2, 10, ROUNDS]


def table(path, label, features, step, classes=False):
    d = pd.read_csv(os.path.join(DATA, path), encoding="utf-8-sig")
    d = d.iloc[::step]
    x = d[features] if features else d.drop(columns=[label])
    y = d[label].astype(str) if classes else d[label].astype(float)
    return x.to_numpy(float), y.to_numpy()


def friedman1():
    x, y = make_friedman1(n_samples=300, n_features=6, noise=1.0, random_state=1)
    return x, y


SETS = {
    "friedman1": friedman1(),
    "california": table("california-housing/housing.csv.gz", "median_house_value",
                        ["longitude", "latitude", "population", "median_income", "total_rooms"], 60),
    "bike": table("bike/day.csv", "cnt", ["temp", "hum", "windspeed"], 2),
    "sonar": table("sonar/sonar.csv", "class", None, 1, True),
    "pima": table("pima/pima.csv", "diabetes", None, 2, True),
    "iris": table("iris/iris.csv", "species", None, 1, True),
}

CASES = []
for name in ["friedman1", "california", "bike"]:
    CASES += [
        (name, "squared", {}, 3, 0.1, {"loss": "squared_error"}),
        (name, "absolute", {}, 2 if name == "friedman1" else 1, 0.1, {"loss": "absolute_error", "init": True}),
        (name, "quantile", {"loss.quantiles": "0.9"}, 2 if name == "friedman1" else 1, 0.1, {"loss": "quantile", "alpha": 0.9, "init": True}),
    ]
for name, depth in [("sonar", 2), ("pima", 3), ("friedman1-classes", 3), ("iris-two", 1)]:
    CASES.append((name, "logistic", {}, depth, 0.1, {"loss": "log_loss"}))
for name, depth in [("iris", 1), ("california-three", 3)]:
    CASES.append((name, "softmax", {}, depth, 0.1, {"loss": "log_loss"}))


def by_rank(y, k):
    return np.array(["abc"[min(k - 1, int(k * r / len(y)))] for r in np.argsort(np.argsort(y))])


def rows_of(name):
    base = name.split("-")[0]
    x, y = SETS[base]
    x = np.round(x, 4).astype(np.float32).astype(float)
    if name.endswith("-classes"):
        y = by_rank(y, 2)
    if name.endswith("-three"):
        y = by_rank(y, 3)
    if name.endswith("-two"):
        keep = y != "Iris-setosa"
        x, y = x[keep], y[keep]
    return x, y


def boost(x, y, depth, rate, settings, seed):
    if "init" in settings:
        settings = dict(settings, init=DummyRegressor(strategy="constant", constant=start_of(y, settings)))
    kind = GradientBoostingClassifier if y.dtype.kind in "OU" else GradientBoostingRegressor
    m = kind(n_estimators=ROUNDS, max_depth=depth, learning_rate=rate, criterion="squared_error", random_state=seed, **settings)
    return m.fit(x, y, sample_weight=weights(len(y)) if "init" in settings else None)


def start_of(y, settings):
    return float(np.round(np.quantile(y, settings.get("alpha", 0.5)), 1) + 0.0123)


def weights(n):
    return np.round(np.random.default_rng(5).uniform(0.5, 2, n), 6)


def raws(m, x):
    if hasattr(m, "_staged_raw_predict"):
        return [r.copy() for r in m._staged_raw_predict(x)]


def freeze(name, loss, ours, depth, rate, settings):
    x, y = rows_of(name)
    m = boost(x, y, depth, rate, settings, 0)
    staged = raws(m, x)
    others = [boost(x, y, depth, rate, settings, seed) for seed in range(1, 6)]
    for o in others:
        other = raws(o, x)
        worst = max(np.abs(a - b).max() for a, b in zip(staged, other))
        if worst > 1e-9 * max(1, np.abs(staged[-1]).max()):
            return None
    given = "init" in settings
    start = [start_of(y, settings)] if given else m._raw_predict_init(x.astype(np.float32))[0]
    trees = []
    for stage in m.estimators_:
        trees.append([{"feature": e.tree_.feature.tolist(), "split_point": e.tree_.threshold.tolist(), "value": e.tree_.value[:, 0, 0].tolist()} for e in stage])
    return {
        "set": name, "loss": loss, "settings": ours, "depth": depth, "rate": rate, "weight": weights(len(y)).tolist() if given else None, "start": np.atleast_1d(start).tolist(), "trees": trees,
        "stages": STAGES, "staged": [staged[s - 1][::7].T.ravel().tolist() for s in STAGES],
    }


def main():
    cases = []
    for c in CASES:
        case = freeze(*c)
        print(c[0], c[1], "depends on the order of the columns" if case is None else "frozen")
        if case:
            cases.append(case)
    sets = {}
    for c in cases:
        x, y = rows_of(c["set"])
        sets[c["set"]] = {"x": x.T.tolist(), "y": y.tolist()}
    out = {"scikit-learn": sklearn.__version__, "sets": sets, "cases": cases}
    raw = io.BytesIO()
    with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as f:
        f.write(json.dumps(out, separators=(",", ":")).encode())
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "sklearn.json.gz"), "wb") as f:
        f.write(raw.getvalue())


main()
