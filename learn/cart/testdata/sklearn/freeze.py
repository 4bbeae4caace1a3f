"""Freezes what scikit-learn's decision trees make of real data, for the tests of learn/cart and tree/prune.

    python3 freeze.py DATA

DATA is the folder of data sets: data/ below the folder that COPPICE_DATA names. Writes trees.json.gz beside this script: the versions used and one entry per case. The
same versions write the same bytes.

A case is a table, its columns, its settings, and

- tree:     scikit-learn's node arrays. Nodes are in scikit-learn's order: preorder, but order of growth under max_leaf_nodes.
- score:    training accuracy, or R2; for absolute_error the mean absolute error, weighted, which is the same for all medians.
- path:     ccp_alphas and impurities of cost_complexity_pruning_path, one entry per pruned node, and leaves: the number of leaves
            that scikit-learn's own pruning leaves at an alpha just above each distinct one (null where the next entry has the same
            alpha but for rounding: only the last entry of such a run is a pruned tree of its own).
- held_out: predictions on the rows that were kept from training (every fifth, where the case says so).

scikit-learn casts features to float32. Every case's columns keep all their distinct values under that rounding (checked below), so a
test that feeds float32-rounded features to a float64 engine sees the very same candidate splits and the very same midpoints.
scikit-learn also takes neighbours within 1e-7 for equal: no column has any (checked too).
"""

import gzip
import io
import json
import os
import sys

import numpy as np
import pandas as pd
import sklearn
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.tree._tree import Tree, _build_pruned_tree_ccp

# name: (file, label, columns that are neither label nor feature, number of first rows used; None = all)
SETS = {
    "iris": ("iris/iris.csv", "species", [], None),
    "iris-width": ("iris/iris.csv", "petal_width", [], None),
    "spambase": ("spambase/spambase.csv", "spam", [], None),
    "letter": ("letter/letter.csv", "lettr", [], 4000),
    "adult": ("adult/adult-train.csv.gz", "income", [], 4000),
    "adult-hours": ("adult/adult-train.csv.gz", "hours-per-week", [], 2000),
    "sonar": ("sonar/sonar.csv", "class", [], None),
    "pima": ("pima/pima.csv", "diabetes", [], None),
    "optdigits": ("optdigits/optdigits.csv.gz", "class", [], None),
    "fish": ("fish/fish.csv", "Species", [], None),
    "fish-weight": ("fish/fish.csv", "Weight", [], None),
    "california": ("california-housing/housing.csv.gz", "median_house_value", [], 4000),
    "bike": ("bike/day.csv", "cnt", ["instant", "dteday", "casual", "registered"], None),
    "ames": ("ames/ames_housing.csv.gz", "Sale_Price", [], 1000),
}

REGRESSION = {"iris-width", "adult-hours", "fish-weight", "california", "bike", "ames"}

