"""Writes sklearn.json: what scikit-learn's neighbours predict, for sklearn_test.go. Run it here with scikit-learn.

Three of four rows are trained on, and standardised, so that the learner's own standardising changes nothing but the last bits. A
categorical column is given to scikit-learn as a place for each category.
"""
import json

import numpy as np
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor


def trained(x):
    return np.arange(len(x)) % 4 != 0


def standard(x):
    x = x - x[trained(x)].mean(axis=0)
    return x / x[trained(x)].std(axis=0)


def cases():
    r = np.random.default_rng(5)
    for name, n, d in [("plane", 60, 2), ("space", 200, 7), ("grid", 90, 3)]:
        x = r.normal(size=(n, d))
        if name == "grid":  # many rows at equal distances, and equal rows
            x = r.integers(0, 3, size=(n, d)).astype(float)
        x = standard(x)
        code = r.integers(0, 3, size=n)
        y = x[:, 0] + np.sin(2 * x[:, 1]) + 0.5 * code + 0.2 * r.normal(size=n)
        c = np.digitize(y, np.quantile(y, [0.3, 0.7]))
        full = np.column_stack([x, np.eye(3)[code]])
        yield name, x, code, y, c, full


def out(a):
    return np.asarray(a).round(15).tolist()


result = []
for name, x, code, y, c, full in cases():
    train = trained(x)
    for k in [1, 5, 12]:
        for weights in ["uniform", "distance"]:
            # In the grid many rows are as far as the last neighbour; which of them vote is the implementation's choice. The test
            # takes only queries whose next neighbour is farther.
            d = np.sqrt(((full[~train][:, None, :] - full[train][None, :, :]) ** 2).sum(axis=2))
            d.sort(axis=1)
            clear = d[:, k] - d[:, k - 1] > 1e-9
            classes = KNeighborsClassifier(k, weights=weights, algorithm="kd_tree").fit(full[train], c[train])
            numbers = KNeighborsRegressor(k, weights=weights, algorithm="kd_tree").fit(full[train], y[train])
            result.append({"name": name, "k": k, "weights": weights, "clear": clear.tolist(),
                           "probabilities": out(classes.predict_proba(full[~train])), "numbers": out(numbers.predict(full[~train]))})

tables = [{"name": name, "x": x.tolist(), "code": code.tolist(), "y": y.tolist(), "class": c.tolist()} for name, x, code, y, c, _ in cases()]
with open("sklearn.json", "w") as f:
    json.dump({"tables": tables, "cases": result}, f)
    f.write("\n")
