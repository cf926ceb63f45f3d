#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stacks and their weights by hand, beside what tr-flame writes: usage: stacks.py BIN [--random TRGEN SEEDS] [FILE]...

For each trace (those given, and random ones, into which allocations are put) each case below is run in every form: the
table, folded stacks, speedscope, pprof.  Stacks are made here from the JSON text by the rules of tr-flame(1).

Columns: rank stack host_us host_self_us device_us device_self_us launches launches_self allocated_bytes
allocated_self_bytes.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source tree may be read-only
import kineto as k
import profiles
import seeds
import sums

COLUMNS = ["stack", "host_us", "host_self_us", "device_us", "device_self_us", "launches", "launches_self",
           "allocated_bytes", "allocated_self_bytes"]
WEIGHTS = ("host", "device", "launches", "bytes")
PROFILER = r"PyTorch Profiler [(]|Iteration Start: |Record Window End|__cupti_profiler__|ProfilerStep#"
OVERHEAD = ("Buffer Flush", "Activity Buffer Request", "Instrumentation", "Resource")


# ---- stacks ----

def of_profiler(x):
    return not sums.is_step(x) and bool(re.match(PROFILER, x.name)) or x.activity == "overhead" and x.name in OVERHEAD


def frame(x, by):
    """The name of a span as a frame; None: it is none."""
    if of_profiler(x):
        return None
    if by == "operator":
        return x.name if x.activity in ("cpu_op", "comm_record") else None
    if by == "module":
        m = re.fullmatch(r"nn\.Module: (.+?)(_\d+)?", x.name, re.S) if x.activity == "python" else None
        return m[1] if m else None
    if by == "python":
        return x.name if x.activity == "python" else None
    return "(step)" if sums.is_step(x) else x.name


def frames(spans, by):
    """Of spans, innermost first, the names of frames, outermost first."""
    return tuple(name for name in (frame(x, by) for x in reversed(list(spans))) if name is not None)


def inside(around, x):
    """The spans around something inside of a span."""
    return [x] + list(sums.above(x)) if around else []


def stacks(events, memory, by, kernel, chosen):
    """{(rank, stack): weights of its own}"""
    found = {}

    def add(rank, stack, weight, value):
        of = found.setdefault((rank, stack or ("(none)",)), [0, 0, 0, 0])
        of[WEIGHTS.index(weight)] += value
    for x in events:
        if x.suspect or not chosen(x):
            continue
        if x.activity in sums.DEVICE:
            stack = frames(sums.above(x), by)
            if kernel:
                stack = (stack or ("(none)",)) + (x.name,)
            add(x.rank, stack, "device", x.length)
            add(x.rank, stack, "launches", 1)
        elif x.host and not x.endless and not of_profiler(x):
            add(x.rank, frames([x] + list(sums.above(x)), by), "host", sums.own(x))
    for rank, around, args in memory:
        if chosen is EVERY and sums.number(args.get("Bytes")) and args["Bytes"] > 0 and args.get("Device Type") != 0:
            add(rank, frames(inside(True, around), by) if around else (), "bytes", args["Bytes"])
    return found


def totals(found):
    """The weights with those of all stacks inside, for these and all stacks around them."""
    of = {}
    for (rank, stack), own in found.items():
        for depth in range(len(stack)):
            at = of.setdefault((rank, stack[:depth + 1]), [0, 0, 0, 0])
            for i in range(4):
                at[i] += own[i]
    return of


EVERY = lambda x: True
CASES = [  # options, frames, with device work, which events
    ([], "stack", False, EVERY),
    (["--by", "stack,kernel"], "stack", True, EVERY),
    (["--by", "operator"], "operator", False, EVERY),
    (["--by", "operator,kernel", "--per", "rank"], "operator", True, EVERY),
    (["--by", "module"], "module", False, EVERY),
    (["--by", "python", "--per", "rank"], "python", False, EVERY),
    (["--where", "activity in (kernel, runtime_api)"], "stack", False, lambda x: x.activity in ("kernel", "runtime_api")),
    (["--by", "operator", "--where", 'name != "[memory]"', "--step", "FIRST"], "operator", False, None),
]


# ---- allocations ----

def put_allocations(rng, path):
    """Put allocations into a trace, before its other events.  False: it is not of a form in which that is easy."""
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        text = f.read()
    m = re.search(r'"traceEvents"\s*:\s*\[(?=\s*\{)', text)
    spans = [e for _, e in k.complete(json.loads(text, strict=False)["traceEvents"])] if m else []
    spans = [e for e in spans if isinstance(e.get("ts"), (int, float)) and 0 <= e["ts"] < 2**40]
    if not spans:
        return False
    new = []
    for i in range(6):
        e = rng.choice(spans)
        at = "%d.%03d" % (e["ts"] + rng.randrange(0, 3), rng.randrange(0, 1000))
        args = {"Bytes": rng.choice((512, 1024, -512, 0, 7)), "Device Type": rng.choice((0, 1, 1))}
        if rng.random() < 0.3:
            del args["Device Type"]
        new.append(json.dumps({"ph": "i", "s": "t", "name": "[memory]", "pid": e.get("pid"), "tid": e.get("tid"), "args": args})[:-1]
                   + ', "ts": %s}, ' % at)
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as f:
        f.write(text[:m.end()] + "".join(new) + text[m.end():])
    return True