# (set, extra settings, what to freeze beside tree and score). "weighted" weighs row i by 0.5 + (7 i mod 5) / 2; "holdout": 5 keeps
# the rows i with i mod 5 = 0 from training. Weights with absolute_error only where scikit-learn's medians are right (its issue 32099).
GINI, ENTROPY, LOG_LOSS = {"criterion": "gini"}, {"criterion": "entropy"}, {"criterion": "log_loss"}
MSE, MAE, POISSON = {"criterion": "squared_error"}, {"criterion": "absolute_error"}, {"criterion": "poisson"}
CASES = [
    ("iris", GINI, ["path"]),
    ("iris", ENTROPY, ["path"]),
    ("iris", {**GINI, "min_impurity_decrease": 0.1}, []),
    ("iris", {**GINI, "max_leaf_nodes": 4}, []),
    ("spambase", GINI, ["path"]),
    ("spambase", ENTROPY, ["path"]),
    ("spambase", {**GINI, "max_depth": 5, "holdout": 5}, []),
    ("spambase", {**GINI, "min_samples_leaf": 5}, []),
    ("spambase", {**GINI, "min_samples_split": 20}, []),
    ("spambase", {**GINI, "max_leaf_nodes": 20}, []),
    ("spambase", {**ENTROPY, "min_impurity_decrease": 0.01}, []),
    ("spambase", {**GINI, "class_weight": "balanced", "max_depth": 8}, ["path"]),
    ("spambase", {**ENTROPY, "weighted": True, "min_samples_leaf": 5}, ["path"]),
    ("letter", GINI, ["path"]),
    ("letter", ENTROPY, []),
    ("letter", {**ENTROPY, "max_leaf_nodes": 40}, []),
    ("letter", {**GINI, "class_weight": "balanced", "min_samples_split": 20}, []),
    ("letter", {**GINI, "max_depth": 7, "holdout": 5}, []),
    ("adult", GINI, []),
    ("adult", {**ENTROPY, "min_samples_leaf": 5}, ["path"]),
    ("sonar", GINI, ["path"]),
    ("sonar", ENTROPY, ["path"]),
    ("pima", GINI, ["path"]),
    ("pima", ENTROPY, []),
    ("pima", {**GINI, "class_weight": "balanced", "weighted": True, "min_samples_leaf": 5}, []),
    ("optdigits", GINI, []),
    ("optdigits", {**ENTROPY, "max_leaf_nodes": 40, "holdout": 5}, []),
    ("fish", {**GINI, "max_depth": 1}, []),
    ("fish", {**GINI, "max_depth": 2}, []),
    ("fish", {**GINI, "max_depth": 3}, []),
    ("fish", GINI, ["path"]),
    ("iris-width", MSE, ["path"]),
    ("iris-width", {**MSE, "weighted": True, "max_leaf_nodes": 8}, []),
    ("adult-hours", {**MSE, "min_samples_leaf": 5}, ["path"]),
    ("fish-weight", {**MSE, "max_depth": 1}, []),
    ("fish-weight", {**MSE, "max_depth": 2}, []),
    ("fish-weight", {**MSE, "max_depth": 3}, []),
    ("fish-weight", MSE, ["path"]),
    ("california", MSE, []),
    ("california", {**MSE, "min_samples_leaf": 5, "holdout": 5}, ["path"]),
    ("california", {**MSE, "max_leaf_nodes": 20}, []),
    ("bike", MSE, ["path"]),
    ("bike", {**MSE, "min_samples_split": 20}, []),
    ("bike", {**MSE, "weighted": True, "min_samples_leaf": 5}, []),
    ("bike", {**MSE, "min_impurity_decrease": 20000.0}, []),
    ("ames", MSE, []),
    ("ames", {**MSE, "min_samples_leaf": 5, "max_leaf_nodes": 30}, []),
    ("iris", LOG_LOSS, ["path"]),
    ("spambase", {**LOG_LOSS, "max_leaf_nodes": 20}, []),
    ("letter", {**LOG_LOSS, "max_depth": 6}, []),
    ("iris-width", MAE, ["path"]),
    ("iris-width", {**MAE, "weighted": True, "max_leaf_nodes": 8}, []),
    ("fish-weight", MAE, ["path"]),
    ("bike", MAE, ["path"]),
    ("adult-hours", {**MAE, "min_samples_leaf": 5}, []),
    ("california", {**MAE, "min_samples_leaf": 5}, ["path"]),
    ("california", {**MAE, "max_leaf_nodes": 20}, []),
    ("iris-width", POISSON, ["path"]),
    ("fish-weight", POISSON, ["path"]),
    ("bike", POISSON, ["path"]),
    ("bike", {**POISSON, "weighted": True, "min_samples_leaf": 5}, []),
    ("adult-hours", {**POISSON, "min_samples_leaf": 5}, ["path"]),
    ("california", {**POISSON, "min_samples_leaf": 5, "holdout": 5}, ["path"]),
    ("california", {**POISSON, "max_leaf_nodes": 20}, []),
]


def load(folder, name):
    """Returns the features as float32, their names, and the label, of one of SETS."""
    file, label, drop, rows = SETS[name]
    table = pd.read_csv(os.path.join(folder, file), skipinitialspace=True, encoding="utf-8-sig", nrows=rows)
    y = table.pop(label)
    table = table.drop(columns=drop).select_dtypes("number").dropna(axis="columns")
    x = table.to_numpy(dtype=np.float64)
    check(name, x)
    if name in REGRESSION:
        return x.astype(np.float32), list(table), y.to_numpy(dtype=np.float64)
    return x.astype(np.float32), list(table), y.astype(str).to_numpy()


def check(name, x):
    """Fails unless float32 keeps all distinct values of every column, further apart than scikit-learn's 1e-7."""
    for j in range(x.shape[1]):
        narrow = np.unique(x[:, j].astype(np.float32))
        assert len(narrow) == len(np.unique(x[:, j])), f"{name}: float32 merges values of column {j}"
        assert len(narrow) < 2 or np.diff(narrow.astype(np.float64)).min() > 2e-7, f"{name}: column {j} has close values"


