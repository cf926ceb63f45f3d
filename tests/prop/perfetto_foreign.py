#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Are traces for Perfetto that others write read as what they are, and salvaged where they are damaged?

usage: perfetto_foreign.py BIN

The traces are those of perfetto_made.py; what each must give was written by hand, from Perfetto's published format.
"""
import glob
import gzip
import json
import os
import random
import shutil
import subprocess
import sys
import zlib

import perfetto_made as made
from perfetto_reader import Reader
from perfetto_text import from_text

bin = sys.argv[1]
count = failed = 0


def check(good, what, *why):
    global count, failed
    count += 1
    failed += not good
    print("%s %d - %s" % ("ok" if good else "not ok", count, what))
    for line in why if not good else ():
        print("# %s" % (line,))


def read(data, *options):
    """Status, what was said, and the events."""
    with open("made.pftrace", "wb") as f:
        f.write(data)
    said = subprocess.run([bin + "/tr-view", "-O", "jsonl", *options, "made.pftrace"], capture_output=True, text=True)
    return said.returncode, said.stderr, [json.loads(line) for line in said.stdout.splitlines()]


def short(e):
    """Activity, start, duration, pid, tid, name and what else is not empty."""
    args = e["args"] or {}
    more = {k: v for k, v in (("cat", e["cat"]), ("device", e["device"]), ("stream", e["stream"])) if v is not None}
    more.update(e.get("members") or {})
    if e.get("launch_record") is not None:
        more["launch"] = e["launch_record"]
    kind = e["activity"] if e["phase"] in ("span", "begin") else e["phase"]
    return kind, e["ts_ns"], e["dur_ns"], e["pid"], e["tid"], e["name"], args, more


def gives(what, data, want, said=()):
    status, messages, events = read(data)
    got = [short(e) for e in events]
    check(status == 0 and got == want, what, status, messages, *["+ %r" % (x,) for x in got if x not in want],
          *["- %r" % (x,) for x in want if x not in got])
    records = [e["record"] for e in events]
    check(len(set(records)) == len(records), what + ": no two have one record", records)
    check(all(text in messages for text in said) and (said or not messages), what + ": what is said", messages)


def test_foreign():
    args = {"bool": True, "uint": 1 << 63, "int": -3, "real": 0.5, "nan": "NaN", "text": "x\n", "pointer": "0xff",
            "json": {"a": [1, None]}, "bad json": "{oh", "number": 5, "list": [1, "b", [False]],
            "dict": {"k": 1, "l": {"m": 1.5}}, "old": {"x": 4, "y": ["z", True]}}
    gives("annotations of all types", made.values(), [("other", 100, 100, 7, 8, "s", args, {"cat": "a,b"})])
    gives("annotations that come again", made.values(3),
          [("other", 100 + t, 100, 7, 8, "s", args, {"cat": "a,b"}) for t in (0, 200, 400)])
    lost = made.process(1, 7, "p"), made.thread(2, 1, 7, 8, "main"), *(
        made.event(t, 2, made.INSTANT, (23, "s"), made.note("list", (12, [(4, 1)]), (12, [(17, 9)]))) for t in range(3))
    gives("a list with a text that is not there, again and again", made.trace(lost),
          [("instant", t, None, 7, 8, "s", {"list": [1, ""]}, {}) for t in range(3)],
          ["number of a text that is not in the file (3 times"])
    gives("two writers, out of order", made.writers(), [
        ("other", 300, 90, 7, 8, "one", {}, {}), ("other", 310, 80, 7, 9, None, {}, {}),
        ("other", 500, 200, 7, 9, "two", {}, {}), ("other", 500, 100, 7, 8, "one", {}, {})],
        ["number of a text that is not in the file"])
    gives("clocks", made.clocks(), [
        ("instant", 5, None, 7, 8, "d", {}, {}), ("other", 1005000, 5000, 7, 8, "a", {}, {}),
        ("instant", 1020000, None, 7, 8, "b", {}, {}), ("instant", 1030000, None, 7, 8, "c", {}, {}),
        ("instant", 2000001, None, 7, 8, "e", {}, {})], ["time of a clock that no snapshot relates"])
    gives("counters", made.counters(), [
        ("counter", 10, None, 7, None, "memory", {"bytes": 2048}, {}),
        ("counter", 10, None, 7, None, "power", {"W": 1.5}, {}), ("counter", 11, None, 7, None, "load", {"%": 50}, {}),
        ("counter", 12, None, 7, None, "ticks", {"value": 5}, {}),
        ("counter", 12, None, 7, None, "load", {"%": 25}, {}),
        ("other", 12, 1, 7, 8, "s", {}, {}), ("counter", 13, None, 7, None, "ticks", {"value": 12}, {})])
    flow = {"cat": "flow", "id": "77", "bp": "e"}
    gives("phases of the Trace Event Format, flows", made.phases(), [
        ("other", 105000, 20000, 7, 8, "x", {}, {}), ("instant", 106000, None, 7, 8, "i", {}, {"s": "p"}),
        ("async_begin", 106000, 1000, 7, 8, "b", {}, {"cat": "c", "scope": "s", "id": "global 5"}),
        ("flow_start", 200000, None, None, "a", "flow", {}, flow), ("other", 200000, 10000, None, "a", "from", {}, {}),
        ("flow_start", 220000, None, None, "a (2)", "flow", {}, dict(flow, id="5")),
        ("flow_end", 220000, None, None, "a (2)", "flow", {}, flow),
        ("other", 220000, 10000, None, "a (2)", "to", {}, {})])
    def of(kind, ts, ident):
        return kind, ts, None, None, "a", "flow", {}, dict(flow, id=ident)
    gives("flows that begin again", made.flows(), [
        of("flow_start", 10, "7"), ("other", 10, 5, None, "a", "from", {}, {}),
        of("flow_step", 20, "7"), ("other", 20, 5, None, "a", "by", {}, {}),
        of("flow_end", 30, "7"), ("other", 30, 5, None, "a", "to", {}, {}),
        of("flow_start", 40, "7"), ("other", 40, 5, None, "a", "again", {}, {})])
    where = {"device": 0, "stream": 7}
    host = [("cpu_op", 1000, 300, 7, 8, "aten::mm", {"External id": 11}, {}),
            ("runtime_api", 1100, 100, 7, 8, "cudaLaunchKernel", {"correlation": 21}, {}),
            ("runtime_api", 1400, 50, 7, 8, "cudaMemcpyAsync", {"correlation": 22}, {})]
    gives("work of devices in packets of its own", made.device_packets(), host + [
        ("kernel", 2000, 500, 0, 7, "gemm<float>",
         {"graph node id": 12, "device": 0, "context": 1, "stream": 7, "correlation": 21, "grid": [64, 1, 1],
          "block": [128, 2, 1], "registers per thread": 40}, dict(where, cat="kernel", launch=1)),
        ("memcpy", 2500, 100, 0, 7, "Memcpy HtoD",
         {"bytes": 4096, "device": 0, "context": 1, "stream": 7, "correlation": 22},
         dict(where, cat="gpu_memcpy", launch=4)),
        ("counter", 2600, None, 0, None, "power", {"value": 300.5}, {})])
    graph = {"graph id": 3, "device": 0, "context": 1}
    gives("work of a graph, each piece with a number of its own", made.graph_packets(), [
        ("runtime_api", 1000, 100, 7, 8, "cudaGraphLaunch", {"correlation": 21}, {"cat": "cuda_runtime"}),
        ("kernel", 2000, 500, 0, 7, "gemm", dict(graph, stream=7, correlation=21, **{"event id": 1}, arch="sm_90"),
         dict(where, cat="kernel", launch=0)),
        ("other", 2500, 0, 0, 7, "EventRecord",
         dict(graph, stream=7, correlation=21, **{"event id": 2, "event wait ids": [1]}), {"cat": "graph_event_node"}),
        ("kernel", 2600, 100, 0, 8, "add",
         dict(graph, stream=8, correlation=21, arch="[x",
              **{"event id": 3, "event wait ids": [1, 2], "In split size": [1, 2], "Is async": True}),
         dict(where, stream=8, cat="kernel", launch=0)),
        ("other", 2700, 50, 0, 7, "HostNode",
         dict(graph, stream=7, correlation=21, **{"event id": 4, "event wait ids": [3], "host fn": "free"}),
         {"cat": "graph_host_node"})])
    gives("work of devices as track events", made.device_events(), host + [
        ("kernel", 2000, 490, 100, 7, "gemm<float>", {"device": 0, "stream": 7, "correlation": 21, "grid": [64]},
         dict(where, launch=1)),
        ("memcpy", 2500, 100, 100, 7, "Memcpy HtoD", {"device": 0, "stream": 7, "correlation": 22, "bytes": 4096},
         dict(where, launch=2))])
    status, said, events = read(made.rocprof())
    got = [short(e) for e in events if e["phase"] == "span"]
    check(got == [
        ("runtime_api", 1000, 100, 7, "THREAD 0", "hipLaunchKernel", {"corr_id": 5}, {"cat": "hip_api"}),
        ("kernel", 1200, 300, 7, "COMPUTE AGENT [4] QUEUE [1]", "gemm",
         {"corr_id": 5, "agent": "gpu_1", "agent_ID": 4, "queue": 2, "LDS_Block_Size": 1024, "VGPR_Count": 32},
         {"cat": "kernel_dispatch", "device": 1, "stream": 2, "launch": 0}),
        ("runtime_api", 1600, 50, 7, "THREAD 0", "hipMemcpyAsync", {"corr_id": 6}, {"cat": "hip_api"}),
        ("memcpy", 1700, 90, 7, "COPY to AGENT [4]", "MEMORY_COPY_HOST_TO_DEVICE",
         {"corr_id": 6, "copy_bytes": 4096, "dst_agent": 4, "bytes": 4096},
         {"cat": "memory_copy", "device": 1, "launch": 6})],
        "rocprofv3", *got)
    status, said, events = read(made.rocprof_copies())
    got = [(e["name"], e["args"]) for e in events]
    want = [(copy, {"corr_id": i, "copy_bytes": 100 + i, **({"bytes": i} if copy == "own" else {}), "dst_agent": 4,
                    **({} if copy == "own" else {"bytes": 100 + i})}) for i, copy in enumerate(["a", "b", "own", "c", "d"])]
    check(status == 0 and not said and got == want, "sizes of copies of rocprofv3", status, said, *got)
    status, said, events = read(made.rocprof_streams())
    got = [(e["activity"], e["ts_ns"], e["dur_ns"], e["name"], e["device"], e["stream"], e.get("launch_record") is not None)
           for e in events]
    check(status == 0 and not said and got == [
        ("runtime_api", 1000, 100, "hipLaunchKernel", None, None, False),
        ("driver_api", 1010, 50, "hsa_queue_create", None, None, False),
        ("kernel", 1200, 300, "gemm", 4, 2, True),
        ("runtime_api", 3000, 90, "hipMemcpyAsync", None, None, False),
        ("driver_api", 3010, 20, "hsa_signal_create", None, None, False),
        ("memcpy", 3200, 40, "MEMORY_COPY_HOST_TO_DEVICE", 4, 2, True),
        ("memcpy", 3300, 40, "MEMORY_COPY_DEVICE_TO_HOST", 4, 2, True)], "rocprofv3 with streams", status, said, *got)
    status, said, events = read(made.packed())
    names = [e["name"] for e in events]
    check(status == 0 and {"s", "i0", "after"} <= set(names) and "damaged compressed data" in said,
          "packets in packets, the second bundle damaged", status, said, names[:5])


def test_alike():
    """Annotations that are as in earlier events are taken like any others."""
    status, said, events = read(made.alike())
    wrong = []
    for k, i in enumerate(range(0, 60, 6)):
        args = {"a": i, "long name of a key: longer than most": "t%d" % (i % 2), "b": bool(i % 2),
                "external": -i if i % 3 else 1 << 40, "l": [i % 2, "x"]}
        at = 1000 * i
        want = [("named", at, 500, args, None), ("of a category", at + 600, 100, args, "c"),
                ("of no known type", at + 610, None, {}, None), (None, at + 620, None, {}, None),
                (None, at + 800, 50, args, None), ("now", at + 900, None, args, None),
                ("twice", at + 910, 10, dict(args, a=5), None), ("phase", at + 930, None, args, None),
                ("work", at + 940, 10, dict(args, correlation=9), None)]
        got = [(e["name"], e["ts_ns"], e["dur_ns"], e["args"] or {}, e["cat"]) for e in events[9 * k:9 * k + 9]]
        wrong += [(g, w) for g, w in zip(got, want) if g != w]
    check(status == 0 and len(events) == 90 and not wrong, "annotations as in earlier events", status, said, *wrong[:3])


def test_threads():
    """However a trace is cut into pieces for threads, the same stream comes of it, and the same is said."""
    for name in ("values", "writers", "clocks", "counters", "phases", "flows", "queues", "device_packets",
                 "graph_packets", "device_events", "rocprof", "rocprof_streams", "packed", "ranks", "alike"):
        with open("made.pftrace", "wb") as f:
            f.write(getattr(made, name)())
        got = []
        for how in (["-j1", "--piece-size", "1MiB"], ["-j1", "--piece-size", "1B"], ["-j3", "--piece-size", "1B"],
                    ["-j2", "--piece-size", "100B"]):
            did = subprocess.run([bin + "/tr-parse", "--no-provenance", *how, "made.pftrace"], capture_output=True)
            got.append((did.returncode, did.stdout, did.stderr))
        check(got[0][0] == 0 and len(got[0][1]) > 100 and got.count(got[0]) == len(got), name + ": in pieces",
              *[(status, len(out), said) for status, out, said in got])
        check((b"start exactly where" in got[0][2]) == (name == "queues"), name + ": is it said that ends were cut?")


def test_walks():
    """What the first walk finds does not depend on the pieces: order, tracks described late, writers that change."""
    wrong = []
    for seed in range(30):
        data, want = made.shuffled(seed)
        for how in (["-j1"], ["-j2", "--piece-size", "1B"], ["-j3", "--piece-size", "200B"], ["--no-sort"]):
            with open("made.pftrace", "wb") as f:
                f.write(data)
            with open("made.trs", "wb") as f:
                said = subprocess.run([bin + "/tr-parse", *how, "made.pftrace"], stdout=f, stderr=subprocess.PIPE)
            got = subprocess.run([bin + "/tr-view", "-O", "jsonl", "made.trs"], capture_output=True, text=True)
            events = [json.loads(line) for line in got.stdout.splitlines()]
            if how == ["--no-sort"]:
                good = len(events) == 2 * len(want)
            else:
                good = sorted((e["name"], e["ts_ns"], e["dur_ns"]) for e in events) == want
            if said.returncode or said.stderr or not good:
                wrong.append((seed, how, said.stderr, len(events), len(want)))
    check(not wrong, "tracks described late, broken order and new clocks, in pieces", *wrong[:3])


def test_ranks():
    """Work of a rank has the launch of this rank."""
    status, said, events = read(made.ranks())
    work = {e["name"]: e["launch_record"] for e in events if e["activity"] == "kernel"}
    calls = {e["record"]: e["tid"] for e in events if e["activity"] == "runtime_api"}
    check(len(work) == 12 and len(calls) == 12 and sorted(work.values()) == sorted(calls) and
          all(work["k%d of %d" % (i, rank)] // 4 == 2 * i + rank for i in range(6) for rank in range(2)),
          "ranks with the same correlations", status, said, work, calls)


def numbered(n):
    """Where packets begin, and the trace: each packet is an instant of its own time and name."""
    packets = [made.encode([(1, made.event(i, 0, made.INSTANT, (23, "event %d" % i)))]) for i in range(n)]
    return [sum(map(len, packets[:i])) for i in range(n + 1)], b"".join(packets)


TEXT = """
# a launch, and its work
packet { trusted_packet_sequence_id: 1 timestamp: 0 sequence_flags: 1
  interned_data {
    gpu_specifications { iid: 1 name: "Kernel" category: COMPUTE }
    gpu_specifications { iid: 2 name: "stream 0003" }
    [perfetto.protos.GpuInternedData.compute_kernels] { iid: 1 name: "_Z1f" demangled_name: "f(\\"x\\")" } } }
