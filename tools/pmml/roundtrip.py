#!/usr/bin/python3
"""Compares models that coppice writes as PMML with what JPMML-Evaluator predicts by them.

    apt-get install default-jre-headless libxml2-utils
    pip install jpmml_evaluator JPype1
    roundtrip.py COPPICE DATA WORK [PMML.XSD]

COPPICE is the command, DATA the folder of tables that COPPICE_DATA names, and WORK an empty folder.
Tables with missing values and categories are used. With the schema of PMML 4.4, xmllint checks
every file. The status is 1 if a file is not valid, or if a prediction differs by more than 1e-12 of
the largest one.
"""
import csv
import gzip
import os
import random
import subprocess
import sys

from jpmml_evaluator import make_evaluator

ADULT = "adult/adult-train.csv.gz"
TITANIC = "titanic/titanic.csv"
AMES = "ames/ames_housing.csv.gz"
SOYBEAN = "soybean/soybean.csv"
BIKE = "bike/hour.csv.gz"
PERSONS = ["--task", "binary", "--ignore", "Name,Ticket,Cabin"]
COUNTS = ["--ignore", "instant,dteday,casual,registered", "--set", "loss=poisson"]
MODELS = [
    ("adult-gbm", ADULT, "income", ["--learner", "gbm", "--set", "trees=50"]),
    ("adult-cart", ADULT, "income", ["--learner", "cart"]),
    ("adult-surrogates", ADULT, "income", ["--learner", "cart", "--set", "missing=surrogate"]),
    ("titanic-forest", TITANIC, "Survived", PERSONS + ["--learner", "forest", "--set", "trees=30"]),
    ("ames-gbm", AMES, "Sale_Price", ["--learner", "gbm", "--set", "trees=50"]),
    ("ames-forest", AMES, "Sale_Price", ["--learner", "forest", "--set", "trees=10"]),
    ("soybean-gbm", SOYBEAN, "class", ["--learner", "gbm", "--set", "trees=10"]),
    ("bike-poisson", BIKE, "cnt", COUNTS + ["--learner", "gbm", "--set", "trees=50"]),
]
NUMBERS = ("ames", "bike")  # the tables whose labels are no classes
MOST = 1000


def sample(path, label, out):
    """Writes some rows of a table, with a tenth of the values missing and some unseen categories."""
    rng = random.Random(1)
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as f:
        head, *rows = csv.reader(f, skipinitialspace=True)
    rows = rng.sample(rows, min(MOST, len(rows)))
    keep = [i for i, name in enumerate(head) if name.strip() != label]

    def value(text):
        if rng.random() < 0.1 or text in ("", "?", "NA"):
            return ""
        try:
            float(text)
        except ValueError:
            return "unseen" if rng.random() < 0.02 else text
        return text

    with open(out, "w", newline="") as f:
        w = csv.writer(f)
        w.writerow([head[i].strip() for i in keep])
        for r in rows:
            w.writerow([value(r[i].strip()) for i in keep])


def scores(model, rows):
    """Returns the predictions of JPMML-Evaluator: probabilities of classes, or a number."""
    evaluator = make_evaluator(model, backend="jpype").verify()
    names = [f.getName() for f in evaluator.getInputFields()]
    outputs = [f.getName() for f in evaluator.getOutputFields()]
    outputs = outputs or [f.getName() for f in evaluator.getTargetFields()]
    with open(rows) as f:
        for row in csv.DictReader(f):
            found = evaluator.evaluate({n: row[n] if row[n] != "" else None for n in names})
            yield [found[name] for name in outputs]


def compare(coppice, data, work, schema, name, table, label, options):
    base = os.path.join(work, name)

    def run(*arguments):
        subprocess.run(
            [coppice, *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    run("train", os.path.join(data, table), "--label", label, "-o", base + ".coppice", *options)
    run("convert", base + ".coppice", base + ".pmml")
    if schema:
        lint = ["xmllint", "--noout", "--huge", "--schema", schema, base + ".pmml"]
        subprocess.run(lint, check=True)
    sample(os.path.join(data, table), label, base + ".csv")
    output = [] if name.startswith(NUMBERS) else ["--output", "proba"]
    run("predict", base + ".coppice", base + ".csv", *output, "-o", base + "-want.csv")
    with open(base + "-want.csv") as f:
        head, *lines = csv.reader(f)
    first = 1 if len(head) > 1 else 0  # classes have their label first
    want = [[float(v) for v in r[first:]] for r in lines]
    got = list(scores(base + ".pmml", base + ".csv"))
    if len(got) != len(want) or len(got[0]) != len(want[0]):
        sys.exit("%s: %s and %s predictions" % (name, len(got), len(want)))
    largest = max(1.0, max(abs(w) for r in want for w in r))
    worst = max(abs(g - w) for a, b in zip(got, want) for g, w in zip(a, b)) / largest
    print(
        "%-16s %5d rows, %2d outputs: largest difference %.2g"
        % (name, len(got), len(want[0]), worst)
    )
    return worst <= 1e-12


if __name__ == "__main__":
    coppice, data, work, *schema = sys.argv[1:]
    results = [compare(coppice, data, work, schema[0] if schema else None, *m) for m in MODELS]
    sys.exit(0 if all(results) else 1)
