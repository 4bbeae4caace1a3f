"""Writes sklearn.json: what scikit-learn's LogisticRegression predicts, for sklearn_test.go. Run it here with python3,
scikit-learn and pandas. C is 1 / l2; l2 = 0 is no penalty. balanced is scikit-learn's class_weight."""
import json
import sys

import numpy as np
import sklearn
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, "..")
from encoding import encode, read, weights

CASES = [
    # name, file, rows to train on, rows to predict, label, l2, weighted, balanced
    ("two classes", "adult/adult-train.csv.gz", 500, 150, "income", 1, False, False),
    ("two classes, weighted", "adult/adult-train.csv.gz", 500, 150, "income", 0.1, True, False),
    ("two classes, balanced", "adult/adult-train.csv.gz", 500, 150, "income", 10, False, True),
    ("maximum likelihood", "adult/adult-train.csv.gz", 3000, 0, "income", 0, True, False),
    ("three classes", "iris/iris.csv", 150, 0, "species", 1, False, False),
    ("three classes, weighted", "iris/iris.csv", 150, 0, "species", 0.01, True, False),
    ("two of three classes", "iris/iris.csv", 90, 60, "species", 1, False, False),
    ("26 classes", "letter/letter.csv.gz", 2000, 100, "lettr", 1, False, False),
]


def case(name, file, train, more, label, l2, weighted, balanced):
    frame = read(file)[: train + more]
    if l2 == 0:  # few columns, so that no plane parts the classes
        frame = frame[["age", "education-num", "hours-per-week", "income"]]
    w = weights(train) if weighted else np.ones(train)
    y = frame[label].to_numpy()
    counts = frame[label][:train].value_counts()
    scaled = w * (train / len(counts) / frame[label][:train].map(counts)).to_numpy() if balanced else w
    x = encode(frame.drop(columns=label), train, scaled)  # class weights are weights of rows
    classes = sorted(set(read(file)[label]))
    known = sorted(set(y[:train]))
    binary = len(classes) == 2
    model = LogisticRegression(penalty="l2" if l2 else None, C=1 / l2 if l2 else 1, tol=1e-14 if binary else 1e-10, max_iter=100000,
                               solver="newton-cholesky" if binary else "newton-cg", multi_class="ovr" if binary else "multinomial",
                               class_weight="balanced" if balanced else None)
    model.fit(x[:train], y[:train], sample_weight=w)
    keep = np.r_[0:20, max(0, len(x) - 40) : len(x)]
    p = np.zeros((len(keep), len(classes)))
    p[:, [classes.index(k) for k in known]] = model.predict_proba(x[keep])
    settings = [f"l2={l2}"] + (["class_weight=balanced"] if balanced else [])
    ignored = [c for c in read(file).columns if c not in frame.columns]
    return {"name": name, "file": file, "train": train, "labels": [label], "ignored": ignored, "settings": settings, "tolerance": 1e-9 if binary else 1e-7 if len(classes) == 3 else 1e-6,
            "weighted": weighted, "rows": keep.tolist(), "predictions": [[float("%.12g" % v) for v in row] for row in p]}


out = {"sklearn": sklearn.__version__, "cases": [case(*c) for c in CASES]}
json.dump(out, open("sklearn.json", "w"), separators=(",", ":"))
