#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sums of groups by hand, beside what tr-sum says: usage: sums.py BIN PAGE [--random TRGEN SEEDS] [FILE.json[.gz]]...

For each trace (those given, and random ones) each case below is run, and its table compared with one that is
made here from the JSON text; nothing here knows about libcore.  The cases of RECIPES stand in PAGE, tr-migrate(7),
and each command of PAGE that begins with tr-sum is one of them.  Output is TAP: one line for each case.

Columns: name count sum_us pct mean_us std_us min_us p50_us max_us first_us last_us approx from_us to_us, and others.
"""
import bisect
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.dont_write_bytecode = True  # the source tree may be read-only
import calls
import kineto as k
import seeds
import steps as steps_of
import tiny

USUAL = "share,sum,count,mean,p50,min,max,std"
ALL = "count,sum,share,mean,std,min,p50,p99.9,max,first,last"
DEVICE = ("kernel", "memcpy", "memset")


# ---- events ----

class Event:
    pass


def number(v):
    return isinstance(v, int) and not isinstance(v, bool)


def load(path, order):
    """The spans of a file that are possible, with what lies above them."""
    trace = k.load(path)
    rank = k.number((trace.get("distributedInfo") or {}).get("rank"), order)
    base = bool(trace.get("baseTimeNanoseconds"))
    events = []
    for record, e in k.complete(trace.get("traceEvents", [])):
        ts, dur = k.ns(e.get("ts")), k.ns(e.get("dur")) if "dur" in e else None
        if ts is None:
            continue
        x = Event()
        x.rank, x.record, x.ts, x.dur, x.event = rank, record, ts, dur, e
        x.suspect = dur is not None and not 0 <= dur <= k.WEEK or ts < 0 and base
        x.name, x.cat = calls.text_of(e.get("name", "")), str(e.get("cat", ""))
        x.args, x.activity = k.args_of(e), calls.activity_of(str(e.get("cat", "")), calls.text_of(e.get("name", "")))
        x.host = x.activity not in DEVICE + ("sync", "device_annotation")
        x.length = 0 if x.suspect or dur is None else dur
        x.endless = dur is None
        x.order = float("inf") if dur is None else dur if 0 <= dur <= k.WEEK else 0
        x.stream = None if x.host else k.number(x.args.get("stream"), k.number(e.get("tid"), None))
        x.thread, x.number = k.thread_of(e), x.args.get("correlation")
        x.parent, x.launch, x.children = None, None, []
        events.append(x)
    events.sort(key=lambda x: (x.ts, -x.order, x.record))
    nest(events)
    link(events)
    steps(events)
    return events


def nest(events):
    """Parents: the innermost open span of the thread that does not end before; 1 ns too long is allowed."""
    threads = {}
    for x in events:
        if not x.host:
            continue
        open_ = threads.setdefault(x.thread, [])
        x.end = float("inf") if x.endless else x.ts + x.length
        while open_ and (open_[-1].end < x.ts or (open_[-1].end == x.ts and x.end > x.ts)):
            open_.pop()
        while open_ and open_[-1].end + 1 < x.end:
            open_.pop()
        if open_:
            x.parent = open_[-1]
            x.end = min(x.end, x.parent.end)
            x.parent.children.append(x)
        if x.end > x.ts:
            open_.append(x)


def link(events):
    launches = {}
    for x in events:
        if x.activity in ("runtime_api", "driver_api") and number(x.number):
            inner = lambda s: k.inner(s.ts, s.length, s.record)
            launches[x.number] = max(launches.get(x.number, x), x, key=inner)
    for x in events:
        if not x.host and x.activity != "device_annotation" and number(x.number):
            x.launch = launches.get(x.number)
            x.suspect |= x.activity in DEVICE and x.launch is not None and x.ts == 0 and x.dur == 0  # no times


def steps(events):
    found = sorted((x.ts, i, x) for i, x in enumerate(events) if x.activity == "annotation" and
                   re.fullmatch(r"ProfilerStep#\d+", x.name) and not x.suspect and not x.endless)
    numbers = [int(f[2].name.split("#")[1]) for f in found]
    if not found: # those of an inference engine, numbered by start; one inside of another is part of that
        for f in sorted((x.ts, i, x) for i, x in enumerate(events) if x.activity == "annotation" and
                        re.match(r"execute_(\d+_)?context_|step\[(EXTEND|DECODE|MIXED)", x.name)):
            if not found or f[0] >= found[-1][2].ts + found[-1][2].length:
                found.append(f)
        numbers = list(range(len(found)))
    number_of = {id(f[2]): n for f, n in zip(found, numbers)}
    for x in events:
        at = x.launch.ts if x.launch else None if x.activity in DEVICE + ("sync",) else x.ts
        x.step = None
        if at is None:
            continue
        call = x.launch or x
        for s in steps_of.candidates([f[2] for f in found], call.thread, not call.host):
            if s.ts <= at < s.ts + s.length:
                x.step = number_of[id(s)]


def above(x):
    """What lies above an event, innermost first."""
    p = x.parent if x.host else x.launch.parent if x.launch and x.activity in DEVICE else None
    while p:
        yield p
        p = p.parent


def is_step(p):
    return p.activity == "annotation" and p.name.startswith("ProfilerStep")


def operator(x):
    return next((p.name for p in above(x) if p.activity in ("cpu_op", "comm_record")), None)


def annotation(x):
    return next((p.name for p in above(x) if p.activity == "annotation" and not is_step(p)), None)


def module(x):
    for p in above(x):
        m = re.fullmatch(r"nn\.Module: (.+?)(_\d+)?", p.name, re.S) if p.activity == "python" else None
        if m:
            return m[1]
    return None


def stack(x, n):
    return " > ".join([p.name for p in above(x) if not is_step(p)][:n][::-1]) or None


def own(x):
    """Time of a span in which no child runs; a span that never ends has none."""
    if not x.host or x.endless:
        return x.dur
    total, covered = x.length if not x.parent else x.end - x.ts, x.ts
    for c in x.children:
        total -= max(0, min(c.end, x.end) - max(c.ts, covered))
        covered = max(covered, min(c.end, x.end))
    return total


def queue(x):
    wait = x.ts - x.launch.ts - x.launch.length if x.launch else -1
    return wait if wait >= 0 else None


def arg(name):
    def get(x):
        v = x.args.get(name)
        return None if v is None else json.dumps(v, separators=(",", ":")) if isinstance(v, (list, dict)) else \
            str(v).lower() if isinstance(v, bool) else str(v)
    return get


def amount(name):
    def get(x):
        v = x.args.get(name)
        return v if number(v) else int(v) if isinstance(v, str) and re.fullmatch(r"0|-?[1-9]\d{0,17}", v) else None
    return get


def field(name):
    return lambda x: getattr(x, name)


def api(x):
    return x.launch.name if x.launch else None


def launch_dur(x):
    return x.launch.dur if x.launch and not x.launch.suspect else None


def activity(*names):
    return lambda x: x.activity in names


# ---- cases: arguments, which events, keys, value, the value's unit ----

KERNELS = activity("kernel")
RECIPES = [
    ("--by name --where activity==kernel --stat " + USUAL, KERNELS, [field("name")], field("dur")),
    ("--by name,args.grid,args.block --where activity==kernel --stat " + USUAL, KERNELS,
     [field("name"), arg("grid"), arg("block")], field("dur")),
    ("--by name --where 'activity in (runtime_api, driver_api)' --stat " + USUAL,
     activity("runtime_api", "driver_api"), [field("name")], field("dur")),
    ("--by name --where 'activity in (memcpy, memset)' --stat " + USUAL, activity("memcpy", "memset"), [field("name")],
     field("dur")),
    ("--by name --where 'activity in (memcpy, memset)' --value args.bytes --stat sum,count,mean,p50,min,max,std",
     activity("memcpy", "memset"), [field("name")], amount("bytes")),
    ("--by name --where activity==annotation --stat " + USUAL, activity("annotation"), [field("name")], field("dur")),
    ("--by annotation,name --where activity==kernel --stat " + USUAL, KERNELS, [annotation, field("name")], field("dur")),
    ("--by name --where activity==kernel --hist=20", KERNELS, [field("name")], field("dur")),
    ("--by name --where activity==os_api --stat " + USUAL, activity("os_api"), [field("name")], field("dur")),
    ("--by api,name --where 'activity==memcpy && api !~ \"Async\"' --stat count,sum,max",
     lambda x: x.activity == "memcpy" and x.launch and "Async" not in x.launch.name, [api, field("name")], field("dur")),
    ("--by api,name --where 'activity==memcpy && api =~ \"Async\" && name =~ \"Pageable\"' --stat count,sum,max",
     lambda x: x.activity == "memcpy" and x.launch and "Async" in x.launch.name and "Pageable" in x.name,
     [api, field("name")], field("dur")),
]
OTHERS = [
    ("--by api,name --where activity==kernel --value launch_dur --stat count,mean,p50,min,max,std", KERNELS,
     [api, field("name")], launch_dur),
    ("--by api,name --where activity==kernel --value queue --stat count,mean,p50,min,max,std", KERNELS,
     [api, field("name")], queue),
    ("--by api,name --where activity==kernel --value dur --stat count,mean,p50,min,max,std", KERNELS,
     [api, field("name")], field("dur")),
    ("--by rank,stream,name --where activity==kernel --stat " + ALL, KERNELS,
     [field("rank"), field("stream"), field("name")], field("dur")),
    ("--by activity,cat --stat " + ALL, lambda x: True, [field("activity"), lambda x: x.cat or None], field("dur")),
    ("--by operator,name --where 'activity in (kernel, memcpy, memset)' --stat " + ALL, activity(*DEVICE),
     [operator, field("name")], field("dur")),
    ("--by module --stat " + ALL, lambda x: True, [module], field("dur")),
    ("--by 'stack(2)' --value self --stat " + ALL, lambda x: True, [lambda x: stack(x, 2)], own),
    ("--by name --value self --stat count,sum,min,max", lambda x: True, [field("name")], own),
    ("--by step --stat " + ALL, lambda x: True, [field("step")], field("dur")),
    ("--by 'bin(100us)' --where activity==kernel --stat count,sum", KERNELS, [lambda x: x.ts // 100000 * 100000],
     field("dur")),
    ("--by activity --hist=log", lambda x: True, [field("activity")], field("dur")),
    ("--by activity,stream --hist=7", lambda x: True, [field("activity"), field("stream")], field("dur")),
    ("--by args.stream,args.bytes --where activity==memcpy --value args.bytes --stat count,sum,min,max",
     activity("memcpy"), [arg("stream"), arg("bytes")], amount("bytes")),
]
NUMBERS = {"rank", "stream", "step", "bin(100us)"}
TIMES = {"bin(100us)"}


# ---- tables ----

def quantile(values, q):
    at = (len(values) - 1) * q
    whole = int(at)
    low, high = values[whole], values[min(whole + 1, len(values) - 1)]
    return low + (high - low) * (at - whole)


def std(values):
    n = len(values)
    if n < 2:
        return None
    return Fraction(math.sqrt(Fraction(n * sum(v * v for v in values) - sum(values) ** 2, n * (n - 1))))


def stat(name, values, first, last, total):
    if name == "count":
        return len(values)
    if name == "share":
        return "%.2f" % (100 * sum(values) / total) if total else None
    return {"sum": sum, "min": min, "max": max, "mean": lambda v: Fraction(sum(v), len(v)), "std": std,
            "p50": lambda v: quantile(sorted(v), Fraction(1, 2)), "p99.9": lambda v: quantile(sorted(v), Fraction(999, 1000)),
            "first": lambda v: first, "last": lambda v: last}[name](values)


def bins(how, values):
    """(from, to, count) of each bin."""
    if how == "log":
        edges = [0, 1]
        while edges[-1] <= max(values):
            edges.append(edges[-1] * 2)
        pairs = list(zip(edges, edges[1:]))
    else:
        width = (max(values) - min(values)) // int(how) + 1
        pairs = [(f, f + width) for f in range(min(values), max(values) + 1, width)]
    values = sorted(values)
    below = lambda t: bisect.bisect_left(values, t)
    rows = [(f, t, below(t) - below(f)) for f, t in pairs]
    while rows and not rows[0][2]:
        rows.pop(0)
    return rows


def table(case, events):
    words = shlex.split(case[0])
    names = words[words.index("--by") + 1].split(",")
    stats = words[words.index("--stat") + 1].split(",") if "--stat" in words else []
    hist = [w[len("--hist="):] for w in words if w.startswith("--hist=")]
    timed = "args." not in " ".join(words[words.index("--value"):][:2] if "--value" in words else [])
    groups = {}
    for x in events:
        if x.suspect or not case[1](x):
            continue
        v = case[3](x)
        if v is not None:
            groups.setdefault(tuple(key(x) for key in case[2]), []).append((x.ts, v))
    total = sum(v for values in groups.values() for _, v in values)
    leading = 0
    while leading < len(names) and names[leading] in NUMBERS:
        leading += 1

    def text_order(key):
        return (key is None, not re.fullmatch(r"-?\d+", key) if key else True,
                int(key) if key and re.fullmatch(r"-?\d+", key) else 0, k.tsv_key(key or "")) if not isinstance(key, int) \
            else (False, False, key, b"")

    def order(item):
        key, values = item
        return ([(c is None, c or 0) for c in key[:leading]], -sum(v for _, v in values), -len(values),
                [text_order(c) if n.startswith("args.") else (c is None, c or 0) if n in NUMBERS else (c is None, k.tsv_key(c or ""))
                 for n, c in list(zip(names, key))[leading:]])
    rows, ordered = [], sorted(groups.items(), key=order)
    if hist and len(ordered) > 5:  # the others share one
        label = next((i for i, n in enumerate(names) if n not in NUMBERS and n not in TIMES), None)
        ordered[5:] = [(tuple("others" if i == label else None for i in range(len(names))),
                        [pair for _, pairs in ordered[5:] for pair in pairs])]
    for key, pairs in ordered:
        values = [v for _, v in pairs]
        shown = [k.us(c) if n in TIMES else c for n, c in zip(names, key)]
        begin, end = min(pairs)[0], max(pairs)[0]
        first, last = max(v for ts, v in pairs if ts == begin), min(v for ts, v in pairs if ts == end)
        cell = lambda v: v if v is None or isinstance(v, str) or not timed else k.us(k.half_up(v))
        if hist:
            rows += [shown + [cell(f), cell(t), n, "%.2f" % (100 * n / len(values)), 0] for f, t, n in bins(hist[0], values)]
        else:
            rows.append(shown + [n if s == "count" else cell(n) for s in stats for n in [stat(s, values, first, last, total)]]
                        + [0] * any(s[0] == "p" for s in stats))
    return rows


# ---- comparison ----

def same(a, b):
    """A cell of ours and one of theirs."""
    if b is None or a == "":
        return a == "" and b in (None, "")
    if a == str(b):
        return True
    if isinstance(b, (int, float, Fraction)):
        return math.isclose(float(a), float(b), rel_tol=1e-12)
    if b[:1] in "[{":
        return json.loads(a) == json.loads(b)
    if re.fullmatch(r"-?\d+\.\d\d", a) and re.fullmatch(r"-?\d+\.\d\d", str(b)): # half of a hundredth percent
        return abs(float(a) - float(b)) < 0.0101
    if re.fullmatch(r"-?\d+\.\d\d\d", a): # the square root of a large number
        return math.isclose(float(a), float(b), rel_tol=1e-12, abs_tol=0.00101)
    return False


def unescape(cell):
    return re.sub(r"\\(.)", lambda m: {"t": "\t", "n": "\n", "r": "\r"}.get(m[1], m[1]), cell)


def run(bin_dir, args, files):
    argv = [os.path.join(bin_dir, "tr-sum"), "-q", "-O", "tsv", *args, *files]
    p = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode:
        raise RuntimeError(" ".join(args) + ": " + p.stderr.decode("utf-8", "replace")[-300:])
    return [[unescape(c) for c in line.split("\t")] for line in
            p.stdout.decode("utf-8", "surrogateescape").split("\n")[1:-1]]


def compare(bin_dir, case, events, files):
    have, want = run(bin_dir, shlex.split(case[0]), files), table(case, events)
    if len(have) != len(want):
        return "%d rows, not %d" % (len(have), len(want))
    for i, (h, w) in enumerate(zip(have, want)):
        if len(h) != len(w) or not all(same(a, b) for a, b in zip(h, w)):
            return "row %d: %r, not %r" % (i, h, w)
    return None


def random_traces(folder, trgen, seed):
    """Files of a seed, none if Python's JSON parser refuses them."""
    if seed % 3 == 1:
        return [] if tiny.write(folder, seed)[1] else sorted(os.path.join(folder, n) for n in os.listdir(folder) if n.endswith(".json"))
    subprocess.run([trgen, "--output", folder, "--random", "--seed", str(seed)], check=True)
    truths = {}
    for n in os.listdir(folder):
        if n.endswith(".truth.json"):
            with open(os.path.join(folder, n), encoding="utf-8") as f:
                truths[n[:-len(".truth.json")]] = json.load(f)
    if any(not t["strict_json"] or "reused-correlation" in t["planted_counts"] for t in truths.values()):
        return []
    return [os.path.join(folder, n + ".json") for n in sorted(truths)]