packet: { trusted_packet_sequence_id: 1 timestamp: 100 sequence_flags: 2
  gpu_render_stage_event { event_id: 9 duration: 50 hw_queue_iid: 2 stage_iid: 1 kernel_iid: 1
    launch { grid_size { x: 4 y: 1 z: 1 } args { name: "bytes" uint_value: 16 } } } }
"""


def test_text():
    """Traces in the text form of protocol buffers, such as those of Perfetto's own tests: TR_PERFETTO_TEXT, a folder."""
    status, said, events = read(from_text(TEXT))
    check(status == 0 and [short(e) for e in events] == [
        ("kernel", 100, 50, 0, 3, 'f("x")', {"device": 0, "stream": 3, "correlation": 9, "grid": [4, 1, 1], "bytes": 16},
         {"cat": "kernel", "device": 0, "stream": 3})], "a trace as text", said, events)
    for path in sorted(glob.glob(os.environ.get("TR_PERFETTO_TEXT", "") + "/*.textproto")):
        with open(path) as f:
            status, said, events = read(from_text(f.read()))
        check(status == 0 and events and not said, os.path.basename(path), status, said)


def test_wrapped():
    """The whole file compressed, as PyTorch does whatever its name; too much for the memory that is allowed."""
    status, said, events = read(gzip.compress(made.rocprof()))
    check(status == 0 and len(events) == 8 and not said, "gzip around the file", status, said, len(events))
    if shutil.which("zstd"):
        inner = made.trace([made.event(100 + i, 2, made.INSTANT, (23, "i%d" % i)) for i in range(500)])
        data = subprocess.run(["zstd", "-q", "-c"], input=inner, capture_output=True, check=True).stdout
        status, said, events = read(made.trace([[(133, data)], made.event(5, 2, made.INSTANT, (23, "after"))]))
        check(status == 0 and len(events) == 501 and not said, "zstd in a packet", status, said, len(events))
        status, said, events = read(subprocess.run(["zstd", "-q", "-c"], input=made.rocprof(), capture_output=True,
                                                   check=True).stdout)
        check(status == 0 and len(events) == 8, "zstd around the file", status, said, len(events))
    bomb = zlib.compress(zlib.compress(bytes(200 << 20), 9), 9)
    status, said, events = read(made.trace([[(50, zlib.compress(bytes(100 << 20), 9))], [(50, bomb)],
                                            made.event(5, 2, made.INSTANT, (23, "after"))]))
    check(status == 0 and [e["name"] for e in events] == ["after"] and said, "bombs are bounded", said)
    large = made.trace([[(200, bytes(1 << 20))]]) * 300
    for levels in range(2):
        status, said, events = read(nested(levels, made.trace([[(50, zlib.compress(large))]]) +
                                           made.trace([made.event(5, 2, made.INSTANT, (23, "after"))])), "-M", "64M")
        check(status == 0 and [e["name"] for e in events] == ["after"] and "beyond the size limit" in said,
              "a packet that makes more than 256 MiB, %d levels" % (levels + 1), said)
    tracks = b"".join(b"\x0a\x09\xe2\x03\x06\x08" + bytes((i & 127 | 128, i >> 7 & 127 | 128, i >> 14 & 127 | 128,
                                                           i >> 21 & 127 | 128, 1)) for i in range(700000))
    status, said, events = read(tracks, "-M", "64M")
    check(status == 4 and "more memory than -M allows" in said, "more tracks than -M allows", status, said)
    status, said, events = read(tracks[:11000], "-M", "64M")
    check(status == 0, "fewer are read", status, said)


