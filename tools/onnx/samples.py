#!/usr/bin/python3
"""Writes the samples of testdata/models/onnx: small random models, with rows, for ONNX Runtime.

    samples.py FOLDER && node score.js FOLDER

needs python3-onnx and python3-numpy of Debian 12. score.js adds what ONNX Runtime predicts. The
same seed makes the same files. Each model has another way to decide, add up or transform.
"""
import json
import os
import random
import struct
import sys

import numpy as np
import onnx
from onnx import TensorProto as T, helper as h

ML = "ai.onnx.ml"
FLOAT, INT, DOUBLE = T.FLOAT, T.INT64, T.DOUBLE
NAMES = {FLOAT: "float32", INT: "int64", DOUBLE: "float64"}
ORDERED = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT"]
NUMBERS = [-1.5, -0.1, 0.0, 0.3, 1.0, 2.25, 1e-40, 3e38, 1 / 3]


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


class Trees:
    """Random trees as lists of attributes."""

    def __init__(
        self, rng, trees, modes, targets, codes=(), columns=4, depth=4, positive=False, one=None
    ):
        self.rng, self.modes, self.targets, self.codes = rng, modes, targets, codes
        self.columns, self.positive, self.one = columns, positive, one
        self.node = {
            k: []
            for k in "treeids nodeids featureids values modes truenodeids falsenodeids".split()
        }
        self.tracks, self.leaf = [], {k: [] for k in "ids nodeids treeids weights".split()}
        for t in range(trees):
            self.next = 0
            self.grow(t, depth)

    def add(self, t, mode, feature, value, tracks):
        n = self.node
        for k, v in zip(n, [t, self.next, feature, single(value), mode, 0, 0]):
            n[k].append(v)
        self.tracks.append(tracks)
        self.next += 1
        return len(n["treeids"]) - 1

    def grow(self, t, depth):
        rng = self.rng
        if depth == 0 or depth < 3 and rng.random() < 0.2:
            at = self.add(t, "LEAF", 0, 0, 0)
            for i in range(self.targets) if self.one is None else [self.one]:
                if self.one is None and rng.random() < 0.2 and i:
                    continue
                w = rng.gauss(0, 0.2)
                for k, v in zip(
                    self.leaf,
                    [i, self.node["nodeids"][at], t, single(abs(w) / 4 if self.positive else w)],
                ):
                    self.leaf[k].append(v)
            return self.node["nodeids"][at]
        feature = rng.randrange(self.columns)
        mode, value = rng.choice(self.modes), rng.choice(NUMBERS)
        if feature in self.codes:
            mode, value = rng.choice(["BRANCH_EQ", "BRANCH_EQ", "BRANCH_NEQ"]), rng.randrange(9)
        if mode == "BRANCH_EQ" and rng.random() < 0.1:
            value = float("nan")  # for missing values alone
        at = self.add(t, mode, feature, value, rng.randrange(2))
        chain = [at]
        while mode == "BRANCH_EQ" and feature in self.codes and rng.random() < 0.6:
            more = self.add(t, mode, feature, rng.randrange(9), self.tracks[at])
            self.node["falsenodeids"][chain[-1]] = self.node["nodeids"][more]
            chain.append(more)
        yes, no = self.grow(t, depth - 1), self.grow(t, depth - 1)
        self.node["falsenodeids"][chain[-1]] = no
        for n in chain:
            self.node["truenodeids"][n] = yes
        return self.node["nodeids"][at]

    def attributes(self, weights, double=False, **more):
        a = {"nodes_" + k: v for k, v in self.node.items()}
        a["nodes_missing_value_tracks_true"] = self.tracks
        a.update({weights + "_" + k: v for k, v in self.leaf.items()})
        if double:
            for k in ["nodes_values", weights + "_weights"]:
                v = a.pop(k)
                a[k + "_as_tensor"] = h.make_tensor(
                    k, DOUBLE, [len(v)], [x * (1 + 1e-12) for x in v]
                )
        a.update(more)
        return a


