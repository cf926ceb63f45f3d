#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Traces beside dumps of flight recorders: tr-comm --by joined against a join by a dictionary.

usage: joined.py BIN FIRST_SEED LAST_SEED

Ranks have collectives in groups, of which some have one name and other ranks.  Traces and dumps have different parts of
the run, lose collectives, and list them in any order; some numbers occur twice on one side.
"""
import collections
import csv
import io
import json
import random
import subprocess
import sys

BASE = 1780000000000000000  # ns
CALLS = {"allreduce": ("all_reduce", True), "_allgather_base": ("_all_gather_base", True), "broadcast": ("broadcast", False)}


def make_groups(rng, n):
    """Name and ranks: all; halves and pairs of one name each, so that only the ranks say which group it is."""
    groups = [("0", list(range(n)))]
    groups += [("tp", list(range(i, i + n // 2))) for i in (0, n // 2)]
    return groups + [("dp", [i, i + n // 2]) for i in range(n // 2)]


def make_job(rng, n):
    """Members and entries of each rank; times in us from BASE, of one clock for all."""
    traces, logs = [[] for _ in range(n)], [[] for _ in range(n)]
    names = list(CALLS)
    now, numbers = 1000, collections.Counter()
    first = [rng.randrange(40) for _ in range(2 * n)]
    for step in range(60):
        name, ranks = rng.choice(make_groups(rng, n))
        number = numbers[name, str(ranks)] = numbers[name, str(ranks)] + 1
        op = rng.choice(names)
        end = now + 500
        for r in ranks:
            start = now + rng.randrange(300)
            member = {"group": name, "ranks": ranks, "seq": number, "op": op, "start": start, "dur": end - start}
            entry = dict(member, op=CALLS[op][0], created=start - rng.randrange(1, 90),
                         ms=rng.choice((None, rng.randrange(1, 10 ** 6) / 1e6)), state=rng.choice(("started", "completed")))
            if step >= first[r] and rng.random() < 0.9:
                traces[r] += [member] * (1 + (rng.random() < 0.03))
            if step >= first[n + r] and rng.random() < 0.9:
                logs[r] += [entry] * (1 + (rng.random() < 0.03))
        now = end + rng.randrange(50, 400)
    return traces, logs


def write(rng, traces, logs):
    files = []
    for r, (trace, log) in enumerate(zip(traces, logs)):
        events = [{"ph": "X", "cat": "kernel", "name": "nccl", "pid": 0, "tid": 4, "ts": m["start"],
                   "dur": m["dur"], "args": {
                       "device": 0, "stream": 4, "Collective name": m["op"], "In msg nelems": 4, "Out msg nelems": 4,
                       "dtype": "Float", "Group size": len(m["ranks"]), "Process Group Name": m["group"],
                       "Process Group Ranks": str(m["ranks"]), "Seq": m["seq"]}} for m in trace]
        rng.shuffle(log)
        config = {m["group"]: {"name": m["group"], "desc": "x", "ranks": str(m["ranks"])} for m in log}
        entries = [dict({"process_group": [m["group"], "x"], "collective_seq_id": m["seq"], "is_p2p": False,
                         "profiling_name": "nccl:" + m["op"], "time_created_ns": BASE + 1000 * m["created"], "state": m["state"]},
                        **({"duration_ms": m["ms"]} if m["ms"] is not None else {})) for m in log]
        for name, value in (("rank%d.json", {"baseTimeNanoseconds": BASE, "distributedInfo": {"rank": r}, "traceEvents": events}),
                            ("dump_%d.json", {"pg_config": config, "entries": entries})):
            files.append(name % r)
            with open(name % r, "w", encoding="utf-8") as f:
                json.dump(value, f)
    return files


def expected(traces, logs):
    key = lambda m: (m["group"], str(m["ranks"]), m["seq"])
    all_of = collections.defaultdict(list)
    for trace in traces:
        seen = collections.Counter()
        for m in trace:
            seen[key(m)] += 1
            all_of[key(m), seen[key(m)]].append(m)  # the k-th of a rank is matched with the k-th of others
    found = []
    for r, (trace, log) in enumerate(zip(traces, logs)):
        members, entries = collections.defaultdict(list), collections.defaultdict(list)
        for m in trace:
            members[key(m)].append(m)
        for i, e in enumerate(log):
            entries[key(e)].append((i, e))
        for k, (m, *others) in members.items():
            if others or len(entries[k]) != 1:
                continue
            (i, e), = entries[k]
            peers = all_of[k, 1]
            several = len(peers) > 1
            transfer = min(p["start"] + p["dur"] for p in peers) - max(p["start"] for p in peers)
            found.append((k[0], k[2], r, 1000 * m["dur"], "" if e["ms"] is None else round(e["ms"] * 1e6),
                          1000 * (m["start"] - min(p["start"] for p in peers)) if several else "",
                          1000 * transfer if several and transfer >= 0 else "", 1000 * (m["start"] - e["created"]),
                          e["state"], "nccl:" + e["op"], i, k[1]))
    return sorted(found, key=str)


def main():
    program, first, last = sys.argv[1] + "/tr-comm", int(sys.argv[2]), int(sys.argv[3])
    print("1..%d" % (last - first))
    for seed in range(first, last):
        rng = random.Random(seed)
        traces, logs = make_job(rng, rng.choice((2, 4, 8)))
        files = write(rng, traces, logs)
        out = subprocess.run([program, "-q", "--by", "joined", "--unit", "ns", "-O", "tsv", "--columns",
                              "group,seq,rank,dur,log_dur,lag,transfer,delay,state,call,entry,group_ranks", *files],
                             stdout=subprocess.PIPE, check=True).stdout.decode()
        number = lambda x: int(x) if x.lstrip("-").isdigit() else x
        rows = [tuple([x[0]] + [number(c) for c in x[1:]]) for x in csv.reader(io.StringIO(out), delimiter="\t", quoting=csv.QUOTE_NONE)]
        want, got = expected(traces, logs), sorted(rows[1:], key=str)
        wrong = [w for w in want if w not in got] + [g for g in got if g not in want]
        if len(want) < 5:
            wrong.append("there is nothing to join")
        print("%sok %d - seed %d: %d rows" % ("not " if wrong or len(want) != len(got) else "", seed - first + 1, seed, len(want)))
        for w in wrong[:6]:
            print("#", w)


main()
