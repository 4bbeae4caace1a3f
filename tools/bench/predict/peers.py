import ctypes, gc, json, os, pickle, sys, time
import numpy
from ctypes import POINTER, byref, c_char_p, c_double, c_float, c_int, c_int32, c_int64, c_size_t
from ctypes import c_uint32, c_uint64, c_void_p

# A class is a program, and a model of it once load is called. calls(batches) returns a function
# and its arguments for each batch: what is timed. Libraries are called by their C API, with
# arguments that are made before. single is calls for batches of one row. check raises an error of
# what a call returned, and result(n) returns the n probabilities of the last call.

def address(x):
    return c_void_p(x.ctypes.data)

class XGBoost:
    SETTINGS = {"type": 0, "training": False, "iteration_begin": 0, "iteration_end": 0,
        "strict_shape": False, "cache_id": 0, "missing": float("nan")}

    def __init__(self, library):
        self.lib = ctypes.CDLL(library)
        self.lib.XGBGetLastError.restype = c_char_p
        parts = [c_int(), c_int(), c_int()]
        self.lib.XGBoostVersion(*map(byref, parts))
        self.version = "XGBoost %d.%d.%d" % tuple(p.value for p in parts)

    def check(self, status):
        if status:
            raise RuntimeError(self.lib.XGBGetLastError().decode())

    def do(self, name, *arguments):
        self.check(getattr(self.lib, name)(*arguments))

    @staticmethod
    def interface(x):
        """Returns what describes a matrix to XGBoost, which reads it in place."""
        return json.dumps({"data": [x.ctypes.data, True], "shape": x.shape,
            "typestr": x.dtype.str, "version": 3}).encode()

    def fit(self, x, y, trees, leaves, depth, path):
        table, booster = c_void_p(), c_void_p()
        self.do("XGDMatrixCreateFromDense", self.interface(x), b'{"missing": NaN}', byref(table))
        self.do("XGDMatrixSetFloatInfo", table, b"label", address(y), c_uint64(len(y)))
        self.do("XGBoosterCreate", byref(table), c_uint64(1), byref(booster))
        for name, value in {"objective": "binary:logistic", "tree_method": "hist",
                "max_depth": depth, "eta": 0.1}.items():
            self.do("XGBoosterSetParam", booster, name.encode(), str(value).encode())
        for i in range(trees):
            self.do("XGBoosterUpdateOneIter", booster, c_int(i), table)
        self.do("XGBoosterSaveModel", booster, path.encode())

    def load(self, path, threads, columns):
        self.booster, self.shape, self.dim = c_void_p(), POINTER(c_uint64)(), c_uint64()
        self.out = POINTER(c_float)()
        self.do("XGBoosterCreate", None, c_uint64(0), byref(self.booster))
        self.do("XGBoosterLoadModel", self.booster, path.encode())
        self.do("XGBoosterSetParam", self.booster, b"nthread", str(threads).encode())

    def calls(self, batches):
        rest = (c_char_p(json.dumps(self.SETTINGS).encode()), None, byref(self.shape),
            byref(self.dim), byref(self.out))
        return self.lib.XGBoosterPredictFromDense, [
            (self.booster, c_char_p(self.interface(x)), *rest) for x in batches]

    single = calls

    def result(self, n):
        return numpy.ctypeslib.as_array(self.out, (n,))

