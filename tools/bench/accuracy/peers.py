# peers.py FOLDER OUT METHOD ROUND SEED THREADS LIMIT LIGHTGBM XGBOOST SETTING... trains a peer on a round of a set, and
# writes what it predicts of the test rows to OUT. LIGHTGBM and XGBOOST are folders of modules; Optuna searches with the
# XGBoost of its Python. The setting coding of the boosters is categories, codes or one-hot, that of the forests one-hot,
# if that is not too wide, or codes.
#
# LightGBM, XGBoost, and Optuna on XGBoost, on one round of a set. Early stopping holds a fifth of the training rows
# out. The tuned defaults are those of Holzmueller et al. 2024 (arXiv 2407.04491). Optuna searches by five-fold
# cross-validation with early stopping, and trains the best with the mean rounds of the folds on all rows.
import pandas

def frame(x, levels):
    f = pandas.DataFrame(x.astype("float64"), columns=["c%d" % j for j in range(x.shape[1])])
    for j, n in enumerate(levels):
        if n:
            f["c%d" % j] = pandas.Categorical(f["c%d" % j].fillna(-1).astype(int), categories=range(n)) # -1 is missing
    return f

def held_out(y, classes, seed):
    """Returns a fifth of the rows, of classes stratified where each has two rows; a class of one row is for training."""
    from sklearn.model_selection import train_test_split
    rows, alone = numpy.arange(len(y)), []
    if classes:
        counts = numpy.bincount(y)[y]
        rows, alone = numpy.flatnonzero(counts > 1), numpy.flatnonzero(counts == 1)
    stratify = y[rows] if classes and len(rows) >= 5 * classes else None
    train, valid = train_test_split(rows, test_size=0.2, random_state=seed, stratify=stratify)
    if classes: # peers refuse classes that training lacks
        lost = numpy.isin(y[valid], y[train], invert=True)
        train, valid = numpy.append(train, valid[lost]), valid[~lost]
    return numpy.append(train, alone).astype(int), valid

LIGHTGBM_TUNED = dict(n_estimators=1000, learning_rate=0.04, num_leaves=50, min_child_samples=40, subsample=0.75,
    subsample_freq=1, min_child_weight=1e-7)
LIGHTGBM_TUNED_NUMBERS = dict(LIGHTGBM_TUNED, learning_rate=0.05, num_leaves=100, min_child_samples=3, subsample=0.7)
XGBOOST_TUNED = dict(n_estimators=1000, max_depth=6, learning_rate=0.08, subsample=0.65, colsample_bylevel=0.9,
    min_child_weight=5e-6, reg_lambda=0)
XGBOOST_TUNED_NUMBERS = dict(XGBOOST_TUNED, max_depth=9, learning_rate=0.05, min_child_weight=2, subsample=0.7)

def lightgbm_model(name, x, y, classes, seed, threads):
    import lightgbm
    kind = lightgbm.LGBMClassifier if classes else lightgbm.LGBMRegressor
    more = dict(n_jobs=threads, random_state=seed, verbose=-1)
    if name == "lightgbm":
        return kind(**more).fit(x, y)
    train, valid = held_out(y, classes, seed)
    if name == "lightgbm-stop":
        own, stop = dict(n_estimators=10000), 50
    else:
        own, stop = LIGHTGBM_TUNED if classes else LIGHTGBM_TUNED_NUMBERS, 300
    return kind(**own, **more).fit(x.iloc[train], y[train], eval_set=[(x.iloc[valid], y[valid])],
        callbacks=[lightgbm.early_stopping(stop, verbose=False)])

def histgradientboosting_model(x, y, classes, seed):
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    kind = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
    nominal = [j for j, t in enumerate(x.dtypes) if str(t) == "category"]
    few = [j for j in nominal if len(x.dtypes[j].categories) <= 255] # columns of more categories than bins are codes
    return kind(categorical_features=few or None, random_state=seed).fit(codes(x), y)

