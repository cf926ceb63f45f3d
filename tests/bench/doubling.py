#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Time of a trace of 2N events over that of N, for shapes of traces and all commands (make doubling).

    doubling.py --bin DIR --views rules/views.tsv [--shape NAME,...] [--command TEXT] [--start N] [--at-most RATIO]

Each command reads streams made by tr-parse; tr-parse itself reads JSON. N doubles until a run takes 50 ms of user
time, or is LARGEST. A time is the least of 3 runs. Prints: shape, command, N, time of N and of 2N in ms, ratio, and at
the end how many ratios were above what is allowed; status 1 if any. A command that refuses a trace is not timed.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile

LARGEST = 320000
LEAST_S = 0.05
OTHERS = ["tr-parse", "tr-view -O text", "tr-view -O tsv", "tr-view -O json", "tr-view -O chrome",
          "tr-view -O perfetto", "tr-info", "tr-report", "tr-merge", "tr-align", "tr-filter dur>0", "tr-categorize", "tr-critpath --mark",
          "tr-patterns --mark"]


def span(name, ts, dur, tid=1, pid=1, cat="cpu_op", **args):
    e = {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur}
    return dict(e, args=args) if args else e


def launch(ts, corr, name="cudaLaunchKernel", tid=1, dur=1):
    return span(name, ts, dur, tid, cat="cuda_runtime", correlation=corr)


def kernel(ts, corr, name="gemm", stream=7, dur=1, device=0, **args):
    return span(name, ts, dur, stream, device, "kernel", correlation=corr, stream=stream, device=device, **args)


def pair(i, t, t2=None, **kernel_args):
    return [launch(t, i), kernel(t + 2 if t2 is None else t2, i, **kernel_args)]


