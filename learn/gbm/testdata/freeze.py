"""Freezes the trees of python3-xgboost (1.7.4, tree_method=hist, one thread) for the tests of learn/gbm and learn/gbm/internal/hist.

    python3 freeze.py

Writes beside this script, the same bytes each time that the same versions run:

- made.csv            a table of 480 rows that this script makes up: columns a to g, labels of every kind, weights, and
                      pairs of gradients and hessians.
- categories.csv      a table of 900 rows with categorical columns k (3 categories), m (12) and n (40), some of them missing; categories
                      are numbers.
- xgboost.json.gz     the versions used and one entry per case.

No column has more distinct values than bins, and every value is the same as float32 and float64, so each distinct value has a
bin of its own. A case is

- table, label, features, weight: a table of TABLES, and names of its columns ("" = no weights). The features g of the cases
  on gradients have no label.
- params, rounds: what xgboost was given, base_score among them.
- nominal: those of the features that are categories.
- margins: raw predictions of the table's first rows, all outputs of a row together.
- trees: in the order of training; of several outputs the trees of a round together. Arrays by node, the root first. Inner
  nodes: feature, split_point (x < split_point goes left; null: the categories in set go right), default (1 = missing goes left), left, right, gain (without the half); leaves
  have left = -1 and the value, learning rate included, in split_point. cover: the sum of hessians.

Labels of survival:cox are times, negative where the row is censored; survival:aft takes low and high, empty = infinite.
rank:* are on groups of two rows each, in their order, where nothing is left to chance: the only other row of the group is
the pair. A group's weight is that of its first row, over the mean of all groups'. Each pair is added up twice.
"""

import gzip
import json
import os
import sys

import numpy as np
import pandas as pd
import xgboost as xgb

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..", "testdata")
MADE = list("abcdefg")
NOMINAL = list("kmn")

# name: (file below ROOT or HERE, features, rows that are used)
TABLES = {
    "made": (os.path.join(HERE, "made.csv"), MADE, 480),
    "categories": (os.path.join(HERE, "categories.csv"), list("kmnad"), 900),
    "iris": (os.path.join(ROOT, "iris", "iris.csv"), ["sepal_length", "sepal_width", "petal_length", "petal_width"], 150),
    "adult": (os.path.join(ROOT, "adult", "adult-train.csv.gz"), ["age", "education-num", "capital-gain", "capital-loss", "hours-per-week"], 900),
    "regression": (os.path.join(ROOT, "lectures", "xgboost_regression.csv"), ["x"], 4),
    "classification": (os.path.join(ROOT, "lectures", "xgboost_classification.csv"), ["x"], 4),
}


def make():
    """Makes up made.csv. All features are multiples of 1/8."""
    r = np.random.RandomState(5)
    n = 480
    a = r.randint(0, 40, n).astype(float)
    b = np.round(r.normal(0, 2, n) * 4) / 4
    c = r.randint(0, 8, n).astype(float)
    d = np.round(r.gamma(2, 1, n) * 8) / 8
    e = r.randint(0, 2, n).astype(float)
    f = np.where(r.uniform(size=n) < 0.8, 0.0, r.randint(1, 6, n))
    g = np.round(r.uniform(-3, 3, n) * 8) / 8
    score = np.sin(a / 6) + 0.4 * b * e + 0.15 * (c - 3) - 0.3 * d + 0.5 * (f > 2) + 0.2 * g * (c > 4)
    c[r.uniform(size=n) < 0.1] = np.nan
    d[r.uniform(size=n) < np.where(score > 0.3, 0.5, 0.1)] = np.nan  # missing values that tell something
    f[r.uniform(size=n) < 0.02] = np.nan
    y = score + r.normal(0, 0.4, n)
    time = np.round(r.exponential(1, n) * np.exp(-0.7 * y) + 0.01, 2)
    time = time + np.arange(n) * 1e-5  # no ties
    kind = r.randint(0, 4, n)  # of censoring: none, right, left, interval
    made = pd.DataFrame({
        "a": a, "b": b, "c": c, "d": d, "e": e, "f": f, "g": g,
        "real": np.round(y, 3),
        "positive": np.round(np.exp(y) + 0.05, 3),
        "count": r.poisson(np.exp(0.6 * y)),
        "binary": (r.uniform(size=n) < 1 / (1 + np.exp(-2 * y))).astype(int),
        "class": np.digitize(y + r.normal(0, 0.5, n), [-1.2, -0.2, 0.8]),
        "share": np.round(1 / (1 + np.exp(-y)), 3),
        "cox": np.round(np.where(kind == 1, -time, time), 5),
        "low": np.round(np.where(kind == 2, 0, time), 5),
        "high": np.round(np.select([kind == 0, kind == 2, kind == 3], [time, time, time * 1.5], np.nan), 5),
        "weight": r.randint(1, 13, n) / 4,
        "gradient": np.round(r.normal(0, 1, n) * np.exp(r.normal(0, 1, n)) - score, 3),
        "hessian": np.round(r.gamma(1.5, 0.7, n) + 0.01, 3),
    })
    made.to_csv(os.path.join(HERE, "made.csv"), index=False, float_format="%.10g")


