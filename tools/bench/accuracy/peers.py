import sklearn.ensemble as ensemble

def probabilities(forest, x, classes):
    """Returns a row's probabilities of all classes, those without training rows included, or its value."""
    if classes == 0:
        return forest.predict(x)
    out = numpy.zeros((len(x), classes))
    out[:, forest.classes_] = forest.predict_proba(x)
    return out

def boosted(method, coding, x, levels, classes, threads, seed):
    """Returns a model with default parameters, and x as it takes it."""
    nominal = [j for j, n in enumerate(levels) if n] if coding == "categories" else []
    if method == "XGBoost":
        import xgboost
        kind = xgboost.XGBClassifier if classes else xgboost.XGBRegressor
        more = {"enable_categorical": True, "tree_method": "hist"} if nominal else {}
        model = kind(n_jobs=threads, random_state=seed, **more)
        if nominal:
            import pandas
            x = pandas.DataFrame(x, copy=False)
            for j in nominal:
                x[j] = pandas.Categorical(x[j].fillna(-1).astype(int), categories=range(levels[j])) # a code beyond is missing
        return model, x
    # Columns of more categories than bins stay codes.
    few = [j for j in nominal if levels[j] <= 255]
    kind = ensemble.HistGradientBoostingClassifier if classes else ensemble.HistGradientBoostingRegressor
    return kind(categorical_features=few or None, random_state=seed), x

def seen(y, classes):
    """Returns the classes of some rows, and the rows' numbers among these; of numbers the rows."""
    return numpy.unique(y, return_inverse=True) if classes else (None, y)

def rows_of(x, rows):
    return x[rows] if isinstance(x, numpy.ndarray) else x.iloc[numpy.flatnonzero(rows)]

def boost(x, levels, y, classes, rounds, f, method, coding, first, threads):
    if coding == "one-hot":
        # A missing category has no column.
        x = one_hot(x, levels)
        levels = [0] * x.shape[1]
    for seed, sets in enumerate(rounds, first):
        train, test = sets == 0, sets == 1
        model, known = boosted(method, coding, x, levels, classes, threads, seed)
        own, label = seen(y[train], classes)
        model.fit(rows_of(known, train), label)
        if classes == 0:
            out = model.predict(rows_of(known, test))
        else:
            out = numpy.zeros((int(test.sum()), classes))
            out[:, own] = model.predict_proba(rows_of(known, test))
        out.astype("<f8").tofile(f)

def main(folder, out, method, coding, trees, mtry, node, first, threads):
    x, levels, y, classes = table(folder)
    rounds = numpy.fromfile(os.path.join(folder, "rounds.i8"), "int8").reshape(-1, len(x))
    start = time.perf_counter()
    if method in ("XGBoost", "HistGradientBoosting"):
        with open(out, "wb") as f:
            boost(x, levels, y, classes, rounds, f, method, coding, int(first), int(threads))
        return print_result(time.perf_counter() - start)
    kind = getattr(ensemble, method + ("Classifier" if classes else "Regressor"))
    with open(out, "wb") as f:
        for seed, sets in enumerate(rounds, int(first)):
            train, test = sets == 0, sets == 1
            known = filled(x, fillings(x[train], levels))
            if coding == "one-hot":
                known = one_hot(known, levels)
            forest = kind(n_estimators=int(trees), max_features="sqrt" if mtry == "sqrt" else int(mtry), min_samples_split=int(node) + 1,
                n_jobs=int(threads), random_state=seed)
            forest.fit(known[train], y[train])
            probabilities(forest, known[test], classes).astype("<f8").tofile(f)
    print_result(time.perf_counter() - start)

main(*sys.argv[1:])
