"""Writes sklearn.json: what scikit-learn's isolation forests find, for sklearn_test.go. Run it here; it needs scikit-learn,
pandas and, for kdd99, the folder of larger data sets (COPPICE_DATA, default ../shared beside the checkout).

paths: the mean path length of each row of a small table over many trees, with the exact c(n) in the leaves, where scikit-learn
takes the paper's approximation. auc: the area under the ROC curve of the scores, over seeds.
"""
import json
import os

import numpy as np
import pandas as pd
import sklearn
from sklearn.ensemble import IsolationForest
from sklearn.metrics import roc_auc_score

ROOT = "../../.."
SHARED = os.environ.get("COPPICE_DATA", ROOT + "/../shared")
SEEDS = 10


def usual(n):
    n = int(n)
    return 0.0 if n < 2 else 2 * sum(1 / i for i in range(1, n)) - 2 * (n - 1) / n


def paths():
    r = np.random.default_rng(4)
    x = np.column_stack([r.normal(size=40), r.integers(0, 4, size=40), r.exponential(size=40) ** 2, np.ones(40)])
    x[0] = [9, 1, 2, 1]  # far away
    x[1] = x[2]  # never parted
    x = x.astype(np.float32).astype(float)
    trees, psi = 8000, 16
    f = IsolationForest(n_estimators=trees, max_samples=psi, random_state=1).fit(x)
    lengths = np.empty((trees, len(x)))
    for i, t in enumerate(f.estimators_):
        leaf = t.apply(x.astype(np.float32))
        depth = np.asarray(t.decision_path(x.astype(np.float32)).sum(axis=1)).ravel() - 1
        lengths[i] = depth + [usual(n) for n in t.tree_.n_node_samples[leaf]]
    return {"rows": x.tolist(), "subsample": psi, "trees": trees, "mean": lengths.mean(axis=0).round(5).tolist(), "sd": lengths.std(axis=0).round(5).tolist()}


def blobs():
    """Three clusters of different widths, and uniform noise."""
    r = np.random.default_rng(7)
    x = np.concatenate([r.normal([0, 0, 0], 1, (180, 3)), r.normal([6, 6, 0], [2, 0.5, 1], (150, 3)),
                        r.normal([-5, 7, 3], 0.3, (120, 3)), r.uniform(-7, 8, (30, 3))])
    return np.round(x, 3), np.arange(480) >= 450


def iris():
    t = pd.read_csv(ROOT + "/testdata/iris/iris.csv")
    kept = (t["species"] != "Iris-virginica") | (t.index % 5 == 0)
    t = t[kept]
    return t.drop(columns="species").to_numpy(), (t["species"] == "Iris-virginica").to_numpy()


def spambase():
    t = pd.read_csv(ROOT + "/testdata/spambase/spambase.csv")
    t = t[(t["spam"] == 0) | (t.index % 20 == 0)]
    return t.drop(columns="spam").to_numpy(), (t["spam"] == 1).to_numpy()


def kdd99():
    t = pd.read_csv(SHARED + "/data/kdd99/kdd99-train-10pct.csv.gz")
    label = t.iloc[:, 41]
    normal = label == "normal."
    t = t[(normal & (t.index % 20 == 0)) | (~normal & (t.index % 4000 == 0))]
    texts = t.columns[[1, 2, 3, 41]]
    return t.drop(columns=texts).to_numpy().astype(float), (t.iloc[:, 41] != "normal.").to_numpy()


def auc(name, x, y):
    found = [roc_auc_score(y, -IsolationForest(random_state=s).fit(x).score_samples(x)) for s in range(SEEDS)]
    return {"name": name, "rows": len(y), "anomalies": int(y.sum()), "seeds": SEEDS, "mean": round(np.mean(found), 6), "sd": round(np.std(found, ddof=1), 6)}


bx, by = blobs()
out = {
    "made_with": "scikit-learn " + sklearn.__version__,
    "paths": paths(),
    "blobs": {"rows": bx.tolist(), "anomalies": int(by.sum())},
    "auc": [auc("blobs", bx, by), auc("iris", *iris()), auc("spambase", *spambase()), auc("kdd99", *kdd99())],
}
with open("sklearn.json", "w") as f:
    json.dump(out, f)
    f.write("\n")
print(json.dumps(out["auc"], indent=1))
