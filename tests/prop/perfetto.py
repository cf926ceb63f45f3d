#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does tr-view -O perfetto write what the stream holds, in a form that a viewer can draw?

usage: perfetto.py BIN TRACE...

The file is read as its importer reads it (perfetto_reader.py), and held against tr-view -O jsonl: spans, instants and
samples of counters with their names, times and args; arrows between spans, by flow events and by launch links.  With
--gpu-stages, device work is there as render stages, too; with --budget, the output is as small as asked, and lacks only
the shortest spans of its threads.
"""
import collections
import json
import re
import subprocess
import sys

from perfetto_reader import Reader

LAUNCH_FLOWS = ("ac2g", "async_gpu", "async_cpu_to_gpu")  # the links of the stream draw the same
WORK = ("kernel", "memcpy", "memset")


def plain(v):
    """As a viewer has it: what is no int64 is a double; null is a text in a list, and left out of an object."""
    if v is None:
        return "null"
    if isinstance(v, list):
        return [plain(x) for x in v]
    if isinstance(v, dict):
        return {k: plain(x) for k, x in v.items() if x is not None}
    return int(v) if isinstance(v, float) and v.is_integer() and abs(v) < 2 ** 53 else v


def value(v):
    """Of whole numbers beyond 64 bits: a double if one says exactly that, else the text."""
    big = isinstance(v, int) and not -1 << 63 <= v < 1 << 64
    return plain((float(v) if abs(v) < 1 << 1023 and int(float(v)) == v else str(v)) if big else v)


def key_of(ts, dur, name, args):
    args = dict((k, v) for k, v in args if v is not None).items()  # of a B and an E with one key the latter counts
    return ts, dur, name, json.dumps(sorted((k, json.dumps(value(v), sort_keys=True)) for k, v in args))


def view(bin, trace, *options):
    return subprocess.run([bin + "/tr-view", "-q", "-O", "perfetto", *options, trace], capture_output=True,
                          check=True).stdout


def compare(bin, trace):
    said = view(bin, trace)
    seen = Reader(said)
    lines = subprocess.run([bin + "/tr-view", "-q", "-O", "jsonl", trace], capture_output=True, check=True).stdout
    events = [json.loads(line) for line in lines.splitlines()]
    events = [e for e in events if e["ts_ns"] is not None and e["phase"] not in ("metadata", "end", "unknown")]
    spans, instants, counts = [], [], []
    running = collections.defaultdict(list)  # async events: one track for each category and id of a process
    for e in events:
        args = list((e["args"] or {}).items()) if isinstance(e["args"], dict) else []
        members = e.get("members") or {}
        args += [(k, members[k]) for k in ("tts", "tdur") if k in members and e["phase"] != "counter"]
        if e["phase"] == "counter":
            counts += samples(e, args, members)
        elif is_slice(e) or (e["phase"] == "async_begin" and e["dur_ns"] is not None):
            spans.append(key_of(e["ts_ns"], e["dur_ns"], e["name"], args))
        elif e["phase"] in ("async_begin", "async_end"):
            same_id = running[e["source"], e["pid"], e["cat"], str(members.get("id"))]
            if e["phase"] == "async_begin":
                same_id.append((e["ts_ns"], e["name"], args))
            elif same_id:
                ts, name, first = same_id.pop()
                spans.append(key_of(ts, e["ts_ns"] - ts, name, first + args))
        elif e["phase"] in ("span", "instant", "async_instant"):
            instants.append(key_of(e["ts_ns"], 0, e["name"], args))
    open_async = [key_of(ts, 0, name, args) for same_id in running.values() for ts, name, args in same_id]
    begin = min([s.ts for s in seen.slices + seen.instants] + [c[0] for c in seen.counts], default=0)
    shift = begin - min([s[0] for s in spans + instants + open_async] + [c[0] for c in counts], default=0)
    got = [key_of(s.ts - shift, s.dur, s.name, s.args) for s in seen.slices if s.dur is not None]
    same(trace, "spans", got, spans)
    # A begin that never ends is a slice without end: in the stream it is a span without a duration.
    got = [key_of(s.ts - shift, 0, s.name, s.args) for s in seen.instants + seen.slices if not s.dur]
    got = collections.Counter(got) - collections.Counter(key for key in spans if key[1] == 0)
    same(trace, "instants", got.elements(), instants + open_async)
    same(trace, "samples", [(t - shift, n, float(v)) for t, n, v in seen.counts], counts)
    opens = collections.Counter((s.ts - shift, s.name) for s in seen.slices if s.dur is None)
    same(trace, "arrows", [(a.ts - shift, a.name, b.ts - shift, b.name) for a, b in seen.arrows],
         arrows_of(events, opens))
    mixed = [(a, b) for a, b in seen.arrows if source_of(a) != source_of(b)]
    assert not mixed, "%s: an arrow joins %s" % (trace, mixed[0])
    bad = {k: n for k, n in seen.errors.items() if k != "an end without a begin"}  # async ones may have none
    assert not bad, "%s: %s" % (trace, bad)
    check_threads(trace, seen)
    check_stages(bin, trace, seen, [e for e in events if is_slice(e) and e["activity"] in WORK], shift)
    check_budget(bin, trace, seen, len(said))
    return len(spans) + len(instants) + len(counts)


def check_threads(trace, seen):
    """Every span of a thread or stream is on a thread's track, and all tracks have a place."""
    assert all(s.track.kind == "thread" for s in seen.slices if s.track.kind != "other"), trace
    assert seen.root is None or (seen.root[19], seen.root[20]) == (1, 1), trace
    assert all(t.rank is not None for t in seen.tracks.values()), "%s: a track without a place" % trace
    ranks = [int(m.group(1)) for t in seen.in_order() for m in [re.match(r"rank (\d+)", t.process().name)] if m]
    assert ranks == sorted(ranks), "%s: ranks are not in order: %s" % (trace, ranks)


