#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What tr-filter selects of Kineto traces, by brute force.

usage: filter.py BIN TRGEN SEEDS

The definitions of tr-filter(1) and tr-expr(7), each looked up event by event among all events.  Compared is
what tr-filter passes on of the random traces of TRGEN --random for
expressions and options that change with the seed.  Traces that Python's JSON parser refuses are left out.
Output is TAP: one line for each set of options.
"""
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile
from decimal import Decimal

sys.dont_write_bytecode = True  # the source tree may be read-only
import kineto as k
import seeds
import steps as steps_of
from compare import traces

EVER = 2**63 - 1
PHASES = {"X": "span", "B": "span", "E": "end", "i": "instant", "I": "instant", "R": "instant",
          "C": "counter", "s": "flow_start", "t": "flow_step", "f": "flow_end", "b": "async", "S": "async",
          "n": "async", "T": "async", "p": "async", "e": "async", "F": "async", "M": "metadata"}
ACTIVITIES = {"cpu_op": "cpu_op", "Operator": "cpu_op", "user_annotation": "annotation",
              "python_function": "python", "gpu_user_annotation": "device_annotation",
              "cuda_sync": "sync", "overhead": "overhead",
              **dict.fromkeys(k.DEVICE - k.COPIES, "kernel"),
              "gpu_memcpy": "memcpy", "Memcpy": "memcpy", "gpu_memset": "memset", "Memset": "memset"}
DEVICE_WORK = ("kernel", "memcpy", "memset")
DEVICE_SIDE = DEVICE_WORK + ("sync", "device_annotation")


def whole(v):
    """A whole number, or a text that is one."""
    if isinstance(v, str):
        return int(v) if re.fullmatch(r"-?(0|[1-9]\d{0,17})", v) else None
    return v if isinstance(v, int) and not isinstance(v, bool) else None


def place(v):
    """pid or tid: a number (reals cut), else a text, else nothing."""
    if isinstance(v, Decimal):
        return int(v) if v.is_finite() else None
    return v if whole(v) is None and isinstance(v, str) else whole(v)


class Event:
    def __init__(self, source, rank, record, e, base):
        self.source, self.rank, self.record, self.args = source, rank, record, k.args_of(e)
        text = lambda v: v if isinstance(v, str) else None
        self.name, self.cat, self.id, self.bp = text(e.get("name")), text(e.get("cat")), e.get("id"), text(e.get("bp"))
        self.letter = (text(e.get("ph")) or "?")[0]
        self.ts, self.dur = (k.ns(e.get(key)) for key in ("ts", "dur"))
        self.phase = PHASES.get(self.letter, "unknown")
        if self.ts is None and self.phase != "metadata":
            self.phase = "unknown"
        self.base, self.pid, self.tid = base, place(e.get("pid")), place(e.get("tid"))
        self.joined, self.launch, self.work, self.step = False, None, [], None
        self.activity = self.what()
        self.side = self.activity in DEVICE_SIDE
        own = lambda key, v: whole(self.args.get(key)) if whole(self.args.get(key)) is not None or isinstance(v, str) else v
        self.track = (source, self.side, self.pid, self.tid) + (
            (own("device", self.pid), own("stream", self.tid), whole(self.args.get("context"))) if self.side else ())
        # Who leaves out the pid is 0, who leaves out the tid is as the pid.
        pid = self.pid if self.pid is not None else 0
        self.process = (source, pid)
        self.thread = (source, pid, self.tid if self.tid is not None else pid)

    def what(self):
        if self.name == "[memory]" and self.phase == "instant":
            return "memory_instant"
        if self.phase not in ("span", "end"):
            return "other"
        name, cat = self.name or "", self.cat or ""
        act = ACTIVITIES.get(cat, "other")
        if cat.endswith(("_runtime", "_driver")) or cat == "Runtime":
            act = "driver_api" if cat.endswith("_driver") else "runtime_api"
        if act == "cpu_op" and name == "record_param_comms":
            return "comm_record"
        if act == "kernel" and re.match("Memcpy|hipMemcpy|dma", name):
            return "memcpy"
        return "memset" if act == "kernel" and re.match("Memset|hipMemset", name) else act

    def settle(self):
        """What follows from phase, ts and dur."""
        impossible = self.dur is not None and self.ts is not None and not 0 <= self.dur <= k.WEEK
        early = self.base is not None and self.ts is not None and self.ts < 0
        length = EVER if self.dur is None else 0 if impossible else self.dur
        self.key = (self.ts is not None, self.ts and self.ts + (self.base or 0), -length, self.rank, self.source,
                    self.record)
        self.end = None
        if self.phase == "span" and self.ts is not None:
            self.end = EVER if self.dur is None else self.ts + (0 if early or impossible else self.dur)
        self.long = self.end is not None and self.end > self.ts
        # an annotation of the device may be 1 ns wider on either side than what it holds
        slack = int(self.activity == "device_annotation" and self.long and self.end != EVER and self.dur >= 1000)
        self.inner = (self.ts + slack, self.end - slack) if self.end is not None else (self.ts, None)
        self.kind = k.kind_of(self.cat, self.name or "") if self.activity in DEVICE_WORK else None

    def host_time(self):
        if self.launch:
            return self.launch.ts
        return None if self.activity in DEVICE_WORK + ("sync",) else self.ts


def joined(events):
    """B and E as one span: an E ends the innermost B of its thread that it does not contradict.

    An async end ends the last begin of its process, category, id and name.
    """
    rest, open_spans = [], {}
    for e in sorted(events, key=lambda e: (e.ts is not None, e.ts, e.record)):
        stack = open_spans.setdefault(e.thread, [])
        if e.letter == "B" and e.phase == "span":
            e.dur = None
            stack.append(e)
        elif e.phase == "end":
            fits = [b for b in stack if all(not x or x == y for x, y in ((e.name, b.name), (e.cat, b.cat)))]
            if fits:
                fits[-1].dur, fits[-1].joined = e.ts - fits[-1].ts, True
                stack.remove(fits[-1])
                continue
        elif e.letter in "bSeF" and e.phase == "async" and e.ts is not None:
            same = open_spans.setdefault((e.process, e.letter in "be", e.cat, str(e.id), e.name), [])
            if e.letter in "bS":
                e.dur = None
                same.append(e)
            elif same:
                begin = same.pop()
                begin.dur, begin.joined = e.ts - begin.ts, True
                continue
        rest.append(e)
    return rest


def link(events):
    """Launches: the innermost call of that number; of several, the last one begun by then, else the first."""
    calls = {}
    for e in events:
        c = whole(e.args.get("correlation"))
        if c and e.phase == "span" and e.activity in ("runtime_api", "driver_api"):
            calls.setdefault(c, []).append(e)
    stop = lambda e: e.ts + max(e.dur or 0, 0)
    for same in calls.values():
        same.sort(key=lambda e: (e.ts, -stop(e), e.record))
        same[:] = [e for i, e in enumerate(same) if i + 1 == len(same) or stop(same[i + 1]) > stop(e)]
    for e in events:
        same = calls.get(whole(e.args.get("correlation")), [])
        if same and e.phase == "span" and e.activity in DEVICE_WORK + ("sync",):
            e.launch = ([c for c in same if c.ts <= e.ts] or same[:1])[-1]
            if e.activity in DEVICE_WORK:
                e.launch.work.append(e)


def read(paths):
    """All events in canonical order."""
    found = []
    for source, path in enumerate(paths):
        trace = k.load(path)
        rank = k.number((trace.get("distributedInfo") or {}).get("rank"), source)
        base = whole(trace.get("baseTimeNanoseconds"))
        events = joined([Event(source, rank, i, e, base) for i, e in enumerate(trace.get("traceEvents", []))
                         if isinstance(e, dict)])
        link(events)
        steps = [e for e in events if e.activity == "annotation" and e.dur is not None and 0 <= e.dur <= k.WEEK
                 and re.fullmatch(r"ProfilerStep#\d{1,18}", e.name or "")]
        for e in events:
            e.settle()
            at, call = e.host_time(), e.launch or e
            of = [s for s in steps_of.candidates(steps, call.thread, call.side) if at is not None and s.ts <= at < s.ts + s.dur]
            e.step = int(max(of, key=lambda s: s.ts).name[13:]) if of else None
        found += events
    found.sort(key=lambda e: e.key)
    for i, e in enumerate(found):
        e.i = i
    return found


# ---- context ----

def inside(e, span):
    """Is an event inside a span of its track?  What has no duration is so at the span's own start, too."""
    return (span.long and e is not span and e.ts is not None and e.track == span.track
            and span.ts <= e.inner[0] < span.inner[1] and (e.end is None or span.i < e.i))


