"""Freezes the trees of LightGBM (4.6.0, one thread) for the tests of learn/gbm.

    python3 freeze_lightgbm.py

Needs the package lightgbm, and made.csv and categories.csv, which freeze.py makes. Writes beside this script lightgbm.json.gz: the
versions used and one entry per case, as xgboost.json.gz has them. Of its trees

- split_point is a threshold that no value of the table is at, so that x <= split_point and x < split_point are one;
- children of splits of categories have changed places, so that those in set go right and all others, missing ones too, left.

Leaves of the first round have the start value added. Every value has a bin of its own: min_data_in_bin is 1.
"""

import gzip
import json
import os
import sys

import lightgbm as lgb
import numpy as np

from freeze import HERE, NOMINAL, TABLES, codes, load, short

BASE = {"learning_rate": 0.3, "num_leaves": 15}
VARIED = [
    {},
    {"num_leaves": 31, "min_data_in_leaf": 5},
    {"max_depth": 3},
    {"min_data_in_leaf": 1, "min_sum_hessian_in_leaf": 0.9, "num_leaves": 40},
    {"min_sum_hessian_in_leaf": 31.0},
    {"lambda_l1": 0.7},
    {"lambda_l1": 6.0, "min_data_in_leaf": 8},
    {"lambda_l2": 8.0},
    {"min_gain_to_split": 1.5},
    {"max_delta_step": 0.6},
    {"monotone_constraints": [1, -1, 0, 0, 0, 0, 1]},
    {"monotone_constraints": [1, -1, 0, 0, 0, 0, 1], "lambda_l2": 3.0, "max_depth": 4, "num_leaves": 31},
    {"lambda_l1": 0.4, "lambda_l2": 2.0, "min_gain_to_split": 0.3, "min_data_in_leaf": 9, "max_depth": 5},
]
MIXED = VARIED[-1]
CATEGORIES = [
    {},
    {"min_data_per_group": 10},
    {"min_data_per_group": 5, "min_data_in_leaf": 3, "cat_smooth": 2.0, "cat_l2": 1.0, "num_leaves": 40},
    {"max_cat_threshold": 3, "min_data_per_group": 1},
    {"max_cat_to_onehot": 13, "min_data_per_group": 20},
    {"max_cat_to_onehot": 100},
    {"lambda_l1": 0.7, "lambda_l2": 1.5, "min_gain_to_split": 0.5, "min_data_per_group": 10, "max_depth": 4},
]


def cases():
    """Yields table, objective, label, weight, further parameters, rounds."""
    for v in VARIED:
        yield "made", "regression", "real", "", v, 3
        yield "made", "binary", "binary", "hessian", v, 3  # weights that are not round, since many splits else gain the same
        if "max_delta_step" not in v:  # where all values are cut off, rounding says which columns are looked at below
            yield "made", "multiclass", "class", "hessian", v, 2
    for v in ({}, {"num_leaves": 31, "min_data_in_leaf": 5}, MIXED):
        yield "made", "regression", "real", "weight", v, 3
        yield "made", "binary", "binary", "", v, 3
        yield "adult", "binary", "income", "", v, 3
        yield "iris", "multiclass", "species", "", v, 2
        yield "made", "poisson", "count", "hessian", v, 3
        yield "made", "gamma", "positive", "", v, 3
        yield "made", "tweedie", "count", "weight", {**v, "tweedie_variance_power": 1.3}, 3
        yield "made", "cross_entropy", "share", "", v, 3
    yield "made", "regression", "real", "", {"path_smooth": 3.0}, 3
    yield "made", "regression", "real", "", {"path_smooth": 20.0, "lambda_l1": 0.5, "max_delta_step": 0.5}, 3
    for v in CATEGORIES:
        yield "categories", "regression", "real", "", v, 3
        yield "categories", "binary", "binary", "weight", v, 3
        yield "categories", "multiclass", "class", "weight", v, 2


def tree(root):
    t = {name: [] for name in ("feature", "split_point", "set", "default", "left", "right", "gain", "cover")}

    def add(node):
        at = len(t["feature"])
        split = "split_index" in node
        nominal = split and node["decision_type"] == "=="
        row = {"feature": 0, "split_point": 0, "set": [], "default": 0, "left": -1, "right": -1, "gain": 0, "cover": 0}
        if not split:
            row.update(split_point=node["leaf_value"], cover=node.get("leaf_weight", 0))
        else:
            row.update(feature=node["split_feature"], default=int(nominal or node["default_left"]), gain=node["split_gain"],
                       cover=node["internal_weight"])
            if nominal:
                row.update(split_point=None, set=[int(c) for c in node["threshold"].split("||")])
            else:
                row.update(split_point=node["threshold"])
        for name, value in row.items():
            t[name].append(value)
        if split:
            first, last = node["left_child"], node["right_child"]
            if nominal:
                first, last = last, first
            t["left"][at] = add(first)
            t["right"][at] = add(last)
        return at

    add(root)
    t["split_point"] = short([np.nan if v is None else v for v in t["split_point"]])
    t["gain"], t["cover"] = short(t["gain"], 7), short(t["cover"], 7)
    return t


def freeze(name, objective, label, weight, varied, rounds):
    table, x = load(name)
    params = {**BASE, **varied, "objective": objective}
    y = codes(table[label])
    if objective == "multiclass":
        params["num_class"] = int(y.max()) + 1
    features = TABLES[name][1]
    nominal = [f for f in features if f in NOMINAL]
    given = {"min_data_in_bin": 1, "num_threads": 1, "deterministic": True, "force_col_wise": True, "verbosity": -1, **params}
    data = lgb.Dataset(x, y, weight=table[weight] if weight else None, categorical_feature=[features.index(f) for f in nominal],
                       params=given)
    booster = lgb.train(given, data, rounds)
    trees = booster.dump_model()["tree_info"]
    return {
        "name": " ".join([name, objective, label] + (["weighted"] if weight else []) + ["%s=%s" % (k, v) for k, v in varied.items()]),
        "table": name, "features": features, "nominal": nominal, "label": label, "weight": weight, "params": params, "rounds": rounds,
        "margins": short(booster.predict(x[:16], raw_score=True).ravel()),
        "trees": [tree(t["tree_structure"]) for t in trees],
    }


def main():
    out = {"versions": {"python": sys.version.split()[0], "lightgbm": lgb.__version__, "numpy": np.__version__},
           "tables": {name: {"file": os.path.relpath(file, HERE), "features": features, "rows": rows}
                      for name, (file, features, rows) in TABLES.items()},
           "cases": [freeze(*c) for c in cases()]}
    for c in out["cases"]:
        print("%s: %s leaves" % (c["name"], " ".join(str(sum(v < 0 for v in t["left"])) for t in c["trees"])))
    target = os.path.join(HERE, "lightgbm.json.gz")
    text = json.dumps(out, separators=(",", ":"), allow_nan=False)
    with open(target, "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="", compresslevel=9) as packed:
        packed.write(text.encode())
    print("%s: %d bytes, %d cases" % (os.path.basename(target), os.path.getsize(target), len(out["cases"])))


if __name__ == "__main__":
    main()
