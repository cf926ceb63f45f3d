# SPDX-License-Identifier: MIT
"""A trace of Perfetto as its importer takes it: slices with parents, arrows, threads and processes, counters.

Decoded by the published rules of protocol buffers.  Descriptors count wherever they stand; events are taken in the
order of their times, those of one time in the order of the file.  On a track slices nest: an end ends the innermost.
Flow events and flow ids join slices: ids by the order in which slices meet them, the earlier slice first; flow events
("s", "t", "f") bind to the innermost slice that is open on their track.  What the importer would count as an error is
in `errors`.  Render stages are in `stages`.
"""
import collections
import json
import struct


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


class Slice:
    def __init__(self, ts, track, name, cat, args, parent):
        self.ts, self.track, self.name, self.cat, self.args, self.parent = ts, track, name, cat, args, parent
        self.dur = None  # open


class Track:
    """kind: thread, process, counter, other; pid and tid of a thread or process."""
    def __init__(self, row, parent):
        self.parent, self.rank = parent, row.get(12)
        self.pid = self.tid = None
        self.labels = []
        self.name = row.get(2, b"").decode()
        self.kind = "counter" if 8 in row else "other"
        if 4 in row:
            thread = one(row[4])
            self.kind, self.pid, self.tid = "thread", thread[1], thread[2]
            self.name = thread.get(5, b"").decode()
        elif 3 in row:
            process = one(row[3])
            self.kind, self.pid = "process", signed(process[1])
            self.name = process.get(6, b"").decode()
            self.labels = [v.decode() for f, v in fields(row[3]) if f == 8]

    def process(self):
        return self if self.kind == "process" else self.parent and self.parent.process()


Stage = collections.namedtuple("Stage", "ts dur device queue stage name extra")


class Reader:
    def __init__(self, data):
        self.names, self.cats, self.keys, self.specs = {}, {}, {}, {}
        self.stages = []
        self.tracks, self.root, self.errors = {}, None, collections.Counter()
        self.slices, self.instants, self.counts, self.arrows = [], [], [], []
        self.stacks = collections.defaultdict(list)
        self.open_flows = {}  # id: the slice that it was in last
        events, seen = [], set()
        for field, packet in fields(data):
            assert field == 1, "the file holds packets"
            parts = one(packet)
            assert parts[10] == 1
            if 60 in parts:
                self.describe(one(parts[60]), seen)
            for table, entry in fields(parts.get(12, b"")):
                self.intern(table, one(entry))
            if 53 in parts:
                self.stage(parts[8], list(fields(parts[53])))
            if 11 in parts:
                assert one(parts[11])[11] in self.tracks, "a track that is not described"
                events.append((parts[8], list(fields(parts[11]))))
        for ts, parts in sorted(events, key=lambda e: e[0]):
            self.event(ts, parts)

    def describe(self, row, seen):
        if row[1] == 0:
            assert self.root is None and not self.tracks, "the root comes first, once"
            self.root = row
            return
        assert row[1] not in self.tracks, "a track is described twice"
        assert 5 not in row or row[5] in self.tracks, "the parent comes first"
        track = self.tracks[row[1]] = Track(row, self.tracks.get(row.get(5)))
        if track.pid is not None:
            if not 1 <= track.pid < 1 << 31 or (track.kind == "thread" and not 1 <= track.tid < 1 << 31):
                self.errors["a pid or tid of the idle process, or none"] += 1
            if (track.kind, track.pid, track.tid) in seen:
                self.errors["a process or thread twice"] += 1
            seen.add((track.kind, track.pid, track.tid))

    def intern(self, table, entry):
        into = {1: self.cats, 2: self.names, 3: self.keys, 24: self.specs}[table]
        assert entry[1] not in into, "interned twice"
        into[entry[1]] = entry[2].decode("utf-8", "surrogateescape")

    def stage(self, ts, parts):
        """A GpuRenderStageEvent; its id is its own."""
        e = dict(parts)
        assert e[1] == len(self.stages) + 1, "the id of a render stage"
        extra = {x[1].decode(): x[2].decode() for x in (one(v) for f, v in parts if f == 6)}
        self.stages.append(Stage(ts, e[2], e.get(11), self.specs[e[13]], self.specs[e[14]], self.names.get(e.get(20)),
                                 extra))

    def event(self, ts, parts):
        e = dict(parts)
        track, legacy = e[11], one(e.get(6, b""))
        args = [self.note(v) for f, v in parts if f == 4]
        stack = self.stacks[track]
        if 2 in legacy:
            self.flow_event(chr(legacy[2]), ("event", self.cats.get(e.get(3)), self.names.get(e.get(10)), legacy[6]),
                            stack[-1] if stack else None, legacy.get(12))
        elif e[9] == 2:
            if not stack:
                self.errors["an end without a begin"] += 1
                return
            row = stack.pop()
            row.dur = ts - row.ts
            row.args += args
        elif e[9] == 4:
            self.counts.append((ts, self.tracks[track].name, signed(e[30]) if 30 in e else real(e[44])))
        else:
            row = Slice(ts, self.tracks[track], self.names.get(e.get(10)), self.cats.get(e.get(3)), args,
                        stack[-1] if stack else None)
            if e[9] == 1:
                if len(stack) >= 512:
                    self.errors["a slice deeper than importers keep"] += 1
                stack.append(row)
                self.slices.append(row)
            else:
                row.dur = 0
                self.instants.append(row)
            if 8 in legacy:
                self.bind(legacy[13], legacy[8], row)
            for f, v in parts:
                if f in (47, 48):
                    self.flow_id(v, row, f == 48)

    def flow_id(self, flow, row, last):
        if flow not in self.open_flows:
            if not last:
                self.open_flows[flow] = row
            return
        first = self.open_flows[flow]
        self.arrows.append((first, row) if first.ts <= row.ts else (row, first))
        self.open_flows[flow] = row
        if last:
            del self.open_flows[flow]

    def flow_event(self, phase, flow, row, enclosing):
        assert enclosing, "a flow event for a later slice"
        if row is None:
            self.errors["a flow without a slice around it"] += 1
        elif phase == "s":
            if flow in self.open_flows:
                self.errors["a flow begins twice"] += 1
                return
            self.open_flows[flow] = row
        elif flow not in self.open_flows:
            self.errors["a flow without a start"] += 1
        else:
            self.arrows.append((self.open_flows[flow], row))
            if phase == "t":
                self.open_flows[flow] = row

    def bind(self, direction, flow, row):
        """By bind_id: 1 comes in, 2 goes out, 3 does both."""
        if direction == 2:
            self.open_flows.setdefault(flow, row)
        elif flow in self.open_flows:
            self.arrows.append((self.open_flows[flow], row))
            if direction == 3:
                self.open_flows[flow] = row

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
        if not isinstance(value, (list, dict)):
            self.errors["a bare number as JSON"] += 1
            return key, None
        return key, value

    def in_order(self):
        """Threads as a viewer shows them: processes by their rank, threads by theirs."""
        threads = [t for t in self.tracks.values() if t.kind == "thread"]
        return sorted(threads, key=lambda t: (t.process().rank, t.rank) if self.root else (0, 0))
