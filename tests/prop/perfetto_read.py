#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is what tr-view -O perfetto writes read as what it is?

usage: perfetto_read.py BIN TRACE...

Each trace is written for Perfetto, that file is read and written again; both files are decoded by perfetto_reader.py:
slices, instants and samples with their names, categories, times, args, tracks and nesting, and arrows.  Then what is
in the stream is held against the first file, for what a second writing could hide.
"""
import collections
import json
import re
import subprocess
import sys

from perfetto_reader import Reader


def run(*command):
    return subprocess.run(command, capture_output=True, check=True).stdout


def path(row):
    """Names from the outermost slice on."""
    names = []
    while row is not None:
        names.append(row.name)
        row = row.parent
    return tuple(reversed(names))


def place(track):
    """Lanes beside each other, and tracks of one name, differ by a number that may be another one."""
    process = track.process()
    name = re.sub(r"^rank \d+: (whole trace)$", r"\1", re.sub(r" \(\d+\)$", "", track.name))
    return process.name if process else None, name


def shift_of(seen):
    return min([s.ts for s in seen.slices + seen.instants] + [c[0] for c in seen.counts], default=0)


def content(seen):
    shift = shift_of(seen)
    found = collections.Counter()
    for s in seen.slices + seen.instants:
        args = json.dumps(sorted((k, json.dumps(v, sort_keys=True)) for k, v in dict(s.args).items()))
        found["slice", s.ts - shift, s.dur, s.cat, args, path(s), place(s.track)] += 1
    for ts, name, value in seen.counts:
        found["sample", ts - shift, name, float(value)] += 1
    for a, b in seen.arrows:
        found["arrow", a.ts - shift, path(a), b.ts - shift, path(b)] += 1
    for t in seen.tracks.values():
        found["track", "counter" if t.kind == "counter" else "slices", place(t)] = 1
    return found


def differ(what, got, want):
    more, less = got - want, want - got
    if not more and not less:
        return False
    print("# %s: %d not expected, %d missing" % (what, sum(more.values()), sum(less.values())))
    for sign, rows in (("+", more), ("-", less)):
        for row in sorted(rows.elements(), key=repr)[:3]:
            print("# %s %r" % (sign, row))
    return True


def check(bin, trace):
    first = run(bin + "/tr-view", "-q", "-O", "perfetto", trace)
    with open("first.pftrace", "wb") as f:
        f.write(first)
    again = run(bin + "/tr-view", "-q", "-O", "perfetto", "first.pftrace")
    seen = Reader(first)
    bad = differ("written again", content(Reader(again)), content(seen))
    lines = run(bin + "/tr-view", "-q", "-O", "jsonl", "first.pftrace").splitlines()
    got, want = collections.Counter(), collections.Counter()
    shift = shift_of(seen)
    begin = None
    for e in map(json.loads, lines):
        begin = e["ts_ns"] if begin is None else begin
        if e["phase"] in ("span", "instant"):
            dur = e["dur_ns"] if e["phase"] == "span" else 0
            got[e["ts_ns"] - begin, dur, e["name"], e["cat"], json.dumps(e["args"], sort_keys=True)] += 1
    for s in seen.slices + seen.instants:
        args = {k: int(v) if isinstance(v, float) and v.is_integer() else v for k, v in s.args}
        args = json.dumps(args or None, sort_keys=True)
        want[s.ts - shift, s.dur, s.name, s.cat, args] += 1
    return differ("stream", got, want) or bad


def main():
    bin, traces = sys.argv[1], sys.argv[2:]
    print("1..%d" % len(traces))
    for i, trace in enumerate(traces):
        print("%s %d - %s" % ("not ok" if check(bin, trace) else "ok", i + 1, trace))


main()
