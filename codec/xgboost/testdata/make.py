#!/usr/bin/env python3
"""Makes the small models of this folder, and what XGBoost predicts with them.

Needs python3-xgboost (1.7.4 made the files here) and python3-numpy. Run it in this folder:

    python3 make.py

rows.csv holds the rows: x0 to x3 are numbers, x4 and x5 categories by code; an empty field is
missing. Category 9 of x4 and category -1 of x5 occur in no training row.
NAME.json, NAME.ubj and NAME.model are one model in three encodings; NAME.csv has for each row the
raw scores (m) and the response (p) up to the best iteration, and the leaves of all trees (l).
dumps/NAME.json is the dump of NAME.json.
"""
import os
import sys

import numpy as np
import xgboost as xgb

random = np.random.default_rng(7)
N = 120
x = np.empty((N, 6), dtype=np.float32)
x[:, 0] = random.normal(size=N)
x[:, 1] = np.round(random.normal(size=N), 1)
x[:, 2] = random.integers(0, 4, size=N)
x[:, 3] = random.exponential(size=N) * 1e6
x[:, 4] = random.integers(0, 8, size=N)
x[:, 5] = random.integers(0, 70, size=N)
x[random.random(size=x.shape) < 0.1] = np.nan
known = np.nan_to_num(x)
score = known[:, 0] + known[:, 1] * (known[:, 2] > 1) + np.isin(known[:, 4], [1, 3, 6]) - (known[:, 5] % 7 == 2)
labels = {
    "number": score + random.normal(size=N) / 10,
    "binary": (score > 0.3).astype(float),
    "count": np.floor(np.exp(score / 2)),
    "positive": np.exp(score / 2) + 0.1,
    "class": np.clip(np.floor(score + 1), 0, 3),
    "several": np.stack([score, known[:, 0] - 1, known[:, 1] * 2], axis=1),
    "labels": np.stack([score > 0, known[:, 0] > 0, known[:, 1] > 0.3], axis=1).astype(float),
    "rank": np.clip(np.floor(score + 2), 0, 4),
}

# name -> label, categories or not, parameters, rounds
CASES = {
    "squarederror": ("number", True, dict(objective="reg:squarederror"), 6),
    "squaredlog": ("positive", False, dict(objective="reg:squaredlogerror"), 4),
    "pseudohuber": ("number", False, dict(objective="reg:pseudohubererror", base_score=0.1), 4),
    "absolute": ("number", True, dict(objective="reg:absoluteerror"), 4),
    "logistic": ("binary", True, dict(objective="binary:logistic", base_score=0.3), 6),
    "reglogistic": ("binary", False, dict(objective="reg:logistic"), 4),
    "logitraw": ("binary", False, dict(objective="binary:logitraw", base_score=0.3), 4),
    "hinge": ("binary", False, dict(objective="binary:hinge"), 4),
    "poisson": ("count", True, dict(objective="count:poisson"), 4),
    "gamma": ("positive", False, dict(objective="reg:gamma", base_score=1.5), 4),
    "tweedie": ("positive", False, dict(objective="reg:tweedie", tweedie_variance_power=1.3), 4),
    "cox": ("positive", False, dict(objective="survival:cox"), 4),
    "aft": ("positive", False, dict(objective="survival:aft"), 4),
    "softprob": ("class", True, dict(objective="multi:softprob", num_class=4), 3),
    "softmax": ("class", False, dict(objective="multi:softmax", num_class=4, base_score=0.2), 3),
    "pairwise": ("rank", False, dict(objective="rank:pairwise"), 4),
    "ndcg": ("rank", False, dict(objective="rank:ndcg"), 4),
    "targets": ("several", False, dict(objective="reg:squarederror"), 3),
    "multilabel": ("labels", False, dict(objective="binary:logistic"), 3),
    "dart": ("number", False, dict(objective="reg:squarederror", booster="dart", rate_drop=0.5, one_drop=1), 6),
    "dartclass": ("class", False, dict(objective="multi:softprob", num_class=4, booster="dart", rate_drop=0.5), 4),
    "linear": ("number", False, dict(objective="reg:squarederror", booster="gblinear"), 8),
    "linearclass": ("class", False, dict(objective="multi:softprob", num_class=4, booster="gblinear"), 8),
    "forest": ("number", False, dict(objective="reg:squarederror", num_parallel_tree=5, subsample=0.7), 2),
    "forestclass": ("class", False, dict(objective="multi:softprob", num_class=4, num_parallel_tree=3, subsample=0.7), 2),
    "pruned": ("number", False, dict(objective="reg:squarederror", tree_method="exact", gamma=8, max_depth=6), 4),
    "stopped": ("number", False, dict(objective="reg:squarederror", learning_rate=1.0), 40),
    "tiny": ("binary", True, dict(objective="binary:logistic", max_depth=2), 1),
}
TYPES = ["float"] * 4 + ["c"] * 2
NAMES = ["x%d" % i for i in range(6)]


def table(rows, categories, label=None, name=None):
    d = xgb.DMatrix(rows, feature_names=NAMES, feature_types=TYPES if categories else None, enable_categorical=categories)
    if label is not None:
        if name == "aft":
            d.set_float_info("label_lower_bound", label)
            d.set_float_info("label_upper_bound", label * np.where(np.arange(len(label)) % 3 == 0, np.inf, 1))
        else:
            d.set_label(label)
        if name in ("pairwise", "ndcg"):
            d.set_group([10] * (len(label) // 10))
    return d


def main():
    rows = x[:40].copy()
    rows[3, 4], rows[4, 5], rows[5, 4] = 9, -1, np.nan
    with open("rows.csv", "w") as out:
        for row in rows:
            out.write(",".join("" if np.isnan(v) else repr(float(v)) for v in row) + "\n")
    for name, (label, categories, params, rounds) in CASES.items():
        params = dict(dict(max_depth=3, seed=1, nthread=1), **params)
        if params.get("booster") != "gblinear":
            params.setdefault("tree_method", "hist")
        else:
            del params["max_depth"]
        train = table(x, categories, labels[label], name)
        more = {}
        if name == "stopped":
            train = table(x[:80], False, labels[label][:80])
            more = dict(evals=[(table(x[80:], False, labels[label][80:]), "valid")], early_stopping_rounds=3, verbose_eval=False)
        model = xgb.train(params, train, rounds, **more)
        for suffix in (".json", ".ubj", ".model"):
            if suffix == ".model" and categories or suffix == ".ubj" and name not in ("squarederror", "softprob", "dart", "linear", "stopped", "tiny"):
                continue  # the binary files have no categories
            model.save_model(name + suffix)
        if name in ("squarederror", "logistic", "softprob", "poisson"):
            os.makedirs("dumps", exist_ok=True)
            model.dump_model("dumps/%s.json" % name, with_stats=True, dump_format="json")
        test = table(rows, categories)
        used = dict(iteration_range=(0, model.best_iteration + 1)) if more else {}
        columns = [("m", model.predict(test, output_margin=True, **used)), ("p", model.predict(test, **used))]
        if params.get("booster") != "gblinear":
            columns.append(("l", model.predict(test, pred_leaf=True)))
        columns = [(n, v.reshape(len(rows), -1)) for n, v in columns]
        with open(name + ".csv", "w") as out:
            out.write(",".join("%s%d" % (n, i) for n, v in columns for i in range(v.shape[1])) + "\n")
            for i in range(len(rows)):
                out.write(",".join(repr(float(a)) for n, v in columns for a in v[i]) + "\n")


if __name__ == "__main__":
    sys.exit(main())