def test_salvage():
    begins, data = numbered(12)
    wrong = []
    for cut in range(len(data)):
        status, said, events = read(data[:cut])
        whole = sum(1 for b in begins[1:] if b <= cut)
        if whole == 0:
            good = status == 3 or cut == 0
        else:
            good = status == 0 and len(events) == whole and bool(said) == (cut not in begins)
        if not good:
            wrong.append((cut, whole, status, len(events), said))
    check(not wrong, "cut anywhere, all whole packets are read", *wrong[:3])
    wrong = []
    for at in range(begins[2], begins[3]):  # each byte of a packet, wrong in each way that matters
        for value in (0, 1, 0x0a, 0x0b, 0x7f, 0x80, 0xff):
            bad = bytearray(data)
            if bad[at] == value:
                continue
            bad[at] = value
            status, said, events = read(bytes(bad))
            others = {e["name"] for e in events} >= {"event %d" % i for i in range(12) if i != 2}
            if status != 0 or not others:
                wrong.append((at - begins[2], value, status, len(events), said))
    check(not wrong, "one byte is wrong: all other packets are read", *wrong[:3])
    status, said, events = read(data[:begins[3]] + b"\x0b\xff" * 50 + data[begins[3]:])
    check(status == 0 and len(events) == 12 and "byte %d" % begins[3] in said, "bytes of something else are told", said)
    status, said, events = read(data[:begins[3] + 5], "--strict")
    check(status == 3, "--strict refuses it", status)


