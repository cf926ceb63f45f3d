#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random databases of rocprofv3, rocmProfileData and Ascend against SQL; then cut and changed ones.

usage: databases.py BIN FOLDER-OF-GENERATORS
"""
import json
import sqlite3
import sys

sys.path.insert(0, sys.argv[2])
sys.dont_write_bytecode = True
import databases as made
from database_reading import LONG, Reading, finish, no_secrets, report

# without other rows, work has no link, and an event no name: the times alone say which event it is
reading = Reading("activity,ts,dur,name,pid,tid,device,stream,api,launch_ts", slice(1, 3))


def line(*cells):
    return "\t".join("" if c is None else str(c) for c in cells)


def launch(calls, start):
    """Of several calls of one number, the last that began before the work, else the first."""
    before = [c for c in calls if c[0] <= start]
    return max(before) if before else min(calls, default=None)


def rocpd(db):
    names = {"marker_api": "annotation", "hip_api": "runtime_api"}
    for n in range(9):
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'rocpd_region_%d'" % n).fetchone():
            break
        calls = {}
        rows = db.execute("SELECT pid, tid, start, end, s.string, e.stack_id, c.string, e.extdata FROM rocpd_region_{0} r JOIN "
                          "rocpd_event_{0} e ON e.id = r.event_id JOIN rocpd_string_{0} s ON s.id = r.name_id JOIN rocpd_string_{0} "
                          "c ON c.id = e.category_id".format(n))
        for pid, tid, start, end, name, stack, category, extra in rows:
            marker = category.startswith("MARKER")
            name = json.loads(extra)["message"] if marker else name
            calls[stack] = (start, name)
            yield line(names["marker_api" if marker else "hip_api"], start, end - start, name, pid, tid, "", "", "", "")
        kernels = {1: "gemm(float*)", 2: "relu.kd"}
        for pid, start, end, agent, queue, kernel, stack in db.execute(
                "SELECT pid, start, end, agent_id, queue_id, kernel_id, stack_id FROM rocpd_kernel_dispatch_{0} k JOIN "
                "rocpd_event_{0} e ON e.id = k.event_id".format(n)):
            own = calls.get(stack, ("", ""))
            yield line("kernel", start, end - start, kernels[kernel], pid, "GPU %d queue %d" % (agent - 1, queue), agent - 1, queue,
                       own[1], own[0])
        if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'rocpd_memory_copy_%d'" % n).fetchone():
            for pid, start, end, stream, dst, stack in db.execute(
                    "SELECT pid, start, end, stream_id, dst_agent_id, stack_id FROM rocpd_memory_copy_{0} m JOIN rocpd_event_{0} e ON "
                    "e.id = m.event_id".format(n)):
                own = calls.get(stack, ("", ""))
                yield line("memcpy", start, end - start, "Memcpy HtoD", pid, "GPU %d Memcpy HtoD, stream %d" % (dst - 1, stream),
                           dst - 1, "", own[1], own[0])


def rpd(db):
    for pid, tid, start, end, name in db.execute("SELECT pid, tid, start, end, string FROM rocpd_api JOIN rocpd_string s ON s.id = "
                                                 "apiName_id"):
        yield line("runtime_api", start, end - start, name, pid, tid, "", "", "", "")
    for pid, at, api, start, end, gpu, queue, name in db.execute(
            "SELECT a.pid, a.start, n.string, o.start, o.end, gpuId, queueId, d.string FROM rocpd_op o JOIN rocpd_api_ops l ON l.op_id = "
            "o.id JOIN rocpd_api a ON a.id = l.api_id JOIN rocpd_string n ON n.id = a.apiName_id JOIN rocpd_string d ON d.id = "
            "o.description_id"):
        yield line("kernel", start, end - start, name, pid, "GPU %d queue %d" % (gpu, queue), gpu, queue, api, at)


def ascend(db):
    for start, end, tid, name in db.execute("SELECT startNs, endNs, globalTid, value FROM CANN_API JOIN STRING_IDS s ON s.id = name"):
        yield line("runtime_api", start, end - start, name, tid >> 32, tid & 0xffffffff, "", "", "", "")
    for start, end, stream, name, at, api in db.execute(
            "SELECT t.startNs, t.endNs, streamId, s.value, c.startNs, n.value FROM TASK t JOIN COMPUTE_TASK_INFO i USING (globalTaskId) JOIN "
            "STRING_IDS s ON s.id = i.name JOIN CANN_API c USING (connectionId) JOIN STRING_IDS n ON n.id = c.name"):
        yield line("kernel", start, end - start, name, 90, "NPU 0 stream %d" % stream, 0, stream, api, at)


KINDS = {"rocpd": rocpd, "rpd": rpd, "ascend": ascend}


def main():
    for kind in KINDS:
        path = kind + ".db"
        make = made.SEEDED["random-" + kind]
        for seed in range(40 if LONG else 5):
            make(path, seed)
            db = sqlite3.connect(path)
            why = reading.same(path, KINDS[kind](db))
            db.close()
            report(not why, "%s, seed %d" % (kind, seed), *why)
        data, whole = open(path, "rb").read(), reading.events(path)[1]
        reading.cut(kind + ", ", data, whole, 200 if LONG else 15)
        reading.changed(kind + ", ", data, 1000 if LONG else 20)
        wrong = []
        for seed in range(300 if LONG else 20):
            made.SEEDED["damaged-" + kind](path, seed)
            why = reading.spoiled("damaged.db", open(path, "rb").read())
            wrong += [(seed, why)] if why else []
        report(not wrong, kind + ", values of other types", *wrong)
    made.rocpd("secret.db")
    no_secrets("secret.db", "rocpd", made.SECRET)
    finish()


if __name__ == "__main__":
    main()
