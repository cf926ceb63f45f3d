# SPDX-License-Identifier: MIT
"""A trace of calls.  usage: make.py, with a list of [category, name, thread, start, duration, args] on standard input, in
us; device work has the thread "gpu", and is launched by the call with the same number "correlation"; a duration of null
is an event without length."""
import json
import sys

events = []
for cat, name, thread, ts, dur, args in json.load(sys.stdin):
    gpu = thread == "gpu"
    e = {"ph": "X", "cat": cat, "name": name, "pid": 0 if gpu else 1, "tid": 7 if gpu else thread, "ts": ts, "dur": dur,
         "args": dict(args, device=0, stream=7) if gpu else args}
    if dur is None:
        e.update(ph="i", s="t")
        del e["dur"], e["cat"]
    events.append(e)
print(json.dumps({"traceEvents": events}))