def view(data, *columns):
    return [tuple(e[c] for c in columns) for e in read(data)[2]]


def test_meaning():
    """What Perfetto's own importer makes of such packets."""
    def counter(uuid, *unit, seq=1):
        return [(10, seq), (60, [(1, uuid), (2, "c"), (8, list(unit))])]
    clear = [(10, 1), (13, 1)]
    data = made.trace([clear, counter(3, (5, 1)), made.event(10, 3, made.COUNTER, (30, 1000)),
                       made.event(20, 3, made.COUNTER, (30, 10)), [(10, 2), (13, 1)],
                       made.event(25, 3, made.COUNTER, (30, 1)), clear,
                       made.event(30, 3, made.COUNTER, (30, 2000)), made.event(40, 3, made.COUNTER, (30, 5))])
    got = [e["args"] for e in read(data)[2]]
    check(got == [{"value": v} for v in (1000, 1010, 1011, 2000, 2005)],
          "a sum begins anew with the state of its writer, not with that of others", got)
    calls = [(2, "cuLaunchKernel", (3001, 4), "driver_api"), (2, "vkCmdDispatch", (3001, 2), "runtime_api"),
             (2, "hipLaunchKernel", (3000, [(1, 9)]), "runtime_api"), (2, "plain", (9, made.BEGIN), "other")]
    for category in ((), ((22, "gpu"),)):
        data = made.trace([made.process(1, 7, "p"), made.thread(2, 1, 7, 8, "main")] + [
            p for i, (track, name, of, _) in enumerate(calls) for p in (
                made.event(100 * i, track, made.BEGIN, (23, name), *category, of), made.event(100 * i + 50, track, made.END))])
        got = view(data, "name", "activity")
        check(got == [(name, activity) for _, name, _, activity in calls], "calls by their extension%s" % (
            ", with a category" if category else ""), got)
    data = made.trace([made.process(1, 7, "p"), made.thread(2, 1, 7, 8, "main"),
                       made.event(10, 2, made.BEGIN, (23, "s"), (17, 2030), (20, 3100)),
                       made.event(20, 2, made.END, (17, 2040), (20, 3200)),
                       made.event(30, 2, made.INSTANT, (23, "i"), (17, 0)), made.event(40, 2, made.BEGIN, (23, "t")),
                       made.event(50, 2, made.END)])
    got = view(data, "name", "dur_ns", "args")
    check(got == [("s", 10, {"thread_time_us": 2030, "thread_instructions": 3100, "end_thread_time_us": 2040,
                             "end_thread_instructions": 3200}), ("i", None, {"thread_time_us": 0}), ("t", 10, None)],
          "time and instructions of the thread", *got)
    for field in (1, 2, 9, 93, 119, 200):
        for n in (1, 5):
            status, said, events = read(made.trace([[(field, [(1, 5), (2, "x")])]] * n))
            check(status == 0 and not events and "no events: none of its %d packets" % n in said,
                  "%d packets of kind %d only" % (n, field), status, said)
    names = [[(8, 1), (10, 1), (52, [(1, [(1, [(1, 1), (2, "busy")])]), (2, [(1, 1), (2, 7)])])]]
    data = made.trace(names + [[(8, 10 * i), (10, 1), (52, [(2, [(1, 1), (2, i)])])] for i in range(1, 500)])
    with open("made.pftrace", "wb") as f:
        f.write(data)
    for how in ("-j1", "-j3"):
        parsed = subprocess.run([bin + "/tr-parse", how, "--piece-size", "1B", "made.pftrace"], capture_output=True).stdout
        said = subprocess.run([bin + "/tr-view", "-O", "jsonl", "-"], input=parsed, capture_output=True).stdout
        events = [json.loads(line) for line in said.splitlines()]
        got = [(e["name"], e["ts_ns"], e["args"]["value"]) for e in events]
        check(got == [("busy", 1, 7), ("busy", 1, 1)] + [("busy", 10 * i - 10, i) for i in range(2, 500)],
              "all values of a device counter from the first on, with its name, %s" % how, *got[:3])