def around(found, events, test=lambda s: True):
    return {s for s in events if s.long and test(s) and any(inside(e, s) for e in found)}


def in_window(e, spans):
    """--within: by host time; on the device side by the own start, too."""
    at = e.host_time()
    return any(s.rank == e.rank and ((not s.side and at is not None and s.start <= at + (e.base or 0) < s.stop)
                                     or (s.side and e.side and e.ts is not None
                                         and s.start <= e.ts + (e.base or 0) < s.stop))
               for s in spans)


def bound(flow, events):
    """The span that a flow event is bound to."""
    devices = {e.track for e in events if e.activity in DEVICE_WORK and e.thread == flow.thread}
    track = devices.pop() if len(devices) == 1 else flow.track
    spans = [s for s in events if s.track == track and s.end is not None]
    if flow.phase == "flow_end" and flow.bp is None:
        return next((s for s in spans if s.i > flow.i), None)
    here = [s for s in spans if s.ts == flow.ts] or [s for s in spans if s.ts < flow.ts < s.end]
    return here[-1] if here else None


def closure(found, parents, events):
    found = found | {e.launch for e in found if e.launch and e.activity in DEVICE_WORK}
    found = found | around(found, events, lambda s: s.activity in ("annotation", "device_annotation")) | parents
    flows = {}
    for f in events:
        if f.phase.startswith("flow") and f.ts is not None and bound(f, events) in found:
            same = (f.source, f.cat, f.name, type(f.id), str(f.id))
            flows.setdefault(same, []).append(f)
    for same in flows.values():
        if len({f.phase == "flow_start" for f in same}) == 2:
            found = found | set(same)
    threads, processes = {e.thread for e in found}, {e.process for e in found}
    return found | {e for e in events if e.phase == "metadata" and (
        e.thread in threads if (e.name or "").startswith("thread_") else e.process in processes)}


