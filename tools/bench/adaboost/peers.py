import sklearn
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

train, test, rounds, threads = sys.argv[1:]
x, levels, y, _ = table(train)
boost = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=int(rounds), algorithm="SAMME", random_state=1)
start = time.perf_counter()
boost.fit(x, y)
seconds = time.perf_counter() - start
peak = memory("VmHWM")
tx, _, ty, _ = table(test)
print_result(seconds, peak=peak, rounds=len(boost.estimators_), training=1 - float((boost.predict(x) == y).mean()), error=1 - float((boost.predict(tx) == ty).mean()))
