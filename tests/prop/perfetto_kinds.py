#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One run as JSON and as traces of Perfetto of each kind of writer.

usage: perfetto_kinds.py KINETO.json FOLDER

Writes FOLDER/KIND.json and FOLDER/KIND.pftrace with the same events, for the kinds rocprofv3, pytorch-events (PyTorch's
first form: work of devices is track events) and pytorch-packets (its later form: work has packets of its own).
"""
import decimal
import json
import sys

from perfetto_made import BEGIN, END, encode, event, named, note, process, thread, trace

HOST = ("cpu_op", "python_function", "cuda_runtime")
WORK = ("kernel", "gpu_memcpy", "gpu_memset")


def ns(us):
    return int(decimal.Decimal(us) * 1000)


def spans(path):
    with open(path) as f:
        everything = json.load(f, parse_float=decimal.Decimal)["traceEvents"]
    names = {e["args"]["name"]: e for e in everything if e.get("ph") == "M" and e["name"] == "thread_name"}
    found = []
    for e in everything:
        kept = e.get("cat") in HOST + WORK or (e.get("cat") == "user_annotation" and e["name"].startswith("ProfilerStep"))
        if e.get("ph") == "X" and kept:
            args = {k: v for k, v in e["args"].items() if v is not None}
            found.append(dict(e, ts=ns(e["ts"]), dur=ns(e["dur"]), args=args))
    return found, {(e["pid"], e["tid"]): name for name, e in names.items()}


def value(v):
    """A value as the fields of an annotation."""
    if isinstance(v, bool):
        return [(2, v)]
    if isinstance(v, int):
        return [(4, v)]
    if isinstance(v, decimal.Decimal):
        return [(5, float(v))]
    if isinstance(v, list):
        return [(12, value(x)) for x in v] or [(9, "[]")]
    return [(6, v)]


def notes(args):
    return [note(k, *value(v)) for k, v in args.items()]


def slices(found, tracks, cats=False):
    """Begins and ends, each track's in order of time, the outer first."""
    packets = []
    for track in sorted(set(tracks.values())):
        mine = [e for e in found if tracks.get((e["pid"], e["tid"])) == track]
        open_spans = []
        for e in sorted(mine, key=lambda e: (e["ts"], -e["dur"])):
            while open_spans and open_spans[-1] <= e["ts"]:
                packets.append(event(open_spans.pop(), track, END))
            more = [(22, e["cat"])] if cats else []
            packets.append(event(e["ts"], track, BEGIN, (23, e["name"]), *more, *notes(e["args"])))
            open_spans.append(e["ts"] + e["dur"])
        packets += [event(t, track, END) for t in reversed(open_spans)]
    return packets


def chrome(found):
    """The same as JSON, without a base of times."""
    events = [dict(e, ts=decimal.Decimal(e["ts"]) / 1000, dur=decimal.Decimal(e["dur"]) / 1000) for e in found]
    return json.dumps({"traceEvents": events}, default=float)


