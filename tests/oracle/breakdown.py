#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What tr-breakdown says of Kineto traces, by brute force: usage: breakdown.py [--by VIEW] FILE..."""
import re
import sys

sys.dont_write_bytecode = True  # the source tree may be read-only
import calls
import kineto as k
import steps


def by_time(o):
    """The columns and the rows."""
    per = o.per or "rank"
    times = ("span busy idle compute comm memory exposed_comm exposed_memory other non_compute").split()
    rows = []
    for key, work, ends in k.stretched(o, per):
        on = k.active(work, ends)
        span = sum(on.values())
        t = lambda test: sum(ns for kinds, ns in on.items() if test(kinds))
        compute, busy = t(lambda s: "compute" in s), t(bool)
        values = [span, busy, span - busy, compute, t(lambda s: "comm" in s), t(lambda s: "memory" in s),
                  t(lambda s: "comm" in s and "compute" not in s),
                  t(lambda s: "memory" in s and not s & {"compute", "comm"}),
                  t(lambda s: s == {"other"}), busy - compute]
        rows.append([*key, *map(k.us, values)] + [k.pct(values[i], span) for i in (2, 3, 9)])
    return [*k.KEYS[per], *(n + "_us" for n in times), "idle_pct", "compute_pct", "non_compute_pct"], rows


def by_timeline(o):
    """Every stretch between two ends of work belongs to one part; short stretches of nothing are told apart."""
    per, rows, micro = o.per or "rank", [], k.ns(o.micro_idle[:-2])
    for key, work, ends in k.stretched(o, per):
        for w in work:
            w.kind = "compute" if o.memset == "compute" and "memset" in w.cat else w.kind
        edges = sorted({t for w in work for t in (w.start, w.end)} | set(ends) - {None})
        parts = dict.fromkeys(("computation", "exposed_comm", "exposed_memory", "other", "micro_idle", "macro_idle", "total",
                               "busy", "total_comm", "total_memory"), 0)
        for start, end in zip(edges, edges[1:]):
            on = {w.kind for w in work if w.start < end and w.end > start}
            part = ("computation" if "compute" in on else "exposed_comm" if "comm" in on else
                    "exposed_memory" if "memory" in on else "other" if on else
                    "micro_idle" if end - start < micro else "macro_idle")
            for name in (part, "total", *(["busy"] if on else []), *("total_" + n for n in ("comm", "memory") if n in on)):
                parts[name] += end - start
        if not micro:
            del parts["micro_idle"]
        rows += [[*key, "idle" if n == "macro_idle" and not micro else n, k.us(t), k.pct(t, parts["total"])] for n, t in parts.items()]
    return [*k.KEYS[per], "type", "time_us", "pct"], rows


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


def by_stream_idle(o):
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


CAUSES = ("host_busy", "host_blocked", "data_loading", "collective_wait", "launch_overhead", "device_overhead",
          "dependency", "unknown", "edge")


def doing(span):
    """What a host span says about its thread; None: nothing."""
    loads = "DataLoader" in span.name or "dataloader" in span.name
    if span.activity == "python":
        return "data_loading" if loads else None
    if loads:
        return "data_loading"
    if re.match("gloo:|c10d::gloo|mpi:|MPI_", span.name):
        return "collective_wait"
    waits = "Synchronize" in span.name or re.match("urQueueFinish|urEventWait|piQueueFinish|piEventsWait|clFinish$|clWaitForEvents$",
                                                   span.name)
    blocks = waits and span.activity in ("runtime_api", "driver_api")
    return "host_blocked" if blocks else None


def at_moment(open_):
    """(cause, name, is it a step or a frame) by the spans of a thread that are open, in canonical order."""
    said = [doing(s) for s in open_ if doing(s)]
    frame = lambda s: s.activity == "python" or (s.activity == "annotation" and s.name.startswith("ProfilerStep#"))
    inner, frames = [s.name for s in open_ if not frame(s)], [s.name for s in open_ if frame(s)]
    return said[-1] if said else "host_busy", inner[-1] if inner else frames[-1] if frames else None, not inner


