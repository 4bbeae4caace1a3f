"""Writes sklearn.json: what scikit-learn's LinearRegression and Ridge predict, for sklearn_test.go. Run it here with python3,
scikit-learn and pandas. Where columns determine each other, least squares is NumPy's lstsq with the cut that the test names:
scikit-learn's takes rounding for rank there."""
import json

import numpy as np
import sklearn
from sklearn.linear_model import LinearRegression, Ridge

from encoding import encode, read, weights

CASES = [
    # name, file, rows to train on, rows to predict, labels, l2, weighted, classes
    ("least squares", "iris/iris.csv", 100, 50, ["petal_width"], 0, False, False),
    ("least squares, weighted", "iris/iris.csv", 100, 50, ["petal_width"], 0, True, False),
    ("two outputs", "iris/iris.csv", 150, 0, ["petal_width", "petal_length"], 0, True, False),
    ("ridge", "iris/iris.csv", 100, 50, ["petal_width"], 3.7, False, False),
    ("ridge, two outputs", "iris/iris.csv", 150, 0, ["petal_width", "petal_length"], 20, True, False),
    ("ridge with many categories", "adult/adult-train.csv.gz", 500, 150, ["hours-per-week"], 1, True, False),
    ("least squares with many categories", "adult/adult-train.csv.gz", 500, 150, ["hours-per-week"], 0, True, False),
    ("least squares of indicators", "iris/iris.csv", 150, 0, ["species"], 0, True, True),
    ("ridge of indicators", "adult/adult-train.csv.gz", 500, 150, ["income"], 5, False, True),
]


def case(name, file, train, more, labels, l2, weighted, classes):
    frame = read(file)[: train + more]
    w = weights(train) if weighted else np.ones(train)
    x = encode(frame.drop(columns=labels), train, w)
    y = frame[labels].to_numpy()[:train]
    if classes:
        names = sorted(set(y[:, 0]))
        y = np.array([[float(v == n) for n in names] for v in y[:, 0]])
    y = y.astype(float)
    if l2:
        p = Ridge(alpha=l2, solver="svd", tol=0).fit(x[:train], y, sample_weight=w).predict(x)
    elif "many" in name or classes:
        mx, my = np.average(x[:train], axis=0, weights=w), np.average(y, axis=0, weights=w)
        root = np.sqrt(w)[:, None]
        c, _, rank, _ = np.linalg.lstsq(root * (x[:train] - mx), root * (y - my), rcond=1e-10)
        p = (x - mx) @ c + my
    else:
        p = LinearRegression().fit(x[:train], y, sample_weight=w).predict(x)
    p = p.reshape(len(x), -1)
    if classes:
        p = np.maximum(p, 0)
        p /= p.sum(axis=1, keepdims=True)
    keep = np.r_[0:30, max(0, len(x) - 60) : len(x)]
    return {"name": name, "file": file, "train": train, "labels": labels, "settings": [f"l2={l2}"], "tolerance": 1e-9, "weighted": weighted, 
            "rows": keep.tolist(), "predictions": [[float("%.12g" % v) for v in p[i]] for i in keep]}


out = {"sklearn": sklearn.__version__, "cases": [case(*c) for c in CASES]}
json.dump(out, open("sklearn.json", "w"), separators=(",", ":"))
