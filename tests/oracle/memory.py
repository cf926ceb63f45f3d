#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tr-memory against a program that replays every allocation for every question.

usage: memory.py BIN TRGEN SEEDS

Traces are made here, at random: allocations and frees of several ranks, devices and threads under nested operators,
addresses that are used again or freed without having been allocated, with and without totals, or as the entries of a memory timeline.
Every fourth one comes from TRGEN --random.  Output is TAP: one line for each view.
"""
import concurrent.futures
import json
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source tree may be read-only
import kineto
import seeds

SHOWN = 2
CATEGORIES = ("Parameter", "Optimizer state", "Input", "Temporary", "Activation", "Gradient", "Autograd", "Unknown")
BY = ("category", "operator", "top-operator", "annotation", "all")
VIEWS = [["--by", table + ("" if by == BY[0] else "," + by)] for table in ("series", "peak", "end") for by in BY] + [
    ["--by", "summary"], ["--by", "summary", "--per", "step"], ["--by", "peak,operator", "--top", "2"],
    ["--by", "series,operator", "--step", "2..3"], ["--by", "end", "--where", "args.Bytes > 600"]]


# ---- traces ----

def spans_of(rng, tid, names, cat, low, high, depth, out):
    at = low
    while at < high and len(out) < 60:
        start = at + rng.randrange(0, 6)
        end = start + rng.randrange(0, 40)
        if end >= high:
            return
        out.append({"ph": "X", "cat": cat, "name": rng.choice(names), "pid": 7, "tid": tid,
                    "ts": start, "dur": end - start})
        if depth and end - start > 4:
            spans_of(rng, tid, names, cat, start, end, depth - 1, out)
        at = end


def kineto_trace(rng):
    events, low = [], rng.choice((1000, 1000, 0, -40, -150))  # -40: the first entries are around 0
    clock = low
    devices = [rng.choice([(1, 0), (1, 1), (0, -1), (6, 0), None]) for _ in range(rng.randrange(1, 4))]
    totals, named, held = rng.random() < 0.6, rng.random() < 0.3, {d: rng.randrange(0, 3) * 1000 for d in devices}
    live = []
    for tid in (1, 2):
        spans_of(rng, tid, ("aten::mm", "aten::empty", "aten::empty_strided", "aten::add"), "cpu_op", low, low + 300, 2, events)
        spans_of(rng, tid, ("forward", "backward"), "user_annotation", low, low + 300, 1, events)
    for step in range(3):  # the first, number 0, begins when something may have been allocated
        events.append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % step, "pid": 7, "tid": 1,
                       "ts": low + 20 + 100 * step, "dur": 90})
    for _ in range(rng.randrange(0, 60)):
        clock += rng.choice((0, 1, 3, 9, 20))
        device = rng.choice(devices)
        addr, size = rng.choice((512, 1024, 1536, 1 << 40, 3 << 40, 1 << 62, 2**64 - 512, 2**64 - 1024)), rng.choice((0, 1, 512, 1024, 4096))
        if live and rng.random() < 0.5:
            device, addr, size = live.pop(rng.randrange(len(live)))
            size = -size
        elif rng.random() < 0.1:
            size = -size
        else:
            live.append((device, addr, size))
        held[device] += size
        args = {"Bytes": size, "Addr": addr}
        if named:
            args["Category"] = rng.choice(("a", "b", "c"))
        if device:
            args["Device Type"], args["Device Id"] = device
        if totals and rng.random() < 0.95:
            args["Total Allocated"] = held[device]
            args["Total Reserved"] = held[device] // 2048 * 2048 + 2048
        if rng.random() < 0.04:
            del args[rng.choice(list(args))]
        events.append({"ph": "i", "s": "t", "name": "[memory]", "pid": 7, "tid": rng.choice((1, 2)), "ts": clock,
                       "args": args})
    rng.shuffle(events)
    return {"traceEvents": events}


def timeline(rng):
    at, rows = rng.choice((10**9, 0)), []
    for i in range(rng.randrange(1, 40)):
        at += rng.choice((0, 7, 1000, 123456))
        early = i < 5 and rng.random() < 0.7
        rows.append([-1 if early else at, rng.randrange(1, 5), rng.randrange(-9, 10) * 512, rng.randrange(0, 8)])
    return rows


# ---- what is known of allocations, by replay ----

class Event:
    def __init__(self, source, rank, record, ts, args, where, kept):
        self.source, self.rank, self.record, self.ts, self.args = source, rank, record, ts, args
        self.where, self.kept = where, kept
        self.bytes, self.addr = args.get("Bytes"), args.get("Addr")
        self.host = args.get("Device Type") == 0
        self.device = None if self.host else args.get("Device Id")
        self.pool = (source, self.host, self.device)

    def order(self):
        return (self.ts is not None, self.ts or 0, self.rank, self.source, self.record)


def whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def open_names(spans, cats, where, ts):
    """Spans of a thread around a time, outermost first: started before it, not yet over."""
    if ts is None:
        return []
    mine = sorted((start, -end, n, name) for n, (track, cat, start, end, name) in enumerate(spans)
                  if cat in cats and track == where and start < ts < end)
    return [name for _, _, _, name in mine]


def context(spans, by, e):
    if by == "category":
        return e.args.get("Category")
    if by == "all":
        return None
    if by == "annotation":
        names = open_names(spans, ("user_annotation",), e.where, e.ts)
        return names[-1] if names else None
    names = open_names(spans, ("cpu_op",), e.where, e.ts)
    if not names:
        return None
    if by == "top-operator":
        return names[0]
    told = [n for k, n in enumerate(names) if k == 0 or not n.startswith("aten::empty")]
    return told[-1]


class Trace:
    def __init__(self, path, place):
        self.spans, self.steps, self.events = [], [], []
        text = json.load(open(path, encoding="utf-8", errors="surrogateescape"), strict=False)
        rank = place
        if isinstance(text, list) and text and isinstance(text[0], list):
            for record, (at, _, size, category) in enumerate(text):
                args = {"Bytes": size, "Category": CATEGORIES[category]}
                self.events.append(Event(place, rank, record, at if at >= 0 else None, args, None, True))
            return
        trace = kineto.load(path)
        rank = kineto.number((trace.get("distributedInfo") or {}).get("rank"), place)
        for record, e in enumerate(trace["traceEvents"]):
            if not isinstance(e, dict):
                continue
            ts, where = kineto.ns(e.get("ts")), (str(e.get("pid")), str(e.get("tid")))
            if e.get("name") == "[memory]" and e.get("ph") == "i" and ts is not None and whole(kineto.args_of(e).get("Bytes")):
                kept = not (ts < 0 and trace.get("baseTimeNanoseconds"))
                self.events.append(Event(place, rank, record, ts, kineto.args_of(e), where, kept))
            if e.get("ph") == "X" and ts is not None and e.get("cat") in ("cpu_op", "user_annotation"):
                dur = kineto.ns(e.get("dur"))
                dur = 1 << 62 if dur is None else dur if 0 <= dur <= kineto.WEEK else 0
                self.spans.append((where, e["cat"], ts, ts + dur, str(e.get("name", ""))))
                step = kineto.re.fullmatch(r"ProfilerStep#(\d+)", str(e.get("name", "")))
                if step and e["cat"] == "user_annotation":
                    self.steps.append((ts, ts + dur, int(step[1])))

    def step(self, ts):
        over = [s for s in self.steps if ts is not None and s[0] <= ts < s[1]]
        return max(over)[2] if over else None


class State:
    """A pool after some of its events."""
    def __init__(self):
        self.total, self.reserved, self.held, self.live, self.counts = 0, None, {}, {}, {}

    def apply(self, e, category):
        """The categories that the event was about; whether it frees what nobody allocated."""
        before, unmatched, about = self.rest(), False, None
        if e.bytes and (not whole(e.addr) or e.addr == 2**63):
            about = category
            self.book(category, e.bytes, 1 if e.bytes > 0 else -1)
        elif e.bytes > 0:
            if e.addr in self.live:
                self.free(e.addr)
            self.live[e.addr] = (e.bytes, category, e)
            self.book(category, e.bytes, 1)
            about = category
        elif e.bytes < 0 and e.addr in self.live:
            about = self.free(e.addr)
        elif e.bytes < 0:
            unmatched = True
        elif not whole(e.addr):
            about = category
        total, reserved = e.args.get("Total Allocated"), e.args.get("Total Reserved")
        self.total = total if whole(total) else self.total + e.bytes
        if whole(reserved) and not e.host:
            self.reserved = reserved
        return [about] + ([None] if about is not None and self.rest() != before else []), unmatched

    def book(self, category, size, count):
        if category is not None:
            self.held[category] = self.held.get(category, 0) + size
        self.counts[category] = max(0, self.counts.get(category, 0) + count)

    def free(self, addr):
        size, category, _ = self.live.pop(addr)
        self.book(category, -size, -1)
        return category

    def rest(self):
        return self.total - sum(self.held.values())

    def of(self, category):
        return self.rest() if category is None else self.held.get(category, 0)


class Replay:
    def __init__(self, traces, by):
        self.traces, self.by = traces, by
        self.events = sorted((e for t in traces for e in t.events), key=Event.order)
        self.events = [e for e in self.events if whole(e.bytes)]

    def kept(self, view):
        keep = [e.kept for e in self.events]
        for i, e in enumerate(self.events):
            if "--step" in view:
                keep[i] &= self.traces[e.source].step(e.ts) in (2, 3)  # not before the trace, either
            if "--where" in view:
                keep[i] &= e.bytes > 600
        return keep

    def category(self, e):
        return context(self.traces[e.source].spans, self.by, e)

    def states(self):
        """Each event with what it was about and the state of its pool after it."""
        pools = {}
        for e in self.events:
            state = pools.setdefault(e.pool, State())
            about, unmatched = state.apply(e, self.category(e))
            yield e, about, unmatched, state


def base(e):
    return [e.rank, None if e.ts is None else kineto.us(e.ts), "host" if e.host else e.device]


def changes(replay, keep):
    rows, pending, told, now = [], [], [], None
    for (e, about, _, state), kept in zip(replay.states(), keep):
        if e.ts != now:
            rows += told
            pending, now = [], e.ts
        for category in about if kept else []:
            if not any(p[2] is state and p[1] == category for p in pending):
                pending.append((e, category, state))
        told = [base(e) + [c, s.of(c), s.reserved, s.total] for e, c, s in pending]
    return ["rank", "ts_us", "device", "category", "allocated_bytes", "reserved_bytes", "total_bytes"], rows + told


def pool_order(pool, rank):
    source, host, device = pool
    return (rank, host, device is None, device or 0, source)


def share(part, whole_):
    return kineto.pct(part, whole_) if part else "0.00" if whole_ else ""


def moment(replay, keep, table):
    best = {}
    for (e, _, _, state), kept in zip(replay.states(), keep):
        if kept and (table == "end" or e.pool not in best or state.total > best[e.pool][1]):
            held = {c: (state.of(c), state.counts.get(c, 0)) for c in set(state.held) | {None}}
            best[e.pool] = (e, state.total, state.reserved, held)
    rows = []
    for pool in sorted(best, key=lambda p: pool_order(p, best[p][0].rank)):
        e, total, reserved, held = best[pool]
        mine = [(c, size, n) for c, (size, n) in held.items() if size or n]
        mine.sort(key=lambda x: (-x[1], x[0] is None, (x[0] or "").encode("utf-8", "surrogateescape")))
        for c, size, n in mine:
            rows.append((pool, base(e) + [c, size, reserved, total, share(size, total), n]))
    return rows


def summary(replay, keep, per_step):
    sums, pools = {}, {}
    for e in replay.events:
        pools.setdefault(e.pool, State())
    for (e, _, unmatched, state), kept, before in zip(replay.states(), keep, totals_before(replay)):
        if not kept:
            continue
        step = replay.traces[e.source].step(e.ts) if per_step else None
        s = sums.setdefault((e.pool, step), dict(rank=e.rank, a=0, f=0, ab=0, fb=0, big=0, start=before, peak=None,
                                                 ts=None, res=None, unused=None, un=0, addr=False, live=[]))
        s["addr"] |= whole(e.addr)
        s["un"] += unmatched
        s["a"] += e.bytes > 0
        s["f"] += e.bytes < 0
        s["ab"] += max(0, e.bytes)
        s["fb"] += max(0, -e.bytes)
        s["big"] = max(s["big"], e.bytes)
        s["end"] = state.total
        if s["peak"] is None or state.total > s["peak"]:
            s["peak"], s["ts"] = state.total, e.ts
        if state.reserved is not None:
            s["res"] = max(state.reserved, s["res"] if s["res"] is not None else state.reserved)
            unused = state.reserved - state.total
            s["unused"] = max(unused, s["unused"] if s["unused"] is not None else unused)
    last = {}
    for e, _, _, state in replay.states():
        last[e.pool] = state
    kept_events = {id(e) for e, kept in zip(replay.events, keep) if kept}
    for pool, state in last.items():
        for size, _, e in state.live.values():
            if id(e) in kept_events:
                sums[pool, replay.traces[e.source].step(e.ts) if per_step else None]["live"].append(size)
    rows = []
    for pool, step in sorted(sums, key=lambda k: pool_order(k[0], sums[k]["rank"]) + (k[1] is None, k[1] or 0)):
        s = sums[pool, step]
        told = (len(s["live"]), sum(s["live"]), s["un"]) if s["addr"] else (None, None, None)
        rows.append([s["rank"], "host" if pool[1] else pool[2]] + ([step] if per_step else []) +
                    [s["a"], s["f"], s["ab"], s["fb"], s["big"], s["start"], s["end"], s["end"] - s["start"], s["peak"],
                     None if s["ts"] is None else kineto.us(s["ts"]), s["res"], s["unused"], *told])
    return ("rank device" + " step" * per_step + " allocations frees allocated_bytes freed_bytes largest_bytes start_bytes "
            "end_bytes growth_bytes peak_bytes peak_us max_reserved_bytes max_unused_bytes live live_bytes "
            "unmatched_frees").split(), rows


def totals_before(replay):
    """What a pool held before each event, as far as the event or those before it tell."""
    held = {}
    for e in replay.events:
        total = e.args.get("Total Allocated")
        yield total - e.bytes if whole(total) else held.get(e.pool, 0)
        held[e.pool] = total if whole(total) else held.get(e.pool, 0) + e.bytes


def first_rows(rows, top):
    """The first rows of each rank and device, and one for the others: sums, and the share that they are of the total."""
    groups = {}
    for row in rows:
        groups.setdefault((row[0], row[2]), []).append(row)
    out = []
    for (rank, device), mine in groups.items():
        out += mine[:top]
        rest = mine[top:]
        if rest:
            shares = [100 * r[4] / r[6] for r in rest if r[6]]
            out.append([rank, None, device, "others", sum(r[4] for r in rest), None, None,
                        "%.2f" % sum(shares) if shares else None, sum(r[8] for r in rest)])
    return out


ABSENT = "status 3"  # what was asked for is in no trace


def answer(files, view):
    table, _, by = view[view.index("--by") + 1].partition(",")
    replay = Replay([Trace(path, i) for i, path in enumerate(files)], by or BY[0])
    if "--step" in view and not any(2 <= number <= 3 for t in replay.traces for _, _, number in t.steps):
        return ABSENT
    keep = replay.kept(view)
    if table == "summary":
        return kineto.text(*summary(replay, keep, "--per" in view))
    if table == "series":
        return kineto.text(*changes(replay, keep))
    rows = [row for _, row in moment(replay, keep, table)]
    if "--top" in view:
        rows = first_rows(rows, int(view[view.index("--top") + 1]))
    return kineto.text("rank ts_us device category allocated_bytes reserved_bytes total_bytes pct allocations".split(), rows)


def run(*argv):
    p = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode == 3 and b": option --step: " in p.stderr and not p.stdout:
        return ABSENT
    if p.returncode != 0:
        raise RuntimeError("%s ended with status %d: %s" % (argv[0], p.returncode, p.stderr.decode()[-300:]))
    return p.stdout.decode("utf-8", "surrogateescape")


def files_for(seed, folder, trgen):
    rng = random.Random(seed)
    if seed % 4 == 0:
        run(trgen, "--output", folder, "--random", "--seed", str(seed))
        stems = sorted(n[:-len(".truth.json")] for n in os.listdir(folder) if n.endswith(".truth.json"))
        truths = [json.load(open(os.path.join(folder, s + ".truth.json"), encoding="utf-8")) for s in stems]
        files = [os.path.join(folder, s + ".json") for s in stems]
        paired = any('"ph": "B"' in open(f, encoding="utf-8", errors="replace").read() for f in files)  # not known here
        return files if all(t["strict_json"] for t in truths) and not paired else []
    files = []
    for i in range(rng.randrange(1, 3)):
        files.append(os.path.join(folder, "t%d.json" % i))
        trace = timeline(rng) if rng.random() < 0.25 else kineto_trace(rng)
        if not trace or not (isinstance(trace, list) or trace["traceEvents"]):
            trace = {"traceEvents": []}
        with open(files[-1], "w", encoding="utf-8") as f:
            json.dump(trace, f)
    return files


def compare(bin_dir, trgen, seed):
    results = []
    with tempfile.TemporaryDirectory() as folder:
        files = files_for(seed, folder, trgen)
        for view in VIEWS if files else []:
            have = run(os.path.join(bin_dir, "tr-memory"), "-q", "-O", "tsv", *view, *files)
            want = answer(files, view)
            results.append((" ".join(view), "seed %d" % seed, None if have == want else (have, want)))
    return results


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.split("\n\n")[1])
    bin_dir, trgen, of = sys.argv[1], sys.argv[2], seeds.of(sys.argv[3])
    n = len(of)
    total = {" ".join(view): [] for view in VIEWS}
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count() or 1) as pool:
        for results in pool.map(compare, [bin_dir] * n, [trgen] * n, of, chunksize=4):
            for view, seed, why in results:
                total[view].append((seed, why))
    print("1..%d" % len(total))
    for i, (view, results) in enumerate(total.items()):
        wrong = [(seed, why) for seed, why in results if why]
        print("%sok %d - tr-memory %s: %d traces of %d" % ("not " if wrong or not results else "", i + 1, view,
                                                          len(results), n))
        for seed, (have, want) in wrong[:SHOWN]:
            lines = [(h, w) for h, w in zip(have.split("\n"), want.split("\n")) if h != w]
            print("# %s: %d and %d lines; the first that differ:" % (seed, have.count("\n"), want.count("\n")))
            for h, w in lines[:4]:
                print("# have %s\n# want %s" % (h, w))
    return 1 if any(why for results in total.values() for _, why in results) or not all(total.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
