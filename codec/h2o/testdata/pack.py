#!/usr/bin/env python3
"""Packs models out of the ensembles in the tests of H2O-3 as MOJO files of their own, without the
parts that predictions do not need. pack.py FOLDER_OF_A_MODEL OUT.mojo ROUNDS keeps the first rounds."""
import os, re, sys, zipfile
src, out, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
ini = open(os.path.join(src, "model.ini")).read()
ini = re.sub(r"(?m)^n_trees = .*$", "n_trees = %d" % rounds, ini)
def put(z, name, b):
    i = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)); i.compress_type = zipfile.ZIP_DEFLATED
    z.writestr(i, b)
with zipfile.ZipFile(out, "w") as z:
    for d in ("trees", "domains"):
        p = os.path.join(src, d)
        for f in sorted(os.listdir(p)) if os.path.isdir(p) else []:
            m = re.match(r"t\d\d_(\d+)(_aux)?\.bin$", f)
            if m and int(m.group(1)) >= rounds: continue
            put(z, d + "/" + f, open(os.path.join(p, f), "rb").read())
    put(z, "model.ini", ini)  # last, as H2O writes it
