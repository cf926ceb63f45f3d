#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long does Python take from a trace to a DataFrame?  Beside it, what scripts do: json.loads and DataFrame, as HTA
loads a trace, and pandas.read_json of the list of events.

usage: python.py TRACE [--scripts]

The package is that of PYTHONPATH, the library that of TRACEPIPE_LIBRARY.  Each way runs in a process of its own; the best
of three counts, and of the scripts, which take long, one.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time

COLUMNS = ["ts", "dur", "name", "cat", "tid"]


def frame(path):
    import tracepipe

    return tracepipe.open(path).events().df


def few(path):
    import tracepipe

    return tracepipe.open(path).events(COLUMNS).df


def breakdown(path):
    import tracepipe

    return tracepipe.open(path).breakdown().df


def loads(path):
    import pandas

    with open(path, "rb") as trace:
        return pandas.DataFrame(json.loads(trace.read())["traceEvents"])


def read_json(path):
    import pandas

    return pandas.read_json(path)


WAYS = {"events().df": frame, "events(5 columns).df": few, "breakdown().df": breakdown, "json.loads, DataFrame": loads,
        "pandas.read_json": read_json}


def once(path, way):
    start = time.monotonic()
    rows = len(WAYS[way](path))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps([time.monotonic() - start, rows, peak]))


def measure(path, way, times):
    runs = [json.loads(subprocess.run([sys.executable, os.path.abspath(__file__), path, "--once", way], check=True,
                                      stdout=subprocess.PIPE).stdout) for _ in range(times)]
    seconds, rows, peak = min(runs)
    print("%-24s %9d rows %8.2f s %6d MiB" % (way, rows, seconds, peak), flush=True)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    path = sys.argv[1]
    if "--once" in sys.argv:
        once(path, sys.argv[3])
        return
    for way in ("events().df", "events(5 columns).df", "breakdown().df"):
        measure(path, way, 3)
    if "--scripts" in sys.argv:
        measure(path, "json.loads, DataFrame", 1)
        with tempfile.NamedTemporaryFile("w", suffix=".json") as events:
            with open(path, "rb") as trace:
                json.dump(json.loads(trace.read())["traceEvents"], events)
            events.flush()
            measure(events.name, "pandas.read_json", 1)


main()