def exact(values):
    """Python numbers that print as short as they can: integers where the value is one."""
    return [int(v) if float(v).is_integer() and abs(v) < 2**53 else float(v) for v in np.asarray(values).ravel()]


def nodes(model, classes):
    t = model.tree_
    value = t.value[:, 0, :]
    return {
        "left": t.children_left.tolist(),
        "right": t.children_right.tolist(),
        "feature": np.where(t.children_left < 0, -1, t.feature).tolist(),
        "threshold": exact(np.where(t.children_left < 0, 0, t.threshold)),
        "rows": t.n_node_samples.tolist(),
        "weight": exact(t.weighted_n_node_samples),
        "impurity": exact(t.impurity),
        "value": exact(value if classes else value[:, 0]),
    }


def leaves_at(model, alpha):
    pruned = Tree(model.n_features_in_, np.atleast_1d(getattr(model, "n_classes_", 1)).astype(np.intp), 1)
    _build_pruned_tree_ccp(pruned, model.tree_, alpha)
    return int(pruned.n_leaves)


def path(model, x, y, weight):
    """The path of model. Alphas that differ by rounding only (of costs as large as the root's) are one step of the theory: see
    leaves above."""
    found = model.cost_complexity_pruning_path(x, y, sample_weight=weight)
    alpha = found.ccp_alphas
    leaves = []
    for i, a in enumerate(alpha):
        after = alpha[i + 1] if i + 1 < len(alpha) else 2 * a + 1
        if after - a <= max(1e-9 * after, 1e-14 * model.tree_.impurity[0]):
            leaves.append(None)
            continue
        leaves.append(leaves_at(model, (a + after) / 2))
    return {"alpha": exact(alpha), "impurity": exact(found.impurities), "leaves": leaves}


def score(model, x, y, weight):
    if model.criterion == "absolute_error":
        return float(np.average(np.abs(y - model.predict(x)), weights=weight))
    return float(model.score(x, y))


def freeze(folder, name, settings, extras):
    settings = dict(settings)
    weighted, holdout = settings.pop("weighted", False), settings.pop("holdout", 0)
    x, columns, y = load(folder, name)
    i = np.arange(len(y))
    train = i % holdout != 0 if holdout else i >= 0
    weight = (0.5 + (7 * i % 5) / 2)[train] if weighted else None
    classes = name not in REGRESSION
    model = (DecisionTreeClassifier if classes else DecisionTreeRegressor)(random_state=0, **settings)
    model.fit(x[train], y[train], sample_weight=weight)

    file, label, _, rows = SETS[name]
    case = {
        "name": " ".join([name] + [str(v) if k == "criterion" else f"{k}={v}" for k, v in settings.items()])
        + (" weighted" if weighted else "") + (f" holdout={holdout}" if holdout else ""),
        "file": file, "label": label, "features": columns, "rows": len(y),
        "task": "classification" if classes else "regression",
        "settings": settings, "weighted": weighted, "holdout": holdout,
        "score": score(model, x[train], y[train], weight),
        "tree": nodes(model, classes),
    }
    if classes:
        case["classes"] = model.classes_.tolist()
    if "path" in extras:
        case["path"] = path(model, x[train], y[train], weight)
    if holdout:
        rest = ~train
        predicted = model.predict_proba(x[rest]) if classes else model.predict(x[rest])
        case["held_out"] = exact(predicted[:100])
    return case


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: python3 freeze.py DATA")
    out = {
        "versions": {"python": sys.version.split()[0], "scikit-learn": sklearn.__version__, "numpy": np.__version__,
                     "pandas": pd.__version__},
        "random_state": 0,
        "cases": [freeze(sys.argv[1], *case) for case in CASES],
    }
    for case in out["cases"]:
        steps = len(case["path"]["alpha"]) if "path" in case else 0
        print(f"{case['name']}: {len(case['tree']['left'])} nodes, {steps} steps, score {case['score']:.4f}")
    target = os.path.join(os.path.dirname(os.path.abspath(__file__)), "trees.json.gz")
    text = json.dumps(out, separators=(",", ":"), allow_nan=False)
    with open(target, "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="", compresslevel=9) as packed:
        packed.write(text.encode())
    print(f"{target}: {os.path.getsize(target)} bytes")


if __name__ == "__main__":
    main()