def select(events, test, o):
    """What tr-filter passes on, in order; and how many events of it are selected ones."""
    chosen = [e for e in events if test(e) != o.invert]
    if o.within or o.outside:
        spans = [e for e in events if e.long and (o.within or o.outside)(e)]
        for s in spans:
            s.start, s.stop = s.ts + (s.base or 0), s.inner[1] + (s.base or 0) if s.end != EVER else 2 * EVER
        chosen = [e for e in chosen if in_window(e, spans) == bool(o.within)]
    chosen = chosen[:o.most]
    found = set(chosen)
    if o.children:
        found |= {e for e in events if any(inside(e, s) for s in chosen)}
    if o.linked:
        found |= {e.launch for e in found if e.launch and e.activity in DEVICE_WORK} | {
            w for e in found for w in e.work}
    parents = around(found, events) if o.parents else set()
    found = closure(found, parents, events) if o.closure else found | parents
    return [e for e in events if e in found], len(chosen)


# ---- comparison ----

def depth(e, events):
    return None if e.end is None else sum(inside(e, s) for s in events)


EXPRESSIONS = (
    ("true", lambda e, all: True),
    ("activity == kernel", lambda e, all: e.activity == "kernel"),
    ("activity in (kernel, memcpy, sync) && dur >= 20us",
     lambda e, all: e.activity in ("kernel", "memcpy", "sync") and e.dur is not None and e.dur >= 20000),
    ("activity == runtime_api || activity == driver_api", lambda e, all: e.activity in ("runtime_api", "driver_api")),
    ("kind == comm", lambda e, all: e.kind == "comm"),
    ("kind != compute", lambda e, all: e.kind not in (None, "compute")),
    ('name =~ "^aten::.*m"', lambda e, all: re.search("^aten::.*m", e.name or "", re.S) is not None),
    ("cat == cpu_op && dur < 5us",
     lambda e, all: "cpu_op" in [c.strip() for c in (e.cat or "").split(",")] and e.dur is not None and e.dur < 5000),
    ("activity == annotation", lambda e, all: e.activity == "annotation"),
    ("activity == device_annotation || activity == python",
     lambda e, all: e.activity in ("device_annotation", "python")),
    ("phase in (flow_start, flow_end)", lambda e, all: e.phase in ("flow_start", "flow_end")),
    ("phase == metadata || phase == counter", lambda e, all: e.phase in ("metadata", "counter")),
    ("phase == unknown || phase == instant", lambda e, all: e.phase in ("unknown", "instant")),
    ("has(args.correlation)", lambda e, all: "correlation" in e.args),
    ("!has(dur) && !(phase == metadata)", lambda e, all: e.dur is None and e.phase != "metadata"),
    ("!has(ts) || phase == end", lambda e, all: e.ts is None or e.phase == "end"),
    ("stream == 7 || rank == 1", lambda e, all: (e.side and e.track[5] == 7) or e.rank == 1),
    ("dur > 10us", lambda e, all: e.dur is not None and e.dur > 10000),
    ("dur <= 20us && phase == span", lambda e, all: e.dur is not None and e.dur <= 20000 and e.phase == "span"),
    ("dur == 0us || dur == 30us", lambda e, all: e.dur in (0, 30000)),
    ("ts < 0us", lambda e, all: e.ts is not None and e.ts < 0),
    ("ts in 0us..50us", lambda e, all: e.ts is not None and 0 <= e.ts <= 50000),
    ("step in 1..16", lambda e, all: e.step is not None and 1 <= e.step <= 16),
    ("depth == 1", lambda e, all: depth(e, all) == 1),
    ("depth >= 3", lambda e, all: (depth(e, all) or 0) >= 3),
)
CONTEXT = ("children", "linked", "parents", "closure")
COUNTED = 4  # -c is tried with one of so many traces
VIEWS = ("plain", "-v, -n") + tuple("--" + c for c in CONTEXT) + ("--within", "--outside", "several of them")
SHOWN = 3


