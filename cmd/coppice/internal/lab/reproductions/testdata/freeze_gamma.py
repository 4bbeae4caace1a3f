"""Freezes what XGBoost keeps of the trees of the lab gamma with tree_method=exact: gamma.json.

    python3 freeze_gamma.py

with python3-xgboost 1.7.4 of Debian. Each case is a table, a gamma, and the tree of one round of
depth 2 without penalties: its split points and gains from the root down, the side of less first,
and what it predicts for the rows.
"""

import json
import os

import numpy as np
import xgboost as xgb

HERE = os.path.dirname(os.path.abspath(__file__))
X = np.array([[10.0], [20.0], [25.0], [35.0]])
XOR = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1], [0, 0]])
TABLES = {
    "four rows": (X, np.array([-11.0, 7, 8, -8]), [0, 133, 134, 150, 160, 161]),
    "exclusive or": (XOR, np.array([0.0, 1, 1, 0, 0]), [0, 0.2, 0.3, 0.5, 0.6, 0.7]),
}


def tree(x, y, gamma):
    """Returns the case of one gamma."""
    train = xgb.DMatrix(x, label=y)
    model = xgb.train(
        {"tree_method": "exact", "base_score": 0.5, "eta": 1.0, "max_depth": 2, "lambda": 0.0,
         "min_child_weight": 0.0, "gamma": gamma, "objective": "reg:squarederror"},
        train, num_boost_round=1)
    found = {"gamma": gamma, "columns": [], "points": [], "gains": [], "leaves": 0,
             "predicted": [float(v) for v in model.predict(train)]}

    def walk(node):
        if "leaf" in node:
            found["leaves"] += 1
            return
        found["columns"].append(int(node["split"][1:]))
        found["points"].append(node["split_condition"])
        found["gains"].append(node["gain"])
        children = {c["nodeid"]: c for c in node["children"]}
        walk(children[node["yes"]])
        walk(children[node["no"]])

    walk(json.loads(model.get_dump(dump_format="json", with_stats=True)[0]))
    return found


cases = {name: [tree(x, y, g) for g in gammas] for name, (x, y, gammas) in TABLES.items()}
with open(os.path.join(HERE, "gamma.json"), "w", encoding="utf-8") as file:
    json.dump({"version": xgb.__version__, "cases": cases}, file, indent=1)
    file.write("\n")
