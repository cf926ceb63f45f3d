# SPDX-License-Identifier: MIT
"""Rows and events by the Arrow C data interface of libtrcore, compared with what the programs print.

usage: arrow.py LIBRARY TRACE...; prints "yes WHAT" or "no WHAT" for each comparison.
"""
import ctypes as c
import gzip
import io
import json
import struct
import subprocess
import sys
import zipfile

try:
    import pyarrow
except ImportError:
    pyarrow = None


class Schema(c.Structure):
    pass


class Array(c.Structure):
    pass


Schema._fields_ = [("format", c.c_char_p), ("name", c.c_char_p), ("metadata", c.c_void_p), ("flags", c.c_int64),
                   ("n_children", c.c_int64), ("children", c.POINTER(c.POINTER(Schema))),
                   ("dictionary", c.c_void_p), ("release", c.CFUNCTYPE(None, c.POINTER(Schema))),
                   ("private_data", c.c_void_p)]
Array._fields_ = [("length", c.c_int64), ("null_count", c.c_int64), ("offset", c.c_int64), ("n_buffers", c.c_int64),
                  ("n_children", c.c_int64), ("buffers", c.POINTER(c.c_void_p)),
                  ("children", c.POINTER(c.POINTER(Array))), ("dictionary", c.c_void_p),
                  ("release", c.CFUNCTYPE(None, c.POINTER(Array))), ("private_data", c.c_void_p)]


class Memory(c.Structure):
    _fields_ = [("size", c.c_size_t), ("name", c.c_char_p), ("bytes", c.c_char_p), ("n", c.c_size_t)]


lib = c.CDLL(sys.argv[1])
for name in ("tr_error_new", "tr_report_new", "tr_report_table", "tr_error_text"):
    getattr(lib, name).restype = c.c_void_p
P = c.c_void_p
error = P(lib.tr_error_new())


def check(status, expected=0):
    if status != expected:
        text = c.create_string_buffer(1400)
        lib.tr_error_text(error, text, c.c_size_t(1400))
        raise SystemExit(f"status {status}: {text.value.decode()}")


