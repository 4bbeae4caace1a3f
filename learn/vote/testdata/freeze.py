#!/usr/bin/python3
"""Freezes votes of scikit-learn's VotingClassifier and VotingRegressor, and mean ranks by scipy, as sklearn.json.gz.

usage: freeze.py    (scikit-learn 1.2.1, scipy 1.10; writes beside itself)

The members' own answers are frozen too: what is compared is how they are combined.
"""
import gzip, json, os
import numpy as np
from scipy.stats import rankdata
from sklearn.datasets import load_iris, load_diabetes
from sklearn.ensemble import VotingClassifier, VotingRegressor
from sklearn.linear_model import LogisticRegression, LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

WEIGHTS = [1, 2.5, 0.5]
x, y = load_iris(return_X_y=True)
x = x[:, :2]  # of the sepals only, so that members disagree
train, test = np.arange(0, 150, 2), np.arange(1, 150, 2)
members = [("tree", DecisionTreeClassifier(max_depth=2, random_state=0)), ("bayes", GaussianNB()), ("logistic", LogisticRegression(max_iter=1000))]
out = {"weights": WEIGHTS, "classes": {}, "numbers": {}}
c = out["classes"]
c["members"] = [m.fit(x[train], y[train]).predict_proba(x[test]).tolist() for _, m in members]
c["label"] = y[test].tolist()
for name, voting, weights in [("soft", "soft", None), ("weighted_soft", "soft", WEIGHTS), ("hard", "hard", None), ("weighted_hard", "hard", WEIGHTS)]:
    v = VotingClassifier(members, voting=voting, weights=weights).fit(x[train], y[train])
    c[name] = v.predict(x[test]).tolist()
    if voting == "soft":
        c[name + "_probabilities"] = v.predict_proba(x[test]).tolist()

x, y = load_diabetes(return_X_y=True)
train, test = np.arange(0, 442, 2), np.arange(1, 442, 4)
members = [("tree", DecisionTreeRegressor(max_depth=3, random_state=0)), ("linear", LinearRegression()), ("knn", KNeighborsRegressor(5))]
n = out["numbers"]
n["members"] = [m.fit(x[train], y[train]).predict(x[test]).tolist() for _, m in members]
n["label"] = y[test].tolist()
n["mean"] = VotingRegressor(members).fit(x[train], y[train]).predict(x[test]).tolist()
n["weighted_mean"] = VotingRegressor(members, weights=WEIGHTS).fit(x[train], y[train]).predict(x[test]).tolist()
ranks = np.array([(rankdata(p) - 0.5) / len(p) for p in n["members"]])
n["ranks"] = ranks.mean(axis=0).tolist()
n["weighted_ranks"] = np.average(ranks, axis=0, weights=WEIGHTS).tolist()
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sklearn.json.gz")
with gzip.GzipFile(path, "wb", mtime=0) as f:
    f.write(json.dumps(out).encode())
