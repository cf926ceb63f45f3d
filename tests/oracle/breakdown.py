#!/usr/bin/env python3
"""What tr-breakdown says of Kineto traces, by brute force: usage: breakdown.py [--by VIEW] FILE..."""
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


def gaps_of(work, threshold):
    """{cause: [ns]} of the work of one stream."""
    found = {cause: [] for cause in ("host_wait", "kernel_wait", "other")}
    work = sorted(work, key=lambda w: w.order)
    for i in range(1, len(work)):
        end = max(w.end for w in work[:i])
        gap = max(0, work[i].start - end)
        late = work[i].launch is not None and work[i].launch > end
        found["host_wait" if late else "kernel_wait" if gap < threshold else "other"].append(gap)
    return found


def by_idle(o):
    per, rows = o.per or "stream", []
    for key, work in k.groups(o, per):
        if not work:
            continue
        total = {}
        streams = {}
        for w in work:
            streams.setdefault((w.rank, w.device, w.stream), []).append(w)
        for stream in streams.values():
            for cause, gaps in gaps_of(stream, k.ns(o.threshold[:-2])).items():
                total.setdefault(cause, []).extend(gaps)
        whole = sum(map(sum, total.values()))
        for cause, gaps in total.items():
            rows.append([*key, cause, k.us(sum(gaps)), k.pct(sum(gaps), whole), len(gaps), k.mean(gaps), k.std(gaps),
                         k.us(min(gaps)) if gaps else "", *(k.quantile(gaps, p) for p in (25, 50, 75)),
                         k.us(max(gaps)) if gaps else "", 0])
    names = "idle_us pct count mean_us std_us min_us p25_us p50_us p75_us max_us approx"
    return [*k.KEYS[per], "cause", *names.split()], rows


def limited(names, top, ratio):
    """[(name or None, [ns])], largest sum first, what the limits leave out as one entry at the end."""
    names = sorted(names.items(), key=lambda x: (-sum(x[1]), x[0].encode("utf-8", "surrogatepass")))
    whole, so_far, rows = sum(sum(v) for _, v in names), 0, []
    for i, (name, values) in enumerate(names):
        if (ratio < 1 and i and so_far >= ratio * whole) or (top and i >= top):
            rest = names[i:]
            return rows + [(None, [v for _, values in rest for v in values], len(rest))]
        rows.append((name, values, 1))
        so_far += sum(values)
    return rows


def stats(name, values, n):
    return [name or ("others" if name is None else ""), len(values), k.us(sum(values)), k.mean(values), k.std(values),
            k.us(min(values)), k.quantile(values, 50), k.quantile(values, 99), k.us(max(values)), n, 0]


def by_kernel(o):
    per, rows = o.per or "rank", []
    for key, work in k.groups(o, per):
        for kind in ("compute", "comm", "memory", "other"):
            names = {}
            for w in work:
                if w.kind == kind and w.timed:
                    names.setdefault(w.name, []).append(w.end - w.start)
            whole = sum(map(sum, names.values()))
            for name, values, n in limited(names, o.top, o.ratio):
                row = stats(name, values, n)
                rows.append([*key, kind, *row[:3], k.pct(sum(values), whole), *row[3:]])
    columns = "kind name count sum_us pct mean_us std_us min_us p50_us p99_us max_us names approx".split()
    return [*k.KEYS[per], *columns], rows


def marked(trace, side):
    return [(name, dur) for _, dur, name in k.annotations(trace, side)]


def covered(path, i, trace, o):
    """(name of the shortest device annotation at its start, duration) of all work."""
    over = {}
    for n, (ts, dur, cat, name, e) in enumerate(k.spans(trace)):
        if cat == "gpu_user_annotation" and k.ns(e.get("dur")):
            args = k.args_of(e)
            where = k.number(args.get("device"), k.number(e.get("pid"), None)), k.number(
                args.get("stream"), k.number(e.get("tid"), None))
            over.setdefault(where, []).append((dur, -ts, -n, name))
    for w in k.read(path, i, o)[1]:
        at = [a for a in over.get((w.device, w.stream), []) if -a[1] <= w.start < -a[1] + a[0]]
        if w.timed:
            yield min(at)[3] if at else "", w.end - w.start


def by_annotation(o):
    """Without selections that follow launches: only --side."""
    ranks, rows = {}, []
    for i, path in enumerate(o.files):
        trace = k.load(path)
        rank = k.number((trace.get("distributedInfo") or {}).get("rank"), i)
        names = ranks.setdefault(rank, {})
        for name, dur in covered(path, i, trace, o) if o.side == "work" else marked(trace, o.side):
            names.setdefault(name, []).append(dur)
    for rank, names in sorted(ranks.items()):
        rows += [[rank, *stats(*entry)] for entry in limited(names, o.top, o.ratio)]
    return ["rank", *"name count sum_us mean_us std_us min_us p50_us p99_us max_us names approx".split()], rows


VIEWS = {"time": by_time, "type": by_type, "idle": by_idle, "kernel": by_kernel, "annotation": by_annotation}


def table(o):
    return VIEWS[o.by](o)


if __name__ == "__main__":
    k.show(*table(k.options(__doc__, tuple(VIEWS))))