def gap_parts(gap, threshold, spans, piece=None):
    """{cause: (ns, during)} of a gap, or of a piece of it; spans: all of the file."""
    start, end, work = gap
    low, high = piece or (start, end)
    call = next((s for s in spans if s.host and s.record == work.launch_record), None)
    if call is None:
        return {"unknown": (high - low, None)}
    cut = lambda t, low: min(max(t, low), end)
    begun = cut(work.launch, start)
    done = cut(work.launch + (work.launch_dur or 0), begun)
    thread = [(s, s.ts + s.dur) for s in spans if s.host and s.thread == call.thread and s.ts < end and s.dur > 0]
    edges = {low, high, begun, done, *(t for s, to in thread for t in (s.ts, to))}
    edges = sorted(t for t in edges if low <= t <= high)
    time = {}
    for a, b in zip(edges, edges[1:]):
        cause, name, frame = at_moment([s for s, to in thread if s.ts <= a < to])
        if a >= begun:
            late = "device_overhead" if end - done < threshold else "dependency"
            cause = "launch_overhead" if a < done else late
        names = time.setdefault(cause, {})
        names[name, frame] = names.get((name, frame), 0) + b - a
    parts = {}
    for cause, names in time.items():
        best = min(names, key=lambda n: (n[1], n[0] is None, -names[n], k.tsv_key(n[0] or "")))
        parts[cause] = (sum(names.values()), best[0])
    return parts


def waits(gap, spans, piece):
    """The waits for the device of the launching thread in a piece of a gap: [(since when, until when)]."""
    start, end, work = gap
    low, high = piece
    call = next((s for s in spans if s.host and s.record == work.launch_record), None)
    if call is None:
        return []
    high = min(max(work.launch, low), high)
    thread = [(s, s.ts + s.dur) for s in spans if s.host and s.thread == call.thread and s.ts < end and s.dur > 0]
    edges = sorted({low, high, *(t for s, to in thread for t in (s.ts, to))})
    state, found = None, []
    for a, b in zip(edges, edges[1:]):
        now = [s for s, to in thread if s.ts <= a < to]
        frame = [s for s in now if s.activity == "python" or (s.activity == "annotation" and s.name.startswith("ProfilerStep#"))]
        inner = [s for s in now if s not in frame]
        key = at_moment(now)[0], inner[-1].name if inner else None, frame[-1].name if frame else None
        since, state = (since, state) if key == state else (a, key)
        if low <= a and b <= high and key[0] == "host_blocked":
            found.append((since, b))
    return found


def drained(gaps, spans, cuts):
    """{start of a gap: what of it the host would have avoided, had it not waited before}."""
    ahead, counted, ended, felt = 0, None, None, {}
    cuts = sorted(cuts)
    after = lambda t: sum(c <= t for c in cuts)
    for start, length, parts, _, _, gap in gaps:
        if ahead and after(start) >= after(ended) + 3:
            ahead = 0
        for since, until in waits(gap, spans, (start, start + length)) if gap else []:
            ahead += until - (since if counted is None else max(since, counted))
            counted, ended = until, start + length
        ns = sum(part[0] for cause, part in parts.items() if cause not in ("data_loading", "collective_wait", "unknown", "edge"))
        felt[start] = min(ns, ahead)
        ahead -= felt[start]
    return felt


def all_gaps(o, per, cuts={}):
    """(key, [(start, length, {cause: (ns, during)}, before, after, the gap that it is a piece of)]) of each group.

    cuts: by rank, times that cut gaps in two; the first of them begins a gap before the first work.
    """
    files = {}
    for i, path in enumerate(o.files):
        spans = calls.load(path, i)
        for rank in {s.rank for s in spans}:
            files[rank] = spans
    for key, work, (first, last) in k.stretched(o, per):
        gaps, end, before = [], None, None
        edge = lambda start, end, before: (start, end - start, {"edge": (end - start, None)}, before, None, None)
        if first is not None and first < min(w.start for w in work):
            gaps.append(edge(first, min(w.start for w in work), None))
        for w in sorted(work, key=lambda w: w.order):
            marks = sorted(cuts and cuts[key[0]])
            end = marks[0] if marks and end is None and marks[0] < w.start else end
            at = [end, *(t for t in marks if end < t < w.start), w.start] if end is not None and w.start > end else []
            for low, high in zip(at, at[1:]):
                if low < high:
                    parts = gap_parts((end, w.start, w), k.ns(o.threshold[:-2]), files[w.rank], (low, high))
                    gaps.append((low, high - low, parts, before, w.name, (end, w.start, w)))
            if end is None or w.end > end:
                end, before = w.end, w.name
        if last is not None and last > end:
            gaps.append(edge(end, last, before))
        yield key, gaps


def by_idle(o):
    per, rows = o.per or "rank", []
    for key, gaps in all_gaps(o, per):
        found = {}
        for _, _, parts, *_ in gaps:
            for cause, (ns, during) in parts.items():
                found.setdefault((cause, during), []).append(ns)
        whole = sum(gap[1] for gap in gaps)
        order = lambda f: (-sum(f[1]), CAUSES.index(f[0][0]), f[0][1] is not None, k.tsv_key(f[0][1] or ""))
        for (cause, during), v in sorted(found.items(), key=order):
            rows.append([*key, cause, during, k.us(sum(v)), k.pct(sum(v), whole), len(v), k.mean(v), k.quantile(v, 50),
                         k.quantile(v, 99), k.us(max(v)), 0])
    return [*k.KEYS[per], *"cause during idle_us pct gaps mean_us p50_us p99_us max_us approx".split()], rows


