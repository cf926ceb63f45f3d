#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random databases of rocprofv3, rocmProfileData and Ascend against SQL; then cut and changed ones.

usage: databases.py BIN FOLDER-OF-GENERATORS
"""
import collections
import gzip
import json
import os
import random
import sqlite3
import subprocess
import sys

BIN = sys.argv[1]
sys.path.insert(0, sys.argv[2])
sys.dont_write_bytecode = True
import databases as made

LONG = os.environ.get("TR_LONG") == "1"
COLUMNS = "activity,ts,dur,name,pid,tid,device,stream,api,launch_ts"
count = 0


def report(good, what, *why):
    global count
    count += 1
    print("%s %d - %s" % ("ok" if good else "not ok", count, what))
    for line in why if not good else ():
        print("#", str(line)[:400])


def run(tool, *args, data=None):
    return subprocess.run([BIN + "/" + tool, *args], input=data, capture_output=True, timeout=60)


def events(path, *options, data=None):
    """Lines of the listing, without the header."""
    p = run("tr-view", "-q", "-O", "tsv", "--unit", "ns", "--columns", COLUMNS, *options, path, data=data)
    return p.returncode, p.stdout.decode("utf-8", "replace").split("\n")[1:-1], p.stderr


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


def same(kind, path):
    """Does it read as SQL does, in all ways of reading?"""
    db = sqlite3.connect(path)
    want = sorted(KINDS[kind](db))
    db.close()
    status, lines, said = events(path)
    if status or said or sorted(lines) != want:
        have, want = collections.Counter(lines), collections.Counter(want)
        return [(status, said)] + ["have %s" % x for x in (have - want)][:6] + ["want %s" % x for x in (want - have)][:6]
    if [int(x.split("\t")[1]) for x in lines] != sorted(int(x.split("\t")[1]) for x in lines):
        return ["not in order of time"]
    data = open(path, "rb").read()
    with gzip.open(path + ".gz", "wb") as f:
        f.write(data)
    for how, again in (("pipe", events("-", data=data)), ("compressed", events(path + ".gz")),
                       ("little memory", events(path, "-M", "64M")), ("threads", events(path, "-j", "3"))):
        if again[:2] != (status, lines):
            return ["%s: other events" % how, again[2]]
    return []


def spoiled(path, data, whole):
    """What is wrong with the answer to changed bytes; cut (whole): none of its events may be new."""
    with open(path, "wb") as f:
        f.write(data)
    try:
        status, lines, said = events(path)
    except subprocess.TimeoutExpired:
        return "not ready after a minute"
    if status not in (0, 3) or (status == 3 and said.count(b"\n") != 1):
        return "status %d: %r" % (status, said)
    if whole is None or status:
        return None
    if len(lines) < len(whole) and run("tr-parse", "--strict", "-o", "/dev/null", path).returncode != 3:
        return "events are lost without a word"
    place = [tuple(x.split("\t")[1:3]) for x in lines]  # without other rows, work has no link, and an event no name
    new = set(place) - {tuple(x.split("\t")[1:3]) for x in whole}
    return "events are invented: %r" % sorted(new)[:3] if new else None


def main():
    for kind in KINDS:
        path = kind + ".db"
        make = made.SEEDED["random-" + kind]
        for seed in range(40 if LONG else 5):
            make(path, seed)
            why = same(kind, path)
            report(not why, "%s, seed %d" % (kind, seed), *why)
        data, whole = open(path, "rb").read(), events(path)[1]
        wrong = []
        for cut in range(0, len(data), len(data) // (200 if LONG else 15)):
            why = spoiled("cut.db", data[:cut], whole) if cut else None
            wrong += [(cut, why)] if why else []
        report(not wrong, kind + ", cut anywhere", *wrong)
        rng = random.Random(5)
        wrong = []
        for n in range(1000 if LONG else 20):
            changed = bytearray(data)
            for _ in range(rng.choice((1, 1, 3, 40))):
                changed[rng.randrange(len(changed))] = rng.choice((0, 1, 127, 128, 255, rng.randrange(256)))
            why = spoiled("changed.db", bytes(changed), None)
            wrong += [(n, why)] if why else []
        report(not wrong, kind + ", changed anywhere", *wrong)
        wrong = []
        for seed in range(300 if LONG else 20):
            made.SEEDED["damaged-" + kind](path, seed)
            why = spoiled("damaged.db", open(path, "rb").read(), None)
            wrong += [(seed, why)] if why else []
        report(not wrong, kind + ", values of other types", *wrong)
    made.rocpd("secret.db")
    text = b"".join(run("tr-view", "-q", "-O", form, "secret.db").stdout for form in ("jsonl", "chrome"))
    text += run("tr-view", "-q", "--by", "rocpd", "-O", "tsv", "secret.db").stdout
    text += run("tr-parse", "--no-provenance", "secret.db").stdout
    report(len(text) > 5000 and made.SECRET.encode() not in text, "no secrets of the environment")
    print("1..%d" % count)


if __name__ == "__main__":
    main()
