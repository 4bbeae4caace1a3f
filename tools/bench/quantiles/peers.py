# peers.py FOLDER OUT PEER SEED THREADS LIGHTGBM trains a peer for the quantiles 0.05 and 0.95 on FOLDER-train, and writes
# those of the rows of FOLDER-test to OUT, in order. Its parameters are the defaults.
folder, out, peer, seed, threads, where = sys.argv[1:]
x, levels, y, _ = table(folder + "-train")
new = table(folder + "-test")[0]
start, found = time.time(), []
for level in (0.05, 0.95):
    if peer == "LightGBM":
        sys.path.insert(0, where)
        import lightgbm
        m = lightgbm.LGBMRegressor(objective="quantile", alpha=level, n_jobs=int(threads), random_state=int(seed), verbose=-1)
        m.fit(x, y, categorical_feature=[j for j, n in enumerate(levels) if n])
    else:
        from sklearn.ensemble import HistGradientBoostingRegressor
        few = [j for j, n in enumerate(levels) if 0 < n <= 255] # it takes no more categories than bins
        m = HistGradientBoostingRegressor(loss="quantile", quantile=level, categorical_features=few or None, random_state=int(seed))
        m.fit(x, y)
    found.append(m.predict(new))
numpy.sort(numpy.array(found), 0).T.astype("<f8").tofile(out)
print_result(time.time() - start)
