#!/usr/bin/python3
"""Freezes stacks of scikit-learn's StackingRegressor and StackingClassifier of trees, and weights by scipy's nnls, as sklearn.json.gz.

usage: freeze.py    (scikit-learn 1.2.1, scipy 1.10; writes beside itself)

The rows of "train" are dealt to the folds of "fold"; scikit-learn is given the same folds.
"""
import gzip, json, os
import numpy as np
from scipy.optimize import minimize, nnls
from sklearn.ensemble import StackingClassifier, StackingRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

N, TEST = 300, 60

def trees(kind, state=0):
    return [("small", kind(max_depth=1, random_state=state)), ("middle", kind(max_depth=2, random_state=state)),
            ("large", kind(max_depth=3, min_samples_leaf=15, random_state=state))]

# scikit-learn breaks ties by random numbers: the table is the first on which they decide nothing.
for seed in range(100):
    random = np.random.RandomState(seed)
    x = np.round(random.normal(size=(N + TEST, 4)), 6)
    signal = x[:, 0] + 0.5 * x[:, 1] * x[:, 2] + np.sin(2 * x[:, 3])
    y = np.round(signal + 0.5 * random.normal(size=N + TEST), 6)
    cls = (y > 0.7).astype(int) + (y > -0.5)
    fold = random.permutation(np.arange(N) % 5)
    split = PredefinedSplit(fold)
    train, test = x[:N], x[N:]
    def held(kind, label, method, state):
        return [cross_val_predict(m, train, label, cv=split, method=method) for _, m in trees(kind, state)]
    ties = any(not np.allclose(p, q) for state in range(1, 12)
               for kind, label, method in [(DecisionTreeRegressor, y[:N], "predict"), (DecisionTreeClassifier, cls[:N], "predict_proba"),
                                           (DecisionTreeClassifier, (cls[:N] > 0).astype(int), "predict_proba")]
               for p, q in zip(held(kind, label, method, 0), held(kind, label, method, state)))
    if not ties:
        break
else:
    raise SystemExit("ties everywhere")
out = {"x": x.tolist(), "y": y.tolist(), "class": cls.tolist(), "fold": fold.tolist(), "train": N}

def ridge(z, y, alpha, towards=0):
    """Non-negative ridge by nnls of the rows and of a row for each weight."""
    return nnls(np.vstack([z, np.sqrt(alpha) * np.eye(z.shape[1])]), np.concatenate([y, np.full(z.shape[1], np.sqrt(alpha) * towards)]), maxiter=10000)[0]