class Options:
    """Drawn at random for a view."""
    def __init__(self, view, rng, events):
        self.invert, self.most, self.within, self.outside, self.argv = False, None, None, None, []
        several = view == "several of them"
        for name in CONTEXT:
            setattr(self, name, view == "--" + name or (several and rng.random() < 0.5))
            self.argv += ["--" + name] * getattr(self, name)
        if view in ("--within", "--outside") or (several and rng.random() < 0.3):
            text, inside_of = rng.choice(EXPRESSIONS)
            where = view[2:] if not several else rng.choice(("within", "outside"))
            setattr(self, where, lambda e: inside_of(e, events))
            self.argv += ["--" + where, text]
        if view == "-v, -n" or (several and rng.random() < 0.3):
            self.invert = rng.random() < 0.5
            self.most = rng.choice((None, 0, 1, 7, 30))
            self.argv += ["-v"] * self.invert + (["-n", str(self.most)] if self.most is not None else [])
        self.text, test = rng.choice(EXPRESSIONS)
        self.test = lambda e: test(e, events)


def run(argv, stdin=None):
    p = subprocess.run(argv, input=stdin or b"", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode != 0:
        raise RuntimeError("%s ended with status %d: %s" % (
            " ".join(map(os.path.basename, argv)), p.returncode, p.stderr.decode("utf-8", "replace")[-300:]))
    return p.stdout


def compare(bin_dir, trgen, seed):
    """(view, what was tried, have, want) for each view; nothing for traces that Python cannot read."""
    rng, results = random.Random(seed), []
    with tempfile.TemporaryDirectory() as folder:
        files, _ = traces(folder, trgen, seed)
        events = read(files)
        for view in VIEWS if files else ():
            o = Options(view, rng, events)
            tool = lambda name, *argv: [os.path.join(bin_dir, name), "-q", *argv]
            stream = run(tool("tr-filter", *o.argv, o.text, *files))
            have = run(tool("tr-view", "-O", "tsv", "--columns", "source,record"), stream)
            found, n = select(events, o.test, o)
            want = ["%d\t%d" % (e.source, e.record) for e in found]
            have = have.decode().split("\n")[1:-1]
            if seed % COUNTED == 0:
                count = run(tool("tr-filter", "-c", *o.argv, o.text, *files))
                want.append("%d selected" % n)
                have.append(count.decode().strip() + " selected")
            results.append((view, "seed %d: tr-filter %s '%s'" % (seed, " ".join(o.argv), o.text), have, want))
    return results


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.split("\n\n")[1])
    of = seeds.of(sys.argv[3])
    n = len(of)
    tried, wrong = dict.fromkeys(VIEWS, 0), {view: [] for view in VIEWS}
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count() or 1) as pool:
        for results in pool.map(compare, [sys.argv[1]] * n, [sys.argv[2]] * n, of, chunksize=10):
            for view, what, have, want in results:
                tried[view] += 1
                if have != want:
                    wrong[view].append((what, have, want))
    print("1..%d" % len(VIEWS))
    for i, view in enumerate(VIEWS):
        print("%sok %d - tr-filter, %s: %d traces of %d" % (
            "not " if wrong[view] or not tried[view] else "", i + 1, view, tried[view], n))
        for what, have, want in wrong[view][:SHOWN]:
            print("# " + what)
            print("#   too much: %s" % ", ".join(x.replace("\t", "/") for x in have if x not in want))
            print("#   missing: %s" % ", ".join(x.replace("\t", "/") for x in want if x not in have))
        if len(wrong[view]) > SHOWN:
            print("# and %d more" % (len(wrong[view]) - SHOWN))
    return 1 if any(wrong.values()) or not all(tried.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
