import warnings
warnings.filterwarnings("ignore")

def rows(folder, sparse=False):
    """Returns what table does, but x row after row, as the peers like it best; sparse: what is stored of it."""
    with open(os.path.join(folder, "columns.tsv")) as f:
        rows, columns, classes = map(int, f.readline().split())
        levels = [int(line) for line in f]
    with open(os.path.join(folder, "x.f64"), "rb") as f:
        if sparse:
            x = stored(f, rows, columns)
        else:
            x = numpy.empty((rows, columns), "float32")
            for j in range(columns):
                x[:, j] = numpy.fromfile(f, "<f8", rows)
    return x, levels, numpy.fromfile(os.path.join(folder, "y.f64"), "<f8"), classes

def stored(f, rows, columns):
    """Returns the values of a table that are not zero, row after row."""
    from scipy import sparse
    index, value, start = [], [], [0]
    for _ in range(columns):
        x = numpy.fromfile(f, "<f8", rows)
        index.append(numpy.flatnonzero(x).astype("int32"))
        value.append(x[index[-1]].astype("float32"))
        start.append(start[-1] + len(index[-1]))
    by_column = sparse.csc_matrix((numpy.concatenate(value), numpy.concatenate(index), start), (rows, columns))
    return by_column.tocsr()

def ndcg(y, predicted, query):
    """Returns the mean NDCG of the first ten rows of each query."""
    def dcg(by):
        order = numpy.argsort(-by.reshape(-1, query), axis=1, kind="stable")[:, :10]
        gains = 2 ** numpy.take_along_axis(y.reshape(-1, query), order, axis=1) - 1
        return (gains / numpy.log2(numpy.arange(gains.shape[1]) + 2)).sum(axis=1)
    best = dcg(y)
    return float(numpy.mean(dcg(predicted)[best > 0] / best[best > 0]))

def metric(y, predicted, classes, query):
    """Returns NDCG@10 of queries, the log loss of several classes, of two the area under the ROC curve, of numbers the root of the mean squared error."""
    if query:
        return ndcg(y, predicted, query)
    if classes > 2:
        return float(-numpy.mean(numpy.log(predicted[numpy.arange(len(y)), y.astype("int64")])))
    if classes:
        from sklearn.metrics import roc_auc_score
        return roc_auc_score(y, predicted)
    return float(numpy.sqrt(numpy.mean((predicted - y) ** 2)))

def nominal(levels):
    return [j for j, n in enumerate(levels) if n]

class LightGBM:
    def __init__(self, a):
        import lightgbm
        self.module, self.a, self.version = lightgbm, a, "LightGBM " + lightgbm.__version__

    def bin(self, x, levels, y, classes):
        objective = "lambdarank" if self.a.query else "multiclass" if classes > 2 else "binary" if classes else "regression"
        self.params = {"objective": objective, "num_class": classes if classes > 2 else 1, "num_leaves": self.a.leaves, "max_bin": self.a.bins, "learning_rate": self.a.rate,
            "lambda_l2": self.a.l2, "min_sum_hessian_in_leaf": self.a.least, "min_data_in_leaf": 1, "num_threads": self.a.threads, "verbose": -1, "seed": 1}
        self.params.update(self.a.settings)
        self.data = self.module.Dataset(x, y, params=self.params, categorical_feature=nominal(levels), group=self.a.groups(x))
        self.data.construct()

    def boost(self):
        self.model = self.module.train(self.params, self.data, self.a.trees)

    def predict(self, x, levels):
        return self.model.predict(x, num_threads=self.a.threads)

    def leaves(self):
        return [t["num_leaves"] for t in self.model.dump_model()["tree_info"]]

