"""Freezes matching pursuit with stumps, worked out with numpy round by round, for the tests of learn/anyboost.

    /usr/bin/python3 pursuit.py

Writes pursuit.json beside this script: the table, and of each round the column, the split point and the values of its stump, how far it
goes, and the norm of what is left. A dictionary has a stump for each column, split point and pair of values; the one that takes most
away from what is left, r, has the means of r on its sides. Its step is the projection <r, f> / <f, f> of r on what it says, f.
"""

import json
import os

import numpy as np

rng = np.random.default_rng(3)
x = np.round(rng.uniform(0, 1, (60, 4)), 4)
y = np.round(np.sin(6 * x[:, 0]) + 2 * (x[:, 1] - 0.5) ** 2 + x[:, 2] + rng.normal(0, 0.1, 60), 6)

r = y - y.mean()
rounds = []
for _ in range(30):
    best = None
    for j in range(x.shape[1]):
        values = np.unique(x[:, j])
        for a, b in zip(values[:-1], values[1:]):
            split_point = (a + b) / 2
            left = x[:, j] <= split_point
            f = np.where(left, r[left].mean(), r[~left].mean())
            gain = (r @ f) ** 2 / (f @ f)
            if best is None or gain > best[0] * (1 + 1e-12):
                best = (gain, j, split_point, r[left].mean(), r[~left].mean(), f)
    _, j, split_point, low, high, f = best
    step = (r @ f) / (f @ f)
    r = r - step * f
    rounds.append({"column": j, "split_point": split_point, "values": [low, high], "step": step, "left": float(np.sqrt(r @ r))})

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "pursuit.json"), "w") as f:
    json.dump({"x": x.T.tolist(), "y": y.tolist(), "rounds": rounds}, f, separators=(",", ":"))
