import ctypes, json, os, sys, time
import numpy
from ctypes import POINTER, byref, c_char_p, c_double, c_float, c_int, c_int32, c_int64, c_uint64
from ctypes import c_void_p

# peers.py PROGRAM LIBRARY MODEL ROWS COLUMNS N THREADS OUT times the contributions to N rows. It
# prints an object with the seconds, the version, the rows and the peak memory. OUT gets the contributions, the
# bias last, as float64.

def xgboost(library, model, x, threads):
    lib = ctypes.CDLL(library)
    lib.XGBGetLastError.restype = c_char_p

    def do(name, *arguments):
        if getattr(lib, name)(*arguments):
            raise RuntimeError(lib.XGBGetLastError().decode())

    booster, parts = c_void_p(), [c_int(), c_int(), c_int()]
    lib.XGBoostVersion(*map(byref, parts))
    do("XGBoosterCreate", None, c_uint64(0), byref(booster))
    do("XGBoosterLoadModel", booster, model.encode())
    do("XGBoosterSetParam", booster, b"nthread", str(threads).encode())
    interface = json.dumps({"data": [x.ctypes.data, True], "shape": x.shape,
        "typestr": x.dtype.str, "version": 3}).encode()
    settings = json.dumps({"type": 2, "training": False, "iteration_begin": 0, "iteration_end": 0,
        "strict_shape": False}).encode()

    def run():
        table, shape, dim, out = c_void_p(), POINTER(c_uint64)(), c_uint64(), POINTER(c_float)()
        do("XGDMatrixCreateFromDense", interface, b'{"missing": NaN}', byref(table))
        do("XGBoosterPredictFromDMatrix", booster, table, settings, byref(shape), byref(dim),
            byref(out))
        found = numpy.ctypeslib.as_array(out, (len(x) * (x.shape[1] + 1),)).astype("float64")
        do("XGDMatrixFree", table)
        return found

    return run, "XGBoost %d.%d.%d" % tuple(p.value for p in parts)

def lightgbm(library, model, x, threads):
    lib = ctypes.CDLL(library)
    lib.LGBM_GetLastError.restype = c_char_p

    def check(status):
        if status:
            raise RuntimeError(lib.LGBM_GetLastError().decode())

    booster, length = c_void_p(), c_int64()
    check(lib.LGBM_BoosterCreateFromModelfile(model.encode(), byref(c_int()), byref(booster)))
    out = numpy.empty(len(x) * (x.shape[1] + 1))
    FLOAT32, ROW_MAJOR, CONTRIB = c_int(0), c_int(1), c_int(3)

    def run():
        check(lib.LGBM_BoosterPredictForMat(booster, c_void_p(x.ctypes.data), FLOAT32,
            c_int32(len(x)), c_int32(x.shape[1]), ROW_MAJOR, CONTRIB, c_int(0), c_int(-1),
            b"num_threads=%d" % threads, byref(length), c_void_p(out.ctypes.data)))
        return out

    version = os.path.join(os.path.dirname(library), "VERSION.txt")
    if not os.path.exists(version):
        return run, "LightGBM"
    with open(version) as f:
        return run, "LightGBM " + f.read().strip()

program, library, model, rows, columns, n, threads, path = sys.argv[1:]
x = numpy.fromfile(rows, "<f4", int(columns) * int(n)).reshape(int(n), int(columns))
run, version = {"xgboost": xgboost, "lightgbm": lightgbm}[program](library, model, x, int(threads))
start = time.perf_counter()
found = run()
seconds = time.perf_counter() - start
found.tofile(path)
with open("/proc/self/status") as f:
    peak = next(int(line.split()[1]) for line in f if line.startswith("VmHWM:"))
print(json.dumps({"seconds": seconds, "version": version, "facts": {"rows": len(x), "peak": peak / 1e3}}))
