#!/usr/bin/env python3
"""Writes what LightGBM predicts: score_lightgbm.py LIST.json. The list is that of onnx.js.

Labels are those of LGBMClassifier: places of classes.
"""
import json
import math
import sys

import lightgbm as lgb
import numpy as np


def number(v):
    return float(v) if math.isfinite(v) else None if math.isnan(v) else repr(float(v))


def score(path, rows):
    x = np.array(rows, dtype=np.float64)  # None is NaN
    with open(path) as f:
        text = f.read()
    model = lgb.Booster(model_str=text)
    scores = np.asarray(model.predict(x)).reshape(len(x), -1)
    result = {"scores": [[number(v) for v in r] for r in scores]}
    objective = next((l for l in text.splitlines() if l.startswith("objective=")), "")
    if objective.startswith(("objective=binary", "objective=multiclass", "objective=cross_entropy")):
        labels = scores.argmax(axis=1) if scores.shape[1] > 1 else (scores[:, 0] > 0.5).astype(int)
        result["labels"] = [str(v) for v in labels]
    return result


def main(path):
    with open(path) as f:
        tasks = json.load(f)
    for t in tasks:
        try:
            with open(t["rows"]) as f:
                result = score(t["model"], json.load(f))
        except (lgb.basic.LightGBMError, ValueError) as e:
            result = {"error": str(e).splitlines()[0]}
        with open(t["out"], "w") as f:
            json.dump(result, f)


if __name__ == "__main__":
    main(sys.argv[1])
