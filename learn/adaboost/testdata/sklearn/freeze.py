#!/usr/bin/python3
"""Writes boosts.json.gz: what scikit-learn 1.2.1 makes of tables with AdaBoostClassifier (SAMME, SAMME.R) over stumps, and with
AdaBoostRegressor over small trees, whose samples are kept; and of gentle AdaBoost and LogitBoost over its stumps. Run in this folder: /usr/bin/python3 freeze.py

scikit-learn looks at the features in a random order, which decides between splits of equal gain: each boost is run with three
seeds, and cut before the first round in which they differ. SAMME.R on letters is
kept for 5 rounds: soon the gains of splits differ by less than 1e-12 of the impurity, because rows of classes that a leaf
does not have weigh 2^52 times as much as others, and what is kept would be rounding.
"""
import gzip, json, os, warnings
import numpy as np, pandas as pd, sklearn
from sklearn.ensemble import AdaBoostClassifier, AdaBoostRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

warnings.filterwarnings("ignore")
assert sklearn.__version__ == "1.2.1"
root = "../../../../testdata"
# name, file, label, columns (None = all but the label), step between the rows that are taken, rounds
sets = [
    ("iris", "iris/iris.csv", "species", None, 1, 60),
    ("spambase", "spambase/spambase.csv", "spam", None, 4, 40),
    ("letter", "letter/letter.csv.gz", "lettr", None, 13, 60),
    ("adult", "adult/adult-train.csv.gz", "income", ["age", "fnlwgt", "capital-gain", "hours-per-week"], 16, 40),
]


def boost(X, y, weight, algorithm, rate, rounds, seed):
    m = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=rounds, algorithm=algorithm, learning_rate=rate, random_state=seed)
    m.fit(X, y, sample_weight=weight)
    return m, np.array([d if d.ndim == 2 else np.c_[-d, d] for d in m.staged_decision_function(X)])


out = []
for name, file, label, columns, step, rounds in sets:
    path = os.path.join(root, file)
    t = pd.read_csv(path, skipinitialspace=True)
    columns = columns or [c for c in t.columns if c != label]
    rows = np.arange(0, len(t), step)
    X, y = t[columns].to_numpy(float)[rows], t[label].astype(str).to_numpy()[rows]
    for algorithm, rate, weighted in (("SAMME", 1, False), ("SAMME", 0.5, True), ("SAMME.R", 1, False)):
        weight = 1.0 + np.arange(len(rows)) % 3 if weighted else None
        if (name, algorithm) == ("letter", "SAMME.R"):
            rounds = 5
        runs = [boost(X, y, weight, algorithm, rate, rounds, seed) for seed in (1, 2, 3)]
        same = min(len(r[1]) for r in runs)
        for _, d in runs[1:]:
            differs = np.abs(d[:same] - runs[0][1][:same]).max(axis=(1, 2)) > 1e-12
            same = int(np.argmax(differs)) if differs.any() else same
        m, d = runs[0]
        probes = np.arange(0, len(rows), max(1, len(rows) // 12))
        stages = sorted({1, 2, 3, 5, 10, 20, same} & set(range(1, same + 1)))
        print(name, algorithm, rate, "rows", len(rows), "same for", same, "of", rounds)
        out.append(dict(name=name, file=file, label=label, columns=columns, step=step, algorithm=algorithm, rate=rate, weighted=weighted, rounds=same,
            classes=[str(c) for c in m.classes_], weights=m.estimator_weights_[:same].tolist(), errors=m.estimator_errors_[:same].tolist(),
            stages=stages, probes=probes.tolist(), decisions=[d[s - 1][probes].tolist() for s in stages],
            accuracy=[float((m.classes_[d[s - 1].argmax(axis=1)] == y).mean()) for s in stages]))

# The variants that scikit-learn does not have, written down from Friedman, Hastie & Tibshirani (2000) over its stumps.


def stump(X, z, w):
    return DecisionTreeRegressor(max_depth=1, random_state=1).fit(X, z, sample_weight=w).predict(X)


def gentle(X, y, rounds):
    """Algorithm 4: log odds 2F after each round."""
    y, w, F = 2 * y - 1, np.full(len(y), 1 / len(y)), np.zeros(len(y))
    for _ in range(rounds):
        f = stump(X, y, w)
        F = F + f
        w = w * np.exp(-y * f)
        w = w / w.sum()
        yield 2 * F


def logit(X, y, rounds):
    """Algorithm 3: log odds 2F after each round."""
    F = np.zeros(len(y))
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-2 * F))
        w = np.maximum(p * (1 - p), 2.0**-51)
        z = np.clip((y - p) / w, -4, 4)
        F = F + stump(X, z, w) / 2
        yield 2 * F


def logits(X, y, rounds, K):
    """Algorithm 6: shares of the classes after each round."""
    F = np.zeros((len(y), K))
    for _ in range(rounds):
        p = np.exp(F) / np.exp(F).sum(axis=1, keepdims=True)
        f = np.empty_like(F)
        for k in range(K):
            w = np.maximum(p[:, k] * (1 - p[:, k]), 2.0**-51)
            f[:, k] = stump(X, np.clip(((y == k) - p[:, k]) / w, -4, 4), w)
        F = F + (K - 1) / K * (f - f.mean(axis=1, keepdims=True))
        yield np.exp(F) / np.exp(F).sum(axis=1, keepdims=True)


additive = []
for name, file, label, columns, step, rounds in sets:
    if name == "letter":
        continue
    t = pd.read_csv(os.path.join(root, file), skipinitialspace=True)
    columns = columns or [c for c in t.columns if c != label]
    rows = np.arange(0, len(t), step)
    X, text = t[columns].to_numpy(float)[rows], t[label].astype(str).to_numpy()[rows]
    classes, y = np.unique(text, return_inverse=True)
    for variant in ("gentle", "logitboost") if len(classes) == 2 else ("logitboost",):
        staged = logits(X, y, 12, len(classes)) if len(classes) > 2 else (gentle if variant == "gentle" else logit)(X, y, 12)
        probes = np.arange(0, len(rows), max(1, len(rows) // 12))
        additive.append(dict(name=name, file=file, label=label, columns=columns, step=step, variant=variant, probes=probes.tolist(),
            staged=[np.atleast_2d(s.T).T[probes].tolist() for s in staged]))


class Recorder(np.random.RandomState):
    """Keeps what AdaBoostRegressor draws."""

    def choice(self, *args, **kwargs):
        rows = super().choice(*args, **kwargs)
        self.drawn.append(rows.tolist())
        return rows


numbers = []
r = np.random.RandomState(5)
X = np.round(r.uniform(-2, 2, (120, 3)), 4)
y = np.round(np.sin(2 * X[:, 0]) + X[:, 1] ** 2 + 0.3 * r.normal(size=120), 4)
for loss in ("linear", "square", "exponential"):
    s = Recorder(7)
    s.drawn = []
    m = AdaBoostRegressor(DecisionTreeRegressor(max_depth=2), n_estimators=15, loss=loss, learning_rate=0.8, random_state=s).fit(X, y)
    numbers.append(dict(loss=loss, rate=0.8, samples=s.drawn, weights=m.estimator_weights_.tolist(), errors=m.estimator_errors_.tolist(),
        staged=[p.tolist() for p in m.staged_predict(X)]))
    print(loss, "rounds", len(m.estimators_))
with gzip.GzipFile("boosts.json.gz", "wb", mtime=0) as f:
    f.write(json.dumps(dict(classes=out, x=X.tolist(), y=y.tolist(), numbers=numbers, additive=additive), separators=(",", ":")).encode())
