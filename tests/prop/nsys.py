#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random databases of Nsight Systems against SQL; then cut and changed ones.

usage: nsys.py BIN FOLDER-OF-GENERATORS
"""
import collections
import gzip
import os
import random
import sqlite3
import subprocess
import sys

BIN = sys.argv[1]
sys.path.insert(0, sys.argv[2])
sys.dont_write_bytecode = True
import nsys as made

LONG = os.environ.get("TR_LONG") == "1"
COLUMNS = "activity,ts,dur,name,pid,tid,device,stream,correlation,api,launch_ts"
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


def same(path):
    """Does it read as SQL does, in all ways of reading?"""
    want = wanted(path)
    status, lines, said = events(path)
    if status or sorted(lines) != want:
        differ = sorted(set(lines) ^ set(want))
        return [(status, said)] + ["%s %s" % ("have" if line in lines else "want", line) for line in differ[:12]]
    if [int(line.split("\t")[1]) for line in lines] != sorted(int(line.split("\t")[1]) for line in lines):
        return ["not in order of time"]
    data = open(path, "rb").read()
    with gzip.open(path + ".gz", "wb") as f:
        f.write(data)
    for how, again in (("pipe", events("-", data=data)), ("compressed", events(path + ".gz")),
                       ("little memory", events(path, "-M", "64M")), ("threads", events(path, "-j", "3"))):
        if again[:2] != (status, lines):
            return ["%s: other events" % how, again[2]]
    return []


def spoiled(path, data, whole, copies=()):
    """What is wrong with the answer to changed bytes; cut: none of its events may be new."""
    with open(path, "wb") as f:
        f.write(data)
    try:
        status, lines, said = events(path)
    except subprocess.TimeoutExpired:
        return "not ready after a minute"
    if status not in (0, 3) or (status == 3 and said.count(b"\n") != 1):
        return "status %d: %r" % (status, said)
    if whole is None:
        return None
    if status == 0 and len(lines) < len(whole) and run("tr-parse", "--strict", "-o", "/dev/null", path).returncode != 3:
        return "events are lost without a word"
    # without its call, work has no link; without its text, an event no name
    new = {tuple(line.split("\t")[:3]) for line in lines} - {tuple(line.split("\t")[:3]) for line in whole + copies}
    return "events are invented: %r" % sorted(new)[:3] if new and status == 0 else None


def main():
    for seed in range(60 if LONG else 12):
        made.at_random("random.sqlite", seed)
        why = same("random.sqlite")
        report(not why, "seed %d" % seed, *why)
    made.at_random("random.sqlite", 4)
    data, whole = open("random.sqlite", "rb").read(), events("random.sqlite")[1]
    db = sqlite3.connect("random.sqlite")  # the copy of a call that is lost is an event
    copies = ["runtime_api\t%d\t%d" % row for row in
              db.execute("SELECT start, end - start FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE eventClass = 67")]
    db.close()
    wrong = []
    for cut in range(0, len(data), len(data) // (200 if LONG else 25)):
        why = spoiled("cut.sqlite", data[:cut], whole, copies) if cut else None
        wrong += [(cut, why)] if why else []
    report(not wrong, "cut anywhere", *wrong)
    rng = random.Random(5)
    wrong = []
    for n in range(2000 if LONG else 60):
        changed = bytearray(data)
        for _ in range(rng.choice((1, 1, 3, 40))):
            changed[rng.randrange(len(changed))] = rng.choice((0, 1, 127, 128, 255, rng.randrange(256)))
        why = spoiled("changed.sqlite", bytes(changed), None)
        wrong += [(n, why)] if why else []
    report(not wrong, "changed anywhere", *wrong)
    made.ranks("ranks.sqlite")
    text = b"".join(run("tr-view", "-q", "-O", form, "ranks.sqlite").stdout for form in ("jsonl", "chrome"))
    text += run("tr-view", "-q", "--by", "nsys", "-O", "tsv", "ranks.sqlite").stdout
    text += run("tr-parse", "--no-provenance", "ranks.sqlite").stdout
    report(len(text) > 5000 and b"hunter2" not in text, "no secrets of the environment")
    print("1..%d" % count)


if __name__ == "__main__":
    main()
