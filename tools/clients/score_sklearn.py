#!/usr/bin/env python3
"""Writes what scikit-learn predicts: score_sklearn.py LIST.json. The list is that of onnx.js.

Models are files of joblib, which run code: score only those that train_models.py wrote.
"""
import json
import sys

import joblib
import numpy as np


def score(path, rows):
    model = joblib.load(path)
    x = np.array(rows, dtype=np.float64)  # None is NaN
    if hasattr(model, "predict_proba"):
        return {
            "scores": model.predict_proba(x).tolist(),
            "labels": [str(v) for v in model.predict(x)],
        }
    return {"scores": model.predict(x).reshape(len(x), -1).tolist()}


def main(path):
    with open(path) as f:
        tasks = json.load(f)
    for t in tasks:
        try:
            with open(t["rows"]) as f:
                result = score(t["model"], json.load(f))
        except ValueError as e:
            result = {"error": str(e).splitlines()[0]}
        with open(t["out"], "w") as f:
            json.dump(result, f)


if __name__ == "__main__":
    main(sys.argv[1])
