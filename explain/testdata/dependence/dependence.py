"""Trains forests of scikit-learn on made tables and writes its own partial dependence.

    python3 dependence.py

needs scikit-learn (written with 1.2.1), onnx and tools/sklearn2onnx.py. For each case it writes
NAME.onnx, the model, and NAME.json: the rows, the values of each axis, and the average predictions
of sklearn.inspection.partial_dependence with the method brute, for one column and for two.
"""

import json
import pathlib
import sys

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.inspection import partial_dependence

sys.path.append(str(pathlib.Path(__file__).parents[3] / "tools"))
from sklearn2onnx import to_onnx  # noqa: E402


def write(name, model, classes):
    r = np.random.default_rng(1)
    x = np.round(r.normal(size=(200, 4)), 2).astype(np.float32).astype(np.float64)
    y = x[:, 0] * x[:, 1] + np.abs(x[:, 2])
    model.fit(x, np.digitize(y, [0.0, 1.0]) if classes else y)
    to_onnx(model, name + ".onnx")
    cases = []
    for columns in ([0], [2], [0, 1]):
        d = partial_dependence(model, x, columns, method="brute", kind="both", grid_resolution=7)
        cases.append({"columns": columns, "values": [v.tolist() for v in d["values"]],
                      "average": d["average"].tolist(),
                      "individual": d["individual"][:, :3].tolist()})
    with open(name + ".json", "w") as f:
        json.dump({"rows": x.tolist(), "cases": cases}, f)


write("regression", RandomForestRegressor(5, max_depth=4, random_state=1), False)
write("classes", RandomForestClassifier(5, max_depth=4, random_state=1), True)
