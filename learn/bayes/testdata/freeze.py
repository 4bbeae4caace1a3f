"""Writes sklearn.json: what scikit-learn's GaussianNB says of standardised columns and its CategoricalNB of categories, together by
the sum of their logarithms, for bayes_test.go. Run it here with python3, scikit-learn and pandas."""
import json
import sys

import numpy as np
import sklearn
from scipy.special import softmax
from sklearn.naive_bayes import CategoricalNB, GaussianNB

sys.path.insert(0, "../../linear/testdata")
from encoding import encode, read, weights

CASES = [
    # name, file, rows to train on, rows to predict, label, weighted, var_smoothing, smoothing
    ("numbers", "iris/iris.csv", 150, 0, "species", False, 1e-9, 1),
    ("numbers, weighted", "iris/iris.csv", 120, 30, "species", True, 0.1, 1),
    ("26 classes", "letter/letter.csv.gz", 1000, 100, "lettr", False, 1e-9, 1),
    ("numbers and categories", "adult/adult-train.csv.gz", 600, 100, "income", True, 1e-3, 0.5),
]


def case(name, file, train, more, label, weighted, var_smoothing, smoothing):
    whole = read(file)
    frame = whole[: train + more]
    w = weights(train) if weighted else np.ones(train)
    features = frame.drop(columns=label)
    numbers = [c for c in features.columns if features[c].dtype != object]
    categories = [c for c in features.columns if features[c].dtype == object]
    y = frame[label].to_numpy()
    known = sorted(set(y[:train]))
    x = encode(features[numbers], train, w)
    part = var_smoothing / x[:train].var(axis=0).max()  # its variances of all rows do not know the weights
    g = GaussianNB(var_smoothing=part).fit(x[:train], y[:train], sample_weight=w)
    score = g._joint_log_likelihood(x)
    for name_ in categories:  # unknown categories are left out, missing ones are categories
        texts = features[name_].fillna("(missing)")
        levels = sorted(set(texts[:train]))
        code = np.array([levels.index(v) if v in levels else -1 for v in texts])
        if len(levels) < 2:
            continue
        c = CategoricalNB(alpha=smoothing).fit(code[:train, None], y[:train], sample_weight=w)
        logs = c.feature_log_prob_[0].T
        score = score + np.where((code >= 0)[:, None], logs[np.maximum(code, 0)], 0)
    classes = sorted(set(whole[label]))
    keep = np.r_[0:20, max(0, len(x) - 40) : len(x)]
    p = np.zeros((len(keep), len(classes)))
    p[:, [classes.index(k) for k in known]] = softmax(score, axis=1)[keep]
    return {"name": name, "file": file, "train": train, "labels": [label], "settings": [f"var_smoothing={var_smoothing}", f"smoothing={smoothing}"],
            "tolerance": 1e-9, "weighted": weighted, "rows": keep.tolist(), "predictions": [[float("%.12g" % v) for v in row] for row in p]}


out = {"sklearn": sklearn.__version__, "cases": [case(*c) for c in CASES]}
json.dump(out, open("sklearn.json", "w"), separators=(",", ":"))
