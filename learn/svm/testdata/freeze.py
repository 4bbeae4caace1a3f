"""Writes sklearn.json: decision values of scikit-learn's support vector machines (LIBSVM and LIBLINEAR), for sklearn_test.go. Run it
here with scikit-learn.

Rows and numeric labels are standardised with the weights of the rows, so that the learner's own standardising changes nothing but the last
bits. All is solved to a tolerance far below what the test asks for. Classes against all others are machines of their own there.
"""
import json

import numpy as np
from sklearn.svm import SVC, SVR, LinearSVC, LinearSVR


def standard(x, w):
    x = x - np.average(x, axis=0, weights=w)
    return x / np.sqrt(np.average(x ** 2, axis=0, weights=w))


def table(seed, n, d, weighted):
    r = np.random.default_rng(seed)
    w = r.integers(1, 4, n) / 2 if weighted else np.ones(n)
    x = standard(r.normal(size=(n, d)), w)
    y = standard(np.sin(2 * x[:, 0]) + x[:, 1] * x[:, -1] + 0.3 * r.normal(size=n), w)
    c = np.digitize(y, [-0.5, 0.4])
    return x, y, c, w


KERNELS = [{"kernel": "rbf", "gamma": 0.7, "c": 2}, {"kernel": "rbf", "gamma": 0, "c": 0.5},
           {"kernel": "poly", "gamma": 0.4, "coef0": 0.5, "degree": 3, "c": 1}, {"kernel": "sigmoid", "gamma": 0.05, "coef0": -0.2, "c": 4}]


def settings(k):
    s = {key: k[key] for key in k if key not in ("c", "gamma")}
    return dict(s, C=k["c"], gamma=k.get("gamma") or "scale")


cases, tables = [], []
for t, (seed, n, d, weighted) in enumerate([(1, 80, 3, False), (2, 60, 2, True)]):
    x, y, c, w = table(seed, n, d, weighted)
    tables.append({"x": x.tolist(), "y": y.tolist(), "class": c.tolist(), "weight": w.tolist()})
    for k in KERNELS:
        for task in ["binary", "multiclass", "regression"]:
            if task == "regression":
                m = SVR(epsilon=0.05, tol=1e-9, **settings(k)).fit(x, y, w)
                f = m.predict(x)[:, None]
            else:
                scores = [2] if task == "binary" else [0, 1, 2]
                f = np.column_stack([SVC(tol=1e-9, **settings(k)).fit(x, c == s, w).decision_function(x) for s in scores])
            cases.append({"table": t, "task": task, "set": [f"{key}={v}" for key, v in k.items()] + ["epsilon=0.05"], "values": f.round(9).tolist()})
    for cost in [0.05, 3]:
        scores = [0, 1, 2]
        f = np.column_stack([LinearSVC(loss="hinge", C=cost, tol=1e-10, max_iter=1000000).fit(x, c == s, w).decision_function(x) for s in scores])
        cases.append({"table": t, "task": "multiclass", "set": ["kernel=linear", f"c={cost}"], "values": f.round(9).tolist()})
        m = LinearSVR(epsilon=0.2, C=cost, tol=1e-10, max_iter=1000000).fit(x, y, w)
        cases.append({"table": t, "task": "regression", "set": ["kernel=linear", f"c={cost}", "epsilon=0.2"], "values": m.predict(x)[:, None].round(9).tolist()})

with open("sklearn.json", "w") as out:
    json.dump({"tables": tables, "cases": cases}, out)
    out.write("\n")