def test_directions():
    """Values of device counters hold up to their times, or from them on: many counters, with interned descriptions and
    with one of older writers, some of them not in order of time, whatever the number of threads."""
    chance = random.Random(5)
    for interned in (True, False):
        specs = [(n, "c%d" % n, chance.choice([None, 0, 1, 2, 3])) for n in range(1, 7)]
        fields = [(1, [(1, n), (2, name)] + ([] if way is None else [(11, way)])) for n, name, way in specs]
        if interned:
            packets = [[(8, 1), (10, 1), (13, 1), (12, [(47, [(1, 3), (2, fields), (3, 4)])])]]
        else:
            packets = [[(8, 1), (10, 1), (52, [(1, fields), (3, 4)])]]
        want, last, at = [], {}, 100
        for i in range(400):
            at += chance.choice([0, 1, 7, 10, -3])
            values = []
            for n, name, way in chance.sample(specs, chance.randint(1, 4)):
                values.append((2, [(1, n), (2, i)]))
                want.append((name, at if way == 2 or last.get(n, at) > at else last.get(n, at), i))
                last[n] = max(last.get(n, at), at)
            packets.append([(8, at), (10, 1), (52, values + [(4, 3) if interned else (3, 4)])])
        with open("made.pftrace", "wb") as f:
            f.write(made.trace(packets))
        for how in ("-j1", "-j3"):
            parsed = subprocess.run([bin + "/tr-parse", how, "--piece-size", "50B", "made.pftrace"], capture_output=True)
            said = subprocess.run([bin + "/tr-view", "-O", "jsonl", "-"], input=parsed.stdout, capture_output=True).stdout
            events = sorted(map(json.loads, said.splitlines()), key=lambda e: e["record"])
            got = [(e["name"], e["ts_ns"], e["args"]["value"]) for e in events]
            check(got == want and all(e["pid"] == 4 for e in events) and not parsed.stderr,
                  "directions of device counters, %s, %s" % ("interned" if interned else "older", how),
                  parsed.stderr, *[p for p in zip(got, want) if p[0] != p[1]][:3])
    way = [[(8, 1), (10, 1), (52, [(1, [(1, [(1, 1), (2, "busy")])])])]]
    data = made.trace(way + [[(8, t), (10, 1), (52, [(2, [(1, 1), (2, v)])])] for t, v in ((10, 5), (20, 7), (30, 0))])
    check(view(data, "ts_ns", "args") == [(10, {"value": 5}), (10, {"value": 7}), (20, {"value": 0})],
          "7 holds from 10 to 20, and 0 up to 30")