class XGBoost:
    def __init__(self, a):
        import xgboost
        self.module, self.a, self.version = xgboost, a, "XGBoost " + xgboost.__version__

    def matrix(self, kind, x, levels, **more):
        types = ["c" if n else "float" for n in levels]
        return kind(x, feature_types=types, enable_categorical=True, nthread=self.a.threads, **more)

    def bin(self, x, levels, y, classes):
        self.data = self.matrix(self.module.QuantileDMatrix, x, levels, label=y, max_bin=self.a.bins, group=self.a.groups(x))
        objective = "rank:ndcg" if self.a.query else "multi:softprob" if classes > 2 else "binary:logistic" if classes else "reg:squarederror"
        self.params = {"objective": objective, "tree_method": "hist", "grow_policy": "lossguide", "max_depth": 0,
            "max_leaves": self.a.leaves, "max_bin": self.a.bins, "eta": self.a.rate, "lambda": self.a.l2, "min_child_weight": self.a.least, "nthread": self.a.threads}
        if classes > 2:
            self.params["num_class"] = classes

    def boost(self):
        self.model = self.module.train(self.params, self.data, self.a.trees)

    def predict(self, x, levels):
        return self.model.predict(self.matrix(self.module.DMatrix, x, levels))

    def leaves(self):
        return [text.count("leaf=") for text in self.model.get_dump()]

class HGB:
    """scikit-learn's HistGradientBoosting bins in its fit, which is stopped while it does."""
    def __init__(self, a):
        self.a, self.version = a, "scikit-learn " + sklearn.__version__

    def bin(self, x, levels, y, classes):
        from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
        kind = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
        outer = self
        class Timed(kind):
            def _bin_data(self, *more, **named):
                start, cpu = time.perf_counter(), time.process_time()
                out = super()._bin_data(*more, **named)
                outer.binning = time.perf_counter() - start, time.process_time() - cpu
                return out
        # It takes columns of at most as many categories as bins; of others the codes.
        self.model = Timed(learning_rate=self.a.rate, max_iter=self.a.trees, max_leaf_nodes=self.a.leaves, min_samples_leaf=1, l2_regularization=1,
            max_bins=min(self.a.bins, 255), early_stopping=False, categorical_features=[j for j, n in enumerate(levels) if 0 < n <= 255] or None)
        self.x, self.y, self.classes = x, y, classes

    def boost(self):
        self.model.fit(self.x, self.y)

    def predict(self, x, levels):
        if not self.classes:
            return self.model.predict(x)
        predicted = self.model.predict_proba(x)
        return predicted if self.classes > 2 else predicted[:, 1]

    def leaves(self):
        return [p.get_n_leaf_nodes() for each in self.model._predictors for p in each]

class Arguments:
    def __init__(self, trees, leaves, bins, rate, threads, query, sparse, *settings):
        self.trees, self.leaves, self.bins, self.rate, self.threads, self.query = int(trees), int(leaves), int(bins), float(rate), int(threads), int(query)
        self.sparse = sparse == "true"
        self.l2, self.least = (0, 1e-3) if self.query else (1, 1) # the latter of a child's weight
        self.settings = dict(s.split("=") for s in settings)

    def groups(self, x):
        return [self.query] * (x.shape[0] // self.query) if self.query else None

def main(module, folder, train, test, *settings):
    if folder:
        sys.path.insert(0, folder)
    side = {"lightgbm": LightGBM, "xgboost": XGBoost, "sklearn": HGB}[module](Arguments(*settings))
    interpreter = memory("VmHWM")
    x, levels, y, classes = rows(train, side.a.sparse)
    loaded = memory("VmHWM")
    start, cpu = time.perf_counter(), time.process_time()
    side.bin(x, levels, y, classes)
    binning, cpu_of_binning = time.perf_counter() - start, time.process_time() - cpu
    start, cpu = time.perf_counter(), time.process_time()
    side.boost()
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    peak = memory("VmHWM")
    if hasattr(side, "binning"):
        binning, seconds = side.binning[0], seconds - side.binning[0]
        cpu_of_binning, cpu = side.binning[1], cpu - side.binning[1]
    x, levels, y, classes = rows(test, side.a.sparse)
    facts = dict(interpreter=interpreter, loaded=loaded, peak=peak, binning=binning, metric=metric(y, side.predict(x, levels), classes, side.a.query),
        leaves=numpy.mean(side.leaves()), trees=len(side.leaves()))
    facts.update({"cpu of binning": cpu_of_binning, "cpu of boosting": cpu})
    print(json.dumps({"version": side.version, "seconds": seconds, "facts": {name: float(value) for name, value in facts.items()}}))

main(*sys.argv[1:])
