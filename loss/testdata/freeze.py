"""Writes sklearn.json beside this file: losses and derivatives of single rows by scikit-learn 1.2.1."""
import json, os
import numpy as np
from sklearn._loss import loss as L

r = np.random.RandomState(1)
n = 12
raw = np.round(r.normal(0.3, 1.5, n), 3)
real = np.round(r.normal(0, 2, n), 3)
positive = np.round(r.gamma(2, 1, n) + 0.01, 3)
count = r.poisson(1.5, n).astype(float)
share = np.round(r.uniform(0, 1, n), 3)
binary = r.randint(0, 2, n).astype(float)
cases = []


def add(name, settings, loss, y, raw=raw):
    v = loss.loss(y_true=y, raw_prediction=raw)
    v = v + loss.constant_to_optimal_zero(y) if name in ("poisson", "gamma", "tweedie") else v
    g = loss.gradient(y_true=y, raw_prediction=raw)
    cases.append(dict(Name=name, Settings=settings, Y=y.tolist(), Raw=raw.T.ravel().tolist(), Value=float(np.mean(v)),
                      Gradient=g.T.ravel().tolist()))


add("squared", [], L.HalfSquaredError(), real)
add("absolute", [], L.AbsoluteError(), real)
add("quantile", ["quantiles=0.2"], L.PinballLoss(quantile=0.2), real)
add("poisson", [], L.HalfPoissonLoss(), count)
add("gamma", [], L.HalfGammaLoss(), positive)
for power in (1.2, 1.5, 1.8):
    add("tweedie", ["power=%g" % power], L.HalfTweedieLoss(power=power), count)
add("logistic", [], L.HalfBinomialLoss(), binary)
add("cross_entropy", [], L.HalfBinomialLoss(), share)
add("softmax", [], L.HalfMultinomialLoss(n_classes=3), r.randint(0, 3, n).astype(float), np.round(r.normal(0, 2, (n, 3)), 3))
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "sklearn.json"), "w") as f:
    json.dump(cases, f, indent=1)
    f.write("\n")
