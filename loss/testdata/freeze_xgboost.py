"""Writes xgboost.json beside this file: what XGBoost 1.7.4 does with single rows.

A stump parts each row from all others, once with lambda 0.01 and once with 0.1; the row's leaf is -g / (h + lambda) for its
derivatives g and h at the scores given as base margins. A row that no stump parts, because nothing is gained, is null. Value is the mean loss, of times only.
"""
import json, os
import numpy as np
import xgboost as xgb

assert xgb.__version__ == "1.7.4"
r = np.random.RandomState(2)
n = 12
raw = np.round(r.normal(0.3, 1, n), 3)
cases = []


def leaf(d, raw, i, params, bound):
    x = np.zeros((len(raw), 1))
    x[i] = 1
    m = xgb.DMatrix(x, base_margin=raw, **d)
    for k, v in bound.items():
        m.set_float_info(k, v)
    out = []
    for l2 in (0.01, 0.1):
        p = dict(params, max_depth=1, eta=1, min_child_weight=0, gamma=0, tree_method="exact", nthread=1)
        b = xgb.train(dict(p, **{"lambda": l2}), m, 1)
        if len(b.get_dump()[0].splitlines()) == 1:
            return None
        out.append(float(b.trees_to_dataframe().query("Feature == 'Leaf'").Gain.iloc[-1]))
    return out


def mean(params, raw, bound):
    m = xgb.DMatrix(np.zeros((len(raw), 1)), base_margin=raw)
    for k, v in bound.items():
        m.set_float_info(k, v)
    told = {}
    xgb.train(dict(params, eta=0, nthread=1, eval_metric="aft-nloglik"), m, 1, evals=[(m, "all")], evals_result=told, verbose_eval=False)
    return told["all"]["aft-nloglik"][0]


def add(name, settings, objective, raw=raw, y=None, event=None, upper=None, weight=None, **params):
    d, bound, label = {}, {}, y
    if objective == "survival:cox":
        label = np.where(event == 1, y, -y)
    if objective == "survival:aft":
        bound = dict(label_lower_bound=y, label_upper_bound=upper)
    else:
        d["label"] = label
    if weight is not None:
        d["weight"] = weight
    leaves = [leaf(d, raw, i, dict(params, objective=objective), bound) for i in range(len(raw))]
    lists = dict(Raw=raw, Y=y, Event=event, Upper=upper, Weight=weight)
    lists = {k: None if v is None else [x if np.isfinite(x) else 1e300 for x in v.tolist()] for k, v in lists.items()}
    value = mean(dict(params, objective=objective), raw, bound) if bound else None
    cases.append(dict(Name=name, Settings=settings, Leaves=leaves, Value=value, **lists))


amount = np.round(r.gamma(2, 1, n), 3)
binary = r.randint(0, 2, n).astype(float)
add("squared_log", ["curvature=xgboost"], "reg:squaredlogerror", raw=np.abs(raw), y=amount)
add("hinge", [], "binary:hinge", y=binary)
add("logistic", [], "binary:logistic", y=binary)
time = np.round(r.gamma(2, 1, n) + 0.05, 3)  # all different
event = r.randint(0, 2, n)
add("cox", [], "survival:cox", y=time, event=event)
end = np.where(np.arange(n) % 4 == 0, time, np.where(np.arange(n) % 4 == 1, np.inf, np.round(1.7 * time, 3)))
begin = np.where(np.arange(n) % 4 == 3, 0, time)
for distribution in ("normal", "logistic", "extreme"):
    add("aft", ["distribution=" + distribution, "sigma=1.2"], "survival:aft", y=begin, upper=end,
        aft_loss_distribution=distribution, aft_loss_distribution_scale=1.2)
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "xgboost.json"), "w") as f:
    json.dump(cases, f, indent=1)
    f.write("\n")
