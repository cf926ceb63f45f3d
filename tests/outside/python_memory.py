# SPDX-License-Identifier: MIT
"""Ask a large trace with memory="128M"; the process stays below 256 MiB.

usage: python_memory.py TRACE events|kernels|findings
"""

import resource
import sys

import tracepipe


def main():
    trace, what = sys.argv[1:]
    t = tracepipe.open(trace, memory="128M", temp_dir=".")
    if what == "events":
        n = sum(len(batch) for batch in t.events(["ts", "dur", "name"]))
    elif what == "kernels":
        n = len(t.breakdown(by="kernel"))
    else:
        n = len(t.findings()) + len(t.breakdown(by="operator"))  # the second one keeps the events
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print("%d, peak %d MiB" % (n, peak))
    sys.exit(n == 0 or peak > 256)


main()
