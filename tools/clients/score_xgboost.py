#!/usr/bin/env python3
"""Writes what XGBoost predicts: score_xgboost.py LIST.json. The list is that of onnx.js.

Labels are those of XGBClassifier: places of classes. Categories are codes; a category that the
model does not have is a code of its own.
"""
import json
import math
import sys

import numpy as np
import xgboost as xgb


def number(v):
    return float(v) if math.isfinite(v) else None if math.isnan(v) else repr(float(v))


def score(path, rows):
    x = np.array(rows, dtype=np.float32)  # None is NaN
    model = xgb.Booster(model_file=path)
    table = xgb.DMatrix(
        x,
        feature_names=model.feature_names,
        feature_types=model.feature_types,
        enable_categorical=True,
    )
    scores = model.predict(table).reshape(len(x), -1)
    objective = json.loads(model.save_config())["learner"]["objective"]["name"]
    if objective == "multi:softmax":  # it predicts classes
        labels = scores[:, 0].astype(int)
        scores = model.predict(table, output_margin=True).reshape(len(x), -1)
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        scores = scores / scores.sum(axis=1, keepdims=True)
    elif scores.shape[1] > 1:
        labels = scores.argmax(axis=1)
    else:
        labels = (scores[:, 0] > 0.5).astype(int)
    result = {"scores": [[number(v) for v in r] for r in scores]}
    if objective.startswith(("binary:", "multi:")) and objective != "binary:logitraw":
        result["labels"] = [str(v) for v in labels]
    return result


def main(path):
    with open(path) as f:
        tasks = json.load(f)
    for t in tasks:
        try:
            with open(t["rows"]) as f:
                result = score(t["model"], json.load(f))
        except (xgb.core.XGBoostError, ValueError) as e:
            result = {"error": str(e).splitlines()[0]}
        with open(t["out"], "w") as f:
            json.dump(result, f)


if __name__ == "__main__":
    main(sys.argv[1])
