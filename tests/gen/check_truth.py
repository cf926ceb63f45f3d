#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check the answers of trgen against the traces, by other means than its own.

usage: check_truth.py DIR...    each with rankN.json and the answers beside it
"""
import glob
import json
import os
import sys
from decimal import Decimal

DEVICE = {"kernel", "gpu_memcpy", "gpu_memset", "mtia_ccp_events"}
WEEK = 7 * 86400 * 10**9


class Odd(Exception):
    """not strict JSON"""


def refuse(word):
    raise Odd(word)


def load(path):
    """The trace, or None where a strict parser refuses it."""
    with open(path, "rb") as f:
        data = f.read()
    try:
        return data, json.loads(data.decode("utf-8"), parse_float=Decimal, parse_int=Decimal, parse_constant=refuse)
    except (Odd, ValueError):
        return data, None


def ns(value):
    return int((Decimal(value) * 1000 + Decimal("0.5")).to_integral_value(rounding="ROUND_FLOOR"))


def union(intervals):
    total, end = 0, None
    for a, b in sorted(intervals):
        if end is None or a > end:
            total, end = total + b - a, b
        elif b > end:
            total, end = total + b - end, b
    return total


def kind(e):
    name = e["name"]
    if e["cat"] in ("gpu_memcpy", "gpu_memset") or name == "dma_request":
        return "memory"
    return "comm" if name.startswith(("nccl", "hccl", "oneccl")) else "compute"


def usable(e, has_base):
    if e.get("ph") != "X" or e.get("cat") not in DEVICE:
        return False
    return (ns(e["ts"]) >= 0 or not has_base) and 0 <= ns(e["dur"]) <= WEEK


def breakdown(events, has_base):
    parts = {"compute": [], "comm": [], "memory": []}
    for e in events:
        if not usable(e, has_base):
            continue
        a = ns(e["ts"])
        parts[kind(e)].append((a, a + ns(e["dur"])))
    every = sum(parts.values(), [])
    busy, compute = union(every), union(parts["compute"])
    both = union(parts["compute"] + parts["comm"])
    span = max(b for _, b in every) - min(a for a, _ in every) if every else 0
    return [span, busy, span - busy, compute, union(parts["comm"]), union(parts["memory"]), both - compute, busy - both]


def links(events, planted):
    """By correlation number; only where no defect blurs it."""
    if planted & {"reused-correlation", "nested-driver", "ts-bad-string", "ts-huge", "ts-missing"}:
        return None
    launch, out = {}, []
    for i, e in enumerate(events):
        if isinstance(e, dict) and e.get("ph") == "X" and str(e.get("cat")).endswith(("_runtime", "_driver")):
            launch[e["args"]["correlation"]] = i
    for i, e in enumerate(events):
        if isinstance(e, dict) and e.get("ph") == "X" and e.get("cat") in DEVICE:
            if e["args"].get("correlation") in launch:
                out.append((launch[e["args"]["correlation"]], i))
    return sorted(out)


def table(path):
    with open(path) as f:
        return [line.rstrip("\n").split("\t") for line in f][1:]


def count(values):
    out = {}
    for v in values:
        out[v] = out.get(v, 0) + 1
    return out


def check_strict(stem, trace, truth, fail):
    events = trace if isinstance(trace, list) else trace["traceEvents"]
    planted = set(truth["planted_counts"])
    lost = {p["element"] for p in truth["planted"] if p["class"] == "lost"}
    good = [e for i, e in enumerate(events) if isinstance(e, dict) and e and i not in lost]
    if len(events) != truth["elements"]:
        fail(f"elements {truth['elements']}, found {len(events)}")
    if len(good) != truth["delivered"]:
        fail(f"delivered {truth['delivered']}, found {len(good)}")
    if count(e["ph"] for e in good) != truth["phases"]:
        fail("phases differ")
    if count(e["cat"] for e in good if "cat" in e) != truth["categories"]:
        fail("categories differ")
    steps = [{"number": int(e["name"].split("#")[1]), "start_ns": ns(e["ts"]), "end_ns": ns(e["ts"]) + ns(e["dur"])}
             for e in good if e.get("cat") == "user_annotation" and e["name"].startswith("ProfilerStep#")]
    key = lambda s: s["number"]
    if sorted(steps, key=key) != sorted(truth["steps"], key=key):
        fail("steps differ")
    found = breakdown(good, isinstance(trace, dict) and "baseTimeNanoseconds" in trace)
    stated = [int(v) for v in table(stem + ".breakdown.tsv")[0][1:]]
    if found != stated:
        fail(f"breakdown stated {stated}, found {found}")
    pairs = links(events, planted)
    if pairs is not None:
        stated = sorted(tuple(map(int, row)) for row in table(stem + ".links.tsv"))
        if stated != pairs:
            fail(f"links: {len(stated)} stated, {len(pairs)} found")
    for p in truth["planted"]:
        if p["class"] in ("tolerated", "suspect") and p["defect"] != "lone-surrogate":
            e = events[p["element"]]
            if ns(e["ts"]) != p["ts_ns"]:
                fail(f"{p['defect']}: ts {e['ts']}, stated {p['ts_ns']}")
            if e.get("dur") is not None and ns(e["dur"]) != p["dur_ns"]:
                fail(f"{p['defect']}: dur {e['dur']}, stated {p['dur_ns']}")
            if e["name"] != p["name"]:
                fail(f"{p['defect']}: name {e['name']!r}")


def check_collectives(stem, truth, fail, ends):
    path = stem + ".collectives.tsv"
    if not os.path.exists(path):
        return
    clock = truth["clock"]
    for step, group, seq, _, start, end, _, shown, _ in table(path):
        start, end = int(start), int(end)
        if ends.setdefault((step, group, seq), end) != end:
            fail(f"collective {seq} of step {step} ends at different times")
        if start >= end:
            fail(f"collective {seq} of step {step} ends before it starts")
        end *= clock["stretch"]
        local = end + clock["offset_ns"] + end * clock["drift_ppb"] // 10**9 + clock["device_skew_ns"]
        ends.setdefault("epoch", int(shown) + truth["base_ns"] - local)
        if abs(int(shown) + truth["base_ns"] - local - ends["epoch"]) >= 2000 + clock["grid_ns"]:
            fail(f"collective {seq} of step {step}: clock is not offset and drift")


def check_rank(path, ends):
    stem = path[:-len(".json")]
    errors = []
    with open(stem + ".truth.json") as f:
        truth = json.load(f)
    data, trace = load(path)
    if len(data) != truth["bytes"]:
        errors.append(f"{truth['bytes']} bytes stated, {len(data)} found")
    if (trace is not None) != truth["strict_json"]:
        errors.append(f"strict_json is {truth['strict_json']}")
    elif trace is not None:
        check_strict(stem, trace, truth, errors.append)
    for p in truth["planted"]:
        at = data[p["offset"]:p["offset"] + 4]
        if p["class"] not in ("file", "skipped") and not at.startswith(b"{"):
            errors.append(f"{p['defect']}: no event at {p['offset']}: {at!r}")
    check_collectives(stem, truth, errors.append, ends)
    for e in errors:
        print(f"{path}: {e}")
    return not errors


def main():
    ok, n = True, 0
    for folder in sys.argv[1:]:
        ends = {}
        for path in sorted(glob.glob(os.path.join(glob.escape(folder), "rank*.json"))):
            if not path.endswith(".truth.json"):
                ok &= check_rank(path, ends)
                n += 1
    print(f"{n} traces checked")
    return 0 if ok and n else 1


if __name__ == "__main__":
    sys.exit(main())
