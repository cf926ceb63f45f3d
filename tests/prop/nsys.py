#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random databases of Nsight Systems against SQL; then cut and changed ones.

usage: nsys.py BIN FOLDER-OF-GENERATORS
"""
import collections
import sqlite3
import sys

sys.path.insert(0, sys.argv[2])
sys.dont_write_bytecode = True
import nsys as made
from database_reading import LONG, Reading, finish, no_secrets, report

# without its call, work has no link; without its text, an event no name
reading = Reading("activity,ts,dur,name,pid,tid,device,stream,correlation,api,launch_ts", slice(3))


def wanted(path):
    """The same by SQL.  The call of work is the innermost one of its process with its number."""
    db = sqlite3.connect(path)
    rows = []
    texts = dict(db.execute("SELECT id, value FROM StringIds"))
    calls = collections.defaultdict(list)
    names = {0: "runtime_api", 1: "driver_api"}
    real = set()
    for start, end, kind, thread, number, name, _ in db.execute("SELECT * FROM CUPTI_ACTIVITY_KIND_RUNTIME"):
        if kind != 67:
            text = texts[name].split("_v")[0]
            real.add((thread >> 24, number))
            calls[thread >> 24, number].append((start, end, text))
            rows.append((names[kind], start, end - start, text, thread >> 24 & 0xffffff, thread & 0xffffff, "", "", number, "", ""))
    for row in db.execute("SELECT start, end, globalPid, deviceId, streamId, correlationId, demangledName FROM "
                          "CUPTI_ACTIVITY_KIND_KERNEL"):
        start, end, process, device, stream, number, name = row
        own = max(calls.get((process >> 24, number), ()), default=None)
        rows.append(("kernel", start, end - start, texts[name], process >> 24 & 0xffffff, "GPU %d stream %d" % (device, stream),
                     device, stream, number, own[2] if own else "", own[0] if own else ""))
    kinds = [None, "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD", "DtoA", "DtoD", "HtoH", "PtoP"]
    for start, end, process, device, stream, number, kind in db.execute(
            "SELECT start, end, globalPid, deviceId, streamId, correlationId, copyKind FROM CUPTI_ACTIVITY_KIND_MEMCPY"):
        rows.append(("memcpy", start, end - start, "Memcpy %s (Pinned -> Device)" % kinds[kind], process >> 24 & 0xffffff,
                     "GPU %d stream %d" % (device, stream), device, stream, number, "", ""))
    for start, end, text, thread in db.execute("SELECT start, end, text, globalTid FROM NVTX_EVENTS"):
        rows.append(("annotation", start, end - start, text, thread >> 24 & 0xffffff, thread & 0xffffff, "", "", "", "", ""))
    for start, end, name, thread in db.execute("SELECT start, end, nameId, globalTid FROM OSRT_API"):
        rows.append(("os_api", start, end - start, texts[name], thread >> 24 & 0xffffff, thread & 0xffffff, "", "", "", "", ""))
    db.close()
    return sorted("\t".join(map(str, row)) for row in rows)


def main():
    for seed in range(60 if LONG else 12):
        made.at_random("random.sqlite", seed)
        why = reading.same("random.sqlite", wanted("random.sqlite"))
        report(not why, "seed %d" % seed, *why)
    made.at_random("random.sqlite", 4)
    data, whole = open("random.sqlite", "rb").read(), reading.events("random.sqlite")[1]
    db = sqlite3.connect("random.sqlite")  # the copy of a call that is lost is an event
    copies = ["runtime_api\t%d\t%d" % row for row in
              db.execute("SELECT start, end - start FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE eventClass = 67")]
    db.close()
    reading.cut("", data, whole, 200 if LONG else 25, copies)
    reading.changed("", data, 2000 if LONG else 60)
    made.ranks("ranks.sqlite")
    no_secrets("ranks.sqlite", "nsys", "hunter2")
    finish()


if __name__ == "__main__":
    main()
