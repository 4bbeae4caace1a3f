"""Freezes metrics that are measured where they are asked for, and of rankings, by scikit-learn 1.2.1, with their inputs:

    python3 freeze_further.py > further.json
"""
import json
import sys

import numpy as np
import sklearn
from sklearn import metrics as m

assert sklearn.__version__ == "1.2.1"
rng = np.random.default_rng(21)
cases = []


def add(metric, want, truth, pred, weight=None, group=None):
    cases.append({"metric": metric, "want": float(want), "truth": truth.tolist(), "pred": pred.tolist(),
                  "weight": None if weight is None else weight.tolist(), "group": None if group is None else group.tolist()})


n = 40
w = rng.integers(0, 5, n) / 2
for weight in (None, w):
    y, x = rng.poisson(2, n).astype(float), rng.gamma(2, 1, n)
    add("poisson_deviance", m.mean_poisson_deviance(y, x, sample_weight=weight), y, x, weight)
    add("tweedie_deviance@1.3", m.mean_tweedie_deviance(y, x, power=1.3, sample_weight=weight), y, x, weight)
    add("rmsle", m.mean_squared_log_error(y, x, sample_weight=weight, squared=False), y, x, weight)
    add("mape", m.mean_absolute_percentage_error(y, x, sample_weight=weight), y, x, weight)
    add("pinball@0.3", m.mean_pinball_loss(y, x, alpha=0.3, sample_weight=weight), y, x, weight)
    y = rng.gamma(2, 1, n)
    add("gamma_deviance", m.mean_gamma_deviance(y, x, sample_weight=weight), y, x, weight)
    b = rng.integers(0, 2, n)
    for p in (rng.random(n), np.round(4 * rng.random(n)) / 4):
        add("average_precision", m.average_precision_score(b, p, sample_weight=weight), b, p, weight)

group = rng.integers(0, 5, n)
grade = rng.integers(0, 5, n)
grade[group == 3] = 0  # nothing relevant: left out
for score in (rng.normal(0, 1, n), np.round(rng.normal(0, 1, n))):
    for k in (1, 3, 10):
        each = [m.ndcg_score([2.0 ** grade[group == g] - 1], [score[group == g]], k=k) for g in (0, 1, 2, 4)]
        add("ndcg@%d" % k, np.mean(each), grade, score, None, group)
score = rng.permutation(n) / n
each = [m.average_precision_score(grade[group == g] > 0, score[group == g]) for g in (0, 1, 2, 4)]
add("map@1000", np.mean(each), grade, score, None, group)
json.dump(cases, sys.stdout, indent=1)
print()
