#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What tr-overlap says of Kineto traces, by brute force: usage: overlap.py FILE..."""
import sys

sys.dont_write_bytecode = True  # the source tree may be read-only
import kineto as k


def length(intervals):
    """Of their union."""
    total, end = 0, None
    for a, b in sorted(intervals):
        total += max(0, b - max(a, a if end is None else end))
        end = b if end is None else max(end, b)
    return total


def together(work):
    """[(name, other, pairs, time, longest, time of the name, how often)], the longest first."""
    pairs, own, rows = {}, {}, []
    for w in work:
        own.setdefault(w.name, {}).setdefault(w.device, []).append((w.start, w.end))
    for i, w in enumerate(work):
        for v in work[:i]:
            shared = (max(w.start, v.start), min(w.end, v.end))
            if w.device != v.device or w.stream == v.stream or shared[0] >= shared[1]:
                continue
            for key in {(w.name, v.name), (v.name, w.name), (w.name, None), (v.name, None)}:
                pairs.setdefault(key, {}).setdefault(w.device, []).append(shared)
    for (name, other), at in pairs.items():
        every = [s for of in at.values() for s in of]
        rows.append((name, "(any)" if other is None else other, len(every), sum(length(of) for of in at.values()),
                     max(b - a for a, b in every), sum(length(of) for of in own[name].values()),
                     sum(len(of) for of in own[name].values())))
    return sorted(rows, key=lambda r: (-r[3], k.tsv_key(r[0]), k.tsv_key(r[1])))


def table(o):
    """The columns and the rows."""
    if getattr(o, "by", None) == "kernel":
        return (["rank", "name", "other", "pairs", "sum_us", "pct", "max_us", "busy_us", "count"],
                [[*key, name, other, n, k.us(time), k.pct(time, busy), k.us(longest), k.us(busy), count]
                 for key, work in k.groups(o, "rank") for name, other, n, time, longest, busy, count in together(work)])
    per, rows = o.per or "rank", []
    for key, work in k.groups(o, per):
        on = k.active(work)
        t = lambda *kinds: sum(ns for s, ns in on.items() if s.issuperset(kinds))
        comm, both = t("comm"), t("comm", "compute")
        rows.append([*key, k.us(comm), k.us(t("compute")), k.us(t("memory")), k.us(both), k.pct(both, comm),
                     k.us(comm - both)])
    return [*k.KEYS[per], "comm_us", "compute_us", "memory_us", "overlap_us", "overlap_pct",
            "exposed_comm_us"], rows


if __name__ == "__main__":
    k.show(*table(k.options(__doc__)))
