#!/usr/bin/python3
"""Compares models that coppice writes as ONNX with what ONNX Runtime predicts by them.

    npm install --ignore-scripts onnxruntime-node
    roundtrip.py COPPICE WORK DATA...

COPPICE is the command, WORK an empty folder, and DATA are folders of tables, such as testdata and
the folder data of COPPICE_DATA. It needs python3-numpy and python3-onnx. Five tables with missing
values and categories are used; one that no folder has is named and left out. Numbers are rounded to
single precision first, as ONNX Runtime reads them. The status is 1 if a prediction differs by more
than 1e-5 of the largest one.
"""
import csv
import gzip
import json
import os
import random
import subprocess
import sys

import numpy as np
import onnx

MODELS = [
    ("adult", "adult/adult-train.csv", "income", ["--learner", "gbm", "--set", "trees=100"]),
    (
        "titanic",
        "titanic/titanic.csv",
        "Survived",
        [
            "--task",
            "binary",
            "--ignore",
            "Name,Ticket,Cabin",
            "--learner",
            "forest",
            "--set",
            "trees=50",
        ],
    ),
    ("ames", "ames/ames_housing.csv", "Sale_Price", ["--learner", "gbm", "--set", "trees=100"]),
    ("soybean", "soybean/soybean.csv", "class", ["--learner", "gbm", "--set", "trees=20"]),
    ("mushroom", "mushroom/mushroom.csv", "edibility", ["--learner", "cart"]),
]
MOST = 2000


def single(text):
    """Rounds a number to single precision, and leaves other texts and exact numbers as they are."""
    try:
        x = float(np.float32(text))
        return text if x == float(text) else repr(x)
    except ValueError:
        return text


def sample(path, label, out):
    """Writes some rows of a table with a tenth of the values missing, numbers rounded."""
    rng = random.Random(1)
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as f:
        head, *rows = csv.reader(f)
    rows = rng.sample(rows, min(MOST, len(rows)))
    keep = [i for i, name in enumerate(head) if name.strip() != label]
    with open(out, "w", newline="") as f:
        w = csv.writer(f)
        w.writerow([head[i] for i in keep])
        for r in rows:
            w.writerow(["" if rng.random() < 0.1 else single(r[i].strip()) for i in keep])


def encode(path, model):
    """Returns the rows of a CSV file as numbers, by the names and levels in a model's metadata."""
    meta = {p.key: json.loads(p.value) for p in onnx.load(model).metadata_props}
    names = meta["feature_names"]
    levels = meta.get("feature_levels") or [None] * len(names)
    with open(path) as f:
        for row in csv.DictReader(f):
            row = {k.strip(): v for k, v in row.items()}
            yield [
                None
                if row[n] in ("", "?", "NA")
                else float(row[n])
                if l is None
                else l.index(row[n])
                if row[n] in l
                else -1
                for n, l in zip(names, levels)
            ]


def find(folders, table):
    """Returns the path of a table, which may be compressed; None if no folder has it."""
    paths = [os.path.join(f, table + end) for f in folders for end in ("", ".gz")]
    return next((p for p in paths if os.path.exists(p)), None)


def compare(coppice, work, folders, name, table, label, options):
    path = find(folders, table)
    if path is None:
        print("NOT RUN: %s: no folder of tables has %s" % (name, table))
        return True
    base = os.path.join(work, name)
    run = lambda *a: subprocess.run(
        [coppice, *a], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    run("train", path, "--label", label, "-o", base + ".coppice", *options)
    run("convert", base + ".coppice", base + ".onnx")
    sample(path, label, base + ".csv")
    output = [] if name == "ames" else ["--output", "proba"]  # prices are no classes
    run("predict", base + ".coppice", base + ".csv", *output, "-o", base + "-want.csv")
    with open(base + "-want.csv") as f:
        head, *lines = csv.reader(f)
    first = 1 if len(head) > 1 else 0  # classes have their label first
    want = np.array([[float(v) for v in r[first:]] for r in lines])
    rows = list(encode(base + ".csv", base + ".onnx"))
    with open(base + ".json", "w") as f:
        json.dump(
            {
                "inputs": [{"name": "input", "type": "float32", "width": len(rows[0])}],
                "scores": "scores",
                "rows": rows,
            },
            f,
        )
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "score.js")
    subprocess.run(["node", script, work, name], check=True)
    with open(base + ".json") as f:
        got = np.array(json.load(f)["want"], float)
    if got.shape != want.shape:
        sys.exit("%s: %s predictions, want %s" % (name, got.shape, want.shape))
    worst = np.abs(got - want).max() / max(1.0, np.abs(want).max())
    missing = sum(v is None for r in rows for v in r)
    print(
        "%-10s %5d rows, %4d missing values, %3d columns, %2d outputs: largest difference %.2g"
        % (name, len(rows), missing, len(rows[0]), got.shape[1], worst)
    )
    return worst < 1e-5


if __name__ == "__main__":
    command, work, *folders = sys.argv[1:]
    sys.exit(0 if all([compare(command, work, folders, *m) for m in MODELS]) else 1)