STAGES = {"kernel": "Kernel", "memcpy": "Memcpy", "memset": "Memset"}


def check_stages(bin, trace, seen, work, shift):
    """All device work, once, on a queue for each stream; nothing else has changed; tr-parse reads it once, too."""
    with_stages = view(bin, trace, "--gpu-stages")
    both = Reader(with_stages)
    same(trace, "slices beside stages", map(identity, both.slices), map(identity, seen.slices))
    got = [(s.ts - shift, s.dur, s.name, s.stage, s.device, re.sub("^rank [0-9]+: ", "", s.queue)) for s in both.stages]
    want = [(e["ts_ns"], e["dur_ns"], e["name"], STAGES[e["activity"]],
             None if e["device"] is None or not 0 <= e["device"] < 1 << 31 else e["device"],
             "device" + ("" if e["device"] is None else " %d" % e["device"]) +
             ("" if e["stream"] is None else " stream %d" % e["stream"])) for e in work]
    same(trace, "render stages", got, want)
    texts = [subprocess.run("'%s/tr-parse' -q --no-provenance - | '%s/tr-view' -q -O jsonl" % (bin, bin), shell=True,
                            input=data, capture_output=True).stdout for data in (with_stages, view(bin, trace))]
    assert texts[0] == texts[1], "%s: tr-parse reads render stages that are slices, too" % trace


def identity(s):
    """The thread of a span, whatever its lane, is in front."""
    process = s.track.process()
    thread = process and process.pid, re.sub(r" \(\d+\)$", "", s.track.name)
    return thread, s.ts, s.dur, s.name, json.dumps(s.args)


def reachable(arrows, start):
    found, todo = set(), [start]
    while todo:
        for then in arrows[todo.pop()] - found:
            found.add(then)
            todo.append(then)
    return found