def make_categories():
    """Makes up categories.csv."""
    r = np.random.RandomState(11)
    n = 900
    k, m, c = r.randint(0, 3, n), r.randint(0, 12, n), np.minimum(r.geometric(0.06, n) - 1, 39)
    a = r.randint(0, 30, n)
    d = np.where(r.uniform(size=n) < 0.1, np.nan, r.randint(1, 9, n))
    effect = r.normal(0, 1, 40)
    y = np.array([0.0, 0.7, -0.4])[k] + np.sin(3 * m) * (a > 12) + effect[c] + 0.05 * np.nan_to_num(d, nan=12) + r.normal(0, 0.4, n)
    gone = r.uniform(size=(3, n)) < [[0.06], [0.08], [0.04]]
    made = pd.DataFrame({"k": k, "m": m, "n": c, "a": a, "d": d}, dtype=float)
    for name, g in zip(NOMINAL, gone):
        made.loc[g, name] = np.nan
        y += np.where(g, 0.4, 0)
    made["real"] = np.round(y, 3)
    made["binary"] = (r.uniform(size=n) < 1 / (1 + np.exp(-2 * y))).astype(int)
    made["class"] = np.digitize(y + r.normal(0, 0.3, n), [-0.6, 0.6])
    made["weight"] = np.round(r.uniform(0.3, 3, n), 3)  # not round: sums of gradients would often be 0, but for rounding
    made.to_csv(os.path.join(HERE, "categories.csv"), index=False, float_format="%.10g")


BASE = {"eta": 0.3, "max_depth": 4, "lambda": 1.0, "base_score": 0.5}
# What is varied, one by one and together.
VARIED = [
    {},
    {"max_depth": 6},
    {"eta": 0.1, "max_depth": 2},
    {"lambda": 0.0, "min_child_weight": 0.0, "max_depth": 3},
    {"lambda": 8.0},
    {"alpha": 0.7},
    {"alpha": 6.0, "lambda": 0.0},
    {"gamma": 1.5},
    {"min_child_weight": 12.0},
    {"max_delta_step": 0.2},
    {"max_leaves": 6},
    {"grow_policy": "lossguide", "max_leaves": 10, "max_depth": 0},
    {"grow_policy": "lossguide", "max_leaves": 9, "max_depth": 3},
    {"grow_policy": "lossguide", "max_leaves": 0, "max_depth": 0, "min_child_weight": 15.0, "gamma": 0.5},
    {"lambda": 2.0, "alpha": 0.4, "gamma": 0.3, "min_child_weight": 5.0, "max_depth": 5},
]
MIXED = VARIED[-1]
GUIDED = {"grow_policy": "lossguide", "max_leaves": 7, "max_depth": 0, "lambda": 0.5}
STEPS = {"max_delta_step": 0.3, "lambda": 0.1, "min_child_weight": 0.9}


