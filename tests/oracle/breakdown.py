#!/usr/bin/env python3
"""What tr-breakdown says of Kineto traces, by brute force: usage: breakdown.py [--by time|type] FILE..."""
import sys

sys.dont_write_bytecode = True  # the source tree may be read-only
import kineto as k


def by_time(o):
    """The columns and the rows."""
    per = o.per or "rank"
    times = ("span busy idle compute comm memory exposed_comm exposed_memory other non_compute").split()
    rows = []
    for key, work in k.groups(o, per):
        on = k.active(work)
        span = sum(on.values())
        t = lambda test: sum(ns for kinds, ns in on.items() if test(kinds))
        compute, busy = t(lambda s: "compute" in s), t(bool)
        values = [span, busy, span - busy, compute, t(lambda s: "comm" in s), t(lambda s: "memory" in s),
                  t(lambda s: "comm" in s and "compute" not in s),
                  t(lambda s: "memory" in s and not s & {"compute", "comm"}),
                  t(lambda s: s == {"other"}), busy - compute]
        rows.append([*key, *map(k.us, values)] + [k.pct(values[i], span) for i in (2, 3, 9)])
    return [*k.KEYS[per], *(n + "_us" for n in times), "idle_pct", "compute_pct", "non_compute_pct"], rows


def by_type(o):
    per, rows, total = o.per or "rank", [], {}
    for key, work in k.groups(o, per):
        mine = total if o.per is None else total.setdefault(key, {})
        for kinds, ns in k.active([w for w in work if w.kind != "other"]).items():
            if kinds:
                name = "+".join(n for n in ("compute", "comm", "memory") if n in kinds)
                mine[name] = mine.get(name, 0) + ns
    for key, sums in [((), total)] if o.per is None else total.items():
        whole = sum(sums.values())
        for name, ns in sorted(sums.items(), key=lambda x: (-x[1], x[0])):
            rows.append([*key, name, k.us(ns), k.pct(ns, whole)])
    return [*(k.KEYS[per] if o.per else ()), "kinds", "sum_us", "pct"], rows


def table(o):
    return by_type(o) if o.by == "type" else by_time(o)


if __name__ == "__main__":
    k.show(*table(k.options(__doc__, ("time", "type"))))
