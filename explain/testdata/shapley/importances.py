"""Writes XGBoost's own importances of the models of contributions.py.

    python3 importances.py

needs xgboost (written with 1.7.4). importances.json has for each model, by kind (weight, total_cover,
total_gain), the importance of each feature.
"""

import json

import xgboost as xgb

found = {}
for name in ("regression", "binary", "classes"):
    booster = xgb.Booster(model_file=name + ".json")
    found[name] = {k: booster.get_score(importance_type=k)
                   for k in ("weight", "total_cover", "total_gain")}
with open("importances.json", "w") as f:
    json.dump(found, f, indent=1, sort_keys=True)