def pytorch(found, names, packets_for_work):
    host = [e for e in found if e["cat"] not in WORK]
    work = [e for e in found if e["cat"] in WORK]
    packets, tracks = [], {}
    processes = {}
    for e in host + ([] if packets_for_work else work):
        if e["pid"] not in processes:
            processes[e["pid"]] = len(processes) + len(tracks) + 1
            packets += [process(processes[e["pid"]], e["pid"], "python" if e in host else "GPU")]
        if (e["pid"], e["tid"]) not in tracks:
            tracks[e["pid"], e["tid"]] = len(processes) + len(tracks) + 1
            packets += [thread(tracks[e["pid"], e["tid"]], processes[e["pid"]], e["pid"], e["tid"],
                               names.get((e["pid"], e["tid"]), "thread"))]
    if not packets_for_work:
        return trace(packets + slices(found, tracks))
    queues = {s: 100 + i for i, s in enumerate(sorted({e["args"]["stream"] for e in work}))}
    kernels = {n: i + 1 for i, n in enumerate(sorted({e["name"] for e in work}))}
    stages = {"kernel": 1, "gpu_memcpy": 2, "gpu_memset": 3}
    packets.append([(10, 1), (13, 1), (12, [
        *[(1000 if s == "k" else 24, m) for s, m in
          [("s", [(1, 1), (2, "Kernel"), (4, 2)]), ("s", [(1, 2), (2, "Memcpy")]), ("s", [(1, 3), (2, "Memset")])] +
          [("s", [(1, i), (2, "stream %04d" % s)]) for s, i in queues.items()] +
          [("k", [(1, i), (3, n)]) for n, i in kernels.items()]]])])
    packets += slices(host, tracks)
    for e in sorted(work, key=lambda e: e["ts"]):
        a = dict(e["args"])
        fields = [(1, a.pop("correlation")), (2, e["dur"]), (11, a.pop("device")), (13, queues[a.pop("stream")]),
                  (14, stages[e["cat"]]), (19, kernels[e["name"]])]
        launch = []
        for key, field in (("grid", 1), ("block", 2)):
            if key in a:
                launch.append((field, list(zip((1, 2, 3), a.pop(key)))))
        for key in ("registers per thread", "shared memory"):
            if key in a:
                launch.append((3, [(2, key), (4, a.pop(key))]))
        extra = [(6, [(1, "context id"), (2, str(a.pop("context")))])]
        extra += [(6, [(1, k), (2, str(v))]) for k, v in a.items()]
        packets.append([(8, e["ts"]), (10, 1), (53, fields + ([(21, launch)] if launch else []) + extra)])
    return trace(packets)


def rocprof(found):
    """Calls, dispatches and copies with the args of rocprofv3, on named tracks; in JSON the tracks are pid and tid."""
    kept, tracks, packets = [], {}, [process(1, 7, "app")]
    for e in found:
        a = e["args"]
        if e["cat"] == "cuda_runtime":
            new = {"cat": "hip_api", "pid": 7, "tid": "THREAD %d" % (e["tid"] % 10), "name": e["name"].replace("cuda", "hip"),
                   "args": {"corr_id": a["correlation"], "operation": a["cbid"]}}
        elif e["cat"] == "kernel":
            grid, block = a.get("grid", [1, 1, 1]), a.get("block", [1, 1, 1])
            new = {"cat": "kernel_dispatch", "pid": a["device"], "tid": a["stream"], "name": e["name"],
                   "args": {"corr_id": a["correlation"], "agent": "gpu_%d" % a["device"], "agent_ID": 4 + a["device"],
                            "queue": a["stream"], "grid_size": grid[0] * block[0], "workgroup_size": block[0],
                            "VGPR_Count": 32, "LDS_Block_Size": 512}}
        elif e["cat"] == "gpu_memcpy":
            new = {"cat": "memory_copy", "pid": a["device"], "tid": a["stream"], "name": "MEMORY_COPY_HOST_TO_DEVICE",
                   "args": {"corr_id": a["correlation"], "copy_bytes": a["bytes"], "agent": "gpu_%d" % a["device"],
                            "queue": a["stream"], "src_agent": 0, "dst_agent": 4 + a["device"]}}
        else:
            continue
        new.update(ph="X", ts=e["ts"], dur=e["dur"])
        kept.append(new)
        tracks.setdefault((new["pid"], new["tid"]), len(tracks) + 2)
    for (pid, tid), track in tracks.items():
        packets.append(named(track, 1, tid if isinstance(tid, str) else "COMPUTE AGENT [%d] QUEUE [%d]" % (4 + pid, tid)))
    return kept, trace(packets + slices(kept, tracks, cats=True))


def main():
    found, names = spans(sys.argv[1])
    of_rocm, data = rocprof(found)
    sized = [dict(e, args=dict(e["args"], bytes=e["args"]["copy_bytes"])) if "copy_bytes" in e["args"] else e
             for e in of_rocm] # the reader of Perfetto's traces adds the size under its common name
    made = {"rocprofv3": (chrome(sized), data),
            "pytorch-events": (chrome(found), pytorch(found, names, False)),
            "pytorch-packets": (chrome(found), pytorch(found, names, True))}
    for kind, (text, data) in made.items():
        with open("%s/%s.json" % (sys.argv[2], kind), "w") as f:
            f.write(text)
        with open("%s/%s.pftrace" % (sys.argv[2], kind), "wb") as f:
            f.write(data)


main()