def test_flows():
    """Flows at begins, ends and instants lead from and to the same after they are written again."""
    def flow(i, last=False):
        return (48 if last else 47, made.Fixed(i))
    packets = [made.process(1, 7, "p"), made.thread(2, 1, 7, 8, "main"), made.thread(3, 1, 7, 9, "other"),
               made.event(100, 2, made.BEGIN, (23, "outer")), made.event(110, 2, made.BEGIN, (23, "a"), flow(9)),
               made.event(120, 2, made.END, flow(1)), made.event(130, 2, made.INSTANT, (23, "i"), flow(2)),
               made.event(140, 3, made.BEGIN, (23, "b"), flow(1, True)), made.event(150, 3, made.END, flow(3)),
               made.event(155, 3, made.INSTANT, (23, "j"), flow(2, True), flow(4)),
               made.event(160, 2, made.BEGIN, (23, "c"), flow(3, True), flow(5)),
               made.event(170, 2, made.INSTANT, (23, "k"), flow(4, True)), made.event(180, 2, made.END, flow(6)),
               made.event(185, 2, made.BEGIN, (23, "d"), flow(9, True)), made.event(190, 2, made.END, flow(7)),
               made.event(200, 2, made.END, flow(8)), made.event(210, 3, made.BEGIN, (23, "e"), *[
                   flow(i, True) for i in (5, 6, 7, 8)]), made.event(220, 3, made.END)]
    with open("made.pftrace", "wb") as f:
        f.write(made.trace(packets))
    for how in ("-j1", "-j3"):
        parsed = subprocess.run([bin + "/tr-parse", how, "--piece-size", "1B", "made.pftrace"], capture_output=True, check=True)
        again = subprocess.run([bin + "/tr-view", "-O", "perfetto", "-"], input=parsed.stdout, capture_output=True, check=True)
        seen = Reader(again.stdout)
        got = sorted((a.name, b.name) for a, b in seen.arrows)
        check(got == [("a", "b"), ("a", "d"), ("b", "c"), ("c", "e"), ("c", "e"), ("d", "e"), ("i", "j"), ("j", "k"),
                      ("outer", "e")] and not seen.errors, "flows at begins, ends and instants, written again, " + how, got,
              seen.errors)


