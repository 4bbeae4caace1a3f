"""Writes sklearn.json: the weights of scikit-learn's networks after some steps, for sklearn_test.go. Run it here with
scikit-learn.

All rows make one step, in their order; the start is written into the network after its first step, whose traces in the optimizer are
wiped out. scikit-learn divides its penalty alpha by the number of rows, so alpha is l2 times that. Its momentum is the plain one.
"""
import json

import numpy as np
from sklearn.neural_network import MLPClassifier, MLPRegressor

N, D, H, K = 40, 3, 4, 3
r = np.random.default_rng(3)
x = r.normal(size=(N, D))
y = np.sin(x[:, 0]) + x[:, 1] * x[:, 2]
c = np.digitize(y, [-0.5, 0.5])
start = {"in": r.normal(size=(H, D)), "in_bias": r.normal(size=H), "out": r.normal(size=(K, H)), "out_bias": r.normal(size=K)}

SETTINGS = [("relu", "sgd", 0.3, 0.0, 0.01), ("tanh", "sgd", 0.2, 0.8, 0.0), ("sigmoid", "adam", 0.05, 0.0, 0.02), ("relu", "adam", 0.02, 0.0, 0.0), ("tanh", "adam", 0.02, 0.0, 0.001)]
STEPS = 12

cases = []
for activation, solver, rate, momentum, l2 in SETTINGS:
    for task in ["classes", "numbers"]:
        kind = MLPClassifier if task == "classes" else MLPRegressor
        outputs = K if task == "classes" else 1
        m = kind((H,), activation={"sigmoid": "logistic"}.get(activation, activation), solver=solver, alpha=l2 * N, batch_size=N, learning_rate_init=rate,
                 momentum=momentum, nesterovs_momentum=False, shuffle=False)
        step = (lambda: m.partial_fit(x, c, classes=[0, 1, 2])) if task == "classes" else (lambda: m.partial_fit(x, y))
        step()
        m.coefs_[0][...], m.coefs_[1][...] = start["in"].T, start["out"][:outputs].T
        m.intercepts_[0][...], m.intercepts_[1][...] = start["in_bias"], start["out_bias"][:outputs]
        o = m._optimizer
        o.t = 0
        for traces in [getattr(o, name) for name in ("velocities", "ms", "vs") if hasattr(o, name)]:
            for trace in traces:
                trace[...] = 0
        for _ in range(STEPS):
            step()
        cases.append({"task": task, "activation": activation, "optimizer": "momentum" if momentum else solver, "rate": rate, "momentum": momentum, "l2": l2,
                      "in": m.coefs_[0].T.ravel().tolist(), "in_bias": m.intercepts_[0].tolist(), "out": m.coefs_[1].T.ravel().tolist(),
                      "out_bias": m.intercepts_[1].tolist()})

with open("sklearn.json", "w") as f:
    json.dump({"steps": STEPS, "hidden": H, "x": x.ravel().tolist(), "width": D, "y": y.tolist(), "class": c.tolist(),
               "start": {k: v.ravel().tolist() for k, v in start.items()}, "cases": cases}, f)
    f.write("\n")
