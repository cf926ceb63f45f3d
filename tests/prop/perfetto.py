#!/usr/bin/env python3
"""Does tr-view -O perfetto write what the stream holds, in a form that a viewer can draw?

usage: perfetto.py BIN TRACE...

The file is decoded here, by the published rules of protocol buffers, and held against tr-view -O jsonl:
spans, instants and samples of counters with their names, times and args, links from launches to work; and by
itself: tracks are described before they are used, slices of a track are nested, strings are interned first.
"""
import collections
import json
import struct
import subprocess
import sys

LAUNCH_FLOWS = ("ac2g", "async_gpu")  # launches are linked by themselves


def fields(data):
    """Field number, value of each field of a message: an integer, or bytes."""
    at, n = 0, len(data)

    def varint():
        nonlocal at
        v = shift = 0
        while True:
            b = data[at]
            at += 1
            v |= (b & 127) << shift
            shift += 7
            if b < 128:
                return v

    while at < n:
        key = varint()
        kind = key & 7
        if kind == 0:
            yield key >> 3, varint()
        elif kind == 1:
            yield key >> 3, struct.unpack_from("<Q", data, at)[0]
            at += 8
        elif kind == 2:
            size = varint()
            if at + size > n:
                raise ValueError("a field is longer than its message")
            yield key >> 3, data[at:at + size]
            at += size
        else:
            raise ValueError("wire type %d" % kind)


def one(data):
    return dict(fields(data))


def signed(v):
    return v - (1 << 64) if v >> 63 else v


def real(bits):
    return struct.unpack("<d", struct.pack("<Q", bits))[0]


def has_null(v):
    """Is a value of JSON null, or null somewhere inside?"""
    if isinstance(v, (list, dict)):
        return any(has_null(x) for x in (v.values() if isinstance(v, dict) else v))
    return v is None


class Reader:
    def __init__(self, data):
        self.names, self.cats, self.keys = {}, {}, {}
        self.tracks = {}
        self.stacks = collections.defaultdict(list)
        self.slices, self.instants, self.counts = [], [], []
        self.flows = collections.Counter()
        self.flow_ends = []  # (ts, the last of its flow, name of the slice or None)
        self.owners = collections.defaultdict(set)
        for field, packet in fields(data):
            assert field == 1, "the file holds packets"
            self.packet(list(fields(packet)))
        assert all(e["open"] for stack in self.stacks.values() for e in stack), "a slice without end"

    def packet(self, parts):
        p = dict(parts)
        assert p[10] == 1
        if 60 in p:
            row = one(p[60])
            assert row[1] not in self.tracks, "a track is described twice"
            assert 5 not in row or row[5] in self.tracks, "the parent comes first"
            self.tracks[row[1]] = row
        if 12 in p:
            for table, entry in fields(p[12]):
                entry = one(entry)
                into = {1: self.cats, 2: self.names, 3: self.keys}[table]
                assert entry[1] not in into, "interned twice"
                into[entry[1]] = entry[2].decode("utf-8", "surrogateescape")
        if 11 in p:
            self.event(p[8], list(fields(p[11])))

    def event(self, ts, parts):
        e = dict(parts)
        track = e[11]
        assert track in self.tracks, "a track that is not described"
        row = {"ts": ts, "name": self.names.get(e.get(10)), "cat": self.cats.get(e.get(3)), "open": True,
               "args": [self.note(v) for f, v in parts if f == 4]}
        for field, flow in ((f, v) for f, v in parts if f in (47, 48)):
            self.flows[flow] += 1
            self.owners[flow].add(self.rank_of(track))
            self.flow_ends.append((ts, field == 48, self.names.get(e.get(10))))
        if e[9] == 1:
            stack = self.stacks[track]
            assert not stack or stack[-1]["ts"] <= ts, "slices of a track begin in order"
            stack.append(row)
            self.slices.append(row)
        elif e[9] == 2:
            row = self.stacks[track].pop()
            row["open"] = False
            row["dur"] = ts - row["ts"]
            assert row["dur"] >= 0
        elif e[9] == 3:
            if 10 in e:
                self.instants.append(row)
        else:
            value = signed(e[30]) if 30 in e else real(e[44])
            self.counts.append((ts, self.tracks[track][2].decode(), value))

    def rank_of(self, track):
        """The rank that the name of a track's process begins with, if there are several."""
        while 5 in self.tracks[track]:
            track = self.tracks[track][5]
        name = one(self.tracks[track].get(3, b"")).get(6, b"").decode()
        return name.split(":")[0] if name.startswith("rank ") else ""

    def note(self, data):
        n = one(data)
        key = self.keys[n[1]]
        if 2 in n:
            return key, bool(n[2])
        if 3 in n:
            return key, n[3]
        if 4 in n:
            return key, signed(n[4])
        if 5 in n:
            return key, real(n[5])
        if 6 in n:
            return key, n[6].decode("utf-8", "surrogateescape")
        value = json.loads(n[9])
        assert not has_null(value), "importers stop at a JSON null"
        return key, value


def plain(v):
    """As a viewer has it: what is no int64 is a double, and null is a text."""
    if v is None:
        return "null"
    if isinstance(v, list):
        return [plain(x) for x in v]
    if isinstance(v, dict):
        return {k: plain(x) for k, x in v.items()}
    return int(v) if isinstance(v, float) and v.is_integer() and abs(v) < 2 ** 53 else v