def cases():
    """Yields table, objective or "" for given gradients, label, weight, further parameters, rounds."""
    for v in VARIED:
        yield "made", "reg:squarederror", "real", "", v, 3
        yield "made", "binary:logistic", "binary", "", v, 3
        yield "made", "", "gradient", "", v, 1
    for v in ({}, MIXED, GUIDED, STEPS):
        yield "made", "reg:squarederror", "real", "weight", v, 3
        yield "made", "binary:logistic", "binary", "weight", v, 3
        yield "adult", "binary:logistic", "income", "", v, 2
        yield "iris", "multi:softprob", "species", "", v, 2
    for v in ({}, {"max_depth": 6, "lambda": 3.0}, GUIDED):  # alpha is forgotten in gains here too
        for more in ({"monotone_constraints": "(1,-1,0,0,0,0,1)"}, {"interaction_constraints": "[[0,1,4],[1,2,3],[5,6]]"}):
            yield "made", "reg:squarederror", "real", "", {**v, **more}, 3
            yield "made", "binary:logistic", "binary", "weight", {**v, **more}, 3
    yield "made", "binary:logistic", "binary", "", {"base_score": 0.3, "scale_pos_weight": 2.0}, 3
    yield "made", "reg:squarederror", "real", "", {"base_score": -1.25}, 3
    for objective, label, more in [
        ("reg:logistic", "share", {}),
        ("multi:softprob", "class", {}),
        ("count:poisson", "count", {}),
        ("count:poisson", "count", {"max_delta_step": 0.0}),
        ("reg:gamma", "positive", {}),
        ("reg:tweedie", "count", {"tweedie_variance_power": 1.3}),
        ("reg:pseudohubererror", "real", {}),
        ("reg:pseudohubererror", "real", {"huber_slope": 0.5}),
        ("reg:squaredlogerror", "positive", {}),
        ("reg:absoluteerror", "real", {}),
        ("binary:hinge", "binary", {}),
        ("survival:cox", "cox", {}),
        ("survival:aft", "low high", {"aft_loss_distribution": "normal", "aft_loss_distribution_scale": 1.2}),
        ("survival:aft", "low high", {"aft_loss_distribution": "logistic"}),
        # With a scale of 1 derivatives would pass 15, where XGBoost cuts them off.
        ("survival:aft", "low high", {"aft_loss_distribution": "extreme", "aft_loss_distribution_scale": 3}),
        ("rank:pairwise", "count", {}),
        ("rank:ndcg", "count", {}),
        ("rank:map", "binary", {}),
    ]:
        for v, weight in (({}, ""), (MIXED, "weight"), (GUIDED, "")):
            if objective.startswith("rank"):
                weight = "weight"  # without it many splits gain the same
            if objective == "survival:cox":
                weight = ""  # it weighs derivatives, but not the rows that are at risk
            if objective == "count:poisson":
                v = {k: a for k, a in v.items() if k != "alpha"}  # with max_delta_step 1.7.4 forgets it in gains
            if objective == "reg:absoluteerror":
                # Leaves are medians that 1.7.4 does not multiply by eta, of unweighted rows the middle of two. After the
                # first round many rows lie on the median of their leaf, but for rounding.
                yield "made", objective, label, "weight", {"eta": 1.0, **v}, 1
                continue
            yield "made", objective, label, weight, {**more, **v}, 3
    for v in ({}, {"max_cat_to_onehot": 13}, {"max_cat_to_onehot": 100}, {"max_cat_threshold": 5}, {"max_depth": 6, "lambda": 4.0},
              {"alpha": 0.7, "gamma": 0.5, "min_child_weight": 4.0}, {"grow_policy": "lossguide", "max_leaves": 12, "max_depth": 0}):
        yield "categories", "reg:squarederror", "real", "", v, 3
        yield "categories", "binary:logistic", "binary", "weight", v, 3
        yield "categories", "multi:softprob", "class", "weight", v, 2
    by_hand = {"lambda": 0.0, "min_child_weight": 0.0, "max_depth": 2}
    yield "regression", "reg:squarederror", "y", "", by_hand, 2
    yield "regression", "reg:squarederror", "y", "", {**by_hand, "gamma": 100.0}, 1
    yield "regression", "reg:squarederror", "y", "", {**by_hand, "lambda": 1.0}, 1
    yield "classification", "binary:logistic", "y", "", by_hand, 1  # in the second round two split points gain the same but for rounding
    yield "classification", "binary:logistic", "y", "", {**by_hand, "gamma": 2.0}, 1


