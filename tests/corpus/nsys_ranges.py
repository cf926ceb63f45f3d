#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Projections of ranges of NVTX on devices, from the listing of nsys_list.sh.

An op counts for a range if its call lies in the range, on the same thread, ends included.  A projection is from the first
start to the last end of the ops of a range; operators count by their names alone.
"""
import bisect
import collections
import sys

lines = sys.stdin.read().split("\n")
head = lines[0].split("\t")
rows = [dict(zip(head, line.split("\t"))) for line in lines[1:] if line]
threads = {r["record"]: (r["pid"], r["tid"]) for r in rows}
calls = collections.defaultdict(list)  # by thread: start and end of the call, start and end of its work
for r in rows:
    if r["activity"] in ("kernel", "memcpy", "memset") and r["launch_ts_ns"]:
        start = int(r["launch_ts_ns"])
        calls[threads[r["launch_record"]]].append((start, start + int(r["launch_dur_ns"] or 0), int(r["ts_ns"]), int(r["end_ns"])))
for found in calls.values():
    found.sort()
sums = {}
for r in rows:
    if r["activity"] not in ("annotation", "cpu_op") or r["phase"] != "span" or not r["dur_ns"]:
        continue
    start, end = int(r["ts_ns"]), int(r["end_ns"])
    of = calls.get((r["pid"], r["tid"]), [])
    ops = []
    for call in of[bisect.bisect_left(of, (start,)):]:
        if call[0] > end:
            break
        if call[1] <= end:
            ops.append(call[2:])
    if ops:
        s = sums.setdefault(("PushPop", r["args.domain_id"] or "0", r["args.domain"], r["name"]), [0, 0, 0, 0, 0, None, 0])
        projected = max(op[1] for op in ops) - min(op[0] for op in ops)
        s[0] += 1
        s[1] += projected
        s[2] += end - start
        s[3] += len(ops)
        s[4] += sum(op[1] - op[0] for op in ops)
        s[5] = projected if s[5] is None else min(s[5], projected)
        s[6] = max(s[6], projected)
print("\t".join(("style", "domain", "domain_name", "name", "ranges", "proj_total", "range_total", "gpu_ops", "gpu_op_time", "proj_min",
                 "proj_max")))
for key, s in sums.items():
    print("\t".join(map(str, key + tuple(s))))