def nested(levels, inner):
    """Packets that stand compressed in a packet, which stands compressed in a packet, and so on."""
    for _ in range(levels):
        inner = made.trace([[(50, zlib.compress(inner))]])
    return inner


def test_nested():
    """Packets in packets in packets are read up to 4 levels deep; what is beyond is counted, also by --strict."""
    inner = made.trace([made.event(5 + i, 2, made.INSTANT, (23, "inner")) for i in range(3)])
    after = made.trace([made.event(9, 2, made.INSTANT, (23, "after"))])
    for levels in range(8):
        status, said, events = read(nested(levels, inner) + after)
        fits = levels <= 4
        check(status == 0 and [e["name"] for e in events] == ["inner"] * 3 * fits + ["after"] and
              ("more than 4 levels deep" in said) == (not fits) and bool(said) == (not fits), "%d levels" % levels, said)
        status, said, events = read(nested(levels, inner) + after, "--strict")
        check(status == (0 if fits else 3), "%d levels with --strict" % levels, status, said)
    rand = random.Random(8)
    long = made.trace([made.event(5 + i, 2, made.INSTANT, (23, "%x" % rand.getrandbits(4 * rand.randint(1, 400))))
                       for i in range(1500)])
    plain = read(long)
    check(plain[0] == 0 and len(plain[2]) == 1500 and len(long) > 300000, "packets of several times what is unpacked at once")
    for levels in range(1, 5):
        check(read(nested(levels, long)) == plain, "the same, %d levels deep" % levels)
    for what, data in (("cut", zlib.compress(inner)[:-5]), ("followed by other bytes", zlib.compress(inner) + b"\x0a\x02\x08\x01"),
                       ("of half a packet", zlib.compress(inner[:-1])), ("of no packets", zlib.compress(b"\x12\x00")),
                       ("of a packet that is none", zlib.compress(b"\x0a\x01\x0f"))):
        for levels in range(4):
            status, said, events = read(nested(levels, made.trace([[(50, data)]])) + after)
            check(status == 0 and said and events[-1]["name"] == "after", "%d levels, packets %s" % (levels + 1, what), said)
    status, said, events = read(after + made.trace([[(50, 7)]]))
    check(status == 0 and "part of a packet" in said, "a number in place of packets", said)
    status, said, events = read(made.trace([made.event(5, 2, made.INSTANT, (23, "i")) + [(98, 3)]]))
    check(status == 0 and not said and len(events) == 1, "an unknown field beside an event", said)
    for more, fits in ((b"\x9a\x06\x02xy", True), (b"\x9a\x06\x02x", False), (b"\x98\x06\x81\x01", True), (b"\x98\x06\x81", False),
                       (b"\x99\x0612345678", True), (b"\x99\x061234567", False), (b"\x9d\x061234", True), (b"\x9d\x06123", False),
                       (b"\x9a\x06", False), (b"\x9a", False)):
        packet = made.encode(made.event(5, 2, made.INSTANT, (23, "i"))) + more
        status, said, events = read(b"\x0a" + made.varint(len(packet)) + packet + after)
        check(status == 0 and bool(said) == (not fits) and len(events) == 1 + fits and events[-1]["name"] == "after",
              "a field that %s its packet: %r" % ("ends with" if fits else "reaches beyond", more), said, len(events))
    status, said, events = read(made.trace([made.event(5, 2, made.INSTANT, (23, "i")) + [(60, [(1, 4)])]]) + after)
    check(status == 0 and "part of a packet" in said, "two parts where one is allowed", said)


