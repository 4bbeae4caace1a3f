#!/usr/bin/python3
"""Writes tree models of scikit-learn as ONNX, which Coppice and ONNX Runtime read.

    sklearn2onnx.py MODEL.joblib MODEL.onnx

or, from Python:

    from sklearn2onnx import to_onnx
    to_onnx(estimator, "model.onnx")

It needs scikit-learn and onnx, such as python3-sklearn and python3-onnx of Debian 12. It is tested
with scikit-learn 1.2.1. A joblib file is a pickle, which can run any code: convert only files of
your own.

DecisionTree, ExtraTree, RandomForest, ExtraTrees, GradientBoosting and HistGradientBoosting are
written, classifiers and regressors. Thresholds and leaves keep double precision. Values are rounded
to single precision first where scikit-learn does so (all but HistGradientBoosting). What cannot be
written is a ValueError that names it.

A Pipeline may have steps before such a model that leave the order of each column's values: scalers
(Standard, MinMax, MaxAbs, Robust), SimpleImputer of numbers, and a ColumnTransformer of these. They
are folded into the trees: each split gets the greatest number that passes its test behind the
steps, and missing values go where the imputed one does. The file takes the columns of the pipeline.
"""
import json
import sys

import numpy as np
from onnx import TensorProto, helper, save_model

ML = "ai.onnx.ml"


