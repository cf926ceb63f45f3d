# SPDX-License-Identifier: MIT
"""The graph of tr-critpath by its definition, edge by edge, and its heaviest path by trying all ways.

graph() takes the events of one trace whose times are whole microseconds and whose correlation numbers belong
to one call each; every rule of tr-critpath(1) is a search over all events.  Nothing here knows about libcore.
A node is (rank, record, "start"), (rank, record, "end"), or ("all", n) for the n-th collective.
"""
LOCK = {"cudaHostAlloc", "cudaLaunchKernel", "cudaMemcpyAsync"}
WAITS = {"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventQuery", "cudaEventSynchronize"}
COPIES = {"cudaMemcpy", "cuMemcpyDtoH", "cuMemcpyDtoH_v2", "hipMemcpy", "hipMemcpyDtoH", "hipMemcpyWithStream"}
CALLS = {"cuda_runtime", "cuda_driver"}
HOST = CALLS | {"cpu_op"}
WORK = {"kernel", "gpu_memcpy", "gpu_memset"}
LIMIT = 1500
NEAR, FAR = 10, 100


class Span:
    def __init__(self, rank, record, event):
        args = event.get("args", {})
        self.rank, self.record, self.name, self.cat = rank, record, event["name"], event["cat"]
        self.ts, self.dur = event["ts"], event["dur"]
        self.end = self.ts + self.dur
        self.correlation = args.get("correlation")
        self.thread = (event["pid"], event["tid"])
        self.stream = (args.get("device"), args.get("stream"))
        self.args = args
        self.order = (self.ts, -self.dur, record)
        self.launch = self.parent = None
        self.joined = self.waited = self.told = False
        self.spins = args.get("Collective name") in ("send", "recv")

    start_node = property(lambda s: (s.rank, s.record, "start"))
    end_node = property(lambda s: (s.rank, s.record, "end"))


def window(spans, name, first, last):
    if name is None:
        return float("-inf"), float("inf")
    found = [s for s in spans if s.cat == "user_annotation" and name in s.name][first:last + 1]
    return min(s.ts for s in found), max(s.end for s in found)


