#!/usr/bin/env python3
"""Trains small random models with XGBoost, scikit-learn and LightGBM, for the fuzzer of clients.

    train_models.py SEED COUNT FOLDER

writes COUNT models, and models.json: a list of {file, tool, scored, finite}. scored is the file by
which the tool predicts, finite that it takes no missing values. A tool that is not there is left
out. The same seed and versions make the same files.
"""
import json
import os
import sys
import warnings

import numpy as np

warnings.filterwarnings("ignore")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

try:
    import xgboost as xgb
except ImportError:
    xgb = None
try:
    import joblib
    import sklearn.ensemble
    import sklearn.tree
    from sklearn2onnx import to_onnx
except ImportError:
    joblib = None
try:
    import lightgbm as lgb
except ImportError:
    lgb = None


def table(rng, missing, categories):
    """Returns columns of decimals, integers, sparse numbers and codes, and which are codes."""
    n, width = int(rng.integers(20, 150)), int(rng.integers(1, 6))
    columns, codes = [], []
    for i in range(width):
        kind = rng.integers(5 if categories else 4)
        x = rng.normal(size=n) * 10.0 ** rng.integers(-3, 4)
        if kind == 0:
            x = x.round(1)
        elif kind == 1:
            x = np.floor(x)
        elif kind == 2:
            x[rng.random(n) < 0.7] = 0
        elif kind == 4:
            x = rng.integers(int(rng.integers(2, 40)), size=n).astype(float)
            codes.append(i)
        if missing and rng.random() < 0.6:
            x[rng.random(n) < 0.15] = np.nan
        columns.append(x)
    x = np.column_stack(columns)
    signal = np.nan_to_num(x)[:, 0] + np.where(np.isnan(x[:, -1]), 3, np.nan_to_num(x[:, -1]) % 3)
    return x, codes, signal / (signal.std() + 1e-9) + 0.5 * rng.normal(size=n)


OBJECTIVES = """reg:squarederror reg:logistic reg:pseudohubererror reg:squaredlogerror reg:gamma
reg:tweedie reg:absoluteerror count:poisson binary:logistic binary:logitraw binary:hinge
multi:softprob multi:softmax rank:pairwise survival:cox""".split()


def by_xgboost(rng, base):
    objective = str(rng.choice(OBJECTIVES))
    booster = str(rng.choice(["gbtree", "gbtree", "gbtree", "dart", "gblinear"]))
    x, codes, s = table(rng, True, booster != "gblinear")
    classes = int(rng.integers(2, 5))
    y = s
    if objective in ("reg:logistic",) or objective.startswith("binary"):
        y = (s > np.quantile(s, rng.uniform(0.2, 0.8))).astype(int)
    elif objective.startswith("multi"):
        y = np.digitize(s, np.quantile(s, np.linspace(0, 1, classes + 1)[1:-1]))
    elif objective.startswith(("reg:gamma", "reg:tweedie", "reg:squaredlog", "count", "surv", "rank")):
        y = np.floor(np.abs(s) * 3) + 1
    params = {
        "objective": objective,
        "booster": booster,
        "max_depth": int(rng.integers(1, 6)),
        "eta": float(rng.choice([0.1, 0.3, 1.0])),
        "lambda": float(rng.choice([0, 1, 10])),
        "seed": 1,
        "nthread": 1,
        "verbosity": 0,
    }
    if objective.startswith("multi"):
        params["num_class"] = classes
    if rng.random() < 0.4:
        params["base_score"] = float(rng.choice([0.01, 0.3, 0.5, 0.99]))
    if booster != "gblinear":
        params["tree_method"] = "hist" if codes else str(rng.choice(["hist", "exact", "approx"]))
        params["num_parallel_tree"] = int(rng.choice([1, 1, 1, 3]))
        params["max_cat_to_onehot"] = int(rng.choice([1, 4, 50]))
        params["min_child_weight"] = float(rng.choice([0, 1]))
        if params["tree_method"] != "exact" and rng.random() < 0.3:
            params["grow_policy"], params["max_leaves"] = "lossguide", 6
    if booster == "dart":
        params["rate_drop"] = 0.3
    types = ["c" if i in codes else "q" for i in range(x.shape[1])]
    names = ["f%d" % i for i in range(x.shape[1])] if codes or rng.random() < 0.5 else None
    data = xgb.DMatrix(x, y, feature_types=types if codes else None, feature_names=names,
                       enable_categorical=bool(codes))
    model = xgb.train(params, data, int(rng.integers(1, 7)))
    ending = str(rng.choice([".json", ".ubj"] if codes else [".json", ".ubj", ".model"]))
    model.save_model(base + ending)
    return {"file": base + ending, "tool": "XGBoost", "scored": base + ending, "finite": False}