def check_budget(bin, trace, seen, size):
    """Less of the spans of each thread, the shortest; everything else, and no other arrows."""
    assert view(bin, trace, "--budget", str(size)) == view(bin, trace), "%s: a budget that is met" % trace
    full = collections.Counter(map(identity, seen.slices))
    for share in (2, 3):
        run = subprocess.run([bin + "/tr-view", "-O", "perfetto", "--budget", str(size // share * (share - 1)), trace],
                             capture_output=True)
        if run.returncode == 2:
            assert b"what is not a span" in run.stderr, run.stderr
            continue
        assert run.returncode == 0 and len(run.stdout) <= size // share * (share - 1), "%s: too large" % trace
        less = Reader(run.stdout)
        kept = collections.Counter(map(identity, less.slices))
        said = re.search(rb"(\d+) of (\d+) spans are left out .* none longer than ([0-9.]+) us", run.stderr)
        left_out = full - kept
        assert not kept - full and int(said.group(1)) == sum(left_out.values()) > 0, "%s: spans left out" % trace
        assert float(said.group(3)) * 1000 == max(s[2] for s in left_out), "%s: the longest that is left out" % trace
        same(trace, "instants", map(identity, less.instants), map(identity, seen.instants))
        same(trace, "samples", less.counts, seen.counts)
        shortest = collections.defaultdict(lambda: float("inf"))
        for thread, _, dur, _, _ in kept:
            shortest[thread] = min(shortest[thread], float("inf") if dur is None else dur)  # without an end: all stay
        assert all(s[2] is not None for s in left_out), "%s: spans without an end are left out" % trace
        for thread, _, dur, name, _ in left_out:
            most = shortest[thread] * (1 + 1 / 64) + 1
            assert dur < most, "%s: %s of %s lasts longer than another one" % (trace, name, thread)
        arrows = collections.defaultdict(set)
        for a, b in seen.arrows:
            arrows[identity(a)].add(identity(b))
        for a, b in less.arrows:
            assert identity(b) in reachable(arrows, identity(a)), "%s: a new arrow at %d" % (trace, a.ts)
        of_kept = {(a, b) for a in arrows for b in arrows[a] if a in kept and b in kept}
        lost = of_kept - {(identity(a), identity(b)) for a, b in less.arrows}
        assert not lost, "%s: an arrow is lost: %s" % (trace, lost.pop())


def source_of(s):
    """What the name of a process begins with if there are several sources."""
    process = s.track.process()
    return process.name.split(":")[0] if process and process.name.startswith("rank ") else ""


def is_slice(e):
    return e["phase"] == "span" and e["dur_ns"] is not None and not e.get("suspect")


def samples(e, args, members):
    """One for each member that is a number, or says one."""
    id = " [%s]" % members["id"] if members.get("id") is not None else ""
    number = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$")
    return [(e["ts_ns"], "%s%s%s" % (e["name"], id, "" if k == "value" else ": " + k), float(v)) for k, v in args
            if not isinstance(v, bool) and (isinstance(v, (int, float)) or
                                            isinstance(v, str) and number.match(v.strip(" \t\r\n")))]


class Arrows:
    """Flow events and links of a stream as arrows between slices."""

    def __init__(self):
        self.around = collections.defaultdict(list)  # by thread: slices that may still be open
        self.waiting = collections.defaultdict(list)  # by thread: for the next slice
        self.now, self.begun, self.found = [], {}, []
        self.launches, self.work = {}, []

    def bind(self, e, s):
        key = (e["source"], e["cat"], e["name"], json.dumps((e.get("members") or {}).get("id")))
        if e["cat"] in LAUNCH_FLOWS and (s.get("n_device") if e["phase"] == "flow_start" else is_linked(s)):
            return
        if e["phase"] == "flow_start":
            self.begun[key] = s
        elif key in self.begun:
            self.found.append((self.begun[key], s))
            if e["phase"] == "flow_step":
                self.begun[key] = s

    def moment(self):
        """What has waited until all slices of its time have begun belongs to the innermost."""
        for thread, e in self.now:
            ts = e["ts_ns"]
            self.around[thread] = [s for s in self.around[thread]
                                   if s["dur_ns"] is None or s["ts_ns"] == ts or s["ts_ns"] + s["dur_ns"] > ts]
            if self.around[thread]:
                self.bind(e, self.around[thread][-1])
        self.now = []

    def slice(self, thread, e):
        self.around[thread].append(e)
        for f in self.waiting.pop(thread, []):
            self.bind(f, e)
        if e.get("n_device"):
            self.launches[e["source"], e["record"]] = e
        if is_linked(e):
            self.work.append(e)


def is_linked(e):
    return e.get("launch_record") is not None and e["activity"] in WORK


def arrows_of(events, opens):
    a = Arrows()
    for order, e in enumerate(events):
        e["order"] = order
        thread = tuple(json.dumps(e.get(k)) for k in ("source", "pid", "tid"))
        if a.now and a.now[0][1]["ts_ns"] != e["ts_ns"]:
            a.moment()
        if e["phase"].startswith("flow_"):
            if e["phase"] == "flow_end" and (e.get("members") or {}).get("bp") != "e":
                a.waiting[thread].append(e)
            else:
                a.now.append((thread, e))
        elif is_slice(e) or (e["phase"] == "span" and opens[e["ts_ns"], e["name"]]):
            a.slice(thread, e)
    a.moment()
    found = [(s["ts_ns"], s["name"], t["ts_ns"], t["name"]) for s, t in a.found]
    for e in a.work:
        s = a.launches.get((e["source"], e["launch_record"]))
        if s:
            first, then = sorted((s, e), key=lambda e: e["order"])  # an importer takes the earlier slice as the first
            found.append((first["ts_ns"], first["name"], then["ts_ns"], then["name"]))
    return found


def same(trace, what, got, want):
    got, want = collections.Counter(got), collections.Counter(want)
    if got != want:
        lost, new = list((want - got).elements())[:2], list((got - want).elements())[:2]
        raise AssertionError("%s: %s: lost %r, new %r" % (trace, what, lost, new))


def main():
    bin, traces = sys.argv[1], sys.argv[2:]
    total = 0
    for n, trace in enumerate(traces, 1):
        try:
            total += compare(bin, trace)
            print("ok %d - %s" % (n, trace))
        except (AssertionError, ValueError, KeyError, IndexError) as why:
            print("not ok %d - %s\n# %s: %s" % (n, trace, type(why).__name__, why))
    print("ok %d - %d events compared" % (len(traces) + 1, total) if total > 100 * len(traces)
          else "not ok %d - only %d events" % (len(traces) + 1, total))
    print("1..%d" % (len(traces) + 1))


if __name__ == "__main__":
    main()
