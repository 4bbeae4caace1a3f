"""Train XGBoost on several processes:

    xgboost.py track PROCESSES       prints where the tracker is, for "train"
    xgboost.py train TRACKER FILE COLUMNS PART PARTS TREES LEAVES

A process has a part of the rows of a file of float32, of which the first column is the label.
"""
import json
import resource
import sys
import time

import numpy
import xgboost
from xgboost import collective
from xgboost.tracker import RabitTracker


def track(processes):
    tracker = RabitTracker(n_workers=processes, host_ip='127.0.0.1')
    tracker.start()
    print(json.dumps(tracker.worker_args()), flush=True)
    tracker.wait_for()


def train(file, columns, part, parts, trees, leaves):
    table = numpy.memmap(file, numpy.float32, 'r').reshape(-1, columns)
    rows = len(table)
    own = numpy.array(table[rows * part // parts:rows * (part + 1) // parts])
    start = time.perf_counter()
    matrix = xgboost.QuantileDMatrix(own[:, 1:], own[:, 0], max_bin=255, nthread=1)
    binned = time.perf_counter()
    xgboost.train({'objective': 'binary:logistic', 'tree_method': 'hist', 'nthread': 1,
                   'grow_policy': 'lossguide', 'max_leaves': leaves, 'max_depth': 0, 'eta': 0.1,
                   'colsample_bytree': 0.5, 'max_bin': 255, 'disable_default_eval_metric': True},
                  matrix, trees)
    end = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(json.dumps({'version': 'XGBoost ' + xgboost.__version__, 'seconds': (end - binned) / trees,
                      'facts': {'binning': binned - start, 'memory': peak}}))


if sys.argv[1] == 'track':
    track(int(sys.argv[2]))
else:
    at = json.loads(sys.argv[2])
    if at:
        with collective.CommunicatorContext(**at):
            train(sys.argv[3], *map(int, sys.argv[4:]))
    else:
        train(sys.argv[3], *map(int, sys.argv[4:]))