class Graph:
    """edges: {(from, to): (kind, weight, payer)}"""
    def __init__(self, rank, events, name=None, first=0, last=0, launch_edges=False, gaps=False, joined=None,
                 suspect=False):
        spans = [Span(rank, i, e) for i, e in enumerate(events) if e["ph"] == "X"]
        spans.sort(key=lambda s: s.order)
        low, high = window(spans, name, first, last)
        self.rank, self.edges, self.gaps, self.launch_edges = rank, {}, gaps, launch_edges
        self.host = [s for s in spans if s.cat in HOST and s.dur > 0 and low <= s.ts <= high]
        self.ranges = [s for s in spans if s.cat == "user_annotation" and s.dur > 0 and low <= s.ts <= high]
        call = {s.correlation: s for s in spans if s.cat in CALLS and s.correlation is not None}
        for s in spans:
            if s.cat in WORK or s.cat == "cuda_sync":
                s.launch = call.get(s.correlation)
        # Times of 0 are those of work that the profiler did not record.
        self.all_work = [s for s in spans if s.cat in WORK and s.launch and (suspect or s.ts or s.dur)]
        loose = [s for s in spans if (gaps or not self.host) and s.cat in WORK and not s.launch and low <= s.ts <= high
                 and (suspect or s.ts or s.dur)]  # what other work waited for, also if its launch is not known
        self.work = sorted([s for s in self.all_work if s.launch in self.host] + loose, key=lambda s: s.order)
        self.bars = [s for s in spans if s.cat == "cuda_sync" and s.launch and low <= s.launch.ts <= high]
        self.records = {s.correlation: s for s in self.host if "EventRecord" in s.name}
        for s in self.work:
            s.joined = s.record in (joined or ())
        self.spans = {s.record: s for s in self.host + self.work + self.ranges}
        self.on_devices()
        self.lock()
        self.threads()
        if gaps and joined is None:
            self.edges.update(first_edges([self], self.edges))

    def add(self, a, b, kind, weight=0, payer=None):
        self.edges[a, b] = (kind, max(0, weight), payer)

    # ---- devices ----

    def leaders(self, stream):
        """Of every launch its first work on the stream, in order of launch."""
        mine = {}
        for s in sorted((s for s in self.all_work if s.stream == stream), key=lambda s: (s.ts, s.record)):
            mine.setdefault(s.launch.record, s)
        return sorted(mine.values(), key=lambda s: (s.launch.ts, s.launch.record))

    def lone(self, s):
        """Was its queue empty but for it when it was launched, and empty when it began?"""
        line = self.leaders(s.stream)
        at_launch = sum((o.launch.ts, o.launch.record) <= (s.launch.ts, s.launch.record) for o in line) - \
            sum(o.ts < s.launch.ts for o in line)
        at_start = sum(o.launch.ts <= s.ts for o in line) - sum((o.ts, o.record) <= (s.ts, s.record) for o in line)
        return at_launch == 1 and at_start == 0

    def recorded(self, bar):
        """The work that a bar waits for: launched last on the stream before the event was recorded."""
        r = self.records.get(bar.args.get("wait_on_cuda_event_record_corr_id"))
        if r is None or r.ts > bar.launch.ts:
            return None
        told = [b for b in self.bars if b.args.get("wait_on_cuda_event_record_corr_id") == r.correlation
                and b.args.get("wait_on_stream", -1) >= 0 and b.launch.ts >= r.ts]
        if bar.args.get("wait_on_stream", -1) < 0 and not told:
            return None
        teller = bar if bar.args.get("wait_on_stream", -1) >= 0 else told[-1]
        stream = (teller.args["device"], teller.args["wait_on_stream"])
        line = [s for s in self.all_work if s.stream == stream and s.launch.ts < r.ts]
        if not line:
            return None
        s = max(line, key=lambda s: (s.launch.ts, s.launch.record, s.ts, s.record))
        return s if s in self.work else None

    def held(self):
        """{record of work: what it must wait for}, by the bars of streams that wait."""
        found = {}
        for bar in self.bars:
            if bar.name != "Stream Wait Event":
                continue
            source = self.recorded(bar)
            later = [s for s in self.leaders(bar.stream) if s.launch.ts > bar.launch.ts
                     and s.launch.thread == bar.launch.thread]
            if source and later and later[0] in self.work and source.stream != bar.stream:
                found.setdefault(later[0].record, []).append(source)
        self.lost = 0
        for s in self.work:
            found.setdefault(s.record, []).extend(w for w in self.named(s) if w.stream != s.stream)
        return found

    def named(self, s):
        """The work that a piece names as what it waited for: the last one of each number, and of these of each stream."""
        last = {}
        for number in s.args.get("event wait ids", []):
            line = [w for w in self.work if w.args.get("event id", w.args["correlation"]) == number and w.order < s.order]
            self.lost += not line
            for w in line[-1:]:
                last[w.stream] = max(last.get(w.stream, w), w, key=lambda w: w.order)
        return last.values()

    def begin(self, s, last, held):
        for h in held:
            self.add(h.end_node, s.start_node, "sync", s.ts - h.end if self.gaps else 0)
        leads = s in self.leaders(s.stream)
        launch = (s.launch.start_node, s.start_node, "launch", s.ts - s.launch.ts) if s.launch else ()
        if self.gaps:
            reason = self.reason(s, [last] if last and last.end <= s.ts else [], held, leads)
            reason = launch if reason is None else reason
        elif self.received(s, last, held):
            reason = self.after(self.received(s, last, held), s, "after")
        elif leads and self.lone(s) and (last is None or last.end < s.launch.ts) and \
                all(h.end < s.launch.ts for h in held):
            reason = launch
        elif last and (not leads or s.ts - last.end < LIMIT) and all(h.end < last.end for h in held):
            reason = (last.end_node, s.start_node, "queue", s.ts - last.end, last.record)
        else:
            reason = ()
        if reason:
            self.add(*reason)
        if self.launch_edges and launch and reason != launch:
            self.add(s.launch.start_node, s.start_node, "launch")

    def ended(self, s, until):
        """The other work of the device that ended last until then."""
        ended = [w for w in self.work if w.stream[0] == s.stream[0] and (w.end, w.order) < (until, s.order)]
        return max(ended, key=lambda w: (w.end, w.order), default=None)

    def received(self, s, last, held):
        """The send or receive that has just ended, after all that the work is known to wait for."""
        w = self.ended(s, s.ts)
        known = max([w.end for w in held + ([last] if last else [])] + [s.launch.ts])
        return w if w and w.spins and not w.joined and known < w.end and s.ts - w.end <= FAR else None

    def reason(self, s, last, held, leads):
        """Why work without lost time starts when it does: an edge, () if held work says it all, None: its launch."""
        known = max([w.end for w in held + last] + [s.launch.ts for s in [s][:leads]], default=float("-inf"))
        other = self.ended(s, s.ts)
        if other and other.end > known and s.ts - known > NEAR:
            only = self.inferred(s, known, leads)
            return self.after(only, s, "inferred") if only else self.after(other, s, "after")
        if not last + held or leads and all(w.end < s.launch.ts for w in held + last):
            return None
        return self.after(last[0], s, "queue") if last and all(h.end < last[0].end for h in held) else ()

    def inferred(self, s, known, leads):
        """The work of the one launch on another stream for which a call may have made it wait, by what was recorded
        before that call; None: there is none, or there are several."""
        def launches(stream):
            return [w.launch.ts for w in self.all_work if w.stream == stream]
        if not leads:
            return None
        shown = {b.launch.record for b in self.bars}
        since = max((t for t in launches(s.stream) if t < s.launch.ts), default=float("-inf"))
        calls = [c.ts for c in self.host if c.name == "cudaStreamWaitEvent" and c.record not in shown
                 and since < c.ts < s.launch.ts]
        found = {}
        for w in self.work if calls else ():
            if not w.launch or w.stream[0] != s.stream[0] or w.stream == s.stream or not max(known, s.ts - NEAR) < w.end <= s.ts:
                continue
            following = min((t for t in launches(w.stream) if t > w.launch.ts), default=float("inf"))
            record = min((r.ts for r in self.records.values() if r.ts > w.launch.ts), default=float("inf"))
            if record < max(calls) and record <= following:
                found.setdefault((w.stream, w.launch.record), []).append(w)
        return max(found.popitem()[1], key=lambda w: (w.end, w.order)) if len(found) == 1 else None

    def after(self, w, s, kind):
        far = s.ts - w.end > FAR
        return w.end_node, s.start_node, "gap" if far else kind, s.ts - w.end, None if far else w.record

    def on_devices(self):
        last, held = {}, self.held()
        turns = sorted([(s.ts, 1, s.order, s) for s in self.work] + [(b.end, 0, b.order, b) for b in self.bars],
                       key=lambda t: t[:3])
        for _, is_work, _, s in turns:
            if is_work:
                self.begin(s, last.get(s.stream), held.get(s.record, []))
                self.own_time(s)
                if self.gaps and s.cat == "gpu_memcpy" and s.launch and s.launch.ts < s.end <= s.launch.end and \
                        ("-> Pageable)" in s.name or s.launch.name in COPIES):
                    self.wait(s, s.launch)
                last[s.stream] = s
                continue
            if s.launch not in self.host or s.name == "Stream Wait Event":
                continue
            ends = {"Context Sync": [w for (d, _), w in last.items() if d == s.stream[0]],
                    "Stream Sync": [last.get(s.stream)], "Event Sync": [self.recorded(s)]}[s.name]
            for w in ends:
                if w:
                    self.wait(w, s.launch)
        for c in self.host if self.gaps else ():
            if "Synchronize" in c.name and c.cat in CALLS and not c.told:
                within = [w for w in self.work if c.ts < w.end <= c.end]
                if within:
                    devices = {w.stream[0]: max((o for o in within if o.stream[0] == w.stream[0]),
                                                key=lambda o: (o.end, o.order)) for w in within}
                    best = max(o.end for o in devices.values())
                    self.wait([devices[d] for d in sorted(devices) if devices[d].end == best][0], c)

    def own_time(self, s):
        other = self.ended(s, s.end) if s.spins else None
        if other and other.end > s.ts and not s.joined:
            self.add(s.start_node, s.end_node, "operator", 0, s.record)
            self.add(other.end_node, s.end_node, "peer", s.end - other.end, s.record)
        elif not s.joined:
            self.add(s.start_node, s.end_node, "operator", s.dur, s.record)

    def wait(self, w, call):
        begun = w.end > call.ts
        self.add(w.end_node, call.end_node, "sync", call.end - w.end if self.gaps and begun else 0)
        call.waited, call.told = call.waited or begun or not self.gaps, True

    # ---- host ----

    def own(self, s, weight):
        return 0 if s.waited or (s.name in WAITS and s.cat in CALLS and not self.gaps) else weight

    def lock(self):
        holders = [s for s in self.host if s.name in LOCK and s.cat in CALLS]
        for pid in {s.thread[0] for s in holders}:
            open_, last = [], None
            for t, _, side, s in sorted(((t, s.record, side, s) for s in holders if s.thread[0] == pid
                                         for side, t in ((0, s.ts), (1, s.end))), key=lambda m: m[:3]):
                if side == 0:
                    open_.append(s)
                    continue
                for o in open_:
                    if o is s:
                        self.add(s.start_node, s.end_node, "operator", self.own(s, s.dur), s.record)
                    else:
                        self.add(o.start_node, s.end_node, "dependency")
                if s not in open_ and last:
                    self.add(last.end_node, s.end_node, "operator", self.own(s, s.end - last.end), s.record)
                open_, last = [], s

    def threads(self):
        line = {s.record: s.thread for s in self.host + self.ranges}
        named = [s for s in self.host + self.ranges if s.cat in ("cpu_op", "user_annotation")]
        back = {s.thread for s in named if "autograd" in s.name}
        forward = {s.thread for s in named if "forward" in s.name}
        if len(back) == 1 and len(forward) == 1:
            line = {r: next(iter(forward)) if t in back else t for r, t in line.items()}
        self.line = line
        for thread in sorted(set(line.values())):
            self.thread(sorted((s for s in self.host + self.ranges if line[s.record] == thread),
                               key=lambda s: s.order))

    def thread(self, spans):
        def encloses(a, b):
            return a.ts <= b.ts < a.end and b.end <= a.end
        seen, roots, children = [], [], {}
        for s in spans:
            if s.cat == "user_annotation":
                around = [a for a in seen if a.end > s.ts]
                if not around or not encloses(around[-1], s):
                    continue
            around = [a for a in seen if encloses(a, s)]
            s.parent = around[-1] if around else None
            seen.append(s)
            if s.cat == "user_annotation":
                continue
            nodes = [a for a in around if a.cat != "user_annotation"]
            (children.setdefault(nodes[-1].record, []) if nodes else roots).append(s)
        moments = []

        def visit(s, depth):
            moments.append((s, "start", depth))
            for child in children.get(s.record, []):
                visit(child, depth + 1)
            moments.append((s, "end", depth))
        for s in roots:
            visit(s, 0)
        for (a, side_a, _), (b, side_b, depth) in zip(moments, moments[1:]):
            if all(s.name in LOCK and s.cat in CALLS for s in (a, b)) and (side_a, side_b) != ("end", "start"):
                continue
            weight = (b.ts if side_b == "start" else b.end) - (a.ts if side_a == "start" else a.end)
            nodes = (a.rank, a.record, side_a), (b.rank, b.record, side_b)
            if side_b == "start" and depth == 0:
                polls = all(s.name == "cudaEventQuery" and s.cat in CALLS for s in (a, b))
                gap = self.gaps and not polls
                self.add(*nodes, "gap" if gap else "dependency", weight if gap else 0)
            elif side_a == "start":
                self.add(*nodes, "operator", self.own(b, weight) if side_b == "end" else weight, a.record)
            elif side_b == "end":
                self.add(*nodes, "operator", self.own(b, weight), b.record)
            else:
                self.add(*nodes, "operator", weight, a.parent.record if a.parent else None)

    # ---- what-if ----

    def asked(self, s):
        """When its thread made a stream wait, with no launch since then; None: it did not."""
        if not s.launch:
            return None
        thread = self.line[s.launch.record]
        launches = [w.launch.ts for w in self.work if w.launch and self.line[w.launch.record] == thread]
        waits = [c.ts for c in self.host if c.name == "cudaStreamWaitEvent" and self.line[c.record] == thread
                 and c.ts < s.launch.ts and not any(c.ts < t < s.launch.ts for t in launches)]
        return max(waits, default=None)

    def shown(self):
        return any(b.name == "Stream Wait Event" for b in self.bars) or \
            any((w.launch is not s.launch or not s.launch) and w.stream != s.stream for s in self.work for w in self.named(s))

    def other_times(self, weights):
        """With gaps: add what decides nothing in the trace to {edge: weight}, and leave out guesses that no call
        explains."""
        if not self.gaps:
            return
        short = sorted(w for kind, w, _ in self.edges.values() if kind == "queue" and w <= NEAR)
        turnaround = short[len(short) // 2] if short else 0
        calls = not self.shown()
        streams = {s.stream for s in self.work if self.asked(s) is not None}
        for (a, b), (kind, _, _) in self.edges.items():
            if kind != "after" or not calls:
                continue
            s = self.spans[b[1]]
            if not s.launch:
                continue
            together = [w for w in self.work if w.launch and w.launch.ts == s.launch.ts
                        and self.line[w.launch.record] == self.line[s.launch.record]]
            line = [w for w in self.all_work if w.stream == s.stream]
            line.sort(key=lambda w: (w.launch.ts, w.launch.record, w.ts, w.record))
            place = line.index(s)
            since = line[place - 1].launch.ts if place else float("-inf")
            may = any(c.name == "cudaStreamWaitEvent" and since < c.ts < s.launch.ts for c in self.host)
            if self.spans[a[1]].stream != s.stream and s.stream in streams and len(together) == 1 and not may:
                del weights[a, b]

        def order(w, s, weight):
            if w.end <= s.ts:
                edge = w.end_node, s.start_node
                weights[edge] = max(weights.get(edge, 0), min(weight, s.ts - w.end))
        for s in self.work:
            line = [w for w in self.work if w.stream == s.stream and w.order < s.order]
            if line:
                order(max(line, key=lambda w: w.order), s, turnaround)
            since = self.asked(s) if calls else None
            for stream in {w.stream for w in self.all_work} if since is not None else ():
                line = [w for w in self.all_work if w.stream == stream and w.launch.ts < since]
                last = max(line, key=lambda w: (w.launch.ts, w.launch.record, w.ts, w.record), default=None)
                if last in self.work and stream[0] == s.stream[0] and stream != s.stream:
                    order(last, s, 0)


def first_edges(graphs, edges):
    """With gaps: what nothing leads to comes after the first event of all graphs."""
    spans = [s for g in graphs for s in g.host + g.work]
    led = {b for _, b in edges}
    first = min(spans, key=lambda s: (s.ts, s.rank, s.order), default=None)
    return {(first.start_node, s.start_node): ("gap", s.ts - first.ts, None)
            for s in spans if s.start_node not in led and s.ts > first.ts}


def heaviest(edges):
    """Weight of the heaviest chain of {(from, to): weight}; None if a chain comes back to where it was."""
    into, reach, busy = {}, {}, set()
    for (a, b), weight in edges.items():
        into.setdefault(b, []).append((a, weight))

    def find(node):
        if node in busy:
            raise RecursionError
        if node not in reach:
            busy.add(node)
            reach[node] = max([find(a) + w for a, w in into.get(node, [])] or [0])
            busy.remove(node)
        return reach[node]
    try:
        return max([find(b) for _, b in edges] or [0])
    except RecursionError:
        return None