def load(name):
    file, features, rows = TABLES[name]
    table = pd.read_csv(file, skipinitialspace=True, nrows=rows)
    x = table[features].to_numpy(float)
    known = ~np.isnan(x)
    assert (x[known] == x.astype(np.float32)[known]).all() or name == "iris"
    assert all(len(np.unique(c[~np.isnan(c)])) <= 80 for c in x.T)
    return table, x


def codes(label):
    """Labels as numbers: texts by their order."""
    return label if label.dtype.kind in "fiu" else label.astype("category").cat.codes


def short(values, digits=9):
    """Numbers that print short: as many digits as tell all float32 apart. NaN is None."""
    out = []
    for v in values:
        if v != v:
            out.append(None)
            continue
        v = float("%.*g" % (digits, v))
        out.append(int(v) if v.is_integer() and abs(v) < 1e15 else v)
    return out


def tree(t):
    leaf = [i < 0 for i in t["left_children"]]
    sets = [[] for _ in leaf]
    for node, start, size in zip(t["categories_nodes"], t["categories_segments"], t["categories_sizes"]):
        sets[node] = t["categories"][start : start + size]
    return {
        "feature": t["split_indices"],
        "split_point": short(t["split_conditions"]),
        "set": sets,
        "default": [int(v) for v in t["default_left"]],
        "left": t["left_children"],
        "right": t["right_children"],
        "gain": short([0 if is_leaf else v for v, is_leaf in zip(t["loss_changes"], leaf)], 7),
        "cover": short(t["sum_hessian"], 7),
    }


def freeze(name, objective, label, weight, varied, rounds):
    table, x = load(name)
    params = {**BASE, **varied}
    given = {"tree_method": "hist", "nthread": 1, "max_bin": 256, **params}
    nominal = [f for f in TABLES[name][1] if f in NOMINAL]
    kinds = ["c" if f in nominal else "float" for f in TABLES[name][1]]
    m = xgb.DMatrix(x, nthread=1, feature_types=kinds, enable_categorical=True)
    ranks = objective.startswith("rank")
    if ranks:
        m.set_group([2] * (len(x) // 2))
    if weight:
        m.set_weight(table[weight][:: 2 if ranks else 1])
    if objective:
        params["objective"] = given["objective"] = objective
    if label == "low high":
        m.set_float_info("label_lower_bound", table["low"].to_numpy())
        m.set_float_info("label_upper_bound", table["high"].fillna(np.inf).to_numpy())
    elif objective:
        y = codes(table[label])
        m.set_label(y)
        if objective.startswith("multi"):
            params["num_class"] = given["num_class"] = int(y.max()) + 1
    booster = xgb.Booster(given, [m])
    for i in range(rounds):
        if objective:
            booster.update(m, i)
        else:
            booster.boost(m, table["gradient"].tolist(), table["hessian"].tolist())
    model = json.loads(booster.save_raw("json"))["learner"]
    trees = model["gradient_booster"]["model"]["trees"]
    return {
        "name": " ".join([name, objective or "gradients", label.replace(" ", "+")] + (["weighted"] if weight else [])
                         + ["%s=%s" % (k, v) for k, v in varied.items()]),
        "table": name, "features": TABLES[name][1], "nominal": nominal, "label": label, "weight": weight, "params": params, "rounds": rounds,
        "margins": short(booster.predict(m, output_margin=True)[:16].ravel()),
        "trees": [tree(t) for t in trees],
    }


def main():
    make()
    make_categories()
    out = {"versions": {"python": sys.version.split()[0], "xgboost": xgb.__version__, "numpy": np.__version__},
           "tables": {name: {"file": os.path.relpath(file, HERE), "features": features, "rows": rows}
                      for name, (file, features, rows) in TABLES.items()},
           "cases": [freeze(*c) for c in cases()]}
    for c in out["cases"]:
        print("%s: %s leaves" % (c["name"], " ".join(str(sum(v < 0 for v in t["left"])) for t in c["trees"])))
    target = os.path.join(HERE, "xgboost.json.gz")
    text = json.dumps(out, separators=(",", ":"), allow_nan=False)
    with open(target, "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="", compresslevel=9) as packed:
        packed.write(text.encode())
    print("%s: %d bytes, %d cases" % (os.path.basename(target), os.path.getsize(target), len(out["cases"])))


if __name__ == "__main__":
    main()
