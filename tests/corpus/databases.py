#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables of traces of other formats, from a listing of databases_list.sh.  usage: databases.py TABLE"""
import collections
import fractions
import sys

lines = sys.stdin.read().split("\n")
head = lines[0].split("\t")
rows = [dict(zip(head, line.split("\t"))) for line in lines[1:] if line]
WORK = ("kernel", "memcpy", "memset", "sync", "device_annotation")
calls = {r["record"]: r for r in rows}


def out(*cells):
    print("\t".join("" if c is None else str(c) for c in cells))


def thousandths(x):
    n = fractions.Fraction(x) * 1000
    n = (2 * n.numerator + n.denominator) // (2 * n.denominator)
    return "%d.%03d" % (n // 1000, n % 1000)


def sums(head, key):
    """Totals and statistics of durations by a key; rows without one are left out."""
    groups = collections.defaultdict(list)
    for r in rows:
        k = key(r)
        if k is not None and r["dur_ns"]:
            groups[k].append(int(r["dur_ns"]))
    out(*head, "total", "count", "avg", "med", "min", "max")
    for k, v in groups.items():
        v.sort()
        mid = v[(len(v) - 1) // 2] + v[len(v) // 2]
        out(*k, sum(v), len(v), thousandths(fractions.Fraction(sum(v), len(v))), mid // 2 if mid % 2 == 0 else mid / 2, v[0], v[-1])


def operation_name(r):
    return r["args.operation"] if r["activity"] in ("memcpy", "memset") else r["name"]


def api_class(r):
    if r["activity"] in WORK or r["phase"] == "counter":
        return None
    kind = r["activity"]
    return ("annotation" if kind == "cpu_op" else kind, "UserMarker" if kind in ("annotation", "cpu_op") else r["name"])


def dims(text):
    return text.strip("[]").replace(",", "x")


def rpd_ops():
    out("activity", "gpu", "queue", "start", "dur", "api_name", "api_start", "api_dur", "api_tid", "queue_ns", "grid_as_found",
        "workgroup", "bytes", "name_first_60")
    for r in rows:
        if r["activity"] in WORK:
            call = calls.get(r["launch_record"], {})
            start, end = int(r["ts_ns"]), int(r["launch_ts_ns"] or 0) + int(r["launch_dur_ns"] or 0)
            out(r["activity"], r["device"], r["stream"], start, r["dur_ns"], r["api"], r["launch_ts_ns"], r["launch_dur_ns"],
                call.get("tid"), start - end if call and start > end else "", dims(r["args.grid_size"] or r["grid"]),
                dims(r["block"]), r["bytes"], operation_name(r)[:60])


def rpd_launch_sum():
    count = collections.Counter((r["launch_record"], r["api"]) for r in rows if r["activity"] in WORK and r["launch_record"])
    out("api_name", "calls_with_work", "ops", "max_ops_of_one_call")
    for name in {name for _, name in count}:
        of = [n for (_, api), n in count.items() if api == name]
        out(name, len(of), sum(of), max(of))


def union(spans):
    covered = last = 0
    for start, end in sorted(spans):
        covered += max(0, end - max(start, last))
        last = max(last, end)
    return covered


def times(keep):
    return [(int(r["ts_ns"]), int(r["ts_ns"]) + int(r["dur_ns"])) for r in rows if r["phase"] == "span" and keep(r)]


def rpd_busy():
    out("gpu", "first_start", "last_end", "busy_union", "idle", "sum_of_durations", "kernel_union", "memory_union")
    for gpu in {r["device"] for r in rows if r["activity"] in WORK}:
        of = [(int(r["ts_ns"]), int(r["ts_ns"]) + int(r["dur_ns"]), r["activity"]) for r in rows
              if r["activity"] in WORK and r["device"] == gpu]
        first, last = min(s for s, _, _ in of), max(e for _, e, _ in of)
        busy = union((s, e) for s, e, _ in of)
        out(gpu, first, last, busy, last - first - busy, sum(e - s for s, e, _ in of),
            union((s, e) for s, e, a in of if a == "kernel"), union((s, e) for s, e, a in of if a in ("memcpy", "memset")))


def rpd_monitor():
    """A value holds until the next one; the last one of each series is only an end."""
    series = collections.defaultdict(list)
    for r in rows:
        if r["phase"] == "counter":
            of, device = (r["process"] or r["pid"]).split()[-2:]
            series[of.lower(), device, r["name"]].append((int(r["ts_ns"]), float(r["args.value"])))
    out("device_type", "device", "monitor", "samples", "first_start", "last_end", "min", "max", "time_weighted_avg")
    for (of, device, name), v in series.items():
        sum_of = sum(a * (t - s) for (s, a), (t, _) in zip(v, v[1:]))
        out(of, device, name, len(v) - 1, v[0][0], v[-1][0], min(a for _, a in v), max(a for _, a in v), "%.3f" % (sum_of / (v[-1][0] - v[0][0])))


def rpd_facts():
    out("key", "value")
    work = [r for r in rows if r["activity"] in WORK]
    out("api_rows", sum(api_class(r) is not None for r in rows))
    out("op_rows", len(work))
    out("links", sum(bool(r["launch_record"]) for r in work))
    out("ops_without_call", sum(not r["launch_record"] for r in work))
    launching = {r["launch_record"] for r in work}
    out("calls_without_op_name_hip_launch", sum("Launch" in r["name"] and r["activity"] == "runtime_api" and
                                                r["record"] not in launching for r in rows))
    out("op_start_before_call_start", sum(bool(r["launch_ts_ns"]) and int(r["ts_ns"]) < int(r["launch_ts_ns"]) for r in work))


def ascend_db_api_sum():
    groups = collections.Counter()
    total = collections.Counter()
    for r in rows:
        key = {"cann": ("CANN_API", r["args.level"]), "cpu_op": ("PYTORCH_API", "op"), "queue": ("PYTORCH_API", "queue"),
               "python_function": ("PYTORCH_API", "trace")}.get(r["cat"])
        if key:
            groups[key] += 1
            total[key] += int(r["dur_ns"])
    out("table", "type", "calls", "total_ns")
    for key, n in groups.items():
        out(*key, n, total[key])


def ascend_db_launch():
    tasks = [r for r in rows if r["args.Task Type"]]
    called = {r["args.connection_id"] for r in rows if r["cat"] == "cann"}
    out("tasks", "tasks_with_cann_call", "compute_tasks_with_torch_op")
    out(len(tasks), sum(r["args.connection_id"] in called for r in tasks),
        sum(r["activity"] == "kernel" and bool(r["args.torch_op"]) for r in tasks))


def ascend_task_sum():
    groups = collections.defaultdict(list)
    for r in rows:
        kind = r["args.Task Type"]
        if kind:
            parts = kind in ("Notify Wait", "SDMA", "Write Value")
            activity = "comm_task" if parts else "other" if r["activity"] == "device_annotation" else r["activity"]
            groups[activity, kind, r["thread"]].append(int(r["dur_ns"]))
    out("activity", "task_type", "thread", "tasks", "total_ns", "max_ns")
    for key, v in groups.items():
        out(*key, len(v), sum(v), max(v))


def ascend_span_sum():
    groups = collections.defaultdict(list)
    for r in rows:
        if r["phase"] == "span":
            groups[r["process"], r["cat"]].append(int(r["dur_ns"]))
    out("process", "cat", "spans", "total_ns")
    for key, v in groups.items():
        out(*key, len(v), sum(v))


def ascend_overlap():
    compute = times(lambda r: r["kind"] == "compute")
    comm = times(lambda r: r["kind"] == "comm")
    both = union(compute) + union(comm) - union(compute + comm)
    given = collections.Counter()
    for r in rows:
        if r["process"] == "Overlap Analysis" and r["phase"] == "span":
            given[r["name"]] += int(r["dur_ns"])
    out("quantity", "from_tasks_ns", "from_overlap_analysis_rows_ns")
    out("computing", union(compute), given["Computing"])
    out("communication", union(comm), given["Communication"])
    out("overlapped", both, None)
    out("communication_not_overlapped", union(comm) - both, given["Communication(Not Overlapped)"])
    out("free", None, given["Free"])
    out("memcpy_union", union(times(lambda r: r["activity"] == "memcpy")), None)


def jax_busy():
    out("pid", "first_start_ns", "last_end_ns", "busy_union_ns", "kernel_union_ns", "copy_union_ns", "sum_ns")
    work = ("kernel", "memcpy", "memset")
    for pid in {r["pid"] for r in rows if r["activity"] in work}:
        of = times(lambda r: r["pid"] == pid and r["activity"] in work)
        kernels = times(lambda r: r["pid"] == pid and r["activity"] == "kernel")
        copies = times(lambda r: r["pid"] == pid and r["activity"] in work[1:])
        out(pid, min(s for s, _ in of), max(e for _, e in of), union(of), union(kernels), union(copies), sum(e - s for s, e in of))


def old_kineto_facts():
    work = times(lambda r: r["activity"] in ("kernel", "memcpy", "memset"))
    linked = sum(bool(r["launch_ts_ns"]) for r in rows if r["activity"] in ("kernel", "memcpy", "memset"))
    out("key", "value")
    out("device_work", len(work))
    out("linked_by_correlation", linked)
    out("unlinked", len(work) - linked)
    out("busy_union_us", union(work) // 1000)
    out("first_start_us", min(s for s, _ in work) // 1000)
    out("last_end_us", max(e for _, e in work) // 1000)
    out("memory_instants", sum(r["activity"] == "memory_instant" for r in rows))
    out("profiler_steps", sum(r["activity"] == "annotation" and r["name"].startswith("ProfilerStep#") for r in rows))


TABLES = {
    "rpd_op_sum": lambda: sums(("activity", "op_type", "name"), lambda r: (r["activity"], r["args.operation"], operation_name(r))
                               if r["activity"] in WORK else None),
    "rpd_api_sum": lambda: sums(("class", "name"), api_class),
    "rpd_marker_sum": lambda: sums(("text",), lambda r: (r["name"],) if r["activity"] in ("annotation", "cpu_op") else None),
    "rpd_ops": rpd_ops, "rpd_launch_sum": rpd_launch_sum, "rpd_busy": rpd_busy, "rpd_monitor": rpd_monitor,
    "rpd_facts": rpd_facts, "ascend_task_sum": ascend_task_sum, "ascend_span_sum": ascend_span_sum,
    "ascend_overlap": ascend_overlap, "jax_busy": jax_busy, "old_kineto_facts": old_kineto_facts,
    "ascend_db_api_sum": ascend_db_api_sum, "ascend_db_launch": ascend_db_launch,
}
TABLES[sys.argv[1]]()