def spoiled(message):
    """The message with one field more, which cannot be read, in each message that it holds: one at a time."""
    yield message + [(1, Spoiled)]
    for i, (field, v) in enumerate(message):
        if isinstance(v, list) and not isinstance(v, made.Packed):
            for bad in spoiled(v):
                yield message[:i] + [(field, bad)] + message[i + 1:]


class Spoiled:
    """A field of no wire type that exists."""


def encode_spoiled(message):
    out = b""
    for field, v in message:
        if v is Spoiled:
            out += b"\x0f"
        elif isinstance(v, list) and not isinstance(v, made.Packed):
            data = encode_spoiled(v)
            out += made.varint(field << 3 | 2) + made.varint(len(data)) + data
        else:
            out += made.encode([(field, v)])
    return out


def test_parts():
    """Whatever part of a packet cannot be read to its end, it is counted."""
    wrong, n, trace = [], 0, made.trace
    for name in ("values", "writers", "clocks", "counters", "phases", "flows", "device_packets", "graph_packets",
                 "device_events", "rocprof"):
        made.trace = lambda packets: packets
        packets = getattr(made, name)()
        made.trace = trace
        for i, packet in enumerate(packets):
            if packet[0][0] == 99:
                continue  # of a kind that is not read
            for bad in spoiled(packet):
                if bad[-1][1] is Spoiled:
                    continue  # not a packet: that is tested with bytes
                data = trace(packets[:i]) + encode_spoiled([(1, bad)]) + trace(packets[i + 1:])
                before = said_of(name, trace(packets))
                status, said, events = read(data)
                n += 1
                if status != 0 or not said or said == before:
                    wrong.append((name, i, bad, status, said))
    check(not wrong and n > 200, "each of %d parts that cannot be read is counted" % n, *wrong[:5])


known_said = {}


def said_of(name, data):
    if name not in known_said:
        known_said[name] = read(data)[1]
    return known_said[name]


def test_hostile():
    deep = [(4, 1)]
    for i in range(5000):
        deep = [(12, made.encode(deep))]
    status, said, events = read(made.trace([made.event(1, 0, made.INSTANT, (4, [(10, "k")] + deep))]))
    check(status == 0 and len(events) == 1 and "cannot be read" in said, "values nested in values are bounded", said)
    parents = [[(60, [(1, i), (5, i + 1), (2, "t")])] for i in range(1, 300)] + [[(60, [(1, 300), (5, 1)])]]
    status, said, events = read(made.trace(parents + [made.event(1, 1, made.INSTANT, (23, "i"))]))
    check(status == 0 and len(events) == 1, "tracks that are their own parents", said)
    status, said, events = read(made.trace([
        [(60, [(1, 1), (3, [(2, 5), (6, 5), (1, 7)])])], [(60, [(1, 2), (5, 1), (4, [(5, 5), (1, 7), (2, 8)])])],
        made.event(1, 2, made.INSTANT, (23, "i"))]))
    check(status == 0 and not said and [(e["pid"], e["tid"]) for e in events] == [(7, 8)],
          "descriptors with numbers where names belong", status, said, events)
    random.seed(1)
    seeds = [f() for f in (made.values, made.writers, made.clocks, made.counters, made.phases, made.packed,
                           made.device_packets, made.rocprof)]
    bad = []
    for i in range(150):
        data = bytearray(random.choice(seeds))
        for _ in range(random.randrange(1, 6)):
            data[random.randrange(len(data))] = random.randrange(256)
        status, said, events = read(bytes(data))
        if status not in (0, 3):
            bad.append((i, status, said))
    check(not bad, "traces changed at random", *bad[:3])


test_foreign()
test_alike()
test_threads()
test_walks()
test_ranks()
test_text()
test_wrapped()
test_salvage()
test_meaning()
test_flows()
test_nested()
test_directions()
test_parts()
test_hostile()
print("1..%d" % count)