def by_cause(o):
    per, rows = o.per or "rank", []
    for key, gaps in all_gaps(o, per):
        found = {}
        for _, _, parts, *_ in gaps:
            for cause, (ns, _) in parts.items():
                found.setdefault(cause, []).append(ns)
        whole = sum(gap[1] for gap in gaps)
        for cause, v in sorted(found.items(), key=lambda f: (-sum(f[1]), CAUSES.index(f[0]))):
            rows.append([*key, cause, k.us(sum(v)), k.pct(sum(v), whole), len(v), k.mean(v), k.quantile(v, 50),
                         k.quantile(v, 99), k.us(max(v)), 0])
    return [*k.KEYS[per], *"cause idle_us pct gaps mean_us p50_us p99_us max_us approx".split()], rows


def by_gap(o):
    per, rows = o.per or "rank", []
    for key, gaps in all_gaps(o, per):
        for start, length, parts, before, after, _ in sorted(gaps, key=lambda g: (-g[1], g[0])):
            cause = max(CAUSES, key=lambda c: parts.get(c, (0,))[0])
            rows.append([*key, k.us(start), k.us(length), cause, k.us(parts[cause][0]), parts[cause][1], before, after])
    return [*k.KEYS[per], *"start_us idle_us cause cause_part_us during before after".split()], rows


ACCOUNT = ("compute", "comm", "memory", "other")  # what is first hides what is later
STEP_HEADER = ["rank", *"""step start_us time_us dur_us between_us lead_us busy_us compute_us exposed_comm_us exposed_memory_us
               other_us idle_us idle_pct cause cause_idle_us during""".split(), *(cause + "_us" for cause in CAUSES), "drained_us"]
STEP_COLUMNS = [c.removesuffix("_us") for c in STEP_HEADER]


def by_step(o):
    """Busy time is measured stretch by stretch; gaps are cut where a step starts or ends on the host.

    With --per all, a step has the row of the rank on which it takes longest.
    """
    rows, found_steps, cuts, slowest, spans = [], {}, {}, {}, {}
    for i, path in enumerate(o.files):
        rank, work = k.read(path, i, o)
        found, _ = steps.timed(path, rank, work)
        found_steps.setdefault(rank, []).extend(found)
        cuts.setdefault(rank, set()).update(t for s in found for t in (s.host_start, s.host_end))
        spans[rank] = calls.load(path, i)
    found = dict(all_gaps(o, "rank", cuts))
    for key, work in k.groups(o, "rank"):
        felt = drained(found.get(key, []), spans[key[0]], [t for s in found_steps[key[0]] for t in (s.host_start, s.host_end)])
        for s in found_steps[key[0]]:
            low, time, why = s.start + s.lead, s.end - s.start, {}
            edges = sorted({low, s.end, *(t for w in work for t in (w.start, w.end) if low < t < s.end)})
            account = dict.fromkeys(ACCOUNT, 0)
            for a, b in zip(edges, edges[1:]):
                kinds = {w.kind for w in work if w.start <= a and b <= w.end}
                if kinds:
                    account[next(kind for kind in ACCOUNT if kind in kinds)] += b - a
            busy = sum(account.values())
            idle = time - s.lead - busy
            for start, length, parts, *_ in found.get(key, []):
                if start >= low and start + length <= s.end:
                    for cause, part in parts.items():
                        why.setdefault(cause, []).append(part)
            sums = {cause: sum(ns for ns, _ in v) for cause, v in why.items()}
            most = max(CAUSES, key=lambda c: sums.get(c, 0)) if any(sums.values()) else None
            during = max(why[most], key=lambda part: part[0])[1] if most else None
            rows.append([*key, s.number, *map(k.us, (s.host_start, time, s.host_end - s.host_start, s.between, s.lead, busy, *account.values(), idle)),
                         k.pct(idle, time), most, k.us(sums.get(most, 0)), during, *(k.us(sums.get(c, 0)) for c in CAUSES[:-1]),
                         k.us(idle - sum(sums.get(c, 0) for c in CAUSES[:-1])),
                         k.us(sum(ns for start, ns in felt.items() if low <= start < s.end))])
            if s.number not in slowest or time > slowest[s.number][0]:
                slowest[s.number] = time, rows[-1]
    if o.per == "all":
        rows = [slowest[number][1] for number in sorted(slowest)]
    return STEP_HEADER, rows


