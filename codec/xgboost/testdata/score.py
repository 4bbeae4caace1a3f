#!/usr/bin/env python3
"""Prints what XGBoost predicts with models for the rows of a table. Needs python3-xgboost.

    python3 score.py ROWS.csv MODEL...

An empty field of ROWS.csv is a missing value, categories are codes. For each model there is a CSV
file MODEL.csv: raw scores (m), response (p) and leaves (l) of each row; a linear
model has no leaves.
"""
import csv
import sys

import numpy as np
import xgboost as xgb


def main(rows, models):
    with open(rows) as table:
        x = np.array([[float(v) if v else np.nan for v in record] for record in csv.reader(table)], dtype=np.float32)
    for name in models:
        model = xgb.Booster(model_file=name)
        table = xgb.DMatrix(x, feature_names=model.feature_names, feature_types=model.feature_types, enable_categorical=True)
        columns = [("m", model.predict(table, output_margin=True)), ("p", model.predict(table))]
        if '"name":"gblinear"' not in model.save_config().replace(" ", ""):
            columns.append(("l", model.predict(table, pred_leaf=True)))
        columns = [(n, v.reshape(len(x), -1)) for n, v in columns]
        with open(name + ".csv", "w") as out:
            out.write(",".join("%s%d" % (n, i) for n, v in columns for i in range(v.shape[1])) + "\n")
            for i in range(len(x)):
                out.write(",".join(repr(float(a)) for n, v in columns for a in v[i]) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