def pairs(n, more):
    for i in range(n // 2):
        yield from more(i)


def each(more):
    return lambda n: (more(i, n) for i in range(n))


def both(more):
    return lambda n: pairs(n, more)


def half(first, second):
    """The first half of the events, then the second."""
    return lambda n: (first(i, n) if i < n // 2 else second(i - n // 2, n) for i in range(n))


def op(i, n, ts, dur):
    return span("op%d" % (i % 50), ts, dur)


def phase(ph, i, ts, tid=1, name="x", **more):
    return dict({"ph": ph, "cat": "cpu_op", "name": name, "pid": 1, "tid": tid, "ts": ts}, **more)


def collective(i, group):
    return kernel(i * 10, i, "ncclDevKernel_AllReduce_Sum_f32", 20, 8, **{
        "Collective name": "allreduce", "In msg nelems": 1024, "dtype": "Float", "Group size": 2,
        "Process Group Name": str(group), "Process Group Ranks": "[0, 1]"})


def memory(i, free):
    return {"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "ts": i * 2,
            "args": {"Total Allocated": 64 * (i + 1), "Bytes": -64 if free else 64, "Addr": i - free, "Device Id": 0,
                     "Device Type": 1, "Total Reserved": 1 << 30}}


def step(i, dur, every):
    return span("ProfilerStep#%d" % i, i * every, dur, cat="user_annotation")


SHAPES = {
    "overlapping": each(lambda i, n: op(i, n, i, n)),
    "crossing": each(lambda i, n: op(i, n, i * 10, 15)),
    "equal-starts": each(lambda i, n: op(i, n, 5, i + 1)),
    "one-thread": each(lambda i, n: op(i, n, i * 10, 5)),
    "one-stream": both(lambda i: pair(i, i * 10)),
    "deep": each(lambda i, n: op(i, n, i, 2 * (n - i))),
    "wide": each(lambda i, n: span("root", 0, n * 10) if not i else op(i, n, i * 10, 5)),
    "many-streams": both(lambda i: pair(i, i * 10, stream=i)),
    "many-threads": each(lambda i, n: span("op", i * 10, 5, i + 1)),
    "many-processes": each(lambda i, n: span("op", i * 10, 5, 1, i + 1)),
    "many-devices": both(lambda i: pair(i, i * 10, device=i % 64)),
    "many-names": each(lambda i, n: span("name%d" % i, i * 10, 5)),
    "one-name": each(lambda i, n: span("name", i * 10, 5)),
    "launches-equal-start": half(lambda i, n: launch(5, i), lambda i, n: kernel(10 + i, i)),
    "launches-without-work": each(lambda i, n: launch(i * 10, i)),
    "work-without-launches": each(lambda i, n: kernel(i * 10, i)),
    "work-waiting": half(lambda i, n: launch(i, i), lambda i, n: kernel(n + i, i)),
    "flows-n-to-1": each(lambda i, n: phase("f" if i == n - 1 else "s", i, i, id=1, bp="e")),
    "flows-1-to-n": each(lambda i, n: phase("f" if i else "s", i, i, id=1, bp="e")),
    "steps": each(lambda i, n: step(i, 10, 10)),
    "steps-overlap": each(lambda i, n: step(i, n * 10, 10)),
    "equal-correlations": both(lambda i: [launch(i * 10, 1), kernel(i * 10 + 2, 1)]),
    "one-communicator": each(lambda i, n: collective(i, 0)),
    "many-communicators": each(lambda i, n: collective(i, i)),
    "counters": each(lambda i, n: phase("C", i, i, name="series%d" % i, args={"v": i})),
    "never-freed": each(lambda i, n: memory(i, False)),
    "instants": each(lambda i, n: phase("i", i, i, s="t")),
    "zero-durations": both(lambda i: [launch(5, i, dur=0), kernel(5, i, dur=0)]),
    "never-end": each(lambda i, n: phase("B", i, i)),
    "pairs-crossed": half(lambda i, n: phase("B", i, i, name="n%d" % i),
                          lambda i, n: phase("E", i, n + i, name="n%d" % i)),
    "unsorted": each(lambda i, n: op(i, n, i * 7919 % n * 10, 5)),
    "reverse": each(lambda i, n: op(i, n, (n - i) * 10, 5)),
    "huge-args": each(lambda i, n: span("op", i * 10, 5, **{"key%d" % (i % 9): "v" * 300})),
    "equal-gaps": both(lambda i: pair(i, i * 10, i * 10 + 5, dur=5)),
    "long-async": half(lambda i, n: phase("b", i, i, id=i), lambda i, n: phase("e", i, n + i, id=i)),
    "graph-launches": both(lambda i: [launch(i * 10, i, "cudaGraphLaunch"),
                                      kernel(i * 10 + 2, i, **{"graph id": i, "graph node id": i})]),
}


def commands(path):
    views = []
    with open(path, encoding="utf-8") as f:
        for line in f:
            if not line.startswith("#") and line.strip():
                program, options = line.rstrip("\n").split("\t")[:2]
                views.append(program if options == "-" else program + " " + options)
    return views + OTHERS


def user_time(argv):
    """User seconds of a run, or None if it failed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return took if done.returncode in (0, 1) else None


class Traces:
    """Traces of one shape, written when asked for."""

    def __init__(self, shape, folder, programs):
        self.shape, self.folder, self.programs = shape, folder, programs

    def path(self, n, raw):
        base = os.path.join(self.folder, "%s-%d" % (self.shape, n))
        if not os.path.exists(base + ".json"):
            with open(base + ".json", "w", encoding="utf-8") as f:
                events = ",\n".join(json.dumps(e) for e in SHAPES[self.shape](n))
                f.write('{"schemaVersion": 1, "distributedInfo": {"rank": 0}, "traceEvents": [\n' + events + "]}\n")
            parse = os.path.join(self.programs, "tr-parse")
            subprocess.run([parse, "-q", "-o", base + ".trs", base + ".json"], check=True)
        return base + (".json" if raw else ".trs")


def measure(traces, command, n, runs):
    words = [w.replace("~", " ") for w in command.split()]
    path = traces.path(n, words[0] == "tr-parse")
    argv = [os.path.join(traces.programs, words[0])] + words[1:] + ["-j1", "-q", path]
    if words[0] == "tr-diff":
        argv.append(path)
    times = [user_time(argv)]
    while times[0] is not None and len(times) < runs:
        times.append(user_time(argv))
    return None if None in times else min(times)


def doubling(traces, command, start, at_most):
    """N, times of N and 2N; None: it refuses the trace.  What is clearly below the limit is measured once."""
    n = start
    while True:
        least = measure(traces, command, n, 1)
        if least is None:
            return None
        if least >= LEAST_S or n >= LARGEST:
            break
        n *= 2
    twice = measure(traces, command, 2 * n, 1)
    if twice is not None and twice > 0.85 * at_most * least:
        least, twice = measure(traces, command, n, 3), measure(traces, command, 2 * n, 3)
    return None if twice is None or least is None else (n, least, twice)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bin", required=True)
    p.add_argument("--views", required=True)
    p.add_argument("--shape", default=",".join(SHAPES))
    p.add_argument("--command", default="", help="only commands that hold this text")
    p.add_argument("--start", type=int, default=20000)
    p.add_argument("--at-most", type=float, default=2.6)
    o = p.parse_args()
    n_above = n_timed = 0
    print("shape\tcommand\tn\tms\tms_2n\tratio", flush=True)
    for shape in o.shape.split(","):
        with tempfile.TemporaryDirectory() as folder:
            traces = Traces(shape, folder, o.bin)
            for command in commands(o.views):
                found = doubling(traces, command, o.start, o.at_most) if o.command in command else None
                if not found:
                    continue
                n, one, two = found
                ratio = two / one if one > 0 else 0
                n_timed += 1
                n_above += one >= LEAST_S and ratio > o.at_most
                print("%s\t%s\t%d\t%.0f\t%.0f\t%.2f" % (shape, command, n, one * 1e3, two * 1e3, ratio), flush=True)
    print("doubling: %d of %d ratios above %.1f" % (n_above, n_timed, o.at_most), file=sys.stderr)
    return n_above > 0


if __name__ == "__main__":
    sys.exit(main())
