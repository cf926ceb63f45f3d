#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks jobs of job.py against their truth by other means, and that equal options give equal bytes.

usage: check_job.py FOLDER

Works in FOLDER, which must exist, and leaves its jobs there; prints `ok - WHAT' or `not ok - WHAT'.  Traces are read as
JSON: what is computed here knows nothing of the simulation.
"""
import json
import os
import subprocess
import sys
from decimal import Decimal

HERE = os.path.dirname(os.path.abspath(__file__))
JOBS = (("clean", "", "", "ddp", 2, 5), ("straggler", "host", "medium", "ddp", 2, 3),
        ("recompute", "layers", "strong", "single", 1, 4),
        ("memory_growth", "leak", "weak", "fsdp", 2, 1), ("capture_incomplete", "missing", "medium", "single", 1, 6),
        ("clean", "", "", "infer", 1, 7), ("blocking_call", "pageable", "strong", "single", 1, 8),
        ("exposed_copies", "activations", "strong", "single", 1, 9))
TARGET = {"weak": 4.0, "medium": 12.0, "strong": 35.0}
LAUNCHES = ("cudaLaunchKernel", "cudaLaunchKernelExC", "cuLaunchKernel", "cudaMemcpyAsync", "cudaGraphLaunch")


def ok(good, what):
    print("%s - %s" % ("ok" if good else "not ok", what))


def run(*arguments):
    p = subprocess.run([sys.executable, os.path.join(HERE, "job.py"), *arguments], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, text=True)
    return p.returncode, p.stdout


def make(job, folder):
    name, variant, strength, family, ranks, seed = job
    extra = ["--variant", variant, "--strength", strength] if variant else []
    status, _ = run("--id", name, *extra, "--family", family, "--ranks", str(ranks), "--seed", str(seed), "--output",
                    folder + "/t", "--truth",
                    folder + "/truth")
    ok(status == 0, "%s is made" % " ".join(map(str, job)))


def content(folder):
    out = {}
    for base, _, files in os.walk(folder):
        for f in files:
            path = os.path.join(base, f)
            with open(path, "rb") as data:
                out[os.path.relpath(path, folder)] = data.read()
    return out


def ns(x):
    """A time in us as ns, exactly: as a real number of Python it would not be."""
    return int(Decimal(x) * 1000)


class Trace:
    """A rank's trace: spans by thread, device work, launches by correlation."""

    def __init__(self, path, truth, rank):
        with open(path, encoding="utf-8") as f:
            data = json.load(f, parse_float=str)
        self.rank, self.events = rank, data["traceEvents"]
        self.base = data.get("baseTimeNanoseconds", 0)
        self.offset, self.drift = truth["clock_offset_ns"][rank], truth["clock_drift_ppb"][rank]
        spans = [e for e in self.events if e["ph"] == "X" and e["pid"] != "Spans" and e["pid"] != -1]
        self.host, self.device, self.calls, self.steps = [], [], {}, []
        for e in spans:
            e["start"], e["end"] = ns(e["ts"]), ns(e["ts"]) + ns(e["dur"])
            cat = e["cat"]
            if cat in ("kernel", "gpu_memcpy"):
                self.device.append(e)
            elif cat in ("cuda_runtime", "cuda_driver"):
                self.calls[e["args"]["correlation"]] = e
                self.host.append(e)
            elif cat in ("cpu_op", "user_annotation", "python_function"):
                self.host.append(e)
                if e["name"] in truth["step_names"] and cat == "user_annotation":
                    self.steps.append(e)
        self.steps.sort(key=lambda e: e["start"])

    def true(self, t):
        """True time of what this rank's clock shows, but for its drift."""
        return t + self.base - self.offset

    def step_ends(self):
        """Ends of steps: host interval and work on the stream that computes."""
        ends = [e["end"] for e in self.steps]
        for w in self.device:
            call = self.calls.get(w["args"]["correlation"])
            if w["tid"] != 7 or call is None:
                continue
            for k, s in enumerate(self.steps):
                if s["start"] <= call["start"] < s["end"]:
                    ends[k] = max(ends[k], w["end"])
        for k in range(1, len(ends)):
            ends[k] = max(ends[k], ends[k - 1])
        return ends


def nested(spans):
    """Whether the spans of one thread lie inside each other or apart."""
    open_spans = []
    for s in sorted(spans, key=lambda s: (s["start"], -s["end"])):
        while open_spans and open_spans[-1] <= s["start"]:
            open_spans.pop()
        if open_spans and s["end"] > open_spans[-1]:
            return False
        open_spans.append(s["end"])
    return True


def in_order(work):
    """Whether the work of one stream does not overlap."""
    last = 0
    for w in sorted(work, key=lambda w: (w["start"], w["end"])):
        if w["start"] < last:
            return False
        last = w["end"]
    return True


def by(items, key):
    out = {}
    for x in items:
        out.setdefault(key(x), []).append(x)
    return out


def memory_adds_up(trace):
    total = None
    for e in sorted((e for e in trace.events if e["name"] == "[memory]"),
                    key=lambda e: (ns(e["ts"]), e["args"]["Ev Idx"])):
        a = e["args"]
        if total is not None and a["Total Allocated"] != total + a["Bytes"]:
            return False
        if a["Total Reserved"] < a["Total Allocated"]:
            return False
        total = a["Total Allocated"]
    return True


