#!/usr/bin/python3
"""Compares what coppice predicts by models of scikit-learn with what scikit-learn predicts.

    sklearn_roundtrip.py COPPICE WORK

COPPICE is the command, and WORK an empty folder. sklearn_samples.py trains the models, and
sklearn2onnx.py writes them. It needs python3-sklearn and python3-onnx. The status is 1 if a
prediction differs by more than 1e-14 of the largest one.
"""
import csv
import glob
import json
import os
import subprocess
import sys

import sklearn_samples


def compare(coppice, base):
    with open(base + ".json") as f:
        sample = json.load(f)
    rows, want = sample["rows"], sample["want"]
    with open(base + ".csv", "w", newline="") as f:
        w = csv.writer(f)
        w.writerow("f%d" % i for i in range(len(rows[0])))
        w.writerows(["" if v is None else repr(v) for v in r] for r in rows)
    output = [] if "diabetes" in base else ["--output", "proba"]
    subprocess.run(
        [coppice, "predict", base + ".onnx", base + ".csv", *output, "-o", base + "-got.csv"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    with open(base + "-got.csv") as f:
        head, *lines = csv.reader(f)
    got = [[float(v) for v in r[len(r) - len(want[0]) :]] for r in lines]
    if len(got) != len(want):
        sys.exit("%s: %d predictions of %d rows" % (base, len(got), len(want)))
    largest = max(1.0, max(abs(v) for r in want for v in r))
    worst = max(abs(g - w) for a, b in zip(got, want) for g, w in zip(a, b)) / largest
    print(
        "%-28s %3d rows, %2d columns, %d outputs: largest difference %.2g"
        % (os.path.basename(base), len(rows), len(rows[0]), len(want[0]), worst)
    )
    return worst <= 1e-14


def main(coppice, work):
    sklearn_samples.main(work)
    models = sorted(glob.glob(os.path.join(work, "*.onnx")))
    return all([compare(coppice, m[: -len(".onnx")]) for m in models]) and len(models) > 0


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:3]) else 1)
