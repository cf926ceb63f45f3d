#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What tr-util says of Kineto traces, by brute force: usage: util.py --by VIEW [--bin TIME] FILE..."""
import sys

sys.dont_write_bytecode = True  # the source tree may be read-only
import breakdown
import calls
import kineto as k
import steps


@k.once
def first_of(path):
    """(time base, first time of an event that is no suspect) of a file."""
    trace = k.load(path)
    base = k.number(trace.get("baseTimeNanoseconds"), 0)
    times = [k.ns(e.get("ts")) for e in trace.get("traceEvents", []) if isinstance(e, dict) and "ts" in e and
             not ("dur" in e and not 0 <= (k.ns(e["dur"]) or 0) <= k.WEEK)]
    times = [t for t in times if t is not None and not (t < 0 and base)]
    return base, min(times, default=0)


def origins(o):
    """{rank: the start of the job, in times of its file}"""
    files = {}
    for i, path in enumerate(o.files):
        files[k.read(path, i, o)[0]] = first_of(path)
    start = min((base + first for base, first in files.values()), default=0)
    return {rank: start - base for rank, (base, _) in files.items()}


def bin_length(o, spans, start):
    """The given one, or the first of 1, 2, 5, 10 ... ns that is more than a part in 150 of the time of all ranks."""
    if o.bin:
        return k.ns(o.bin[:-2])
    whole = max(b - start[r] for r, (a, b) in spans.items()) - min(a - start[r] for r, (a, b) in spans.items())
    return next(m * 10**e for e in range(19) for m in (1, 2, 5) if m * 10**e > whole // 150)


def bins(o):
    """(length of bins, {rank: (span, [(number, start, end)])}), bins cut at the ends of the span."""
    spans, start, found = k.spans_of_ranks(o), origins(o), {}
    spans = {rank: span for rank, span in spans.items() if span[0] < span[1]}
    length = bin_length(o, spans, start) if spans else 1
    for rank, (first, last) in spans.items():
        numbers = range((first - start[rank]) // length, (last - 1 - start[rank]) // length + 1)
        at = lambda n: min(max(start[rank] + n * length, first), last)
        found[rank] = (first, last), [(n, at(n), at(n + 1)) for n in numbers]
    return length, found


def length_in(work, low, high):
    """Of the union of what runs between two times."""
    mine = [(max(w.start, low), min(w.end, high)) for w in work if w.start < high and w.end > low]
    edges = sorted({t for m in mine for t in m})
    return sum(b - a for a, b in zip(edges, edges[1:]) if any(x <= a and b <= y for x, y in mine))


def by_bin(o):
    """These traces have no samples of activity: golden/tr-util/samples.sh has some."""
    per, rows = o.by, []
    length, of = bins(o)
    for key, work in k.groups(o, per):
        for n, low, high in of[key[0]][1] if key[0] in of else ():
            times = [length_in([w for w in work if kind in (None, w.kind)], low, high) for kind in (None, "compute", "comm")]
            rows.append([*key, k.us(n * length), *(k.pct(t, high - low) for t in times), "", "", k.us(high - low), *map(k.us, times)])
    return [*k.KEYS[per], "bin_start_us", "busy_pct", "compute_pct", "comm_pct", "sm_pct", "tensor_pct", "window_us", "busy_us", "compute_us",
            "comm_us"], rows


def by_region(o):
    rows = []
    _, of = bins(o)
    cuts = {rank: {span[0], *(t for _, low, high in found for t in (low, high))} for rank, (span, found) in of.items()}
    cuts = {i: cuts.get(i, set()) for i in {key[0] for key, _ in k.groups(o, "rank")}}
    gaps = dict(breakdown.all_gaps(o, "rank", cuts))
    for key, work in k.groups(o, "rank"):
        low = []  # bins of low use, beside each other in one list
        for n, a, b in of[key[0]][1] if key[0] in of else ():
            busy = length_in(work, a, b)
            if 100 * busy < float(o.below) * (b - a):
                if not low or low[-1][-1][1] != a:
                    low.append([])
                low[-1].append((a, b, busy))
        for stretch in low:
            start, end, busy = stretch[0][0], stretch[-1][1], sum(x[2] for x in stretch)
            sums = dict.fromkeys(breakdown.CAUSES, 0)
            for at, length, parts, *_ in gaps[key]:
                if start <= at and at + length <= end:
                    for cause, (time, _) in parts.items():
                        sums[cause] += time
            cause = max(breakdown.CAUSES, key=lambda c: sums[c])
            rows.append([*key, k.us(start), k.us(end - start), k.pct(busy, end - start), cause, k.us(sums[cause]), k.us(busy)])
    return "rank start_us dur_us busy_pct cause cause_idle_us busy_us".split(), rows


def is_step(name):
    return name.startswith("ProfilerStep#") or steps.engine_step(name)


def by_pace(o):
    found, totals, rows = {}, {}, []
    for i, path in enumerate(o.files):
        rank, work = k.read(path, i, o)
        mine = [(step, w.name, w.end - w.start) for step, w in steps.assigned(path, rank, work) if w.timed]
        for s in calls.load(path, i):
            if s.activity == "annotation" and not s.suspect and s.dur != calls.FOREVER and not is_step(s.name):
                mine.append((steps.of(steps.annotations(path), s.thread, s.ts), s.name, s.dur))
        for step, name, length in mine:
            if step is not None:
                found.setdefault((rank, step.number), {}).setdefault(name, []).append(length)
                totals[name] = totals.get(name, 0) + length
    six = sorted(totals, key=lambda name: (-totals[name], k.tsv_key(name)))[:6]
    for (rank, number), names in sorted(found.items()):
        for name, v in sorted(names.items(), key=lambda n: (-sum(n[1]), k.tsv_key(n[0]))):
            if name in six:
                rows.append([rank, number, name, len(v), k.mean(v), k.us(sum(v)), k.us(min(v)), k.us(max(v))])
    return "rank step name count mean_us sum_us min_us max_us".split(), rows


def by_annotation(o):
    found, rows = {}, []
    for s in calls.all_spans(o):
        work = [w for w in s.work() if not w.suspect]
        if s.activity != "annotation" or (s.suspect and not work):
            continue
        sums, devices = found.setdefault((s.rank, s.name), ([0] * 6, []))
        ends = [t for w in work if w.length() for t in (w.ts, w.ts + w.length())]
        device = max(ends) - min(ends) if ends else 0
        host = 0 if s.suspect or s.dur == calls.FOREVER else s.end - s.ts
        for i, more in enumerate((not s.suspect, host, device, len(work), calls.union(work), host if ends else 0)):
            sums[i] += more
        devices += [device] if ends else []
    for (rank, name), ((count, host, device, n, busy, launching_host), v) in sorted(
            found.items(), key=lambda f: (f[0][0], -f[1][0][2], -f[1][0][1], k.tsv_key(f[0][1]))):
        each = k.five(v)
        rows.append([rank, name, count, k.us(host), k.us(device), k.pct(busy, device), n, k.us(busy), len(v), k.us(launching_host),
                     *each, k.tenth(n, len(v)), 0])
    return ("rank name count host_us device_us busy_pct kernels busy_us launching launching_host_us device_mean_us device_p50_us "
            "device_min_us device_max_us device_std_us kernels_mean approx").split(), rows


VIEWS = {"rank": by_bin, "device": by_bin, "stream": by_bin, "region": by_region, "pace": by_pace,
         "annotation": by_annotation}


def table(o):
    return VIEWS[o.by](o)


if __name__ == "__main__":
    k.show(*table(k.options(__doc__, tuple(VIEWS))))
