#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A reader of the stream format, written from tr-stream(5) alone: what the page says has to be enough.

    read.py FILE...              read each, print what it holds (as spec_check does)
    read.py --check FOLDER       compare FOLDER/*.trs with the text beside them, as TAP

Slow and simple.  It checks what the page calls checked, and stops with a message where it does not hold.
"""
import glob
import os
import struct
import sys
import zlib

sys.dont_write_bytecode = True  # the folder may be read-only
from xxh3 import xxh3_64 as checksum

M64 = (1 << 64) - 1
NONE, NO_STR = -(1 << 63), (1 << 32) - 1
FIXED = [("ts", 8, 0), ("dur", 8, 0), ("record", 8, 4), ("track", 4, 2), ("shape", 4, 3), ("name", 4, 1),
         ("cat", 4, 1), ("phase", 1, 0), ("activity", 1, 0), ("kind", 1, 0), ("suspect", 1, 0), ("flags", 1, 0)]
LIMITS = {"phase": 13, "activity": 16, "kind": 5, "suspect": 5, "flags": 128}
DERIVED = [("launch_ts", 3, 1), ("launch_dur", 3, 1), ("launch_record", 3, 1), ("launch_track", 3, 1),
           ("launch_name", 7, 1), ("n_device", 3, 2), ("class", 7, 4), ("end_record", 3, 16),
           ("ts_ps", 3, 32), ("dur_ps", 3, 32), ("graph_id", 3, 64), ("graph_node", 3, 64)]
PHASES = ("span instant counter flow_start flow_step flow_end async_begin async_instant async_end metadata begin "
          "end unknown").split()
ACTIVITIES = ("other cpu_op annotation python runtime_api driver_api kernel memcpy memset sync device_annotation "
              "comm_record memory_instant overhead os_api host_comm").split()
KINDS = "none compute comm memory other".split()
SUSPECTS = "no negative_dur long_dur before_base overflow zero_time".split()
N_PHASES = 13


class Bad(Exception):
    pass


def need(condition, what):
    if not condition:
        raise Bad(what)


def lz4(data, size):
    out, at = bytearray(), 0
    while at < len(data):
        token = data[at]
        at += 1

        def length(n, at):
            if n == 15:
                while True:
                    n += data[at]
                    at += 1
                    if data[at - 1] != 255:
                        break
            return n, at

        n, at = length(token >> 4, at)
        out += data[at:at + n]
        at += n
        if at >= len(data):
            break
        back = data[at] | data[at + 1] << 8
        n, at = length(token & 15, at + 2)
        for _ in range(n + 4):
            out.append(out[-back])
    need(len(out) == size, "raw size")
    return bytes(out)


def unpack(codec, data, size):
    need(codec in (0, 1, 2), "codec")
    out = data if codec == 0 else lz4(data, size) if codec == 1 else zlib.decompress(data)
    need(len(out) == size, "raw size")
    return out


class In:
    def __init__(self, data):
        self.data, self.at = data, 0

    def bytes(self, n):
        need(self.at + n <= len(self.data), "too short")
        self.at += n
        return self.data[self.at - n:self.at]

    def u8(self):
        return self.bytes(1)[0]

    def varint(self):
        value = shift = 0
        while True:
            b = self.u8()
            value |= (b & 127) << shift
            shift += 7
            if b < 128:
                need(value <= M64 and (b or shift == 7), "varint")
                return value

    def signed(self):
        v = self.varint()
        return v >> 1 if v % 2 == 0 else -(v >> 1) - 1

    def reference(self):
        v = self.varint()
        return v - 1 if v else NO_STR

    def text(self):
        return self.bytes(self.varint())


def rows(payload, n):
    source = In(payload)
    for _ in range(n):
        yield In(source.bytes(source.varint()))
    need(source.at == len(payload), "bytes after the rows")


def signed64(v):
    v &= M64
    return v - (1 << 64) if v >> 63 else v


class Stream:
    def __init__(self, data):
        self.data = data
        self.strings, self.columns, self.shapes, self.sources, self.tracks, self.clocks = ([] for _ in range(6))
        self.runs, self.events, self.tables = [], [], []
        self.summary = self.sorted = None
        self.read()

    # blocks

    def read(self):
        d = self.data
        need(d[:8] == bytes.fromhex("d454520a000d0a1a"), "signature")
        need(struct.unpack_from("<H", d, 8)[0] == 2, "version")
        need(struct.unpack_from("<I", d, 12)[0] == checksum(d[:12]) & 0xffffffff, "checksum of the preamble")
        at, number, chain, listed, last_index = 16, 0, 0, [], 0
        take = {1: self.header, 2: self.provenance, 3: self.string_rows, 4: self.column_rows, 5: self.shape_rows,
                6: self.source_rows, 7: self.track_rows, 8: self.clock_rows, 9: self.take_summary,
                11: self.table_rows, 14: self.watermark}
        while True:
            head = d[at:at + 48]
            need(len(head) == 48, "no trailer")
            kind, flags, codec, items, stored, raw, start, end, n, check, of_payload = struct.unpack(
                "<HBBIIIqqIIQ", head)
            need(check == checksum(head[:36]) & 0xffffffff, "checksum of a header")
            need(n == number, "number of a block")
            payload = d[at + 48:at + 48 + stored]
            need(len(payload) == stored and checksum(payload) == of_payload, "checksum of a payload")
            need(raw <= 16 << 20 and stored <= 32 << 20, "limits")
            sources = (0, 0)
            if kind == 13:
                self.trailer(payload, at, chain, last_index)
                need(at + 48 + stored == len(d), "bytes after the trailer")
                return
            if kind == 10:
                need(codec == 0, "codec of events")
                sources = self.event_block(payload, items, raw, start, end)
            elif kind == 12:
                self.index(unpack(codec, payload, raw), items, last_index, listed)
                last_index, listed = at, []
            elif kind in take:
                take[kind](unpack(codec, payload, raw), items)
            else:
                need(not flags & 1, "unknown critical block")
            listed.append((kind, items, at, start, end) + sources)
            chain = checksum(struct.pack("<Q", chain) + head)
            at += 48 + stored
            number += 1

    def header(self, payload, _):
        flags, n = struct.unpack_from("<II", payload)
        need(flags < 2 and n == len(DERIVED), "header")
        self.sorted = flags & 1

    def index(self, payload, items, previous, listed):
        source = In(payload)
        need(struct.unpack("<Q", source.bytes(8))[0] == previous, "index before")
        offset = 0
        for i in range(items):
            kind, n, more = source.varint(), source.varint(), source.varint()
            offset += more
            ranged = source.u8()
            need(ranged < 2, "range of an index entry")
            start, end = (source.signed(), source.signed()) if ranged else (NONE, NONE)
            need(listed[i] == (kind, n, offset, start, end, source.varint(), source.varint()), "index entry")
        need(items == len(listed) and source.at == len(payload), "index")

    def trailer(self, payload, at, chain, last_index):
        need(len(payload) == 176, "trailer")
        n = struct.unpack("<22Q", payload)
        need(n[:4] == (len(self.events), last_index, at, chain), "trailer: counts, offsets, chain")
        phases, sums = [0] * 16, [0, 0]
        for e in self.events:
            phases[e["phase"]] += 1
        for s in self.summary[1]:
            for _, _, loses, count, _ in s["damage"]:
                sums[loses] += count
        need(list(n[4:20]) == phases and list(n[20:]) == sums, "trailer: phases, damage")

    # dictionaries

    def provenance(self, payload, n):
        for r in rows(payload, n):
            run = [r.text(), r.text(), r.text(), [r.varint() for _ in range(r.varint())]]
            need(all(p < len(self.runs) for p in run[3]), "parents")
            self.runs.append(run)

    def string_rows(self, payload, n):
        for r in rows(payload, n):
            self.strings.append(r.bytes(len(r.data)))
        need(len(set(self.strings)) == len(self.strings), "equal strings")
        need([s.decode("latin1") for s in self.strings[:len(DERIVED)]] == [d[0] for d in DERIVED], "first strings")

    def column_rows(self, payload, n):
        for r in rows(payload, n):
            c = (r.varint(), r.u8(), r.u8(), r.u8())
            need(c[0] < len(self.strings) and c[1] < 5 and 3 <= c[2] < 13 and (c[2] < 12 or c[1] == 0), "column")
            if len(self.columns) < len(DERIVED):
                i = len(self.columns)
                need(c == (i, 2) + DERIVED[i][1:], "derived column")
            else:
                need(c[3] == 0 and c[1] != 2, "flag of a column")
            self.columns.append(c)
        need(len({c[:3] for c in self.columns}) == len(self.columns), "equal columns")

    def shape_rows(self, payload, n):
        types = {0: range(13), 1: (7,), 2: (7,), 3: (7,), 4: (3, 7), 5: (3, 7), 6: (3, 7), 7: (3, 7), 8: (8,), 9: (0,)}
        for r in rows(payload, n):
            letter, slots, used, after = r.u8(), [], set(), 0
            for _ in range(r.varint()):
                key, place, role, kind, column = r.varint(), r.u8(), r.u8(), r.u8(), r.reference()
                need(key < len(self.strings) and role < 10 and kind in types[role], "slot")
                after += role == 9
                need(place in ((3, 4) if after else (0, 1)) and after < 2, "place of a slot")
                need(role == 0 or place in (0, 3), "place of a slot")
                if role == 0 and kind > 2:
                    need(self.columns[column][:3] == (key, place, kind) and column not in used, "column of a slot")
                    used.add(column)
                else:
                    need(column == NO_STR, "column of a slot")
                slots.append((key, place, role, kind, column))
            self.shapes.append((letter, slots))

    def put(self, rows_so_far, number, row):
        need(number <= len(rows_so_far), "number of a row")
        rows_so_far[number:number + 1] = [row]

    def source_rows(self, payload, n):
        for r in rows(payload, n):
            number = r.varint()
            s = {"rank": r.signed(), "rule": r.u8()}
            bits = r.u8()
            need(s["rule"] < 7 and bits < 16, "source")
            s["has_base"], s["partial"], s["bare"] = bits & 1, bits >> 1 & 1, bits >> 2 & 1
            s["names"] = [r.reference() for _ in range(4)]
            s["base"], s["file_base"] = r.signed(), r.signed()
            s["pid"] = r.signed() if bits & 8 else NONE
            s["at"] = r.varint()
            s["header"] = [(r.varint(), r.varint()) for _ in range(r.varint())]
            s["job"], s["capture"] = r.reference(), r.varint()
            need(s["job"] == NO_STR or s["job"] < len(self.strings), "job")
            self.put(self.sources, number, s)
        need(not self.sorted or len({s["base"] for s in self.sources}) == 1, "bases of a sorted stream")

    def track_rows(self, payload, n):
        for r in rows(payload, n):
            number = r.varint()
            t = {"source": r.varint(), "side": r.u8(), "pid_type": r.u8(), "tid_type": r.u8(),
                 "pid": r.signed(), "tid": r.signed()}
            bits = r.u8()
            t["numbers"] = [r.signed() if bits >> i & 1 else NONE for i in range(5)]
            t["names"] = [r.reference() for _ in range(3)]
            t["clock"] = r.varint()
            need(t["source"] < len(self.sources) and t["side"] < 2 and bits < 32, "track")
            need(t["pid_type"] in (0, 3, 4, 7) and t["tid_type"] in (0, 3, 4, 7), "types of a track")
            need(t["pid_type"] != 4 or t["pid"] < 0, "pid of a track")
            need((t["tid_type"] or t["pid_type"]) != 4 or t["tid"] < 0, "tid of a track")
            need(t["pid_type"] != 7 or t["pid"] in range(len(self.strings)), "pid of a track")
            need((t["tid_type"] or t["pid_type"]) != 7 or t["tid"] in range(len(self.strings)), "tid of a track")
            self.put(self.tracks, number, t)

    def clock_rows(self, payload, n):
        need(not self.sorted or self.summary is None, "clocks after the summary")
        for r in rows(payload, n):
            c = {"source": r.varint(), "before": r.varint()}
            bits = r.u8()
            need(c["source"] < len(self.sources) and (bits <= 8), "clock")
            c["rule"] = [r.signed() for _ in range(4)]
            need(abs(c["rule"][3]) <= 10**9, "drift")
            c["span"] = [r.signed() if bits >> i & 1 else NONE for i in range(2)]
            c["keeps"], c["domain"], c["fixes"], c["steps"] = bits >> 2 & 1, bits >> 3, [], []
            last = 0
            for i in range(r.varint()):
                more, which = r.varint(), r.u8()
                need(which < 64 and (more or not i), "fixes")
                last += more
                c["fixes"].append((last, which))
            last = 0
            for i in range(r.varint()):
                more = r.varint()
                need(more or not i, "fixes of steps")
                last += more
                c["steps"].append(last)
            need(not c["domain"] or (not c["before"] and c["rule"] == [-1, 0, 0, 0] and not c["fixes"] and
                                     not c["steps"]), "clock of the input")
            self.clocks.append(c)

    def watermark(self, payload, _):
        need(not self.sorted and len(payload) == 8, "watermark")

    def table_rows(self, payload, n):
        need(not self.sorted or self.summary is None, "a table after the summary")
        source = In(payload)
        flags = source.u8()
        head = (source.text(), source.reference(), [(source.text(), source.u8()) for _ in range(source.varint())])
        names = [head[0]] + [c[0] for c in head[2]]
        need(flags < 2 and 1 <= len(head[2]) <= 256 and (head[1] == NO_STR or head[1] < len(self.sources)), "table")
        need(all(1 <= len(x) <= 255 and 0 not in x for x in names), "names of a table")
        need(all(3 <= t <= 10 or 16 <= t <= 19 for _, t in head[2]), "types of a table")
        if flags:
            need(self.tables and self.tables[-1][0] == head, "rows of another table")
        else:
            self.tables.append((head, []))
        for r in rows(payload[source.at:], n):
            bits = int.from_bytes(r.bytes((len(head[2]) + 7) // 8), "little")
            self.tables[-1][1].append([self.table_value(r, t) if bits >> i & 1 else None
                                       for i, (_, t) in enumerate(head[2])])

    def table_value(self, r, kind):
        if kind in (7, 8, 9):
            return r.text()
        if kind in (4, 16, 18):
            v = signed64(r.varint())
            need((kind != 16 or v in (0, 1)) and (kind != 18 or v in range(len(self.tracks))), "value of a table")
            return v
        if kind == 6:
            return struct.unpack("<q", r.bytes(8))[0]
        if kind == 19:
            of, v = r.varint(), signed64(r.varint())
            need(of < len(self.sources), "record of a table")
            return v, of
        v = r.signed()
        if kind != 17:
            return v
        of = r.varint()
        need(of < len(self.tracks) and v != NONE, "time of a table")
        return v, of

    def take_summary(self, payload, n):
        source = In(payload)
        flags, count = source.u8(), source.varint()
        need(flags & 1 == self.sorted, "order of the summary")
        if self.summary is None or len(self.summary[1]) == self.summary[2]:
            self.summary = (flags, [], count)
        for r in rows(payload[source.at:], n):
            need(r.varint() == len(self.summary[1]), "row of the summary")
            bits = r.u8()
            s = {"times": [r.signed() if bits >> i & 1 else NONE for i in range(4)], "events": r.varint()}

            def counts():
                return [r.varint() for _ in range(r.varint())]

            s["phases"], s["activities"], s["suspects"] = counts(), counts(), counts()
            s["links"] = [r.varint() for _ in range(3)]
            s["damage"] = [(r.text(), r.text(), r.u8(), r.varint(), (r.varint() - 1) & M64)
                           for _ in range(r.varint())]
            names = [d[0] for d in s["damage"]]
            need(len(set(names)) == len(names) < 256, "names of causes")
            for name, what, loses, count, _ in s["damage"]:
                need(1 <= len(name) < 32 and 1 <= len(what) < 96 and 0 not in name + what, "texts of a cause")
                need(loses < 2 and count, "cause")
            s["steps"] = [(r.signed(), r.signed(), r.signed(), r.varint()) for _ in range(r.varint())]
            self.summary[1].append(s)

    # events

    def column(self, c, size, data, contexts):
        _, encoding, context, width, codec, _, flags, _, n, stored, base = c
        need(encoding < 4 and flags < 8 and (context == 0 or encoding == 3), "column")
        mask = (1 << 8 * size) - 1
        if encoding == 0:
            need(width == 0 and stored == 0, "constant")
            return [base & mask] * n
        need(1 <= width <= size and (encoding != 1 or width in (1, 2, 4, 8)), "width")
        need(not flags & 4 or (size == 8 and encoding < 3), "absent")
        data = unpack(codec, data, n * width)
        if encoding == 1:
            u = [int.from_bytes(data[i * width:(i + 1) * width], "little") for i in range(n)]
        else:
            u = [sum(data[j * n + i] << 8 * j for j in range(width)) for i in range(n)]
        if encoding < 3:
            if flags & 4:
                return [(base + x - 1) & mask if x else NONE & mask for x in u]
            return [(base + x) & mask for x in u]
        previous, out = [base] * 1024, []
        for i, x in enumerate(u):
            slot = contexts[context][i] % 1024 if context else 0
            previous[slot] += x >> 1 if x % 2 == 0 else -(x >> 1) - 1
            out.append(previous[slot] & mask)
        return out

    def entries(self, column, event):
        """Does an event have an entry in a packed column?"""
        flag = self.columns[column][3]
        if flag:
            return event["flags"] & flag
        return any(s[4] == column for s in self.shapes[event["shape"]][1])

    def event_block(self, payload, n_events, raw, start, end):
        need(1 <= n_events <= 65536, "events in a block")
        n = struct.unpack_from("<I", payload)[0]
        at, directory = 4 + 28 * n, {}
        for i in range(n):
            c = struct.unpack_from("<IBBBBBBHIIq", payload, 4 + 28 * i)
            need(not directory or c[0] > max(directory), "order of columns")
            directory[c[0]] = (c, payload[at:at + c[9]])
            at += c[9]
        need(at == len(payload), "bytes of columns")
        values, contexts, sum_raw = {}, {}, 0
        for name in ("shape", "name", "track") + tuple(f[0] for f in FIXED if f[0] not in ("shape", "name", "track")):
            number = [f[0] for f in FIXED].index(name)
            _, size, reference = FIXED[number]
            c, data = directory.pop(number)
            need(c[8] == n_events and c[5] == reference, "fixed column")
            values[name] = self.column(c, size, data, contexts)
            sum_raw += n_events * size
            if name in ("shape", "name", "track"):
                contexts[len(contexts) + 1] = values[name]
        events = [{name: values[name][i] for name, _, _ in FIXED} for i in range(n_events)]
        for e in events:
            e["ts"], e["dur"] = signed64(e["ts"]), signed64(e["dur"])
            need(e["track"] < len(self.tracks) and e["shape"] < len(self.shapes), "numbers of tracks and shapes")
            need(all(e[k] < v for k, v in LIMITS.items()), "numbers with a meaning")
            need(all(e[k] == NO_STR or e[k] < len(self.strings) for k in ("name", "cat")), "numbers of strings")
            e["packed"] = {}
        for column, (_, _, kind, _) in enumerate(self.columns):
            have = [i for i, e in enumerate(events) if self.entries(column, e)]
            if not have:
                need(64 + column not in directory, "a column without entries")
                continue
            c, data = directory.pop(64 + column)
            size = 4 if kind in (7, 8, 9) else 8
            need(c[8] == len(have), "entries of a column")
            need(c[5] == (1 if size == 4 else {2: 4, 3: 2, 7: 4}.get(column, 0)), "reference of a column")
            sum_raw += len(have) * size
            of = {k: [v[i] for i in have] for k, v in contexts.items()}
            for i, v in zip(have, self.column(c, size, data, of)):
                events[i]["packed"][column] = v if size == 4 else signed64(v)
        need(all(i < 64 and not c[0][6] & 1 for i, c in directory.items()), "unknown columns")
        need(raw == sum_raw, "raw size of events")
        self.check_times(events, start, end)
        self.events += events
        sources = [self.tracks[e["track"]]["source"] for e in events]
        return min(sources), max(sources)

    def check_times(self, events, start, end):
        starts, ends, before = [], [], self.order(self.events[-1]) if self.events else None
        for e in events:
            if e["ts"] != NONE:
                dur = 0 if e["dur"] == NONE or e["dur"] < 0 or e["suspect"] else e["dur"]
                starts.append(e["ts"])
                ends.append(min(e["ts"] + dur, (1 << 63) - 1))
            order = self.order(e)
            need(not self.sorted or before is None or before <= order, "order")
            before = order
        need((start, end) == ((min(starts), max(ends)) if starts else (NONE, NONE)), "range of a block")

    def order(self, e):
        dur = 0 if e["suspect"] in (1, 2, 4) else e["dur"]
        s = self.sources[self.tracks[e["track"]]["source"]]
        texts = tuple((0, b"") if s["names"][i] == NO_STR else (1, self.strings[s["names"][i]]) for i in (1, 0))
        return (e["ts"], (0, 0) if dur == NONE else (1, -dur), s["rank"]) + texts + (e["record"],)

    # text, as spec_check prints it

    def string(self, i):
        if i == NO_STR:
            return " -"
        return ' "%s"' % "".join(chr(c) if 32 <= c <= 126 else "\\x%02x" % c for c in self.strings[i])

    def text(self):
        def number(v):
            return " -" if v == NONE else " %d" % v

        out = []
        for program, version, command, parents in self.runs:
            out.append("run %s %s %s <%s" % (program.decode(), version.decode(), command.decode(),
                                             "".join(" %d" % p for p in parents)))
        for i, s in enumerate(self.sources):
            out.append("source %d rank %d rule %d base %d partial %d bare %d%s%s capture %d%s%s%s header at %d:%s" % (
                i, s["rank"], s["rule"], s["has_base"], s["partial"], s["bare"],
                "".join(self.string(x) for x in s["names"]), self.string(s["job"]), s["capture"], number(s["base"]), number(s["file_base"]),
                number(s["pid"]), s["at"], "".join(self.string(k) + self.string(v) for k, v in s["header"])))
        for i, c in enumerate(self.clocks):
            out.append("clock %d source %d before %d frame %d origin %d offset %d drift %d keeps %d domain %d%s%s fixes%s steps%s" % (
                i + 1, c["source"], c["before"], *c["rule"], c["keeps"], c["domain"], *map(number, c["span"]),
                "".join(" %d:%d" % fix for fix in c["fixes"]), "".join(" %d" % step for step in c["steps"])))
        for i, t in enumerate(self.tracks):
            out.append("track %d source %d side %d pid %d:%d tid %d:%d clock %d%s%s" % (
                i, t["source"], t["side"], t["pid_type"], t["pid"], t["tid_type"], t["tid"], t["clock"],
                "".join(number(v) for v in t["numbers"]), "".join(self.string(x) for x in t["names"])))
        for i, c in enumerate(self.columns):
            out.append("column %d%s/%d/%d/%d" % (i, self.string(c[0]), c[1], c[2], c[3]))
        for i, (letter, slots) in enumerate(self.shapes):
            out.append("shape %d %c:%s" % (i, letter, "".join(
                "%s/%d/%d/%d/%d" % (self.string(s[0]), s[1], s[2], s[3], -1 if s[4] == NO_STR else s[4])
                for s in slots)))
        for (name, source, columns), table in self.tables:
            out.append("table %s source %d:%s" % (name.decode(), -1 if source == NO_STR else source,
                                                  "".join(" %s/%d" % (c.decode(), t) for c, t in columns)))
            for row in table:
                out.append("row" + "".join(
                    " -" if v is None else ' "%s"' % v.decode() if isinstance(v, bytes) else
                    " %d@%d" % v if isinstance(v, tuple) else " %d" % v for v in row))
        flags, rows_of, _ = self.summary
        out.append("summary of %d sorted %d filtered %d%s" % (
            len(rows_of), flags & 1, flags >> 1 & 1, " redacted" if flags & 4 else ""))
        for i, s in enumerate(rows_of):
            out.append("source %d events %d%s %s%s%s" % (
                i, s["events"], "".join(number(v) for v in s["times"]), " ".join(map(str, s["phases"])),
                "".join(' %s "%s" %d %d@%d' % (d[0].decode(), d[1].decode(), *d[2:]) for d in s["damage"]),
                "".join(" step %d %d %d %d" % step for step in s["steps"])))
        for e in self.events:
            packed = "".join("%s:%s" % (self.string(self.columns[c][0]),
                                        self.string(v) if self.columns[c][2] in (7, 8, 9) else number(v))
                             for c, v in e["packed"].items())
            out.append("event%s%s record %d track %d shape %d%s%s %s %s %s %s flags %d%s" % (
                number(e["ts"]), number(e["dur"]), e["record"], e["track"], e["shape"], self.string(e["name"]),
                self.string(e["cat"]), PHASES[e["phase"]], ACTIVITIES[e["activity"]], KINDS[e["kind"]],
                SUSPECTS[e["suspect"]], e["flags"], packed))
        return "\n".join(out) + "\n"


def load(path):
    with open(path, "rb") as f:
        return f.read()


def check(folder):
    failed, names = 0, sorted(glob.glob(os.path.join(folder, "accept", "*.trs")))
    assert checksum(b"") == 0x2d06800538d394c2 and checksum(b"123456789") == 0x72dcb18b67a17dff
    for path in names:
        try:
            have, why = Stream(load(path)).text(), ""
        except (Bad, struct.error, IndexError, KeyError) as e:
            have, why = None, repr(e)
        good = have == load(path[:-4] + ".txt").decode()
        failed += not good
        print("%s - the page is enough to read accept/%s%s" % ("ok" if good else "not ok", os.path.basename(path),
                                                              why and ": " + why))
    refused = sorted(glob.glob(os.path.join(folder, "reject", "*.trs")))
    for path in refused:
        try:
            Stream(load(path))
            why = None
        except (Bad, struct.error, IndexError, KeyError) as e:
            why = repr(e)
        failed += why is None
        print("%s - and to refuse reject/%s: %s" % ("ok" if why else "not ok", os.path.basename(path), why))
    return 1 if failed or not names or not refused else 0


def main(arguments):
    if arguments[:1] == ["--check"]:
        return check(arguments[1])
    for path in arguments:
        sys.stdout.write(Stream(load(path)).text())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
