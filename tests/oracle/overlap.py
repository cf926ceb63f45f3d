#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What tr-overlap says of Kineto traces, by brute force: usage: overlap.py FILE..."""
import sys

sys.dont_write_bytecode = True  # the source tree may be read-only
import kineto as k


def table(o):
    """The columns and the rows."""
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