def collectives_agree(traces, truth):
    """Each collective is on all its members, with one size, and ends everywhere at one true time when all have come."""
    seen = {}
    for t in traces:
        from_end = {}
        for w in sorted(t.device, key=lambda w: -w["start"]):
            a = w["args"]
            if "Collective name" in a:
                key = a["Collective name"], a["Process Group Name"], a["Process Group Ranks"]
                n = from_end[key] = from_end.get(key, 0) + 1
                seen.setdefault(key + (n,), []).append((t, w))
    near = 1500 + max(abs(d) for d in truth["clock_drift_ppb"]) * sum(truth["step_times_ns"][0]) // 10 ** 9 * 2
    for key, members in seen.items():
        if len({t.rank for t, _ in members}) != members[0][1]["args"]["Group size"]:
            return False
        if len({w["args"].get("Seq") for _, w in members}) != 1:
            return False
        if len({w["args"]["In msg nelems"] for _, w in members}) != 1 and key[0] != "all_to_allv":
            return False
        ends = [t.true(w["end"]) for t, w in members]
        starts = [t.true(w["start"]) for t, w in members]
        if max(ends) - min(ends) > near or min(ends) + near < max(starts):
            return False
    return bool(seen) or len(traces) == 1 or truth["family"] == "infer"


def check(job, folder):
    with open(folder + "/truth/job000.json", encoding="utf-8") as f:
        truth = json.load(f)
    traces = [Trace("%s/t/job000/rank%d.json" % (folder, r), truth, r) for r in range(truth["ranks"])]
    what = " ".join(map(str, job[:5]))
    lost = job[0] == "capture_incomplete"

    mean = lambda rows, first: sum(sum(r[first:]) / len(r[first:]) for r in rows) / len(rows)
    first = 0 if truth["over"] == "all" else 1
    good = abs(truth["impact_us"] * 1000 - (truth["step_ns"] - truth["step_ns_without"])) <= 1000 and \
        abs(mean(truth["step_ends_apart_ns"], first) - truth["step_ns"]) <= 1
    ok(good, "%s: the impact is the difference of the steps' means" % what)
    if truth["costs_time"]:
        ok(0.5 * TARGET[job[2]] < 100.0 * (truth["step_ns"] / truth["step_ns_without"] - 1) < 1.5 * TARGET[job[2]],
           "%s: it loses about what its strength says" % what)
    else:
        ok(truth["impact_us"] == 0 and truth["step_times_ns"] == truth["step_times_ns_without"], "%s: no time is lost"
           % what)
    if not lost:
        near = True
        for t in traces:
            ends = t.step_ends()
            for k in range(1, len(ends)):
                true = truth["step_ends_apart_ns"][t.rank][k]
                near = near and abs(ends[k] - ends[k - 1] - true) <= 2100 + true // 50000
        ok(near and all(len(t.steps) == len(truth["step_names"]) for t in traces), "%s: the trace has the true steps"
           % what)
        linked = True
        for t in traces:
            owned = {w["args"]["correlation"] for w in t.device}
            for w in t.device:
                c = t.calls.get(w["args"]["correlation"])
                if c is None:
                    first = t.steps[0]["start"]
                    linked = linked and truth["options"]["mid_start"] and \
                        first - 10 ** 6 <= w["start"] < first + truth["step_ns"]
                else:
                    linked = linked and c["start"] <= w["start"]
            linked = linked and all(c in owned for c, e in t.calls.items() if e["name"] in LAUNCHES)
        ok(linked, "%s: work has its launch, and launches their work" % what)
    ok(all(nested(s) for t in traces for s in by(t.host, lambda e: (e["pid"], e["tid"])).values()),
       "%s: spans of a thread nest" % what)
    ok(all(in_order(s) for t in traces for s in by(t.device, lambda e: e["tid"]).values()), "%s: streams run in order"
       % what)
    ok(all(memory_adds_up(t) for t in traces), "%s: memory adds up" % what)
    ok(collectives_agree(traces, truth), "%s: collectives agree" % what)


def check_plan():
    _, text = run("--list-plan", "160", "--seed", "3")
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    faulty = [r for r in rows if r[1] != "clean"]
    ok(len(rows) == 160 and len(rows) - len(faulty) == 40, "a quarter of a plan is clean")
    counts = by(faulty, lambda r: (r[1], r[3]))
    ok(len(counts) == 60 and max(map(len, counts.values())) - min(map(len, counts.values())) <= 1,
       "ids and strengths are balanced")
    ok({r[5] for r in rows} == {"1", "2", "4", "8", "16", "64"} and len({r[4] for r in rows}) == 9,
       "all rank counts, all families")
    ok(run("--list-plan", "160", "--seed", "3")[1] == text != run("--list-plan", "160", "--seed", "4")[1],
       "a plan comes from its seed")


def main():
    folder = sys.argv[1]
    check_plan()
    for k, job in enumerate(JOBS):
        place = os.path.join(folder, "%d" % k)
        make(job, place)
        check(job, place)
    make(JOBS[0], os.path.join(folder, "again"))
    ok(content(os.path.join(folder, "again")) == content(os.path.join(folder, "0")), "equal options, equal bytes")
    ok(run("--id", "straggler", "--ranks", "1", "--output", folder, "--truth", folder)[0] == 2,
       "a straggler needs two ranks")
    ok(run("--id", "nonsense", "--output", folder, "--truth", folder)[0] == 2, "an unknown id is refused")
    ok(run("--plan-job", "9", "--plan-size", "9", "--output", folder, "--truth", folder)[0] == 2,
       "a job that is not in the plan is refused")


main()
