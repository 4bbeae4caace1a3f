#!/usr/bin/env python3
"""Runs scripts in a process that has imported xgboost once, which takes seconds. Needs python3-xgboost.

    python3 serve.py

It prints a line when it is ready. Each line of standard input is a JSON object with a script and its
arguments; the line that answers it is a JSON object with what the script printed and its traceback.
"""
import contextlib
import io
import json
import os
import sys
import traceback

import numpy  # noqa: F401 (scripts import it again)
import xgboost  # noqa: F401

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what libraries print is no answer


def run(job):
    sys.argv = ["-c", *job["arguments"]]
    printed, failed = io.StringIO(), ""
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(job["script"], "script", "exec"), {"__name__": "__main__"})
        except BaseException:
            failed = traceback.format_exc()
    return {"printed": printed.getvalue(), "failed": failed}


print("ready", file=answers, flush=True)
for line in sys.stdin:
    print(json.dumps(run(json.loads(line))), file=answers, flush=True)
