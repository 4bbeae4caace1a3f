import sklearn.ensemble as ensemble

def shares(forest, x, classes):
    """Returns a row's shares of all classes, those without training rows included, or its value."""
    if classes == 0:
        return forest.predict(x)
    out = numpy.zeros((len(x), classes))
    out[:, forest.classes_] = forest.predict_proba(x)
    return out

def main(folder, out, method, coding, trees, mtry, node, threads):
    x, levels, y, classes = table(folder)
    rounds = numpy.fromfile(os.path.join(folder, "rounds.i8"), "int8").reshape(-1, len(x))
    kind = getattr(ensemble, method + ("Classifier" if classes else "Regressor"))
    start = time.perf_counter()
    with open(out, "wb") as f:
        for seed, parts in enumerate(rounds):
            train, test = parts == 0, parts == 1
            known = filled(x, fillings(x[train], levels))
            if coding == "one-hot":
                known = one_hot(known, levels)
            forest = kind(n_estimators=int(trees), max_features="sqrt" if mtry == "sqrt" else int(mtry), min_samples_split=int(node) + 1,
                n_jobs=int(threads), random_state=seed)
            forest.fit(known[train], y[train])
            shares(forest, known[test], classes).astype("<f8").tofile(f)
    say(time.perf_counter() - start)

main(*sys.argv[1:])