def page_commands(page):
    with open(page, encoding="utf-8") as f:
        text = f.read().split(".Ss nsys")[1].split(".Ss ")[0]
    text = re.sub(r"(?: \\e)?\n> *", " ", text) # lines that go on
    return {" ".join(shlex.split(c)) for c in re.findall(r"^\$ tr-sum (.*?) -O (?:text|tsv) rank0\.json\.gz", text, re.M)}


def main():
    bin_dir, page, rest = sys.argv[1], sys.argv[2], sys.argv[3:]
    trgen, of = None, ()
    if rest[:1] == ["--random"]:
        trgen, of, rest = rest[1], seeds.of(rest[2]), rest[3:]
    cases = RECIPES + OTHERS
    wrong, tried = {c[0]: [] for c in cases}, 0

    def try_all(files, events, name):
        for c in cases:
            said = compare(bin_dir, c, events, files)
            if said:
                wrong[c[0]].append("%s: %s" % (name, said))
    for path in rest:
        try_all([path], load(path, 0), os.path.basename(path))
        tried += 1
    for seed in of:
        with tempfile.TemporaryDirectory() as folder:
            files = random_traces(folder, trgen, seed)
            if files:
                events = [x for i, path in enumerate(files) for x in load(path, i)]
                try_all(files, events, "seed %d" % seed)
                tried += 1
    print("1..%d" % (len(cases) + 1))
    for i, c in enumerate(cases):
        print("%s %d - tr-sum %s: %d traces" % ("not ok" if wrong[c[0]] else "ok", i + 1, c[0].replace("#", " "), tried))
        for said in wrong[c[0]][:3]:
            print("# " + said)
    theirs = page_commands(page) if os.path.exists(page) else set()
    mine = {" ".join(shlex.split(c[0])) for c in RECIPES}
    print("%s %d - the commands of %s are those that are tried here" %
          ("ok" if theirs == mine else "not ok", len(cases) + 1, os.path.basename(page)))
    for c in sorted(theirs ^ mine):
        print("# " + c)


if __name__ == "__main__":
    main()