class LightGBM:
    FLOAT32, NORMAL = c_int(0), c_int(0)
    ROW_MAJOR, FIRST, ALL = c_int(1), c_int(0), c_int(-1)

    def __init__(self, library):
        self.lib = ctypes.CDLL(library)
        self.lib.LGBM_GetLastError.restype = c_char_p
        self.version = "LightGBM"
        for folder in [os.path.dirname(library), os.path.dirname(os.path.dirname(library))]:
            if os.path.exists(os.path.join(folder, "VERSION.txt")):
                with open(os.path.join(folder, "VERSION.txt")) as f:
                    self.version += " " + f.read().strip()
                break

    def check(self, status):
        if status:
            raise RuntimeError(self.lib.LGBM_GetLastError().decode())

    def load(self, path, threads, columns):
        self.columns, self.booster, self.fast = c_int32(columns), c_void_p(), c_void_p()
        self.settings = c_char_p(b"num_threads=%d" % threads)
        self.length, self.out = c_int64(), numpy.empty(0)
        self.check(self.lib.LGBM_BoosterCreateFromModelfile(path.encode(), byref(c_int()),
            byref(self.booster)))
        self.check(self.lib.LGBM_BoosterPredictForMatSingleRowFastInit(self.booster, self.NORMAL,
            self.FIRST, self.ALL, self.FLOAT32, self.columns, self.settings, byref(self.fast)))

    def reserve(self, batches):
        """Returns the last arguments, of which one is room for the results."""
        if len(self.out) < max(map(len, batches)):
            self.out = numpy.empty(max(map(len, batches)))
        return byref(self.length), address(self.out)

    def calls(self, batches):
        rest = (self.columns, self.ROW_MAJOR, self.NORMAL, self.FIRST, self.ALL, self.settings,
            *self.reserve(batches))
        return self.lib.LGBM_BoosterPredictForMat, [
            (self.booster, address(x), self.FLOAT32, c_int32(len(x)), *rest) for x in batches]

    def single(self, rows):
        rest = self.reserve(rows)
        return self.lib.LGBM_BoosterPredictForMatSingleRowFast, [
            (self.fast, address(x), *rest) for x in rows]

    def result(self, n):
        return self.out[:n]

class ONNXRuntime:
    # Functions of the table that OrtGetApiBase leads to: their places, which no version changes,
    # and the types of their arguments.
    FUNCTIONS = {
        "CreateEnv": (3, c_int, c_char_p, c_void_p),
        "CreateSession": (7, c_void_p, c_char_p, c_void_p, c_void_p),
        "Run": (9, c_void_p, c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_size_t, c_void_p),
        "CreateSessionOptions": (10, c_void_p),
        "SetIntraOpNumThreads": (24, c_void_p, c_int),
        "CreateTensorWithDataAsOrtValue": (49, c_void_p, c_void_p, c_size_t, c_void_p, c_size_t,
            c_int, c_void_p),
        "CreateCpuMemoryInfo": (69, c_int, c_int, c_void_p),
    }
    MESSAGE = 2  # the place of GetErrorMessage
    ERRORS, FLOAT32 = 3, 1

    def __init__(self, library):
        lib = ctypes.CDLL(library)
        lib.OrtGetApiBase.restype = POINTER(c_void_p)
        get, version = lib.OrtGetApiBase()[:2]
        self.version = "ONNX Runtime " + ctypes.CFUNCTYPE(c_char_p)(version)().decode()
        self.table = ctypes.CFUNCTYPE(POINTER(c_void_p), c_uint32)(get)(1)
        self.message = ctypes.CFUNCTYPE(c_char_p, c_void_p)(self.table[self.MESSAGE])

    def function(self, name):
        place, *types = self.FUNCTIONS[name]
        return ctypes.CFUNCTYPE(c_void_p, *types)(self.table[place])

    def check(self, status):
        if status:
            raise RuntimeError(self.message(status).decode())

    def do(self, name, *arguments):
        self.check(self.function(name)(*arguments))

    def load(self, path, threads, columns):
        environment, options = c_void_p(), c_void_p()
        self.session, self.memory = c_void_p(), c_void_p()
        self.do("CreateEnv", self.ERRORS, b"bench", byref(environment))
        self.do("CreateSessionOptions", byref(options))
        self.do("SetIntraOpNumThreads", options, threads)
        self.do("CreateSession", environment, path.encode(), options, byref(self.session))
        self.do("CreateCpuMemoryInfo", 0, 0, byref(self.memory))
        self.scores = numpy.empty((0, 2), "float32")

    def tensor(self, x):
        """Returns a list of one tensor, a matrix in place."""
        value, shape = c_void_p(), (c_int64 * 2)(*x.shape)
        self.do("CreateTensorWithDataAsOrtValue", self.memory, address(x), x.nbytes, shape, 2,
            self.FLOAT32, byref(value))
        return (c_void_p * 1)(value)

    def calls(self, batches):
        largest = max(map(len, batches))
        if len(self.scores) < largest:
            self.scores = numpy.empty((largest, 2), "float32")
        inputs, outputs = (c_char_p * 1)(b"input"), (c_char_p * 1)(b"scores")
        results = {n: self.tensor(self.scores[:n]) for n in set(map(len, batches))}
        return self.function("Run"), [(self.session, None, inputs, self.tensor(x), 1, outputs, 1,
            results[len(x)]) for x in batches]

    single = calls

    def result(self, n):
        return self.scores[:n, 1]

