#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random memory snapshots against a replay of their trace.  usage: memory_snapshot.py BIN FOLDER-OF-GENERATORS"""
import json
import os
import pickle
import subprocess
import sys

BIN = sys.argv[1]
sys.path.insert(0, sys.argv[2])
sys.dont_write_bytecode = True
import memory_snapshot as made

count = 0


def report(good, what, *why):
    global count
    count += 1
    print("%s %d - %s" % ("ok" if good else "not ok", count, what))
    for line in why if not good else ():
        print("#", str(line)[:300])


def run(tool, *args):
    p = subprocess.run([BIN + "/" + tool, "-q", "-O", "tsv", *args], capture_output=True, text=True, timeout=60)
    return p.returncode, [line.split("\t") for line in p.stdout.split("\n")[1:-1]], p.stderr


def peak(*args):
    """The output of tr-parse, and its memory in MiB."""
    p = subprocess.Popen([BIN + "/tr-parse", "--no-provenance", "-q", *args], stdout=subprocess.PIPE)
    stream = p.stdout.read()
    return stream, os.wait4(p.pid, 0)[2].ru_maxrss // 1024


def wanted(snapshot):
    """Bytes and totals of each alloc and free, and the bytes of blocks that are older than the trace."""
    end = sum(b["size"] for s in snapshot["segments"] for b in s["blocks"] if b["state"] == "active_allocated")
    steps = [t for t in snapshot["device_traces"][0] if t["action"] in ("alloc", "free_requested")]
    total = end - sum(t["size"] if t["action"] == "alloc" else -t["size"] for t in steps)
    rows = []
    for t in steps:
        bytes_ = t["size"] if t["action"] == "alloc" else -t["size"]
        total += bytes_
        rows.append([str(t["addr"]), str(bytes_), str(total)])
    new = {t["addr"] for t in steps if t["action"] == "alloc"}
    old = sorted(str(b["size"]) for s in snapshot["segments"] for b in s["blocks"] if b["address"] not in new)
    return rows, old, end


def main():
    for seed in range(200 if os.environ.get("TR_LONG") == "1" else 15):
        snapshot = made.at_random(seed)
        with open("s.pickle", "wb") as f:
            pickle.dump(snapshot, f, protocol=seed % 4 + 2)
        rows, old, end = wanted(snapshot)
        columns = "args.Addr,args.Bytes,args.Total Allocated"
        status, have, said = run("tr-view", "--columns", columns, "--where", "activity == memory_instant && phase == instant", "s.pickle")
        _, before, _ = run("tr-view", "--columns", "args.Bytes", "--where", "activity == memory_instant && phase == metadata", "s.pickle")
        _, last, _ = run("tr-memory", "--by", "end,all", "--columns", "total_bytes", "s.pickle")
        good = status == 0 and have == rows and sorted(r[0] for r in before) == old and (not rows or last == [[str(end)]])
        report(good, "seed %d" % seed, said, have[:3], rows[:3], before, old, last, end)
    whole = json.dumps(made.at_random(3))
    wrong = []
    for cut in range(1, len(whole), len(whole) // 40):
        with open("cut.json", "w") as f:
            f.write(whole[:cut])
        status, have, said = run("tr-view", "--columns", "args.Bytes", "--where", "phase == instant", "cut.json")
        strict = subprocess.run([BIN + "/tr-parse", "--strict", "-o", "/dev/null", "cut.json"], capture_output=True).returncode
        if status not in (0, 3) or strict != 3:
            wrong.append((cut, status, strict, said))
    report(not wrong, "cut anywhere", *wrong)
    snapshot = made.at_random(8, 80000)
    for path, write in (("large.pickle", pickle.dump), ("large.json", json.dump)):
        with open(path, "wb" if write is pickle.dump else "w") as f:
            write(snapshot, f)
        (whole, much), (stream, little) = peak(path, "-M", "4G"), peak(path, "-M", "32M")
        report(whole == stream and len(whole) > 1000000 and little < 64,
               "%s in little memory" % path, len(whole), len(stream), much, little)
    print("1..%d" % count)


if __name__ == "__main__":
    main()
