import json, os, sys, time
import numpy
import sklearn

def memory(name):
    """Returns a line of this process's status, such as VmHWM (peak) and VmRSS (now), in MB."""
    with open("/proc/self/status") as f:
        return next(int(line.split()[1]) / 1e3 for line in f if line.startswith(name + ":"))

def table(folder):
    """Reads a folder of the benchmark: x, float32 and column after column with NaN for missing; the levels of each
    column, 0 = numeric; y; the number of classes, 0 = regression."""
    with open(os.path.join(folder, "columns.tsv")) as f:
        rows, columns, classes = map(int, f.readline().split())
        levels = [int(line) for line in f]
    x = numpy.empty((rows, columns), "float32", order="F")
    with open(os.path.join(folder, "x.f64"), "rb") as f:
        for j in range(columns):
            x[:, j] = numpy.fromfile(f, "<f8", rows)
    y = numpy.fromfile(os.path.join(folder, "y.f64"), "<f8")
    return x, levels, y.astype("int64") if classes else y, classes

def fillings(x, levels):
    """Returns what stands in for missing values: the median of numbers, the most frequent code of categories."""
    fill = numpy.zeros(x.shape[1], "float32")
    for j, n in enumerate(levels):
        known = x[~numpy.isnan(x[:, j]), j]
        if len(known):
            fill[j] = numpy.bincount(known.astype("int64")).argmax() if n else numpy.median(known)
    return fill

def filled(x, fill):
    """Returns x with missing values replaced."""
    holes = numpy.isnan(x)
    return numpy.where(holes, fill, x) if holes.any() else x

def one_hot(x, levels):
    """Returns x with a column of 0 and 1 for each level in place of each column of categories."""
    wide = numpy.empty((len(x), sum(n or 1 for n in levels)), "float32", order="F")
    at = 0
    for j, n in enumerate(levels):
        if n == 0:
            wide[:, at] = x[:, j]
        for code in range(n):
            wide[:, at + code] = x[:, j] == code
        at += n or 1
    return wide

def print_result(seconds, **facts):
    """Prints the result of a run."""
    print(json.dumps({"version": "scikit-learn %s, NumPy %s, Python %s" % (sklearn.__version__, numpy.__version__, sys.version.split()[0]),
        "seconds": seconds, "facts": {name: float(value) for name, value in facts.items()}}))
