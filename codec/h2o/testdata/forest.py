#!/usr/bin/env python3
"""Makes forests of several classes of drf-binomial.mojo, whose trees are those of H2O: forest.py SCORES OUT.mojo
has the first trees as the first round, one for each class, then the next. Two scores are
binomial_double_trees."""
import re, sys, zipfile
scores, out = int(sys.argv[1]), sys.argv[2]
a = zipfile.ZipFile("drf-binomial.mojo")
ini = a.read("model.ini").decode()
rounds = 5 // scores
for key, value in {"n_classes": scores, "n_trees": rounds, "n_trees_per_class": scores,
        "binomial_double_trees": str(scores == 2).lower(), "category": "Binomial" if scores == 2 else "Multinomial",
        "prior_class_distrib": [1 / scores] * scores, "model_class_distrib": [1 / scores] * scores}.items():
    ini = re.sub(r"(?m)^%s = .*$" % key, "%s = %s" % (key, value), ini)
ini = ini.replace("12: 2 d004", "12: %d d004" % scores)
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
    def put(name, b):
        i = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)); i.compress_type = zipfile.ZIP_DEFLATED
        z.writestr(i, b)
    for k in range(rounds * scores):
        put("trees/t%02d_%03d.bin" % (k % scores, k // scores), a.read("trees/t00_%03d.bin" % k))
        put("trees/t%02d_%03d_aux.bin" % (k % scores, k // scores), a.read("trees/t00_%03d_aux.bin" % k))
    for d in range(4):
        put("domains/d%03d.txt" % d, a.read("domains/d%03d.txt" % d))
    put("domains/d004.txt", "".join("%s\n" % c for c in "abc"[:scores]))
    put("model.ini", ini)