def codes(x):
    """Returns numbers in place of categories, NaN for missing ones."""
    f = x.copy()
    for c in f.columns:
        if str(f[c].dtype) == "category":
            f[c] = f[c].cat.codes.astype("float64").where(f[c].notna())
    return f.to_numpy("float64")

def xgboost_kind(classes):
    import xgboost
    return xgboost.XGBClassifier if classes else xgboost.XGBRegressor

def xgboost_more(x, seed, threads):
    return dict(n_jobs=threads, random_state=seed, tree_method="hist",
        enable_categorical=any(str(t) == "category" for t in x.dtypes))

def xgboost_model(name, x, y, classes, seed, threads):
    kind, more = xgboost_kind(classes), xgboost_more(x, seed, threads)
    if name == "xgboost":
        return kind(**more).fit(x, y)
    train, valid = held_out(y, classes, seed)
    if name == "xgboost-stop":
        own, stop = dict(n_estimators=10000), 50
    else:
        own, stop = XGBOOST_TUNED if classes else XGBOOST_TUNED_NUMBERS, 300
    return kind(**own, **more, early_stopping_rounds=stop).fit(x.iloc[train], y[train],
        eval_set=[(x.iloc[valid], y[valid])], verbose=False)

def optuna_model(x, y, classes, seed, threads, limit, start):
    import optuna
    from sklearn.model_selection import KFold, StratifiedKFold
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    kind, more = xgboost_kind(classes), xgboost_more(x, seed, threads)
    split = (StratifiedKFold if classes else KFold)(5, shuffle=True, random_state=seed)
    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folds = list(split.split(x, y))
    last = [0.0]
    def objective(trial):
        own = dict(learning_rate=trial.suggest_float("learning_rate", 0.01, 0.3, log=True),
            max_depth=trial.suggest_int("max_depth", 2, 10),
            min_child_weight=trial.suggest_float("min_child_weight", 1e-3, 30, log=True),
            subsample=trial.suggest_float("subsample", 0.5, 1), colsample_bytree=trial.suggest_float("colsample_bytree", 0.3, 1),
            reg_lambda=trial.suggest_float("reg_lambda", 1e-3, 100, log=True),
            reg_alpha=trial.suggest_float("reg_alpha", 1e-3, 10, log=True))
        loss, rounds = [], []
        for train, valid in folds:
            began = time.process_time()
            own_y, own_valid = y[train], y[valid]
            if classes and len(numpy.unique(own_y)) < classes: # XGBoost wants all classes
                raise optuna.TrialPruned()
            m = kind(n_estimators=3000, early_stopping_rounds=50, **own, **more).fit(x.iloc[train], own_y,
                eval_set=[(x.iloc[valid], own_valid)], verbose=False)
            last[0] = max(last[0], time.process_time() - began)
            if trial.number > 0 and time.process_time() - start + 1.25 * last[0] >= limit: # the final fit needs the rest
                raise optuna.TrialPruned()
            loss.append(m.best_score)
            rounds.append(m.best_iteration + 1)
        trial.set_user_attr("rounds", float(numpy.mean(rounds)))
        return float(numpy.mean(loss))
    study = optuna.create_study(direction="minimize", sampler=optuna.samplers.TPESampler(seed=seed))
    while not study.trials or time.process_time() - start + 1.25 * last[0] < limit:
        study.optimize(objective, n_trials=1)
        if len(study.trials) > 5000:
            break
    done = [t for t in study.trials if t.value is not None]
    if not done:
        return kind(**more).fit(x, y), "%d trials, all without a class: the defaults" % len(study.trials)
    best = min(done, key=lambda t: t.value)
    rounds = max(1, round(best.user_attrs["rounds"] * 1.25))
    return kind(n_estimators=rounds, **best.params, **more).fit(x, y), "%d trials" % len(study.trials)

WIDEST = 1000 # columns that a coding by a column for each level may have

