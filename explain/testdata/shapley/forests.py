"""Trains forests of scikit-learn on a made table and explains them by the definition.

    python3 forests.py

needs scikit-learn (written with 1.2.1), onnx and tools/sklearn2onnx.py. For each forest it writes
NAME.onnx, the model, and NAME.json: the rows, and the Shapley values of the first 20 of them, over
all subsets of the columns (Lundberg and Lee 2017, equation 8). A subset's value is the mean of the
trees' values; where a column is not in the subset, a tree's value is the mean of both branches by
their training weights (path), or the mean over the last 30 rows in place of it (background). Trees
are grown on all rows, so that counts of the table's rows are their training weights.
"""

import itertools
import json
import math
import pathlib
import sys

import numpy as np
from sklearn.ensemble import ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor

sys.path.append(str(pathlib.Path(__file__).parents[3] / "tools"))
from sklearn2onnx import to_onnx  # noqa: E402

COLUMNS, EXPLAINED, BACKGROUND = 4, 20, 30


def leaf(tree, node):
    value = tree.value[node][0]
    return value / value.sum() if len(value) > 1 else value


def path(tree, row, known, node=0):
    """The value of a tree where only the known columns have values."""
    left, right = tree.children_left[node], tree.children_right[node]
    if left < 0:
        return leaf(tree, node)
    if tree.feature[node] in known:
        return path(tree, row, known, left if row[tree.feature[node]] <= tree.threshold[node] else right)
    w = tree.weighted_n_node_samples
    return (w[left] * path(tree, row, known, left) + w[right] * path(tree, row, known, right)) / w[node]


def shapley(value):
    """The Shapley values of a function of sets of columns, and the value of the empty set last."""
    sets = {s: value(frozenset(s)) for n in range(COLUMNS + 1)
            for s in itertools.combinations(range(COLUMNS), n)}
    found = []
    for j in range(COLUMNS):
        total = 0
        for s in sets:
            if j not in s:
                weight = (math.factorial(len(s)) * math.factorial(COLUMNS - len(s) - 1)
                          / math.factorial(COLUMNS))
                total = total + weight * (sets[tuple(sorted(s + (j,)))] - sets[s])
        found.append(total)
    return [v.tolist() for v in found + [sets[()]]]


def write(name, model, classes):
    r = np.random.default_rng(1)
    x = np.round(r.normal(size=(200, COLUMNS)), 2).astype(np.float32).astype(np.float64)
    y = x[:, 0] * x[:, 1] + np.abs(x[:, 2])
    model.fit(x, np.digitize(y, [0.0, 1.0]) if classes else y)
    to_onnx(model, name + ".onnx")
    trees = [t.tree_ for t in model.estimators_]
    everything = frozenset(range(COLUMNS))

    def by_path(row):
        return lambda known: sum(path(t, row, known) for t in trees) / len(trees)

    def by_background(row):
        def value(known):
            mixed = [[row[j] if j in known else other[j] for j in range(COLUMNS)]
                     for other in x[-BACKGROUND:]]
            return sum(path(t, m, everything) for t in trees for m in mixed) / (len(trees) * len(mixed))
        return value

    with open(name + ".json", "w") as f:
        json.dump({"rows": x.tolist(),
                   "path": [shapley(by_path(row)) for row in x[:EXPLAINED]],
                   "background": [shapley(by_background(row)) for row in x[:EXPLAINED]]}, f)


write("forest-regression", RandomForestRegressor(5, max_depth=4, bootstrap=False, max_features=2,
                                                 random_state=1), False)
write("forest-classes", RandomForestClassifier(5, max_depth=4, bootstrap=False, max_features=2,
                                               random_state=1), True)
write("forest-extra", ExtraTreesRegressor(5, max_depth=4, random_state=1), False)
