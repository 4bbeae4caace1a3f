"""Trains XGBoost models on made tables and writes their own pred_contribs and pred_interactions.

    python3 contributions.py

needs xgboost (written with 1.7.4) and numpy. For each case it writes NAME.json, the model, and
NAME.tsv: a line for each row with its values, and the contributions to each class with the bias
last. "nan" is a missing value. NAME-interactions.tsv has a line for each of the first five rows: the
matrix of each class, row after row, with the bias last.
"""

import numpy as np
import xgboost as xgb


def table(rows, seed):
    r = np.random.default_rng(seed)
    x = np.round(r.normal(size=(rows, 6)), 2).astype(np.float32)
    x[r.random(x.shape) < 0.1] = np.nan
    signal = np.nan_to_num(x[:, 0] * x[:, 1] + np.abs(x[:, 2]) - x[:, 3])
    return x, signal


def write(name, parameters, y, rounds):
    x, _ = table(400, 1)
    booster = xgb.train(parameters, xgb.DMatrix(x, y), rounds)
    booster.save_model(name + ".json")
    few = xgb.DMatrix(x[:40])
    contributions = booster.predict(few, pred_contribs=True).reshape(40, -1)
    with open(name + ".tsv", "w") as f:
        for values, numbers in zip(x[:40], contributions):
            f.write("\t".join("%.9g" % v for v in [*values, *numbers]) + "\n")
    matrices = booster.predict(xgb.DMatrix(x[:5]), pred_interactions=True).reshape(5, -1)
    with open(name + "-interactions.tsv", "w") as f:
        for numbers in matrices:
            f.write("\t".join("%.9g" % v for v in numbers) + "\n")


_, s = table(400, 1)
write("regression", {"max_depth": 4, "eta": 0.3}, s, 20)
write("binary", {"max_depth": 3, "eta": 0.3, "objective": "binary:logistic"}, s > 0, 20)
write("classes", {"max_depth": 3, "eta": 0.3, "objective": "multi:softprob", "num_class": 3},
      np.digitize(s, [0, 1.5]), 8)
write("lossguide", {"tree_method": "hist", "grow_policy": "lossguide", "max_leaves": 31,
                    "max_depth": 0, "eta": 0.3}, s, 10)
