# peers.py FOLDER OUT TRAIN THREADS LIGHTGBM trains LightGBM's ranking on the first TRAIN rows of a folder, whose queries
# groups.f64 has, and writes what it predicts of the others to OUT. Every fifth query of the training stops it early.
import warnings

def main(folder, out, train, threads, lightgbm):
    if lightgbm:
        sys.path.insert(0, lightgbm)
    try:
        import lightgbm as package
    except ImportError as e:
        print(json.dumps({"seconds": 0, "version": "", "output": str(e), "facts": {}}))
        return
    warnings.simplefilter("ignore")
    x, levels, y, _ = table(folder)
    group, train = numpy.fromfile(os.path.join(folder, "groups.f64"), "<f8"), int(train)
    def sorted_rows(rows): # of a query one after the other, as LightGBM wants them
        rows = rows[numpy.argsort(group[rows], kind="stable")]
        return rows, numpy.unique(group[rows], return_counts=True)[1]
    numbers = numpy.unique(group[:train])
    stopping = numpy.isin(group[:train], numbers[::5])
    own, sizes = sorted_rows(numpy.flatnonzero(~stopping))
    other, other_sizes = sorted_rows(numpy.flatnonzero(stopping))
    start = time.process_time()
    m = package.LGBMRanker(n_estimators=10000, n_jobs=int(threads), verbose=-1).fit(x[own], y[own], group=sizes,
        eval_set=[(x[other], y[other])], eval_group=[other_sizes], eval_at=[10],
        callbacks=[package.early_stopping(50, verbose=False)])
    m.predict(x[train:]).astype("<f8").tofile(out)
    print(json.dumps({"seconds": time.process_time() - start, "version": "LightGBM " + package.__version__, "output": "",
        "facts": {}}))

main(*sys.argv[1:])