def pool(shares, label, l2, floor):
    """Weights of a logarithmic pool, drawn to equal ones, by L-BFGS-B, and Newton's method among those above 0."""
    x = np.log(np.maximum(np.array(shares), floor))
    x -= x.mean(axis=2, keepdims=True)
    members, rows, classes = x.shape
    own = np.eye(classes)[label]
    def state(w):
        s = np.tensordot(w, x, 1)
        e = np.exp(s - s.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        return p, -np.log((p * own).sum(axis=1)).sum() + l2 * ((w - 1 / members) ** 2).sum(), ((p - own) * x).sum(axis=(1, 2)) + 2 * l2 * (w - 1 / members)
    w = minimize(lambda w: state(w)[1:], np.full(members, 1 / members), jac=True, bounds=[(0, None)] * members, method="L-BFGS-B", options={"ftol": 1e-15, "gtol": 1e-10}).x
    free = w > 1e-6
    w[~free] = 0
    for _ in range(20):
        p, _, g = state(w)
        mean = (p * x).sum(axis=2)
        h = np.einsum("nk,ank,bnk->ab", p, x, x) - mean @ mean.T + 2 * l2 * np.eye(members)
        w[free] -= np.linalg.solve(h[np.ix_(free, free)], g[free])
    assert (w >= 0).all() and np.abs(state(w)[2][free]).max() < 1e-10 and (state(w)[2][~free] >= 0).all()
    return w

def sharpened(shares, power, floor):
    """Shares to a power, those below the floor taken for it, normalised."""
    s = np.maximum(np.array(shares), floor) ** power
    return s / s.sum(axis=-1, keepdims=True)

def scaled(shares, label):
    """The power of shares and the biases of their classes, by L-BFGS-B and Newton's method, with penalties of 1 and 5."""
    x = np.log(np.maximum(shares, 2**-52))
    x -= x.mean(axis=1, keepdims=True)
    k = x.shape[1]
    own, penalty, centre = np.eye(k)[label], np.array([1.] + [5.] * k), np.array([1.] + [0.] * k)
    sees = np.concatenate([x[:, None, :], np.broadcast_to(np.eye(k), (len(x), k, k))], axis=1) # row, parameter, class
    def state(v):
        s = np.einsum("a,nak->nk", v, sees)
        e = np.exp(s - s.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        return p, -np.log((p * own).sum(axis=1)).sum() + penalty @ (v - centre) ** 2, np.einsum("nk,nak->a", p - own, sees) + 2 * penalty * (v - centre)
    v = minimize(lambda v: state(v)[1:], centre, jac=True, method="L-BFGS-B", options={"ftol": 1e-15, "gtol": 1e-10}).x
    for _ in range(20):
        p, _, g = state(v)
        mean = np.einsum("nk,nak->na", p, sees)
        v -= np.linalg.solve(np.einsum("nk,nak,nbk->ab", p, sees, sees) - mean.T @ mean + 2 * np.diag(penalty), g)
    assert v[0] > 0 and np.abs(state(v)[2]).max() < 1e-10 and abs(v[1:].sum()) < 1e-10
    return v[0], v[1:]

def biased(shares, power, bias):
    """Shares to a power, times exp(bias), normalised."""
    s = np.maximum(shares, 2**-52) ** power * np.exp(bias)
    return s / s.sum(axis=-1, keepdims=True)

def tempered(shares, label, l2, floor):
    """Powers of the members, weights of the mean, power of the mean, and biases."""
    powers = [pool([p], label, 1, floor)[0] for p in shares]
    sharp = np.array([sharpened(p, a, floor) for p, a in zip(shares, powers)])
    onehot = np.eye(sharp.shape[2])[label]
    w = ridge(sharp.reshape(len(sharp), -1).T, onehot.ravel(), 10 * l2 * np.var(onehot, axis=0).mean(), 1 / len(sharp))
    v = pool(sharp, label, 10 * l2, floor)
    w = (w / w.sum() + v / v.sum()) / 2
    return powers, w, *scaled(np.tensordot(w, sharp, 1), label)

r = out["numbers"] = {}
z = np.column_stack([cross_val_predict(m, train, y[:N], cv=split) for _, m in trees(DecisionTreeRegressor)])
alpha = np.var(y[:N])
w = ridge(z - z.mean(axis=0), y[:N] - y[:N].mean(), alpha)
r["out_of_fold"], r["weights"], r["constant"] = z.tolist(), w.tolist(), float(y[:N].mean() - z.mean(axis=0) @ w)
s = StackingRegressor(trees(DecisionTreeRegressor), final_estimator=Ridge(alpha=alpha, positive=True, tol=1e-14, max_iter=100000), cv=split).fit(train, y[:N])
assert np.allclose(s.final_estimator_.coef_, w, atol=1e-5), (s.final_estimator_.coef_, w)
r["predicted"] = s.predict(test).tolist()

c = out["classes"] = {}
shares = [cross_val_predict(m, train, cls[:N], cv=split, method="predict_proba") for _, m in trees(DecisionTreeClassifier)]
c["out_of_fold"] = [p.tolist() for p in shares]
onehot = np.eye(3)[cls[:N]]
z = np.column_stack([p.ravel() for p in shares])
c["weights"] = ridge(z, onehot.ravel(), np.var(onehot, axis=0).mean()).tolist()
s = StackingClassifier(trees(DecisionTreeClassifier), final_estimator=DecisionTreeClassifier(max_depth=2, min_samples_leaf=10, random_state=0), cv=split, stack_method="predict_proba").fit(train, cls[:N])
c["combined_by_tree"] = s.predict_proba(test).tolist()
s = StackingClassifier(trees(DecisionTreeClassifier), final_estimator=DecisionTreeClassifier(max_depth=2, min_samples_leaf=10, random_state=0), cv=split, passthrough=True).fit(train, cls[:N])
c["with_columns"] = s.predict_proba(test).tolist()

c["pool"] = [{"l2": l2, "floor": floor, "weights": pool(shares, cls[:N], l2, floor).tolist()} for l2, floor in [(1, 0.01), (20, 0.1), (0.1, 1e-6)]]
c["tempered"] = []
shown = [m.fit(train, cls[:N]).predict_proba(test) for _, m in trees(DecisionTreeClassifier)]
for l2, floor in [(1, 0.01), (20, 0.1), (0.1, 1e-6)]:
    powers, w, whole, bias = tempered(shares, cls[:N], l2, floor)
    mean = np.tensordot(w, np.array([sharpened(p, a, floor) for p, a in zip(shown, powers)]), 1)
    c["tempered"].append({"l2": l2, "floor": floor, "powers": [float(a) for a in powers], "weights": w.tolist(), "whole": float(whole), "bias": bias.tolist(), "predicted": biased(mean, whole, bias).tolist()})

def logistic(label, solver, tol):
    """scikit-learn's stack with a logistic combiner on standardised shares, to the precision of Newton's method."""
    final = make_pipeline(StandardScaler(), LogisticRegression(C=1.0, solver=solver, tol=tol, max_iter=10000))
    return StackingClassifier(trees(DecisionTreeClassifier), final_estimator=final, cv=split, stack_method="predict_proba").fit(train, label)

c["combined_by_logistic"] = logistic(cls[:N], "newton-cg", 1e-10).predict_proba(test).tolist()
c["two_by_logistic"] = logistic((cls[:N] > 0).astype(int), "newton-cholesky", 1e-14).predict_proba(test).tolist()

n = out["nnls"] = []
for rows, columns, alpha in [(6, 3, 0), (40, 8, 0), (40, 8, 2.5), (30, 12, 0.1)]:
    a = np.round(random.normal(size=(rows, columns)) + random.normal(size=(rows, 1)), 4)
    b = np.round(a @ random.normal(size=columns) + random.normal(size=rows), 4)
    n.append({"a": a.tolist(), "b": b.tolist(), "alpha": alpha, "x": ridge(a, b, alpha).tolist()})
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sklearn.json.gz")
with gzip.GzipFile(path, "wb", mtime=0) as f:
    f.write(json.dumps(out).encode())
print(out["numbers"]["weights"], c["weights"])
