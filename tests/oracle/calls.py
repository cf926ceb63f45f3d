#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Call trees and what operators launch, by brute force: usage: calls.py --by VIEW FILE..., a view of VIEWS.

Every span looks at all earlier spans of its thread for its parent.  Nothing here knows about libcore.
"""
import re
import sys

sys.dont_write_bytecode = True  # the source tree may be read-only
import kineto as k
import steps as steps_of

ACTIVITY = {"cpu_op": "cpu_op", "Operator": "cpu_op", "user_annotation": "annotation", "python_function": "python",
            "kernel": "kernel", "Kernel": "kernel", "mtia_ccp_events": "kernel", "gpu_memcpy": "memcpy",
            "Memcpy": "memcpy", "gpu_memset": "memset", "Memset": "memset", "cuda_sync": "sync",
            "gpu_user_annotation": "device_annotation", "overhead": "overhead"}
WORK = ("kernel", "memcpy", "memset")
FOREVER = 2**62
DEVICE = WORK + ("sync", "device_annotation")


def activity_of(cat, name):
    if cat == "cpu_op" and name == "record_param_comms":
        return "comm_record"
    if cat.lower().endswith(("runtime", "driver")):
        return "driver_api" if cat.lower().endswith("driver") else "runtime_api"
    activity = ACTIVITY.get(cat, "other")
    if activity == "kernel" and re.match("Memset|hipMemset|Memcpy|hipMemcpy|dma", name):
        return "memset" if "Memset" in name else "memcpy"
    return activity


def text_of(value):
    """Half a pair of UTF-16 surrogates is no character."""
    return re.sub("[\ud800-\udfff]", "\ufffd", str(value))


class Span:
    def __init__(self, rank, record, event, has_base):
        ts, dur = k.ns(event.get("ts")), k.ns(event.get("dur")) if "dur" in event else None
        self.rank, self.record, self.event, self.ts = rank, record, event, ts
        self.suspect = dur is not None and not 0 <= dur <= k.WEEK or (ts is not None and ts < 0 and has_base)
        self.order = float("inf") if dur is None else dur if 0 <= dur <= k.WEEK else 0
        self.dur = 0 if self.suspect else FOREVER if dur is None else dur
        self.name, self.cat = text_of(event.get("name", "")), str(event.get("cat", ""))
        self.activity = activity_of(self.cat, self.name)
        self.host = self.activity not in DEVICE
        self.thread = k.thread_of(event)
        self.number = k.args_of(event).get("correlation")
        self.parent, self.children = None, []
        self.end = float("inf") if self.dur == FOREVER else (ts or 0) + self.dur

    def depth(self):
        return 0 if self.parent is None else self.parent.depth() + 1

    def height(self):
        return 0 if not self.host else 1 + max([c.height() for c in self.children], default=0)

    def below(self):
        """Itself and all that lies below it."""
        return [self] + [s for c in self.children for s in c.below()]

    def work(self):
        return [s for s in self.below() if s.activity in WORK]

    def length(self):
        return 0 if self.dur == FOREVER else self.dur

    def alone(self):
        """Time in which no child on its thread runs, looked at stretch by stretch."""
        mine = [(max(c.ts, self.ts), min(c.ts + c.dur, self.ts + self.dur)) for c in self.children if c.host]
        edges = sorted({self.ts, self.ts + self.dur, *(t for m in mine for t in m)})
        return sum(b - a for a, b in zip(edges, edges[1:]) if not any(x <= a and b <= y for x, y in mine))

    def ancestors(self):
        return [] if self.parent is None else [self.parent] + self.parent.ancestors()


def covers(outer, span):
    """Is span inside outer, which comes before it?  1 ns too long is allowed."""
    open_ = outer.end > span.ts or (outer.end == span.ts and span.end == span.ts)
    return outer.dur > 0 and outer.ts <= span.ts and open_ and outer.end + 1 >= span.end


@k.once
def load(path, rank):
    trace = k.load(path)
    rank = k.number((trace.get("distributedInfo") or {}).get("rank"), rank)
    base = bool(trace.get("baseTimeNanoseconds"))
    spans = [Span(rank, i, e, base) for i, e in k.complete(trace.get("traceEvents", []))]
    spans = sorted((s for s in spans if s.ts is not None), key=lambda s: (s.ts, -s.order, s.record))
    launches = {}
    for i, s in enumerate(spans):
        if not s.host:
            continue
        outer = [p for p in spans[:i] if p.host and p.thread == s.thread and covers(p, s)]
        if outer:
            s.parent = outer[-1]
            s.end = min(s.end, outer[-1].end)
            outer[-1].children.append(s)
        if s.activity in ("runtime_api", "driver_api") and s.number is not None:
            inner = lambda s: k.inner(s.ts, s.length(), s.record)
            launches[s.number] = max(launches.get(s.number, s), s, key=inner)
    for s in spans:
        if not s.host and s.activity != "device_annotation" and s.number in launches:
            s.parent = launches[s.number]
            s.parent.children.append(s)
            s.suspect |= s.activity in WORK and s.ts == 0 and s.dur == 0  # linked work without times
    return spans


def all_spans(o):
    return [s for i, path in enumerate(o.files) for s in load(path, i)]


def by_tree(o):
    rows = []
    for s in sorted(all_spans(o), key=lambda s: (s.ts, -s.order, s.rank, s.record)):
        work = s.work()
        first, last = min([w.ts for w in work], default=0), max([w.ts + w.length() for w in work], default=0)
        rows.append([s.rank, s.record, s.parent.record if s.parent else "",
                     s.depth() if s.host or s.parent else "", s.height(), s.activity, s.name, k.us(s.ts),
                     k.us(s.dur) if s.dur < FOREVER else "", k.us(s.alone()) if s.host and s.dur < FOREVER else "", len(work), k.us(sum(w.length() for w in work)), k.us(last - first),
                     k.us(first) if work else "", k.us(last) if work else ""])
    return ("rank record parent depth height activity name start_us dur_us self_us kernels kernel_sum_us "
            "kernel_span_us first_kernel_us last_kernel_us").split(), rows


def calls(o, owner, kinds):
    """{(rank, name): {sequence: [(call, work)]}} for the calls that own work, in the order of start."""
    found = {}
    for s in all_spans(o):
        if s.activity in kinds and s.parent and not s.suspect and owner(s):
            found.setdefault(owner(s), []).append(s)
    return found


def key(text):
    return text.encode("utf-8", "surrogatepass")


def rows_of(found, in_order, least):
    groups = {}
    for call, work in found.items():
        work = sorted(work, key=in_order)
        if len(work) >= least:
            groups.setdefault((call.rank, call.name, tuple(w.name for w in work)), []).append((call, work))
    return sorted(groups.items(), key=lambda g: (g[0][0], -len(g[1]), key(g[0][1]), [key(n) for n in g[0][2]]))


def by_sequence(o):
    def owner(s):
        return next((a for a in s.ancestors() if a.activity in ("cpu_op", "comm_record")), None)

    rows = []
    launch_order = lambda w: (w.parent.ts, -w.parent.order, w.parent.record, w.ts, -w.order, w.record)
    for (rank, name, sequence), mine in rows_of(calls(o, owner, ("kernel",)), launch_order, 1):
        rows.append([rank, name, " -> ".join(sequence), len(mine), k.mean([w[0].parent.ts - c.ts for c, w in mine]),
                     k.mean([w[0].ts - w[0].parent.ts for c, w in mine]), sum(len(w) for c, w in mine),
                     k.us(sum(x.length() for c, w in mine for x in w)), k.us(sum(c.length() for c, w in mine))])
    return ("rank name kernel_sequence count to_launch_mean_us launch_to_start_mean_us kernels kernel_sum_us "
            "operator_sum_us").split(), rows


def union(work):
    """Length of the union of intervals, stretch by stretch."""
    mine = [(w.ts, w.ts + w.length()) for w in work]
    edges = sorted({t for m in mine for t in m})
    return sum(b - a for a, b in zip(edges, edges[1:]) if any(x <= a and b <= y for x, y in mine))


PHASES = ["", "prefill", "decode", "mixed", "diffusion", "forward", "backward", "optimizer"]


def phase_of(s, steps):
    """The phase of a training step: what the outermost span says, else forward in a step."""
    for a in s.ancestors()[::-1] + [s]:
        if a.name.startswith("Optimizer."):
            return "optimizer"
        if "## backward ##" in a.name or "autograd::" in a.name:
            return "backward"
    own = steps_of.candidates([p for p in steps if p.rank == s.rank], s.thread)
    return "forward" if any(p.ts <= s.ts < p.ts + p.length() for p in own) else ""


def by_operator_phase(o):
    steps = [s for s in all_spans(o) if s.activity == "annotation" and not s.suspect and s.dur != FOREVER and
             re.match(r"ProfilerStep#\d+$", s.name)]
    head, rows = by_operator(o, lambda s: (s.name, phase_of(s, steps)), 1)
    return head[:2] + ["step_phase"] + head[2:], rows


def by_operator(o, key_of=lambda s: (s.name,), more=0):
    """What operators cost; work without one has a row of its own."""
    is_op = lambda s: s.activity in ("cpu_op", "comm_record")
    outer = lambda s: next((a for a in s.ancestors() if is_op(a)), None)
    ranks, rows = {}, []
    for s in all_spans(o):
        names = ranks.setdefault(s.rank, {})
        if is_op(s):
            names.setdefault(key_of(s), []).append(s)
        elif s.activity in WORK and not s.suspect and not outer(s):
            names.setdefault(None, []).append(s)
    for rank, names in sorted(ranks.items()):
        mine = []
        for name, spans in names.items():
            if name is None:
                sums = sum(s.length() for s in spans)
                mine.append([("(none)",) + ("",) * more, "", "", "", sums, sums, len(spans), "", ""])
                continue
            used = [s for s in spans if not s.suspect]
            first = [s for s in spans if not any(is_op(a) and key_of(a) == name for a in s.ancestors())]
            length = lambda s: 0 if s.dur == FOREVER else s.end - s.ts
            work = lambda s: [w for w in s.work() if not w.suspect]
            own = lambda s: [w for w in work(s) if outer(w) is s]
            if not used and not any(work(s) for s in spans):  # with impossible times only, it takes no part
                continue
            alone = 0
            for s in used:
                inside = [c for c in s.below() if is_op(c) and outer(c) is s and c.dur != FOREVER]
                covered = [(c.ts, min(c.end, s.end)) for c in inside]
                edges = sorted({t for c in covered for t in c})
                alone += length(s) - (0 if s.dur == FOREVER else sum(
                    b - a for a, b in zip(edges, edges[1:]) if any(x <= a and b <= y for x, y in covered)))
            mine.append([name, len(used), alone, sum(length(s) for s in first if not s.suspect),
                         sum(w.length() for s in spans for w in own(s)), sum(w.length() for s in first for w in work(s)),
                         sum(len(own(s)) for s in spans), sum(union(own(s)) for s in spans),
                         sum(union(work(s)) for s in first)])
        whole = sum(r[4] for r in mine)
        us = lambda t: k.us(t) if t != "" else ""
        for r in sorted(mine, key=lambda r: (-r[4], -(r[2] or 0), key(r[0][0]), *[PHASES.index(p) for p in r[0][1:]])):
            rows.append([rank, *r[0], r[1], us(r[2]), us(r[3]), us(r[4]), us(r[5]), k.pct(r[4], whole), r[6], us(r[7]), us(r[8])])
    return ("rank name calls host_self_us host_us device_self_us device_us pct kernels device_self_busy_us "
            "device_busy_us").split(), rows


def modules_of(s):
    """The modules around a call, outermost first, with their numbers: of Python frames, and names as layers.0.mlp."""
    path = []
    for a in s.ancestors()[::-1]:
        if a.activity == "python" and a.name.startswith("nn.Module: ") and len(a.name) > 11:
            path = path + [a.name[11:]]
        elif a.activity == "annotation" and re.fullmatch(r"\w+(\.\w+)+", a.name, re.A) and \
                re.search(r"\.\d+(\.|$)", a.name) and re.search(r"(^|\.)(?!\d+(\.|$))", a.name):
            path = re.split(r"\.(?!\d+(?:\.|$))", a.name)
    return tuple(path)


def by_module_tree(o):
    """Each module, with the modules of one kind at one place of the tree as one row."""
    is_op = lambda s: s.activity in ("cpu_op", "comm_record")
    fold = lambda part: re.sub(r"(?<=.)_\d+$", "", re.sub(r"(?<=.)\.\d+$", ".*", part))
    host, device, seen, ranks = {}, {}, {}, set()
    for s in all_spans(o):
        call = s if is_op(s) else next((a for a in s.ancestors() if is_op(a)), None)
        if s.suspect or not (is_op(s) or s.activity in WORK):
            continue
        path = modules_of(call) if call else ()
        row = (s.rank, tuple(map(fold, path)))
        ranks.add(s.rank)
        host.setdefault(row, 0)
        for n in range(len(path)):
            seen.setdefault((s.rank, row[1][:n + 1]), set()).add(path[:n + 1])
        if is_op(s):
            inside = [c for c in s.below() if is_op(c) and c is not s and c.dur != FOREVER and
                      next(a for a in c.ancestors() if is_op(a)) is s]
            covered = [(c.ts, min(c.end, s.end)) for c in inside]
            edges = sorted({t for c in covered for t in c})
            length = 0 if s.dur == FOREVER else s.end - s.ts
            host[row] += length - (0 if s.dur == FOREVER else sum(
                b - a for a, b in zip(edges, edges[1:]) if any(x <= a and b <= y for x, y in covered)))
        else:
            device[row] = device.get(row, 0) + s.length()
    rows = []
    for rank in sorted(ranks):
        mine = [(path, host.get((rank, path), 0), device.get((rank, path), 0),
                 sum(t for (r, p), t in device.items() if r == rank and p[:len(path)] == path), len(them))
                for (r, path), them in seen.items() if r == rank]
        cost = {m[0]: m[3] for m in mine}
        if (rank, ()) in host:
            own = device.get((rank, ()), 0)
            mine.append((("(outside modules)",), host[rank, ()], own, own, 0))
            cost["(outside modules)",] = own
        whole = sum(t for (r, p), t in device.items() if r == rank)
        order = lambda m: [(-cost[m[0][:n + 1]], [key(p) for p in m[0][:n + 1]]) for n in range(len(m[0]))]
        rows += [[rank, " > ".join(m[0]), len(m[0]) - 1, m[4], k.us(m[1]), k.us(m[2]), k.us(m[3]), k.pct(m[2], whole)]
                 for m in sorted(mine, key=order)]
    return "rank module depth instances host_self_us device_self_us device_us pct".split(), rows


def by_position(o):
    """The work of each operator, by its place in the call, its name and its stream."""
    is_op = lambda s: s.activity in ("cpu_op", "comm_record")
    places, found, whole = {}, {}, {}
    for s in sorted((s for s in all_spans(o) if s.activity in WORK and not s.suspect),
                    key=lambda s: (s.ts, -s.order, s.rank, s.record)):
        call = next((a for a in s.ancestors() if is_op(a)), None)
        place = places[call] = places.get(call, 0) + 1
        stream = k.number(k.args_of(s.event).get("stream"), k.number(s.event.get("tid"), None))
        row = s.rank, call.name if call else "(none)", s.name, place if call else float("inf"), stream
        found.setdefault(row, []).append(s.length())
        whole[s.rank] = whole.get(s.rank, 0) + s.length()
    rows = []
    for (rank, name, kernel, place, stream), times in sorted(
            found.items(), key=lambda f: (f[0][0], -sum(f[1]), key(f[0][1]), key(f[0][2]), f[0][3], f[0][4])):
        rows.append([rank, name, kernel, stream, place if place < float("inf") else "", len(times), k.us(sum(times)),
                     k.pct(sum(times), whole[rank]), k.mean(times), k.std(times), k.us(min(times)),
                     k.quantile(times, 50), k.us(max(times))])
    return "rank name kernel stream position count sum_us pct mean_us std_us min_us p50_us max_us".split(), rows


def first_rows(rows, top):
    """Of each rank the first rows, and one for the others; the lengths of several patterns are no length."""
    out = []
    for rank in sorted({r[0] for r in rows}):
        mine = [r for r in rows if r[0] == rank]
        rest = mine[top:] if top else []
        out += mine[:len(mine) - len(rest)]
        if rest:
            out.append([rank, "others"] + [sum(r[i] for r in rest) for i in (2, 3, 4)] + [""])
    return out


def by_patterns(o):
    def owner(s):
        return next((a for a in reversed(s.ancestors()) if re.search(o.op, a.name)), None)

    rows = []
    start_order = lambda w: (w.ts, -w.order, w.record)
    for (rank, name, sequence), mine in rows_of(calls(o, owner, WORK), start_order, o.length):
        rows.append([rank, "|".join((name,) + sequence), len(mine), sum(x.length() for c, w in mine for x in w),
                     sum(c.length() for c, w in mine), len(sequence)])
    rows = [r[:3] + [k.us(r[3]), k.us(r[4]), r[5]] for r in first_rows(rows, o.top)]
    return "rank pattern count gpu_us cpu_us length".split(), rows


VIEWS = {"tree": by_tree, "operator": by_operator,
         "operator,step_phase": by_operator_phase, "module,tree": by_module_tree,
         "operator,position": by_position, "sequence": by_sequence, "patterns": by_patterns}


def table(o):
    return VIEWS[o.by](o)


if __name__ == "__main__":
    k.show(*table(k.options(__doc__, tuple(VIEWS))))