def allocations(path, order, events):
    """(rank, the span around it, args) of each; None: one has the time of a start or an end, where order decides."""
    trace = k.load(path)
    rank = k.number((trace.get("distributedInfo") or {}).get("rank"), order)
    found = []
    for e in trace.get("traceEvents", []):
        if not isinstance(e, dict) or e.get("name") != "[memory]" or e.get("ph") != "i":
            continue
        ts, thread = k.ns(e.get("ts")), k.thread_of(e)
        mine = [x for x in events if x.host and x.thread == thread]
        if any(ts in (x.ts, x.end) for x in mine):
            return None
        around = [x for x in mine if x.ts < ts < x.end]
        found.append((rank, max(around, key=lambda x: (x.ts, sum(1 for _ in sums.above(x))), default=None), e.get("args") or {}))
    return found


# ---- comparison ----

def run(bin_dir, args, files):
    p = subprocess.run([os.path.join(bin_dir, "tr-flame"), "-q", *args, *files], stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode:
        raise ValueError("status %d: %s" % (p.returncode, p.stderr.decode("utf-8", "replace")[-300:]))
    return p.stdout


def check_table(data, found, per_rank):
    lines = [[sums.unescape(c) for c in line.split("\t")] for line in data.decode("utf-8", "surrogateescape").split("\n")[:-1]]
    profiles.check(lines[0] == ["rank"] * per_rank + COLUMNS, "the columns are %r" % lines[0])
    of = totals(found)
    order = sorted(of, key=lambda key: (key[0] if per_rank else 0, -of[key][0], [n.encode() for n in key[1]]))
    want = []
    for key in order:
        own, row = found.get(key, [0] * 4), [str(key[0])] * per_rank + [" > ".join(key[1])]
        for i, w in enumerate(WEIGHTS):
            row += [k.us(v) if i < 2 else str(v) for v in (of[key][i], own[i])]
        want.append(row)
    profiles.check(len(want) == len(lines) - 1, "%d rows, not %d" % (len(lines) - 1, len(want)))
    for i, (h, w) in enumerate(zip(lines[1:], want)):
        profiles.check(h == w, "row %d: %r, not %r" % (i, h, w))


def compare(bin_dir, case, files, events, memory):
    options, by, kernel, chosen = case
    per_rank = "--per" in options
    found = stacks(events, memory, by, kernel, chosen)
    if not per_rank:
        merged = {}
        for (_, stack), own in found.items():
            of = merged.setdefault((0, stack), [0, 0, 0, 0])
            of[:] = [a + b for a, b in zip(of, own)]
        found = merged
    check_table(run(bin_dir, options + ["-O", "tsv"], files), found, per_rank)
    whole = {(("rank %d" % rank,) if per_rank else ()) + stack: tuple(own) for (rank, stack), own in found.items()}
    whole = {stack: own for stack, own in whole.items() if any(own)}
    for i, w in enumerate(WEIGHTS):
        have = profiles.folded(run(bin_dir, options + ["-O", "folded", "--weight", w], files))
        want = {stack: (own[i],) for stack, own in whole.items() if own[i]}
        profiles.check(have == want, "folded, %s: %r" % (w, sorted(have.items() ^ want.items())[:2]))
    have, shown = profiles.speedscope(run(bin_dir, options + ["-O", "speedscope", "--weight", "device"], files))
    want = {w: (("nanoseconds", "nanoseconds", "none", "bytes")[i], {stack: own[i] for stack, own in whole.items() if own[i]})
            for i, w in enumerate(WEIGHTS)}
    want = {w: of for w, of in want.items() if of[1] or w == "device"}
    profiles.check(shown == "device" and have == want, "speedscope: %r" % (have.keys() ^ want.keys()))
    types, shown, have = profiles.pprof(run(bin_dir, options + ["-O", "pprof"], files))
    profiles.check(types == list(zip(WEIGHTS, ("nanoseconds", "nanoseconds", "count", "bytes"))) and shown == "host",
                   "pprof: types are %r" % types)
    profiles.check(have == whole, "pprof: %r" % sorted(have.items() ^ whole.items())[:2])
    return sum(map(len, found))


def main():
    bin_dir, rest = sys.argv[1], sys.argv[2:]
    trgen, of = None, ()
    if rest[:1] == ["--random"]:
        trgen, of, rest = rest[1], seeds.of(rest[2]), rest[3:]
    wrong, tried, allocated = {i: [] for i in range(len(CASES))}, 0, 0

    def try_all(files, name):
        nonlocal tried, allocated
        events, memory = [], []
        for i, path in enumerate(files):
            own = sums.load(path, i)
            of_file = allocations(path, i, own)
            if of_file is None:
                return
            events += own
            memory += of_file
        tried += 1
        allocated += len(memory)
        steps = sorted({x.step for x in events} - {None})
        for i, case in enumerate(CASES):
            if "FIRST" in case[0]:
                if not steps:
                    continue
                case = case[0][:-1] + [str(steps[0])], case[1], case[2], lambda x: x.step == steps[0]
            try:
                compare(bin_dir, case, files, events, memory)
            except ValueError as said:
                wrong[i].append("%s: %s" % (name, said))
    for path in rest:
        try_all([path], os.path.basename(path))
    for seed in of:
        with tempfile.TemporaryDirectory() as folder:
            files = sums.random_traces(folder, trgen, seed)
            rng = random.Random(seed)
            for path in files:
                put_allocations(rng, path)
            if files:
                try_all(files, "seed %d" % seed)
    print("1..%d" % (len(CASES) + 1))
    for i, case in enumerate(CASES):
        print("%s %d - tr-flame %s: %d traces" % ("not ok" if wrong[i] else "ok", i + 1, " ".join(case[0]), tried))
        for said in wrong[i][:3]:
            print("# " + said)
    print("%s %d - traces have allocations: %d" % ("ok" if allocated > tried else "not ok", len(CASES) + 1, allocated))


if __name__ == "__main__":
    main()
