#!/usr/bin/python3
"""Freezes what scikit-learn's calibrators make of scores: sklearn.json.gz, read by frozen_test.go.

    cd learn/calibrate/testdata && /usr/bin/python3 freeze.py

sigmoid      _SigmoidCalibration on scores, and CalibratedClassifierCV(cv="prefit") on three classes
isotonic     IsotonicRegression, and CalibratedClassifierCV on three classes
temperature  scipy's bounded minimisation of the log loss (scikit-learn 1.2 has none)
folds        CalibratedClassifierCV(ensemble=False) around logistic regression and a tree, with given folds
"""
import gzip
import json

import numpy as np
import scipy
import sklearn
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV, _SigmoidCalibration
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

rng = np.random.RandomState(7)


class Given(BaseEstimator, ClassifierMixin):
    """A fitted classifier whose scores or probabilities are its columns."""

    def __init__(self, probabilities=False):
        self.probabilities = probabilities
        if probabilities:
            self.predict_proba = lambda X: X
        else:
            self.decision_function = lambda X: X

    def fit(self, x, y):
        return self


def frozen(probabilities, classes):
    g = Given(probabilities)
    g.classes_ = np.arange(classes)
    g.n_features_in_ = classes
    return g


def binary(n, tied):
    z = rng.normal(size=n) * 2
    if tied:
        z = np.round(z * 2) / 2
    y = (rng.uniform(size=n) < 1 / (1 + np.exp(-0.6 * z + 0.4))).astype(int)
    return z, y


out = {"versions": {"scikit-learn": sklearn.__version__, "scipy": scipy.__version__, "numpy": np.__version__}, "sigmoid": [], "isotonic": [],
       "temperature": [], "several": [], "folds": []}
for n, tied, weighted in [(60, False, False), (300, True, False), (200, False, True)]:
    z, y = binary(n, tied)
    w = rng.randint(1, 4, size=n).astype(float) if weighted else np.ones(n)
    if weighted:  # this version counts rows in the targets, whatever they weigh: repeat them
        zz, yy = np.repeat(z, w.astype(int)), np.repeat(y, w.astype(int))
    else:
        zz, yy = z, y
    s = _SigmoidCalibration().fit(zz, yy)
    out["sigmoid"].append({"z": z.tolist(), "y": y.tolist(), "weight": w.tolist(), "a": -s.a_, "b": -s.b_})
    p = 1 / (1 + np.exp(-z))
    iso = IsotonicRegression(out_of_bounds="clip", y_min=0, y_max=1).fit(p, y, sample_weight=w)
    at = np.linspace(0, 1, 41)
    out["isotonic"].append({"x": p.tolist(), "y": y.tolist(), "weight": w.tolist(), "at": at.tolist(), "value": iso.predict(at).tolist()})
for n, k in [(120, 3), (200, 5), (80, 2)]:
    z = log_softmax(rng.normal(size=(n, k)) * 3, axis=1)
    y = np.array([rng.choice(k, p=np.exp(log_softmax(0.5 * r))) for r in z])
    w = rng.uniform(0.5, 2, size=n)

    def loss(s):
        return -(w * log_softmax(s * z, axis=1)[np.arange(n), y]).sum()

    best = minimize_scalar(loss, bounds=(0, 20), method="bounded", options={"xatol": 1e-12})
    out["temperature"].append({"z": z.ravel().tolist(), "y": y.tolist(), "weight": w.tolist(), "classes": k, "sharpness": best.x})
z = rng.normal(size=(150, 3)) * 2
probabilities = np.exp(log_softmax(z, axis=1))
y = np.array([rng.choice(3, p=np.exp(log_softmax(0.6 * r))) for r in z])
odds = np.log(probabilities / (1 - probabilities))
for method, given, x in [("platt", False, odds), ("isotonic", True, probabilities)]:
    c = CalibratedClassifierCV(frozen(given, 3), method=method.replace("platt", "sigmoid"), cv="prefit").fit(x, y)
    out["several"].append({"method": method, "probabilities": probabilities.ravel().tolist(), "y": y.tolist(), "calibrated": c.predict_proba(x).ravel().tolist()})

# The whole way: folds, a base, curves. Logistic regression has log odds for the sigmoid, as ours has; a tree has probabilities for the line.
x = rng.normal(size=(200, 2))
y = (rng.uniform(size=200) < 1 / (1 + np.exp(-(x[:, 0] + x[:, 0] * x[:, 1])))).astype(int)
fold = np.arange(200) % 4
cv = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(4)]
for method in ["platt", "isotonic"]:
    base = LogisticRegression(C=1, tol=1e-12, max_iter=1000) if method == "platt" else DecisionTreeClassifier(max_depth=4, random_state=0)
    held = np.empty(200)
    for train, test in cv:
        held[test] = base.fit(x[train], y[train]).predict_proba(x[test])[:, 1]
    c = CalibratedClassifierCV(base, method=method.replace("platt", "sigmoid"), cv=cv, ensemble=False).fit(x, y)
    out["folds"].append({"method": method, "y": y.tolist(), "held": held.tolist(), "base": base.fit(x, y).predict_proba(x)[:, 1].tolist(),
                         "calibrated": c.predict_proba(x)[:, 1].tolist()})
with gzip.GzipFile("sklearn.json.gz", "wb", mtime=0) as f:
    f.write(json.dumps(out).encode())