def forest(name, x, y, classes, seed, threads, trees, node_size):
    from sklearn import ensemble
    kind = getattr(ensemble, name + ("Classifier" if classes else "Regressor"))
    columns = x.shape[1]
    columns = max(1, int(columns ** 0.5) if classes else columns // 3)
    return kind(n_estimators=int(trees), max_features=columns, min_samples_split=int(node_size) + 1, n_jobs=threads,
        random_state=seed).fit(x, y)

def known(name, x, levels, train, coding):
    """Returns the columns as a method takes them. A forest has the median or the most frequent category of the training
    rows where a value is missing."""
    wide = sum(n or 1 for n in levels) <= WIDEST and coding == "one-hot"
    if name in ("RandomForest", "ExtraTrees"):
        x = filled(x, fillings(x[train], levels))
        return one_hot(x, levels) if wide else x
    if coding == "categories":
        return frame(x, levels)
    x = one_hot(x, levels) if wide else x # a missing category has no column
    return frame(x, [0] * x.shape[1])

METHODS = ("lightgbm", "lightgbm-stop", "lightgbm-tuned", "xgboost", "xgboost-stop", "xgboost-tuned", "optuna",
    "histgradientboosting", "RandomForest", "ExtraTrees")

def main(folder, out, name, number, seed, threads, limit, lightgbm, xgboost, *settings):
    if name not in METHODS:
        sys.exit("there is no learner, nor a peer's method, %s: the methods are %s" % (name, ", ".join(METHODS)))
    number, limit, seed, threads = int(number), float(limit), int(seed), int(threads)
    for path in [lightgbm, "" if name == "optuna" else xgboost]:
        if path:
            sys.path.insert(0, path)
    settings = dict(s.split("=", 1) for s in settings)
    is_forest = name in ("RandomForest", "ExtraTrees")
    coding = settings.pop("coding", "one-hot" if is_forest else "categories")
    x, levels, y, classes = table(folder)
    sets = numpy.fromfile(os.path.join(folder, "rounds.i8"), "int8").reshape(-1, len(x))[number]
    train, test = numpy.flatnonzero(sets == 0), numpy.flatnonzero(sets == 1)
    x = known(name, x, levels, train, coding)
    own, label = numpy.unique(y[train], return_inverse=True) if classes else (None, y[train])
    version = "scikit-learn " + sklearn.__version__
    if name.startswith("lightgbm"): # the time of imports does not count
        import lightgbm
        version = "LightGBM " + lightgbm.__version__
    elif name == "optuna" or name.startswith("xgboost"):
        import xgboost
        version = "XGBoost " + xgboost.__version__
    if name == "optuna":
        import optuna
        version = "Optuna %s, %s" % (optuna.__version__, version)
    elif name == "histgradientboosting":
        from sklearn import ensemble
    start, detail = time.process_time(), ""
    rows, k = (lambda of: x[of] if is_forest else x.iloc[of].reset_index(drop=True)), len(own) if classes else 0
    if is_forest:
        model = forest(name, rows(train), label, k, seed, threads, **settings)
    elif name == "optuna":
        model, detail = optuna_model(rows(train), label, k, seed, threads, limit, start)
    elif name == "histgradientboosting":
        model = histgradientboosting_model(rows(train), label, k, seed)
    elif name.startswith("lightgbm"):
        model = lightgbm_model(name, rows(train), label, k, seed, threads)
    else:
        model = xgboost_model(name, rows(train), label, k, seed, threads)
    cpu = time.process_time() - start
    tested = rows(test)
    if name == "histgradientboosting":
        tested = codes(tested)
    if classes: # also those without training rows
        predicted = numpy.zeros((len(test), classes))
        predicted[:, own] = model.predict_proba(tested)
    else:
        predicted = model.predict(tested)
    predicted.astype("<f8").tofile(out)
    print(json.dumps({"seconds": cpu, "version": version, "output": detail, "facts": {}}))

main(*sys.argv[1:])
