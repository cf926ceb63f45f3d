#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is around events, by hand, beside what tr-view and tr-filter say: usage: fields.py BIN TRGEN SEEDS

For each random trace, every span's operator, module, annotation, parent, stack, step, launch and wait are found by
looking at all spans before it (sums.py), and compared with the columns of tr-view.  Then conditions are made of values
that occur, and the events that tr-filter passes on compared with the rows whose columns satisfy them.  Nothing here
knows about libcore.  Output is TAP: one line for each field and form.
"""
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source tree may be read-only
import kineto as k
import seeds
import sums

TEXTS = {"operator": sums.operator, "module": sums.module, "annotation": sums.annotation,
         "parent": lambda x: sums.stack(x, 1), "stack": lambda x: sums.stack(x, None), "stack(2)": lambda x: sums.stack(x, 2)}


def queue_wait(x):
    if not x.launch:
        return None
    dur = x.launch.dur if x.launch.dur is not None else 0
    return max(0, x.ts - x.launch.ts - max(0, dur))


NUMBERS = {"record": lambda x: x.record, "step": lambda x: x.step, "launch_record": lambda x: x.launch and x.launch.record,
           "dur": lambda x: x.dur, "launch_dur": lambda x: x.launch.dur if x.launch else None, "queue_wait": queue_wait}
FIELDS = {**TEXTS, **NUMBERS}


def run(argv):
    done = subprocess.run(argv, capture_output=True)
    if done.returncode:
        return None, done.stderr.decode(errors="replace")
    return done.stdout, None


def rows_of(out):
    lines = out.decode("utf-8", "replace").split("\n")
    return [line.split("\t") for line in lines[1:-1]]


def escaped(v):
    return "" if v is None else k.tsv_key(v).decode("utf-8", "replace") if isinstance(v, str) else str(v)


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def conditions(rng, events):
    """Pairs of a condition and the test of an event that means the same."""
    some = [x for x in events if any(f(x) is not None for f in TEXTS.values())] or events
    x = rng.choice(some)
    for name, f in TEXTS.items():
        v = f(x)
        if v is None:
            yield "has(%s)" % name, lambda e, f=f: f(e) is not None
            continue
        yield "%s == %s" % (name, quoted(v)), lambda e, f=f, v=v: f(e) == v
        yield "%s != %s && has(launch_ts)" % (name, quoted(v)), lambda e, f=f, v=v: f(e) not in (None, v) and e.launch
        half = v[:max(1, len(v) // 2)]
        if half.isalnum() and half.isascii():
            yield "%s =~i %s" % (name, quoted(half.swapcase())), lambda e, f=f, h=half: f(e) and h.lower() in f(e).lower()
    for a, b in (("dur", "launch_dur"), ("queue_wait", "dur"), ("launch_dur", "queue_wait"), ("record", "launch_record"),
                 ("step", "record")):
        op, holds = rng.choice((("<", lambda p, q: p < q), ("<=", lambda p, q: p <= q), ("==", lambda p, q: p == q),
                                ("!=", lambda p, q: p != q), (">", lambda p, q: p > q), (">=", lambda p, q: p >= q)))
        yield "%s %s %s" % (a, op, b), lambda e, a=NUMBERS[a], b=NUMBERS[b], holds=holds: \
            a(e) is not None and b(e) is not None and holds(a(e), b(e))


def check(bin_dir, path, rng, wrong):
    events = {x.record: x for x in sums.load(path, 0)}
    names = list(FIELDS)
    out, problem = run([bin_dir + "/tr-view", "-q", "-O", "tsv", "--unit", "ns", "--columns", ",".join(names), "--where",
                        "phase == span", path])
    if problem:
        wrong["tr-view"].append(problem)
        return 0
    # work that comes before its launch waits for it: also if that is in another block
    blocks, problem = run([bin_dir + "/tr-parse", "-q", "--block-events", str(rng.randrange(1, 5)), path])
    shown = subprocess.run([bin_dir + "/tr-view", "-q", "-O", "tsv", "--unit", "ns", "--columns", ",".join(names), "--where",
                            "phase == span", "-"], input=blocks, capture_output=True).stdout
    if problem or shown != out:
        wrong["blocks"].append("%s: %s" % (path, problem or "other values in small blocks"))
    at, seen = names.index("record"), 0
    for row in rows_of(out):
        x = events.get(int(row[at]))
        if x is None or x.suspect:
            continue
        seen += 1
        for name, said in zip(names, row):
            mine = escaped(FIELDS[name](x))
            if mine != said:
                wrong[name].append("%s: record %d: %r, not %r" % (path, x.record, said, mine))
    for text, test in conditions(rng, list(events.values())) if events else ():
        kept, problem = run([bin_dir + "/tr-filter", "-q", text, path])
        out = problem or subprocess.run([bin_dir + "/tr-view", "-q", "-O", "tsv", "--columns", "record", "-"], input=kept,
                                        capture_output=True).stdout
        got = sorted(int(r[0]) for r in rows_of(out) if r[0]) if not problem else problem
        got = [r for r in got if r in events and not events[r].suspect] if not problem else got
        mine = sorted(r for r, x in events.items() if not x.suspect and test(x))
        if got != mine:
            wrong["tr-filter"].append("%s: %s: %s, not %s" % (path, text, got, mine))
    return seen


def main():
    bin_dir, trgen, of = sys.argv[1], sys.argv[2], seeds.of(sys.argv[3])
    wrong, seen = {name: [] for name in ("tr-view", "blocks", *FIELDS, "tr-filter")}, 0
    for seed in of:
        with tempfile.TemporaryDirectory() as folder:
            for path in sums.random_traces(folder, trgen, seed):
                seen += check(bin_dir, path, random.Random(seed), wrong)
    print("1..%d" % (len(wrong) + 1))
    print("%s 1 - %d spans of %d traces are compared" % ("ok" if seen > 10 * len(of) else "not ok", seen, len(of)))
    for i, (name, said) in enumerate(wrong.items()):
        print("%s %d - %s" % ("not ok" if said else "ok", i + 2, name))
        for line in said[:3]:
            print("# " + line.replace("\n", "\n# "))


if __name__ == "__main__":
    main()