def key_of(ts, dur, name, args):
    args = dict(args).items()  # of a B and an E with one key the latter counts
    return ts, dur, name, json.dumps(sorted((k, json.dumps(plain(v), sort_keys=True)) for k, v in args))


def compare(bin, trace):
    said = subprocess.run([bin + "/tr-view", "-q", "-O", "perfetto", trace], capture_output=True, check=True).stdout
    seen = Reader(said)
    lines = subprocess.run([bin + "/tr-view", "-q", "-O", "jsonl", trace], capture_output=True, check=True).stdout
    events = [json.loads(line) for line in lines.splitlines()]
    events = [e for e in events if e["ts_ns"] is not None and e["phase"] not in ("metadata", "end", "unknown")]
    spans, instants, counts = [], [], []
    launches = collections.Counter()
    running = collections.defaultdict(list)  # async events: one track for each category and id of a source
    for e in events:
        args = list((e["args"] or {}).items()) if isinstance(e["args"], dict) else []
        if e["phase"] == "counter":
            counts += [(e["ts_ns"], "%s: %s" % (e["name"], k), v) for k, v in args
                       if isinstance(v, (int, float)) and not isinstance(v, bool)]
        elif e["phase"] == "span" and e["dur_ns"] is not None and not e.get("suspect"):
            spans.append(key_of(e["ts_ns"], e["dur_ns"], e["name"], args))
        elif e["phase"] in ("async_begin", "async_end"):
            same_id = running[e["source"], e["cat"], str((e.get("members") or {}).get("id"))]
            if e["phase"] == "async_begin":
                same_id.append((e["ts_ns"], e["name"], args))
            elif same_id:
                ts, name, args = same_id.pop()
                spans.append(key_of(ts, e["ts_ns"] - ts, name, args))
        elif e["phase"] in ("span", "instant", "async_instant"):
            instants.append(key_of(e["ts_ns"], 0, e["name"], args))
        if e.get("launch_record") is not None and e["activity"] in ("kernel", "memcpy", "memset"):
            launches[(e["source"], e["launch_record"])] += 1
    flow_ends, flow_ids = flows_of(events)
    begin = min([s["ts"] for s in seen.slices + seen.instants] + [c[0] for c in seen.counts], default=0)
    shift = begin - min([s[0] for s in spans + instants] + [c[0] for c in counts], default=0)
    got = [key_of(s["ts"] - shift, s["dur"], s["name"], s["args"]) for s in seen.slices if not s["open"]]
    same(trace, "spans", got, spans)
    got = [key_of(s["ts"] - shift, 0, s["name"], s["args"]) for s in seen.instants]
    same(trace, "instants", got, instants)
    same(trace, "samples", [(t - shift, n, float(v)) for t, n, v in seen.counts],
         [(t, n, float(v)) for t, n, v in counts])
    same(trace, "flows", [(t - shift, last, name) for t, last, name in seen.flow_ends], flow_ends)
    assert len(seen.flows) == flow_ids, "%s: %d flows for %d" % (trace, len(seen.flows), flow_ids)
    mixed = [ranks for ranks in seen.owners.values() if len(ranks) > 1]
    assert not mixed, "%s: a flow joins %s" % (trace, mixed[0])
    linked = sum(1 for n in seen.flows.values() if n > 1)
    assert linked >= len(launches), "%s: %d flows for %d launches" % (trace, linked, len(launches))
    return len(spans) + len(instants) + len(counts)


def flows_of(events):
    """Where flows touch events, (time, the last of its flow, name of the slice or None), and how many flows there are.

    A flow event belongs to the next slice that begins at its time on its track, if there is one."""
    ends, ids = [], set()
    waiting = {}  # by track: flow events of one time
    for e in events:
        track = tuple(json.dumps(e.get(k)) for k in ("source", "pid", "tid", "device", "stream"))
        if waiting.get(track, [None])[0] != e["ts_ns"]:
            ends += [(t, last, None) for t, *all in [waiting.pop(track, [None])] for last in all]
        ts, slice = e["ts_ns"], e["phase"] == "async_begin" or (
            e["phase"] == "span" and e["dur_ns"] is not None and not e.get("suspect"))
        if e["phase"] in ("flow_start", "flow_step", "flow_end") and e["cat"] not in LAUNCH_FLOWS:
            waiting.setdefault(track, [ts]).append(e["phase"] == "flow_end")
            ids.add(("flow", e["source"], e["cat"], e["name"], json.dumps((e.get("members") or {}).get("id"))))
        elif slice:
            if e.get("n_device"):
                ends.append((ts, False, e["name"]))
                ids.add((e["source"], e["record"]))
            if e.get("launch_record") is not None and e["activity"] in ("kernel", "memcpy", "memset"):
                ends.append((ts, False, e["name"]))
                ids.add((e["source"], e["launch_record"]))
            ends += [(ts, last, e["name"]) for last in waiting.pop(track, [None])[1:]]
    ends += [(t, last, None) for t, *all in waiting.values() for last in all]
    return ends, len(ids)


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
