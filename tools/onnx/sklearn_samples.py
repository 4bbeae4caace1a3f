#!/usr/bin/python3
"""Writes the samples sklearn-* of testdata/models/onnx: models of scikit-learn with predictions.

    sklearn_samples.py FOLDER

needs python3-sklearn 1.2.1 and python3-onnx of Debian 12. Three tables of scikit-learn are used:
breast cancer (two classes), wine (three classes) and diabetes (regression). HistGradientBoosting
has missing values and a categorical column.
"""
import json
import os
import sys

import numpy as np
from sklearn import compose, datasets, ensemble, impute, pipeline, preprocessing, tree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from sklearn2onnx import to_onnx


def main(folder):
    rng = np.random.default_rng(5)
    for name, load, kind in [
        ("cancer", datasets.load_breast_cancer, "Classifier"),
        ("wine", datasets.load_wine, "Classifier"),
        ("diabetes", datasets.load_diabetes, "Regressor"),
    ]:
        x, y = load(return_X_y=True)
        if name == "wine":
            y = np.array(["first", "second", "third"])[y]
        if name == "diabetes":
            x = x.round(6)
        rows = rng.choice(len(x), 50, replace=False)
        make = lambda module, what, **k: getattr(module, what + kind)(random_state=1, **k)
        models = [
            ("tree", make(tree, "DecisionTree", max_depth=6)),
            ("forest", make(ensemble, "RandomForest", n_estimators=8, max_depth=5)),
            ("extra", make(ensemble, "ExtraTrees", n_estimators=8, max_depth=5)),
            ("boosting", make(ensemble, "GradientBoosting", n_estimators=8)),
            (
                "hist",
                make(
                    ensemble,
                    "HistGradientBoosting",
                    max_iter=8,
                    max_leaf_nodes=12,
                    categorical_features=[1],
                ),
            ),
        ]
        if name == "cancer":
            models.append(
                (
                    "exponential",
                    ensemble.GradientBoostingClassifier(
                        n_estimators=8, loss="exponential", random_state=1
                    ),
                )
            )
        if name == "diabetes":
            models.append(
                (
                    "poisson",
                    ensemble.HistGradientBoostingRegressor(
                        max_iter=8, loss="poisson", random_state=1
                    ),
                )
            )
        for what, model in models:
            table = x.copy()
            if what == "hist":
                table[:, 1] = np.digitize(x[:, 1], np.quantile(x[:, 1], np.arange(0.05, 1, 0.05)))
                table[rng.random(x.shape) < 0.1] = np.nan
            model.fit(table, y)
            test = table[rows].copy()
            if what == "hist":
                test[::7, 1] = 25  # unknown in training
            want = (
                model.predict_proba(test)
                if kind == "Classifier"
                else model.predict(test).reshape(-1, 1)
            )
            save(os.path.join(folder, "sklearn-%s-%s" % (name, what)), model, test, want)
    # rows of a score of 0, which scikit-learn labels by the second class with this loss alone
    model = ensemble.GradientBoostingClassifier(n_estimators=1, max_depth=2, loss="exponential")
    test = np.array([[0.0], [0.0], [1.0], [1.0], [2.0], [2.0]])
    model.fit(test, [0, 1, 1, 1, 0, 0])
    save(os.path.join(folder, "sklearn-ties-exponential"), model, test, model.predict_proba(test))
    pipelines(folder)


def pipelines(folder):
    """Writes pipelines whose scalers and imputers are folded into the trees."""
    rng = np.random.default_rng(6)
    x, y = datasets.load_breast_cancer(return_X_y=True)
    x[rng.random(x.shape) < 0.1] = np.nan
    rows = x[rng.choice(len(x), 50, replace=False)]
    median = lambda: impute.SimpleImputer(strategy="median")
    some = pipeline.make_pipeline(impute.SimpleImputer(), preprocessing.RobustScaler())
    for what, steps, model in [
        (
            "pipeline",
            [median(), preprocessing.StandardScaler()],
            ensemble.RandomForestClassifier(8, max_depth=5, random_state=1),
        ),
        ("imputed", [median()], tree.DecisionTreeClassifier(max_depth=5, random_state=1)),
        (
            "columns",
            [
                compose.ColumnTransformer(
                    [("some", some, [3, 1, 7]), ("none", "drop", [2])], remainder="passthrough"
                ),
                preprocessing.MinMaxScaler(),
            ],
            ensemble.HistGradientBoostingClassifier(max_iter=8, max_leaf_nodes=12),
        ),
    ]:
        whole = pipeline.make_pipeline(*steps, model).fit(x, y)
        test = rows.astype(np.float32).astype(float) if what == "imputed" else rows
        base = os.path.join(folder, "sklearn-cancer-" + what)
        save(base, whole, test, whole.predict_proba(test), what != "imputed")


def save(base, model, test, want, double=False):
    """Writes a model, and rows with its predictions."""
    to_onnx(model, base + ".onnx")
    null = lambda v: [None if np.isnan(e) else e for e in v]
    double = double or type(model).__name__.startswith("Hist")
    labels = {}
    if hasattr(model, "classes_"):
        labels["labels"] = [str(v) for v in model.predict(test).tolist()]
    with open(base + ".json", "w") as f:
        json.dump(
            {
                "inputs": [
                    {
                        "name": "input",
                        "type": "float64" if double else "float32",
                        "width": test.shape[1],
                    }
                ],
                "scores": "scores",
                "rows": [null(r) for r in test.tolist()],
                "want": want.tolist(),
                **labels
            },
            f,
        )
        f.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