class Column:
    """A column that a model gets: one of the table, and the functions of the steps before it.

    Each function is monotone in double precision, so the test of a split holds up to some number of
    the table's column."""

    def __init__(self, source, functions=(), missing=None):
        self.source, self.functions, self.missing = source, tuple(functions), missing

    def then(self, function):
        missing = None if self.missing is None else function(self.missing)
        return Column(self.source, self.functions + (function,), missing)

    def imputed(self, value):
        if self.missing is not None:
            return self
        return Column(self.source, self.functions, np.float64(value))

    def limit(self, threshold, single):
        """Returns the greatest double of the table that is up to the threshold behind the steps."""
        if not self.functions:
            return threshold
        low, high = np.float64(-np.inf), np.float64(np.inf)
        if self.passes(high, threshold, single):
            return float(high)
        while True:
            middle = of_place((place_of(low) + place_of(high)) // 2)
            if middle == low or middle == high:
                return float(low)
            if self.passes(middle, threshold, single):
                low = middle
            else:
                high = middle

    def passes(self, x, threshold, single):
        with np.errstate(all="ignore"):
            for function in self.functions:
                x = function(x)
            return (np.float32(x) if single else x) <= threshold

    def missing_left(self, threshold, single, otherwise):
        if self.missing is None:
            return otherwise
        return (np.float32(self.missing) if single else self.missing) <= threshold


def place_of(x):
    """Returns the place of a double among all, in their order."""
    place = int(np.float64(x).view(np.int64))
    return place if place >= 0 else -(place + 2**63)


def of_place(place):
    return np.int64(place if place >= 0 else -place - 2**63).view(np.float64)


def moved(name, step, k):
    """Returns the function by which a scaler changes its column k, as scikit-learn computes it."""

    def of(attribute, default):
        values = getattr(step, attribute) if attribute else None
        return np.float64(default if values is None else values[k])

    if name == "MinMaxScaler":
        if step.clip:
            raise ValueError("MinMaxScaler with clip=True has no single limit for a split")
        factor, start = np.float64(step.scale_[k]), np.float64(step.min_[k])
        return lambda x: x * factor + start
    start = of({"StandardScaler": "mean_", "RobustScaler": "center_"}.get(name), 0)
    factor = of("scale_", 1)
    return lambda x: (x - start) / factor


def through(step, columns):
    """Returns the columns behind a step of a pipeline."""
    name = type(step).__name__
    if step is None or step == "passthrough":
        return columns
    if name == "Pipeline":
        for _, part in step.steps:
            columns = through(part, columns)
        return columns
    if name in ("StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler"):
        return [c.then(moved(name, step, k)) for k, c in enumerate(columns)]
    if name == "SimpleImputer":
        values = np.asarray(step.statistics_)
        if step.add_indicator or values.dtype.kind not in "fiu" or np.isnan(values.astype(float)).any():
            raise ValueError("a SimpleImputer of numbers alone, without add_indicator and without "
                             "empty columns, can be written")
        if not (isinstance(step.missing_values, float) and np.isnan(step.missing_values)):
            raise ValueError("missing_values=%r of SimpleImputer: only NaN can be written"
                             % step.missing_values)
        return [c.imputed(v) for c, v in zip(columns, values)]
    if name == "ColumnTransformer":
        names = list(getattr(step, "feature_names_in_", []))
        if len(columns) != step.n_features_in_:
            raise ValueError("a ColumnTransformer behind a step that leaves columns out")
        behind = {}
        for part, transformer, chosen in step.transformers_:
            if isinstance(transformer, str) and transformer == "drop":
                continue
            chosen = step._transformer_to_input_indices[part] if part in getattr(
                step, "_transformer_to_input_indices", {}) else chosen
            chosen = [names.index(c) if isinstance(c, str) else int(c) for c in np.atleast_1d(chosen)]
            behind[part] = through(transformer, [columns[c] for c in chosen])
        out = []
        for part, place in step.output_indices_.items():
            if place.stop - place.start != len(behind.get(part, [])):
                raise ValueError("the step %r changes the number of columns" % part)
            out += behind.get(part, [])
        return out
    raise ValueError(
        "the step %s cannot be folded into trees: scalers and imputers of numbers can. Encode "
        "categories as codes before the pipeline, or train on the table with coppice train, which "
        "takes categories and missing values as they are" % name
    )


class Trees:
    """The nodes and leaves of trees, as lists of attributes."""

    def __init__(self, columns, single=True):
        self.columns, self.single = columns, single
        self.node = {
            k: []
            for k in (
                "treeids",
                "nodeids",
                "featureids",
                "values",
                "modes",
                "truenodeids",
                "falsenodeids",
                "missing_value_tracks_true",
            )
        }
        self.leaf = {k: [] for k in ("ids", "nodeids", "treeids", "weights")}
        self.tree = -1
        self.next = 0

    def start(self, nodes):
        """Starts a tree whose first nodes have the numbers below nodes."""
        self.tree += 1
        self.next = nodes

    def split(self, number, mode, feature, value, yes, no, missing):
        for k, v in zip(
            self.node, (self.tree, number, feature, value, mode, yes, no, int(missing))
        ):
            self.node[k].append(v)

    def compare(self, number, feature, threshold, yes, no, missing):
        """A split of a column that the model gets."""
        c = self.columns[feature]
        left = c.missing_left(threshold, self.single, missing)
        limit = c.limit(threshold, self.single)
        self.split(number, "BRANCH_LEQ", c.source, limit, yes, no, left)

    def end(self, number, values):
        # ONNX Runtime joins tests for equality whose subtrees look alike; the number keeps them apart
        self.split(number, "LEAF", 0, float(number), 0, 0, 0)
        for target, value in values:
            for k, v in zip(self.leaf, (target, number, self.tree, value)):
                self.leaf[k].append(v)

    def equals(self, number, feature, codes, yes, no):
        """A test for a set of codes, as a chain; missing values are in none."""
        c = self.columns[feature]
        if c.functions or c.missing is not None:
            raise ValueError("a column of categories behind a scaler or an imputer")
        feature = c.source
        for i, code in enumerate(codes):
            rest = no if i + 1 == len(codes) else self.next
            self.split(number, "BRANCH_EQ", feature, float(code), yes, rest, 0)
            if rest != no:
                number, self.next = self.next, self.next + 1

    def operator(self, kind, source, outputs, base=None, **attributes):
        prefix = "class_" if kind == "Classifier" else "target_"
        lists = {"nodes_" + k: v for k, v in self.node.items() if k != "values"}
        lists.update({prefix + k: v for k, v in self.leaf.items() if k != "weights"})
        doubles = {"nodes_values": self.node["values"], prefix + "weights": self.leaf["weights"]}
        if base is not None and np.any(np.asarray(base) != 0):
            doubles["base_values"] = list(np.ravel(base))
        for name, values in doubles.items():
            name += "_as_tensor"
            lists[name] = helper.make_tensor(name, TensorProto.DOUBLE, [len(values)], values)
        return helper.make_node(
            "TreeEnsemble" + kind, [source], outputs, domain=ML, **lists, **attributes
        )


def add_tree(trees, tree, values):
    """Adds a tree_ of scikit-learn; values(node) lists targets with their values."""
    trees.start(tree.node_count)
    left_if_missing = getattr(tree, "missing_go_to_left", np.zeros(tree.node_count))
    for n in range(tree.node_count):
        if tree.children_left[n] < 0:
            trees.end(n, values(n))
        else:
            trees.compare(
                n,
                int(tree.feature[n]),
                float(tree.threshold[n]),
                int(tree.children_left[n]),
                int(tree.children_right[n]),
                left_if_missing[n],
            )


def bits(words):
    return {32 * i + b for i, word in enumerate(words) for b in range(32) if int(word) >> b & 1}


def add_hist_tree(trees, predictor, target, known, place):
    """Adds a tree of HistGradientBoosting. An unknown category goes where a missing value goes."""
    nodes = predictor.nodes
    trees.start(len(nodes))
    for n, d in enumerate(nodes):
        if d["is_leaf"]:
            trees.end(n, [(target, float(d["value"]))])
            continue
        feature, left, right = int(d["feature_idx"]), int(d["left"]), int(d["right"])
        if not d["is_categorical"]:
            trees.compare(
                n,
                feature,
                float(d["num_threshold"]),
                left,
                right,
                d["missing_go_to_left"],
            )
            continue
        codes = bits(predictor.raw_left_cat_bitsets[d["bitset_idx"]])
        if d["missing_go_to_left"]:
            codes, left, right = bits(known[place[feature]]) - codes, right, left
        if not codes:
            raise ValueError("a split with all known categories on one side")
        trees.equals(n, feature, sorted(codes), left, right)


def labels(classes):
    if all(
        isinstance(c, (int, np.integer)) and not isinstance(c, (bool, np.bool_)) for c in classes
    ):
        return {"classlabels_int64s": [int(c) for c in classes]}
    return {"classlabels_strings": [str(c) for c in classes]}


def forest(model, columns):
    """Decision trees and forests: the mean of what leaves hold."""
    members = getattr(model, "estimators_", [model])
    trees = Trees(columns)
    if not hasattr(model, "classes_"):
        for m in members:
            add_tree(trees, m.tree_, lambda n: list(enumerate(m.tree_.value[n, :, 0].tolist())))
        return (
            trees.operator(
                "Regressor",
                "x",
                ["scores"],
                n_targets=model.n_outputs_,
                aggregate_function="AVERAGE",
            ),
            [],
        )
    if model.n_outputs_ != 1:
        raise ValueError("a classifier of %d labels" % model.n_outputs_)

    def fractions(tree, n):
        counts = tree.value[n, 0]
        if tree.children_left[n] < 0 and counts.sum() == 0:
            raise ValueError("a leaf whose training rows have no weight, so no class")
        p = counts / counts.sum() / len(members)
        return [(0, float(p[1]))] if len(p) == 2 else [(k, float(v)) for k, v in enumerate(p)]

    for m in members:
        add_tree(trees, m.tree_, lambda n: fractions(m.tree_, n))
    return trees.operator("Classifier", "x", ["label", "scores"], **labels(model.classes_)), []


def boosting(model, columns):
    """GradientBoosting: an initial value and scaled sums of trees."""
    if not isinstance(model.init_, str) and type(model.init_).__name__ not in (
        "DummyClassifier",
        "DummyRegressor",
    ):
        raise ValueError(
            "init=%s: only constant initial predictions can be written" % type(model.init_).__name__
        )
    base = np.ravel(model._raw_predict_init(np.zeros((1, model.n_features_in_), np.float32)))
    factor = 2.0 if getattr(model, "loss", "") == "exponential" else 1.0
    trees = Trees(columns)
    for row in model.estimators_:
        for k, m in enumerate(row):
            add_tree(
                trees,
                m.tree_,
                lambda n: [(k, float(factor * model.learning_rate * m.tree_.value[n, 0, 0]))],
            )
    return additive(model, trees, factor * base)


def additive(model, trees, base, link=None):
    """Sums of trees with their link."""
    if hasattr(model, "classes_"):
        post = "LOGISTIC" if len(model.classes_) == 2 else "SOFTMAX"
        return (
            trees.operator(
                "Classifier",
                "x",
                ["label", "scores"],
                base,
                post_transform=post,
                **labels(model.classes_)
            ),
            [],
        )
    if link == "exp":
        return (
            trees.operator("Regressor", "x", ["log"], base, n_targets=1),
            [helper.make_node("Exp", ["log"], ["scores"])],
        )
    return trees.operator("Regressor", "x", ["scores"], base, n_targets=1), []


def histogram_boosting(model, columns):
    """HistGradientBoosting, which compares in double precision."""
    if getattr(model, "_preprocessor", None) is not None:
        raise ValueError("categories that scikit-learn encodes itself: encode them before")
    known, place = model._bin_mapper.make_known_categories_bitsets()
    trees = Trees(columns, single=False)
    for row in model._predictors:
        for k, predictor in enumerate(row):
            add_hist_tree(trees, predictor, k, known, place)
    loss = getattr(model, "loss", "")
    return additive(
        model,
        trees,
        np.ravel(model._baseline_prediction),
        "exp" if loss in ("poisson", "gamma") else None,
    )


def label_of(operator, last):
    """Returns the operators that label by the greatest score, as scikit-learn does. ONNX Runtime's
    operator compares one score of two classes with 0.5 if no leaf is negative. Of equal scores the
    first class is the label, with last the second."""
    operator.output[0] = "unused"
    ties = {"select_last_index": 1} if last else {}
    classes = next(a for a in operator.attribute if a.name.startswith("classlabels_"))
    kind = classes.name[len("classlabels_") :]
    names = helper.get_attribute_value(classes)
    return [
        helper.make_node("ArgMax", ["scores"], ["place"], axis=1, keepdims=0, **ties),
        helper.make_node(
            "LabelEncoder",
            ["place"],
            ["label"],
            domain=ML,
            keys_int64s=list(range(len(names))),
            **{"values_" + kind: names}
        ),
    ], TensorProto.STRING if kind == "strings" else TensorProto.INT64


def to_onnx(model, path):
    """Writes a fitted estimator, or a pipeline that ends with one, to a file."""
    table, columns = model, [Column(k) for k in range(int(model.n_features_in_))]
    if type(model).__name__ == "Pipeline":
        for _, step in model.steps[:-1]:
            columns = through(step, columns)
        model = model.steps[-1][1]
    name = type(model).__name__
    kinds = {
        "DecisionTree": forest,
        "ExtraTree": forest,
        "RandomForest": forest,
        "ExtraTrees": forest,
        "GradientBoosting": boosting,
        "HistGradientBoosting": histogram_boosting,
    }
    base = name.replace("Classifier", "").replace("Regressor", "")
    if base not in kinds or base == name:
        raise ValueError(
            "%s cannot be written: it is none of %s" % (name, ", ".join(sorted(kinds)))
        )
    if len(getattr(model, "classes_", "ab")) < 2:
        raise ValueError("a classifier of one class, %s: it predicts nothing" % model.classes_[0])
    operator, after = kinds[base](model, columns)
    # steps compute in double precision, of which their limits are
    exact = base == "HistGradientBoosting" or any(c.functions for c in columns)
    before = [] if exact else [helper.make_node("Cast", ["input"], ["x"], to=TensorProto.DOUBLE)]
    if exact:
        operator.input[0] = "input"
    source = helper.make_tensor_value_info(
        "input",
        TensorProto.DOUBLE if exact else TensorProto.FLOAT,
        [None, int(table.n_features_in_)],
    )
    results = [helper.make_tensor_value_info("scores", TensorProto.FLOAT, None)]
    if "label" in operator.output:
        labels, kind = label_of(operator, getattr(model, "loss", "") == "exponential")
        after = after + labels
        results.insert(0, helper.make_tensor_value_info("label", kind, [None]))
    graph = helper.make_graph(before + [operator] + after, name, [source], results)
    file = helper.make_model(
        graph,
        producer_name="sklearn2onnx.py",
        opset_imports=[helper.make_opsetid("", 13), helper.make_opsetid(ML, 3)],
    )
    file.ir_version = 8
    if hasattr(table, "feature_names_in_"):
        helper.set_model_props(file, {"feature_names": json.dumps(list(table.feature_names_in_))})
    save_model(file, path)


if __name__ == "__main__":
    import joblib

    if len(sys.argv) != 3:
        sys.exit("usage: sklearn2onnx.py MODEL.joblib MODEL.onnx")
    try:
        to_onnx(joblib.load(sys.argv[1]), sys.argv[2])
    except ValueError as e:
        sys.exit("%s: %s" % (sys.argv[1], e))
