import pickle
import joblib
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor

def error(forest, x, y):
    if forest.__class__.__name__.endswith("Regressor"):
        return float(((forest.predict(x) - y) ** 2).mean() ** 0.5)
    return 1 - float((forest.predict(x) == y).mean())

def coded(folders, variant):
    """Reads tables and codes them alike; what fills missing values in is the first one's."""
    tables = [table(folder) for folder in folders]
    fill = fillings(tables[0][0], tables[0][1])
    out = []
    for x, levels, y, _ in tables:
        x = filled(x, fill)
        out.append((one_hot(x, levels) if variant == "one-hot" else x, y))
    return out

def new(trees, mtry, threads, variant, y, learner="forest"):
    kinds = {"forest": (RandomForestClassifier, RandomForestRegressor), "extratrees": (ExtraTreesClassifier, ExtraTreesRegressor)}
    kind = kinds[learner][0 if y.dtype.kind == "i" else 1]
    return kind(n_estimators=trees, max_features="sqrt" if variant == "one-hot" else mtry, n_jobs=threads, random_state=1)

def fit(train, test, trees, mtry, threads, learner, variant):
    interpreter = memory("VmHWM")
    (x, y), = coded([train], variant)
    loaded = memory("VmHWM")
    forest = new(int(trees), int(mtry), int(threads), variant, y, learner)
    start = time.perf_counter()
    forest.fit(x, y)
    seconds = time.perf_counter() - start
    peak = memory("VmHWM")
    _, (x, y) = coded([train, test], variant)
    print_result(seconds, interpreter=interpreter, loaded=loaded, peak=peak, error=error(forest, x, y),
        leaves=numpy.mean([t.tree_.n_leaves for t in forest.estimators_]))

def save(train, model, trees, mtry, threads):
    (x, y), = coded([train], "")
    forest = new(int(trees), int(mtry), int(threads), "", y)
    forest.fit(x, y)
    with open(model + ".pickle", "wb") as f:
        pickle.dump(forest, f, protocol=pickle.HIGHEST_PROTOCOL)
    joblib.dump(forest, model + ".joblib")
    print_result(0)

def opened(model):
    if model.endswith(".joblib"):
        return joblib.load(model)
    with open(model, "rb") as f:
        return pickle.load(f)

def predict(model, test, threads):
    forest = opened(model)
    forest.n_jobs = int(threads)
    (x, y), = coded([test], "")
    start = time.perf_counter()
    forest.predict(x)
    first = time.perf_counter() - start
    start = time.perf_counter()
    labels = forest.predict(x)
    seconds = time.perf_counter() - start
    print_result(seconds, first=first, rows=len(x), error=1 - float((labels == y).mean()))

def load(model, test, threads):
    x, _, y, _ = table(test)
    before = memory("VmRSS")
    start = time.perf_counter()
    forest = opened(model)
    seconds = time.perf_counter() - start
    after = memory("VmRSS")
    forest.n_jobs = int(threads)
    wrong = error(forest, x, y)
    print_result(seconds, before=before, resident=after - before, used=memory("VmRSS") - before, file=os.path.getsize(model) / 1e6, error=wrong)

{"fit": fit, "save": save, "predict": predict, "load": load}[sys.argv[1]](*sys.argv[2:])