class SKLearn:
    def __init__(self, _):
        import sklearn
        self.version = "scikit-learn " + sklearn.__version__

    def fit(self, x, y, trees, leaves, depth, path):
        from sklearn.ensemble import HistGradientBoostingClassifier
        model = HistGradientBoostingClassifier(learning_rate=0.1, max_iter=trees,
            max_leaf_nodes=leaves, max_depth=depth or None, min_samples_leaf=1,
            l2_regularization=1, early_stopping=False).fit(x, y)
        with open(path + ".part", "wb") as f:
            pickle.dump(model, f)
        os.replace(path + ".part", path)

    def load(self, path, threads, columns):
        with open(path, "rb") as f:
            self.model = pickle.load(f)

    def calls(self, batches):
        def predict(x):
            self.out = self.model.predict_proba(x)[:, 1]
        return predict, [(x,) for x in batches]

    single = calls

    def check(self, _):
        pass

    def result(self, n):
        return self.out

PROGRAMS = {"xgboost": XGBoost, "lightgbm": LightGBM, "onnxruntime": ONNXRuntime,
    "sklearn": SKLearn}

def matrix(path, columns):
    return numpy.fromfile(path, "<f4").reshape(-1, int(columns))

def fit(module, library, train, labels, columns, trees, leaves, depth, path):
    x, y = matrix(train, columns), numpy.fromfile(labels, "<f4")
    PROGRAMS[module](library).fit(x, y, int(trees), int(leaves), int(depth), path)

# What follows measures as measure.go does, and reports the same figures.

def all_at_once(program, x):
    """Returns the nanoseconds of a row."""
    call, (arguments,) = program.calls([x])
    start = time.perf_counter()
    status = call(*arguments)
    taken = time.perf_counter() - start
    program.check(status)
    return taken / len(x) * 1e9

def latencies(call, arguments, spend):
    """Returns the nanoseconds of calls, as many as can be made in so many seconds."""
    clock, taken = time.perf_counter_ns, []
    end = clock() + spend * 1e9
    while True:
        for each in arguments:
            start = clock()
            call(*each)
            stop = clock()
            taken.append(stop - start)
            if stop > end and len(taken) >= 3:
                return taken

def predict(module, library, path, rows, columns, threads, limit, spend, out):
    program = PROGRAMS[module](library)
    program.load(path, int(threads), int(columns))
    x = matrix(rows, columns)
    warm = x[:5000]
    all_at_once(program, warm)
    expected = all_at_once(program, warm)
    for part in [1, 2, 5, 10, 20, 50, 100]:
        use = max(len(x) // part, min(len(x), len(warm)))
        if use * expected <= float(limit) * 1e9:
            break
    facts = {"rows": use, "all": all_at_once(program, x[:use]), "unlike": 0}
    predicted = numpy.array(program.result(use), "float64")
    predicted.tofile(out)
    for size in [1024, 64, 8, 1]:
        batches = [x[i * size:(i + 1) * size] for i in range(min(65536, use) // size)][:4096]
        call, arguments = (program.single if size == 1 else program.calls)(batches)
        gc.disable()
        latencies(call, arguments, float(spend) / 10)
        taken = latencies(call, arguments, float(spend))
        gc.enable()
        facts["of %d" % size] = numpy.median(taken) / size
        if size == 1:
            facts["p99"] = numpy.quantile(taken, 0.99)
        for i, each in enumerate(arguments[:min(8192 // size, 100)]):
            program.check(call(*each))
            unlike = abs(program.result(size) - predicted[i * size:(i + 1) * size]).max()
            facts["unlike"] = max(facts["unlike"], unlike)
    print(json.dumps({"version": program.version, "seconds": facts["all"] / 1e3,
        "facts": {name: float(value) for name, value in facts.items()}}))

{"fit": fit, "predict": predict}[sys.argv[1]](*sys.argv[2:])