class Writer:
    def __init__(self, folder):
        self.folder = folder

    def save(
        self,
        name,
        nodes,
        outputs,
        inputs=(("x", FLOAT, 4),),
        codes=(),
        ml=3,
        constants=(),
        texts=(),
    ):
        rng = random.Random(name)
        ins = [h.make_tensor_value_info(n, t, [None, w]) for n, t, w in inputs]
        outs = [
            h.make_tensor_value_info(
                n,
                T.STRING
                if n in texts
                else INT
                if n == "label"
                else DOUBLE
                if n == "wide"
                else FLOAT,
                None,
            )
            for n in outputs
        ]
        g = h.make_graph(list(nodes), name, ins, outs, initializer=list(constants))
        m = h.make_model(
            g,
            opset_imports=[h.make_opsetid("", 13), h.make_opsetid(ML, ml)],
            producer_name="samples.py",
        )
        m.ir_version = 8
        onnx.save(m, os.path.join(self.folder, name + ".onnx"))
        rows = []
        columns = [t for _, t, w in inputs for _ in range(w)]
        for _ in range(200):
            row = []
            for i, t in enumerate(columns):
                x = rng.choice(NUMBERS)
                kind = rng.random()
                if i in codes or t == INT:
                    x = rng.randrange(10)
                elif kind < 0.3:
                    x = rng.gauss(0, 2)
                elif kind < 0.6:
                    x = float(np.nextafter(np.float32(x), np.float32(rng.choice([-1e30, 1e30]))))
                row.append(
                    None if t != INT and rng.random() < 0.15 else single(x) if t == FLOAT else x
                )
            rows.append(row)
        with open(os.path.join(self.folder, name + ".json"), "w") as f:
            json.dump(
                {
                    "inputs": [{"name": n, "type": NAMES[t], "width": w} for n, t, w in inputs],
                    "scores": [o for o in outputs if o != "label"][0],
                    "rows": rows,
                },
                f,
            )


def classifier(trees, classes, post="NONE", out=("label", "scores"), x="x", **more):
    labels = (
        {"classlabels_strings": classes}
        if isinstance(classes[0], str)
        else {"classlabels_int64s": classes}
    )
    return h.make_node(
        "TreeEnsembleClassifier",
        [x],
        list(out),
        domain=ML,
        post_transform=post,
        **trees.attributes("class", **labels, **more)
    )


def regressor(trees, post="NONE", out="scores", x="x", **more):
    return h.make_node(
        "TreeEnsembleRegressor",
        [x],
        [out],
        domain=ML,
        post_transform=post,
        n_targets=trees.targets,
        **trees.attributes("target", **more)
    )


def ensemble5(rng, trees, targets, post, aggregate, sets, kind):
    """TreeEnsemble of version 5, with sets of members."""
    nodes = {
        k: []
        for k in "featureids splits modes truenodeids falsenodeids trueleafs falseleafs tracks".split()
    }
    leaves, members, roots = ([], []), [], []

    def grow(depth):
        if depth == 0:
            leaves[0].append(rng.randrange(targets))
            leaves[1].append(rng.gauss(0, 0.3))
            return len(leaves[0]) - 1, 1
        at = len(nodes["modes"])
        feature = rng.randrange(4)
        mode, value = rng.randrange(4), rng.choice(NUMBERS)
        if feature in sets:
            mode, value = rng.choice([4, 5, 6, 6, 6]), rng.randrange(9)
        for k, v in zip(nodes, [feature, value, mode, 0, 0, 0, 0, rng.randrange(2)]):
            nodes[k].append(v)
        if mode == 6:
            chosen = rng.sample(range(sets[feature]), rng.randrange(1, sets[feature]))
            members.extend([float(v) for v in chosen] + [float("nan")])
        for side in ["true", "false"]:
            child, isleaf = grow(depth - 1)
            nodes[side + "nodeids"][at], nodes[side + "leafs"][at] = child, isleaf
        return at, 0

    for _ in range(trees):
        roots.append(grow(4)[0])
    tensor = lambda name, v, t: h.make_tensor(name, t, [len(v)], v)
    return h.make_node(
        "TreeEnsemble",
        ["x"],
        ["wide" if kind == DOUBLE else "scores"],
        domain=ML,
        n_targets=targets,
        post_transform=post,
        aggregate_function=aggregate,
        tree_roots=roots,
        nodes_featureids=nodes["featureids"],
        nodes_splits=tensor("s", nodes["splits"], kind),
        nodes_modes=tensor("m", bytes(nodes["modes"]), T.UINT8),
        nodes_truenodeids=nodes["truenodeids"],
        nodes_falsenodeids=nodes["falsenodeids"],
        nodes_trueleafs=nodes["trueleafs"],
        nodes_falseleafs=nodes["falseleafs"],
        nodes_missing_value_tracks_true=nodes["tracks"],
        leaf_targetids=leaves[0],
        leaf_weights=tensor("w", leaves[1], kind),
        membership_values=tensor("v", members, kind),
    )


