#!/usr/bin/env python3
"""Writes MOJO files of random trees, and rows for them, into the folder where it runs. Each kind of
node that H2O writes occurs: numbers, short and long sets, missing values apart, subtrees of one and
of two bytes of length, leaves on either side. Then Score.java says what h2o-genmodel predicts."""
import random, struct, zipfile

NAMES = ["age", "size", "price", "weight", "colour", "town", "item"]
LEVELS = [None] * 4 + [["red", "green", "blue, dark"], ["town %d" % k for k in range(40)],
                       ["№ %d" % k for k in range(300)]]
LEAF = 0xFFFF
ALGORITHMS = {"gbm": "Gradient Boosting Machine", "drf": "Distributed Random Forest"}


def condition(r):
    """Returns the bits of the type of a node, and the bytes behind its column."""
    column = r.randrange(len(NAMES))
    way = r.choice([2, 3, 4, 5])  # missing values go left, right, and so by default
    head = struct.pack("<H", column)
    if r.random() < .08:
        return 0, head + bytes([1])  # missing values right, all others left
    if LEVELS[column] is None or r.random() < .2:
        most = 100 if LEVELS[column] is None else len(LEVELS[column])
        return 0, head + bytes([way]) + struct.pack("<f", r.uniform(0, most))
    n = len(LEVELS[column])
    if n <= 32:
        return 8, head + bytes([way]) + struct.pack("<I", r.getrandbits(n))
    first = r.choice([0, 0, 8, 17])
    bits = r.randint(9, n - first)
    return 12, head + bytes([way]) + struct.pack("<HI", first, bits) + r.randbytes((bits - 1) // 8 + 1)


def subtree(r, depth, value):
    """Returns the bytes of a subtree; a leaf is its value alone."""
    if depth == 0 or r.random() < .15:
        return True, struct.pack("<f", value(r))
    kind, head = condition(r)
    (left_leaf, left), (right_leaf, right) = subtree(r, depth - 1, value), subtree(r, depth - 1, value)
    if left_leaf:
        kind |= 48
    else:
        n = 1 if len(left) < 256 else 2
        kind |= n - 1
        head += len(left).to_bytes(n, "little")
    if right_leaf:
        kind |= 0xC0
    return False, bytes([kind]) + head + left + right


def tree(r, depth, value):
    leaf, b = subtree(r, depth, value)
    return b"\0" + struct.pack("<H", LEAF) + b if leaf else b


def write(name, algorithm, classes, rounds, scores, value, depth=5, version="1.20", lacks=(), **more):
    r = random.Random(name)
    info = {"h2o_version": "3.46.0.1", "mojo_version": version, "algo": algorithm,
            "algorithm": ALGORITHMS[algorithm], "endianness": "LITTLE_ENDIAN",
            "category": "Regression" if classes == 1 else "Binomial" if classes == 2 else "Multinomial",
            "uuid": "1", "supervised": "true", "n_features": len(NAMES), "n_classes": classes,
            "n_columns": len(NAMES) + 1, "n_domains": 3 + (classes > 1), "balance_classes": "false",
            "default_threshold": 0.5, "prior_class_distrib": [1 / classes] * classes if classes > 1 else "null",
            "model_class_distrib": [1 / classes] * classes if classes > 1 else "null", "n_trees": rounds,
            "n_trees_per_class": scores}
    info.update(more)
    domains = [d for d in enumerate(LEVELS) if d[1]]
    if classes > 1:
        domains.append((len(NAMES), ["class %s" % c for c in "abc"[:classes]]))
    ini = "[info]\n" + "".join("%s = %s\n" % e for e in info.items())
    ini += "\n[columns]\n" + "".join("%s\n" % c for c in NAMES + ["target"])
    ini += "\n[domains]\n" + "".join("%d: %d d%03d.txt\n" % (c, len(d), k) for k, (c, d) in enumerate(domains))
    with zipfile.ZipFile(name + ".mojo", "w") as z:
        def put(file, b):
            i = zipfile.ZipInfo(file, (2020, 1, 1, 0, 0, 0))
            i.compress_type = zipfile.ZIP_DEFLATED
            z.writestr(i, b)
        for k in range(rounds):
            for s in range(scores):
                if (k, s) not in lacks:
                    put("trees/t%02d_%03d.bin" % (s, k), tree(r, 0 if k == 1 else depth, value))
                    put("trees/t%02d_%03d_aux.bin" % (s, k), b"")
        for k, (_, levels) in enumerate(domains):
            put("domains/d%03d.txt" % k, "".join("%s\n" % v for v in levels))
        put("model.ini", ini)  # last, as H2O writes it
    with open(name + ".csv", "w") as f:
        f.write(",".join(NAMES) + "\n")
        for _ in range(80):
            row = [("%.4g" % r.uniform(0, 100)) if l is None else str(r.randrange(len(l))) for l in LEVELS]
            f.write(",".join("" if r.random() < .1 else x for x in row) + "\n")


step = lambda r: r.gauss(0, .3)
part = lambda r: r.random()
write("gbm-gaussian", "gbm", 1, 8, 1, step, distribution="gaussian", init_f=66.25, offset_column="null")
write("gbm-poisson", "gbm", 1, 6, 1, step, version="1.40", distribution="poisson", init_f=.7,
      link_function="log", offset_column="null", _genmodel_encoding="Enum")
write("gbm-bernoulli", "gbm", 2, 10, 1, step, version="1.30", distribution="bernoulli", init_f=-.4,
      offset_column="null", default_threshold=.3)
write("gbm-multinomial", "gbm", 3, 5, 3, step, distribution="multinomial", init_f=0.0, offset_column="null",
      lacks=[(2, 0), (4, 2)])
write("drf-regression", "drf", 1, 6, 1, lambda r: r.gauss(50, 9), depth=7, binomial_double_trees="false")
write("drf-binomial", "drf", 2, 6, 1, part, version="1.30", binomial_double_trees="false", default_threshold=.45)
write("drf-double", "drf", 2, 4, 2, part, binomial_double_trees="true")
write("drf-multinomial", "drf", 3, 5, 3, part, binomial_double_trees="false")