def by_sklearn(rng, base):
    kind = str(rng.choice("DecisionTree ExtraTree RandomForest ExtraTrees GradientBoosting "
                          "HistGradientBoosting".split()))
    task = str(rng.choice(["Classifier", "Classifier", "Regressor"]))
    hist = kind.startswith("Hist")
    x, codes, s = table(rng, hist, hist)
    y = s
    if task == "Classifier":
        classes = int(rng.integers(2, 5))
        y = np.digitize(s, np.quantile(s, np.linspace(0, 1, classes + 1)[1:-1]))
        y = [y, y * 10 - 10, np.array(["a", "b", "c", "d"])[y]][int(rng.integers(3))]
    options = {"random_state": 1, "max_depth": [None, 1, 3, 5][int(rng.integers(4))]}
    count = int(rng.integers(1, 8))
    if hist:
        options.update(max_iter=count, min_samples_leaf=int(rng.integers(1, 10)), categorical_features=codes or None)
        if task == "Regressor" and rng.random() < 0.3:
            options["loss"], y = "poisson", np.floor(np.abs(s) * 3)
    elif kind.startswith(("Decision", "ExtraTree")) and not kind.endswith("Trees"):
        options["min_samples_leaf"] = int(rng.integers(1, 6))
    else:
        options["n_estimators"], options["min_samples_leaf"] = count, int(rng.integers(1, 6))
        if kind == "GradientBoosting" and task == "Classifier" and len(set(y)) == 2 and rng.random() < 0.3:
            options["loss"] = "exponential"
    module = sklearn.tree if hasattr(sklearn.tree, kind + task) else sklearn.ensemble
    model = getattr(module, kind + task)(**options).fit(x, y)
    to_onnx(model, base + ".onnx")
    joblib.dump(model, base + ".joblib")
    return {"file": base + ".onnx", "tool": "scikit-learn", "scored": base + ".joblib", "finite": not hist}


def by_lightgbm(rng, base):
    x, codes, s = table(rng, True, True)
    objective = str(rng.choice("regression regression_l1 huber poisson quantile mape tweedie gamma "
                               "binary multiclass multiclassova cross_entropy".split()))
    classes, y = int(rng.integers(3, 5)), s
    if objective in ("binary", "cross_entropy"):
        y = (s > np.quantile(s, rng.uniform(0.2, 0.8))).astype(int)
    elif objective.startswith("multi"):
        y = np.digitize(s, np.quantile(s, np.linspace(0, 1, classes + 1)[1:-1]))
    elif objective in ("poisson", "tweedie", "gamma"):
        y = np.floor(np.abs(s) * 3) + 1
    params = {
        "objective": objective,
        "num_leaves": int(rng.integers(2, 10)),
        "min_data_in_leaf": 1,
        "learning_rate": float(rng.choice([0.1, 0.5])),
        "boosting": str(rng.choice(["gbdt", "gbdt", "dart", "rf"])),
        "bagging_freq": 1,
        "bagging_fraction": 0.7,
        "linear_tree": bool(rng.random() < 0.1),
        "use_missing": bool(rng.random() < 0.8),
        "zero_as_missing": bool(rng.random() < 0.2),
        "max_cat_to_onehot": int(rng.choice([1, 4])),
        "min_data_per_group": 1,
        "cat_smooth": 1,
        "seed": 1,
        "num_threads": 1,
        "verbose": -1,
    }
    if objective.startswith("multi"):
        params["num_class"] = classes
    if params["boosting"] == "rf":
        params["linear_tree"] = False
    model = lgb.train(params, lgb.Dataset(x, y, categorical_feature=codes), int(rng.integers(1, 7)))
    model.save_model(base + ".txt")
    return {"file": base + ".txt", "tool": "LightGBM", "scored": base + ".txt", "finite": False}


def main(seed, count, folder):
    tools = [t for t, there in ((by_xgboost, xgb), (by_sklearn, joblib), (by_lightgbm, lgb)) if there]
    models = []
    for i in range(count):
        rng = np.random.default_rng([seed, i])
        try:
            models.append(tools[i % len(tools)](rng, os.path.join(folder, "m%d" % i)))
        except Exception as e:  # some parameters do not go together: the tool refuses them
            print("%d: %s" % (i, str(e).splitlines()[0] if str(e) else repr(e)), file=sys.stderr)
    with open(os.path.join(folder, "models.json"), "w") as f:
        json.dump(models, f)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