def main(folder):
    rng = random.Random(7)
    w = Writer(folder)
    trees = lambda *a, **k: Trees(rng, *a, **k)
    w.save(
        "regressor-modes",
        [regressor(trees(6, ORDERED, 2), base_values=[0.5, -0.25])],
        ["scores"],
        ml=1,
    )
    w.save(
        "regressor-average",
        [regressor(trees(6, ORDERED, 1), base_values=[0.5], aggregate_function="AVERAGE")],
        ["scores"],
    )
    w.save(
        "regressor-average-targets",
        [regressor(trees(5, ["BRANCH_LEQ"], 2), aggregate_function="AVERAGE")],
        ["scores"],
    )
    w.save(
        "regressor-sets", [regressor(trees(6, ORDERED, 1, codes=(1, 2)))], ["scores"], codes=(1, 2)
    )
    w.save(
        "regressor-equal",
        [regressor(trees(4, ORDERED + ["BRANCH_EQ", "BRANCH_NEQ"], 1))],
        ["scores"],
    )
    w.save(
        "regressor-double",
        [
            regressor(trees(6, ORDERED, 1), out="wide_", double=True),
            h.make_node("Identity", ["wide_"], ["scores"]),
        ],
        ["scores"],
        inputs=(("x", DOUBLE, 4),),
    )
    w.save(
        "regressor-probit",
        [regressor(trees(1, ORDERED, 1, positive=True), post="PROBIT", base_values=[0.4])],
        ["scores"],
    )
    w.save(
        "regressor-exp",
        [
            regressor(trees(6, ORDERED, 1), out="a"),
            h.make_node("Mul", ["a", "half"], ["b"]),
            h.make_node("Add", ["b", "one"], ["c"]),
            h.make_node("Exp", ["c"], ["scores"]),
        ],
        ["scores"],
        constants=[
            h.make_tensor("half", FLOAT, [1], [0.5]),
            h.make_tensor("one", FLOAT, [1], [1.0]),
        ],
    )
    w.save(
        "regressor-argmax",
        [
            regressor(trees(6, ORDERED, 3), out="a"),
            h.make_node("Softmax", ["a"], ["scores"], axis=1),
            h.make_node("ArgMax", ["scores"], ["i"], axis=1, keepdims=0),
            h.make_node(
                "LabelEncoder",
                ["i"],
                ["label"],
                domain=ML,
                keys_int64s=[0, 1, 2],
                values_strings=["low", "mid", "high"],
            ),
        ],
        ["label", "scores"],
        texts=["label"],
    )
    scaler = h.make_node(
        "Scaler",
        ["x"],
        ["s"],
        domain=ML,
        offset=[0.1, -3.0, 0.7, 0.0],
        scale=[1 / 3, -2.5, 1e-3, 7.0],
    )
    w.save(
        "classifier-scaled",
        [
            scaler,
            classifier(
                trees(6, ORDERED + ["BRANCH_EQ"], 3),
                ["a", "b", "c"],
                "SOFTMAX",
                x="s",
                base_values=[0.1, 0.2, 0.3],
            ),
        ],
        ["label", "scores"],
        texts=["label"],
    )
    w.save(
        "classifier-scaled-double",
        [scaler, classifier(trees(6, ORDERED, 3), [3, 1, 2], "SOFTMAX", x="s")],
        ["label", "scores"],
        inputs=(("x", DOUBLE, 4),),
    )
    w.save(
        "classifier-zero",
        [classifier(trees(1, ORDERED, 3), [0, 1, 2], "SOFTMAX_ZERO")],
        ["label", "scores"],
    )
    w.save(
        "classifier-probit",
        [
            classifier(
                trees(1, ORDERED, 3, positive=True),
                [0, 1, 2],
                "PROBIT",
                base_values=[0.2, 0.3, 0.4],
            )
        ],
        ["label", "scores"],
    )
    w.save(
        "classifier-one-vs-all",
        [
            classifier(trees(6, ORDERED, 3), [0, 1, 2], "LOGISTIC", out=("label", "p")),
            h.make_node("Normalizer", ["p"], ["scores"], domain=ML, norm="L1"),
        ],
        ["label", "scores"],
    )
    w.save(
        "classifier-normalised",
        [
            classifier(
                trees(6, ORDERED, 3, positive=True),
                [0, 1, 2],
                out=("label", "p"),
                base_values=[0.01, 0.02, 0.03],
            ),
            h.make_node("Normalizer", ["p"], ["scores"], domain=ML, norm="L1"),
        ],
        ["label", "scores"],
    )
    for name, post, positive, one, base in [
        ("logistic", "LOGISTIC", False, 0, [0.3]),
        ("positive", "NONE", True, 0, []),
        ("mixed", "NONE", False, 0, [0.1]),
        ("softmax-mixed", "SOFTMAX", False, 0, []),
        ("second", "SOFTMAX", False, 1, []),
        ("both", "SOFTMAX", False, None, [0.1]),
        ("both-logistic", "LOGISTIC", False, None, []),
    ]:
        more = {"base_values": base} if base else {}
        w.save(
            "binary-" + name,
            [
                classifier(
                    trees(6, ORDERED, 2, positive=positive, one=one), ["no", "yes"], post, **more
                )
            ],
            ["label", "scores"],
            texts=["label"],
        )
    parts = [
        h.make_node("Cast", ["n"], ["m"], to=FLOAT),
        h.make_node("Concat", ["a", "m", "b"], ["x"], axis=1),
    ]
    w.save(
        "inputs",
        parts + [regressor(trees(6, ORDERED, 1, codes=(1,)))],
        ["scores"],
        inputs=(("a", FLOAT, 1), ("n", INT, 1), ("b", FLOAT, 2)),
        codes=(1,),
    )
    w.save(
        "ensemble",
        [ensemble5(rng, 6, 2, 0, 1, {0: 9, 2: 12}, FLOAT)],
        ["scores"],
        codes=(0, 2),
        ml=5,
    )
    w.save(
        "ensemble-double",
        [ensemble5(rng, 6, 1, 0, 0, {1: 60}, DOUBLE)],
        ["wide"],
        inputs=(("x", DOUBLE, 4),),
        codes=(1,),
        ml=5,
    )
    for i in [1, 2]:
        w.save("ensemble-post-%d" % i, [ensemble5(rng, 3, 3, i, 1, {}, FLOAT)], ["scores"], ml=5)
    # leaves of zeros and of nothing
    zeros = trees(1, ["BRANCH_LEQ"], 3)
    zeros.leaf["weights"][: len(zeros.leaf["weights"]) // 2] = [0.0] * (
        len(zeros.leaf["weights"]) // 2
    )
    w.save(
        "classifier-zero-scores",
        [classifier(zeros, [0, 1, 2], "SOFTMAX_ZERO", base_values=[0.0, 0.0, 0.0])],
        ["label", "scores"],
    )
    bare = trees(4, ["BRANCH_LEQ"], 2)
    bare.leaf = {k: v[len(v) // 2 :] for k, v in bare.leaf.items()}
    w.save(
        "regressor-average-bare",
        [regressor(bare, aggregate_function="AVERAGE", base_values=[0.25, 0.0])],
        ["scores"],
    )


if __name__ == "__main__":
    main(sys.argv[1])