def by_typical(o):
    """The step whose longest time is the lower median; its work, clipped, with the pauses looked at one by one."""
    files, longest, streams, rows = [], {}, {}, []
    for i, path in enumerate(o.files):
        rank, work = k.read(path, i, o)
        found = steps.annotations(path)
        files.append((work, found))
        for s in found:
            longest[s.number] = max(longest.get(s.number, 0), s.host_end - s.host_start)
    number = sorted(longest, key=lambda n: (longest[n], n))[(len(longest) - 1) // 2] if longest else None
    for work, found in files:
        s = next((s for s in found if s.number == number), None)
        for w in sorted(work, key=lambda w: w.order) if s else ():
            a, b = max(w.start, s.host_start) - s.host_start, min(w.end, s.host_end) - s.host_start
            if a < b:
                pieces = streams.setdefault((w.rank, w.device, w.stream), {}).setdefault(w.kind, [])
                pieces.append((a, b, w.name, (s.host_end - s.host_start) // 1000))
    for key, kinds in sorted(streams.items(), key=lambda x: [(v is None, v or 0) for v in x[0]]):
        joined = []
        for kind, pieces in kinds.items():
            runs = []
            for a, b, name, pause in pieces:
                if runs and (a - max(p[1] for p in runs[-1]) < pause or a == runs[-1][0][0]):
                    runs[-1].append((a, b, name))
                else:
                    runs.append([(a, b, name)])
            joined += [(run[0][0], kind, run) for run in runs]
        for start, kind, run in sorted(joined, key=lambda x: (x[0], KINDS.index(x[1]))):
            most = max(b - a for a, b, _ in run)
            rows.append([*key, number, k.us(start), k.us(max(p[1] for p in run) - start), kind, len(run),
                         next(name for a, b, name in run if b - a == most)])
    return [*k.KEYS["stream"], *"step start_us dur_us kind work name".split()], rows


KINDS = (None, "compute", "comm", "memory", "other")


def limited(names, top, ratio):
    """[(name or None, [ns], how many names, their kinds)], largest sum first, what the limits leave out at the end.

    names: {(name, kind): [ns]}.
    """
    names = sorted(names.items(), key=lambda x: (-sum(x[1]), k.tsv_key(x[0][0]), KINDS.index(x[0][1])))
    whole, so_far, rows = sum(sum(v) for _, v in names), 0, []
    for i, ((name, kind), values) in enumerate(names):
        if (ratio < 1 and i and so_far >= ratio * whole) or (top and i >= top):
            rest = names[i:]
            return rows + [(None, [v for _, values in rest for v in values], len(rest), {key[1] for key, _ in rest})]
        rows.append((name, values, 1, {kind}))
        so_far += sum(values)
    return rows


def stats(name, values, n):
    return [name or ("others" if name is None else ""), len(values), k.us(sum(values)), k.mean(values), k.std(values),
            k.us(min(values)), k.quantile(values, 50), k.quantile(values, 99), k.us(max(values)), n, 0]


def by_kernel(o):
    per, rows = o.per or "rank", []
    for key, work in k.groups(o, per):
        names, kinds = {}, {}
        for w in work:
            if w.timed:
                names.setdefault((w.name, w.kind), []).append(w.end - w.start)
                kinds[w.kind] = kinds.get(w.kind, 0) + w.end - w.start
        whole = sum(kinds.values())
        for name, values, n, of in limited(names, o.top, o.ratio):
            row = stats(name, values, n)
            kind = of.pop() if len(of) == 1 else None
            rows.append([*key, kind, *row[:3], k.pct(sum(values), whole), k.pct(sum(values), kinds.get(kind, 0)), *row[3:]])
    columns = "kind name count sum_us pct kind_pct mean_us std_us min_us p50_us p99_us max_us names approx".split()
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
        rows += [[rank, *stats(*entry[:3])] for entry in limited({(n, None): v for n, v in names.items()}, o.top, o.ratio)]
    return ["rank", *"name count sum_us mean_us std_us min_us p50_us p99_us max_us names approx".split()], rows


VIEWS = {"time": by_time, "timeline": by_timeline, "type": by_type, "idle": by_idle, "cause": by_cause, "gap": by_gap, "step": by_step, "typical": by_typical, "stream-idle": by_stream_idle, "kernel": by_kernel, "annotation": by_annotation}


def table(o):
    return VIEWS[o.by](o)


if __name__ == "__main__":
    k.show(*table(k.options(__doc__, tuple(VIEWS))))
