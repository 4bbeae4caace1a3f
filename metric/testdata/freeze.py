"""Freezes metrics of scikit-learn 1.2.1 with their inputs:

    python3 freeze.py > sklearn.json

Floats are written by repr, which reads back exactly.
"""
import json
import sys
import warnings

import numpy as np
import sklearn
from sklearn import metrics as m

assert sklearn.__version__ == "1.2.1"
warnings.simplefilter("ignore")  # shares that do not sum to 1 are wanted here
rng = np.random.default_rng(20)
cases = []


def classes(name, truth, shares, weight=None, positive=1):
    k = shares.shape[1]
    label = shares.argmax(axis=1)
    further = {}
    want = {
        "accuracy": m.accuracy_score(truth, label, sample_weight=weight),
        "balanced_accuracy": m.balanced_accuracy_score(truth, label, sample_weight=weight),
        "error": m.zero_one_loss(truth, label, sample_weight=weight),
        "logloss": m.log_loss(truth, shares, sample_weight=weight, labels=list(range(k))),
    }
    if k == 2:  # where scikit-learn warns that a metric is not defined, and says 0 or a number of one class, there is none
        want["brier"] = m.brier_score_loss(truth, shares[:, positive], sample_weight=weight, pos_label=positive)
        if positive in truth:
            want["f1"] = m.f1_score(truth, label, sample_weight=weight, pos_label=positive)
            want["average_precision"] = m.average_precision_score(truth, shares[:, positive], sample_weight=weight, pos_label=positive)
        if len(set(truth.tolist())) == 2:
            want["mcc"] = m.matthews_corrcoef(truth, label, sample_weight=weight)
            want["auc"] = m.roc_auc_score(truth, shares[:, 1], sample_weight=weight)
    else:
        want["top_k_accuracy@2"] = m.top_k_accuracy_score(truth, shares, k=2, sample_weight=weight, labels=list(range(k)))
        each = [m.roc_auc_score(truth == c, shares[:, c], sample_weight=weight) for c in sorted(set(truth.tolist()))]
        want["roc_auc_ovr"] = np.mean(each)
        if len(each) == k and np.allclose(shares.sum(axis=1), 1):  # what roc_auc_score itself takes
            assert want["roc_auc_ovr"] == m.roc_auc_score(truth, shares, multi_class="ovr", sample_weight=weight)
            further["roc_auc_ovr_weighted"] = m.roc_auc_score(truth, shares, multi_class="ovr", average="weighted", sample_weight=weight)
        further["top_k_accuracy@3"] = m.top_k_accuracy_score(truth, shares, k=3, sample_weight=weight, labels=list(range(k)))
        report = m.precision_recall_fscore_support(truth, label, labels=list(range(k)), sample_weight=weight, zero_division=0)
        further["classes"] = [x.tolist() for x in report[:3]]
    if len(set(truth.tolist())) == 1:
        del want["balanced_accuracy"]
    add(name, "binary" if k == 2 else "multiclass", truth, shares, weight, want,
        m.confusion_matrix(truth, label, labels=list(range(k))).tolist(), positive, further)


def values(name, truth, pred, weight=None):
    add(name, "regression", truth, pred, weight, {
        "rmse": m.mean_squared_error(truth, pred, sample_weight=weight, squared=False),
        "mae": m.mean_absolute_error(truth, pred, sample_weight=weight),
        "r2": m.r2_score(truth, pred, sample_weight=weight),
    })


def add(name, task, truth, pred, weight, want, confusion=None, positive=1, further=None):
    cases.append({
        "name": name, "task": task, "truth": truth.tolist(), "pred": pred.ravel().tolist(),
        "weight": None if weight is None else weight.tolist(),
        "want": {k: float(v) for k, v in want.items()}, "confusion": confusion, "positive": positive,
        **({"further": further} if further else {}),
    })


def pair(p):
    return np.column_stack([1 - p, p])


n = 30
w = rng.integers(0, 5, n) / 2
b = rng.integers(0, 2, n)
p = np.clip(0.3 * b + 0.6 * rng.random(n), 0, 1)
classes("binary", b, pair(p))
classes("binary, weighted", b, pair(p), w)
classes("binary, many ties", b, pair(np.round(p * 4) / 4))
classes("binary, many ties, weighted", b, pair(np.round(p * 4) / 4), w)
classes("binary, one score", b, pair(np.full(n, 0.5)))
classes("binary, sure and sometimes wrong", b, pair(np.round(p)))
classes("binary, one class", np.zeros(n, int), pair(p))
c = rng.integers(0, 4, n)
s = rng.random((n, 4))
classes("four classes", c, s / s.sum(axis=1, keepdims=True))
classes("four classes, weighted", c, s / s.sum(axis=1, keepdims=True), w)
classes("four classes, shares that do not sum to 1", c, s)
classes("four classes, of which two are absent", c % 2, s / s.sum(axis=1, keepdims=True))
y = rng.normal(100, 15, n)
values("values", y, y + rng.normal(0, 5, n))
values("values, weighted", y, y + rng.normal(0, 5, n), w)
values("values, worse than the mean", y, -y)
values("values, exact", y, y)
values("constant label", np.full(n, 0.125), rng.random(n))
values("constant label, exact", np.full(n, 0.1), np.full(n, 0.1))
rng = np.random.default_rng(22)
b = (rng.random(n) < 0.2).astype(int)
p = np.clip(0.4 * b + 0.6 * rng.random(n), 0, 1)
for weight, of in ((None, ""), (w, ", weighted")):
    classes("rare" + of, b, pair(p), weight)
    classes("rare, none found" + of, b, pair(p / 2.5), weight)
    classes("rare, the first class is positive" + of, b, pair(p), weight, positive=0)
    classes("rare, many ties, the first class is positive" + of, b, pair(np.round(p * 4) / 4), weight, positive=0)
classes("all rows positive", np.ones(n, int), pair(p))
classes("all rows negative, the first class is positive", np.ones(n, int), pair(p), positive=0)
json.dump(cases, sys.stdout, indent=1)
print()