def by_hand(schema, array):
    """Column by column: a dictionary of lists."""
    out = {}
    for k in range(array.n_children):
        s, a = schema.children[k].contents, array.children[k].contents
        n = a.length
        bits = c.string_at(a.buffers[0], (n + 7) // 8)
        if s.format == b"U":
            at = struct.unpack(f"={n + 1}q", c.string_at(a.buffers[1], 8 * (n + 1)))
            data = c.string_at(a.buffers[2], at[-1])
            values = [data[at[i]:at[i + 1]].decode() for i in range(n)]
        else:
            code = {b"l": "q", b"L": "Q", b"g": "d"}[s.format]
            values = list(struct.unpack(f"={n}{code}", c.string_at(a.buffers[1], 8 * n)))
        out[s.name.decode()] = [v if bits[i // 8] >> i % 8 & 1 else None for i, v in enumerate(values)]
        assert out[s.name.decode()].count(None) == a.null_count
    return out


def taken(schema, array):
    """What both readers find; the structs are released."""
    hand = by_hand(schema, array)
    if pyarrow:
        batch = pyarrow.RecordBatch._import_from_c(c.addressof(array), c.addressof(schema))
        batch.validate(full=True)
        assert batch.to_pydict() == hand
    else:
        schema.release(c.byref(schema))
        array.release(c.byref(array))
        assert not schema.release and not array.release
    return hand


def open_files(paths):
    trace = P()
    names = (c.c_char_p * len(paths))(*[p.encode() for p in paths])
    check(lib.tr_trace_open(c.byref(trace), names, c.c_size_t(len(paths)), None, error))
    return trace


def open_bytes(pairs):
    trace = P()
    inputs = [Memory(c.sizeof(Memory), name.encode(), data, len(data)) for name, data in pairs]
    listed = (c.POINTER(Memory) * len(inputs))(*[c.pointer(i) for i in inputs])
    check(lib.tr_trace_open_memory(c.byref(trace), listed, c.c_size_t(len(inputs)), None, error))
    return trace, inputs


def table_of(trace, analysis):
    report = P(lib.tr_report_new())
    check(lib.tr_report_add(report, analysis.encode(), error))
    check(lib.tr_report_run(report, trace, error))
    schema, array = Schema(), Array()
    table = P(lib.tr_report_table(report, c.c_size_t(0)))
    check(lib.tr_table_arrow(table, c.byref(schema), c.byref(array), error))
    lib.tr_report_free(report)
    return taken(schema, array)


def events_of(trace, fields):
    all_events = {}
    listed = (c.c_char_p * len(fields))(*[f.encode() for f in fields])
    while True:
        batch, schema, array = P(), Schema(), Array()
        status = lib.tr_trace_next(trace, c.byref(batch), error)
        if status == 1:
            return all_events
        check(status)
        check(lib.tr_batch_arrow(batch, listed, None, c.c_size_t(len(fields)), c.byref(schema), c.byref(array), error))
        for name, values in taken(schema, array).items():
            all_events.setdefault(name, []).extend(values)


def printed(*command):
    """Rows of a program as columns; numbers with a point keep their digits."""
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    columns = {}
    for row in json.loads(out, parse_float=str):
        for name, value in row.items():
            columns.setdefault(name, []).append(value)
    return columns


def equal(have, want):
    if isinstance(have, float):
        decimals = len(str(want).partition(".")[2])
        return want is not None and abs(have - float(want)) <= 0.5001 * 10 ** -decimals
    if isinstance(want, list): # a list of args is a text in an array
        want = json.dumps(want, separators=(",", ":"))
    return have == want


def compare(what, have, want):
    ok = list(have) == list(want)
    for name in have:
        pairs = list(zip(have[name], want.get(name, [])))
        same = len(have[name]) == len(want.get(name, [])) and all(equal(a, b) for a, b in pairs)
        if not same:
            print(name, next((p for p in pairs if not equal(*p)), "lengths"), file=sys.stderr)
        ok = ok and same and len(pairs) > 0
    if list(have) != list(want):
        print(list(have), list(want), file=sys.stderr)
    print("yes" if ok else "no", what, flush=True)


def main():
    paths = sys.argv[2:]
    views = {"breakdown.time": ["tr-breakdown"], "breakdown.kernel": ["tr-breakdown", "--by", "kernel"],
             "breakdown.idle": ["tr-breakdown", "--by", "idle"], "launch": ["tr-launch"]}
    for analysis, command in views.items():
        trace = open_files(paths)
        compare(analysis, table_of(trace, analysis),
                printed(*command, "-q", "-O", "json", "--unit", "ns", *paths))
        lib.tr_trace_close(trace)

    fields = ["record", "ts", "dur", "end", "phase", "name", "cat", "activity", "kind", "rank", "device", "stream",
              "pid", "tid", "launch_ts", "api", "args.stream", "args.grid"]
    rows = printed("tr-view", "-q", "-O", "json", "--unit", "ns", "--columns", ",".join(fields), *paths)
    for name in ("pid", "tid"): # the arrays have numbers only
        rows[name] = [v if isinstance(v, int) else None for v in rows[name]]
    trace = open_files(paths)
    from_files = events_of(trace, fields)
    lib.tr_trace_close(trace)
    compare("events", from_files, rows)

    pairs = [(path, open(path, "rb").read()) for path in paths]
    pairs[0] = (pairs[0][0], gzip.compress(pairs[0][1]))
    trace, keep = open_bytes(pairs)
    compare("events in memory, compressed and not", events_of(trace, fields), rows)
    lib.tr_trace_close(trace)

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path, data in pairs:
            archive.writestr(path, data)
    trace, keep = open_bytes([("job.zip", packed.getvalue())])
    compare("an archive in memory", events_of(trace, fields), rows)
    lib.tr_trace_close(trace)

    stream = subprocess.run(["tr-parse", "-q", *paths], check=True, capture_output=True).stdout
    trace, keep = open_bytes([("stream", stream)])
    compare("a stream in memory", events_of(trace, fields), rows)
    lib.tr_trace_close(trace)


main()
