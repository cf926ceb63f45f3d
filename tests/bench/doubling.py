#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Time of a trace of 2N events over that of N, for shapes of traces and all commands (make doubling).

    doubling.py --bin DIR --views rules/views.tsv [--shape NAME,...] [--command TEXT] [--start N] [--limit SECONDS]
                [--at-most RATIO] [--table FILE]

Each command reads streams made by tr-parse; tr-parse itself reads JSON.  Times are of the processor, user and system
together, which other work on the machine disturbs least.  Each trace is measured once.  Where the ratio comes near what
is allowed it is measured again, as the least of 3 runs, and at twice the size until a run takes 100 ms or has LARGEST
events, since noise and what does not grow with the trace weigh less there.  A run above the limit of time is stopped,
and N divided by 4 until that of N ends, and that of 2N too or so late that the ratio is above what is allowed.

Prints: shape, command, N, times of N and of 2N in ms, ratio, and what it says: ok, above, above-limit (2N was
stopped: the ratio is at least this), stopped (even the smallest N was), refused (the command takes no such trace).
With --table rows go to the end of FILE, and what stands there is not measured again: a run can be stopped and taken
up.  At the end the worst command of each shape; status 1 if any ratio was above.
"""
import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile

SMALLEST, LARGEST = 1000, 640000
LEAST_S = 0.1
NEAR = 0.85  # of the ratio that is allowed: from here on it is measured again
OTHERS = ["tr-parse", "tr-view -O text", "tr-view -O tsv", "tr-view -O json", "tr-view -O chrome",
          "tr-view -O perfetto", "tr-info", "tr-report", "tr-merge", "tr-align", "tr-filter dur>0", "tr-filter --redact",
          "tr-categorize", "tr-critpath --mark", "tr-patterns --mark"]
COLUMNS = ["shape", "command", "n", "ms", "ms_2n", "ratio", "says"]


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


def step(i, dur, every, tid=1):
    return span("ProfilerStep#%d" % i, i * every, dur, tid, cat="user_annotation")


def context(i):
    return span("execute_context_%d(4)_generation_1(2)" % i, i * 10, 10, cat="user_annotation")


def arrow(ph, i, way, tid, ts):
    return phase(ph, i, ts, tid, "dep", cat="Flow_%s_%d_0" % (way, i), id=i)


def with_arrows(i):
    """A call, its work and the call that waits for it, with arrows; all calls and all work of one moment."""
    yield from [launch(5, i, "zeCommandQueueExecuteCommandLists"), arrow("s", i, "H2D", 1, 5)]
    yield from [span("gemm", 9, i + 1, 9, cat="gpu_op", id=str(i)), arrow("t", i, "H2D", 9, 9)]
    yield from [arrow("s", i, "D2H", 9, 9), span("zeEventHostSynchronize", 9, i + 2), arrow("t", i, "D2H", 1, 9)]


SHAPES = {
    "overlapping": each(lambda i, n: op(i, n, i, n)),
    "crossing": each(lambda i, n: op(i, n, i * 10, 15)),
    "equal-starts": each(lambda i, n: op(i, n, 5, i + 1)),
    "one-thread": each(lambda i, n: op(i, n, i * 10, 5)),
    "one-stream": both(lambda i: pair(i, i * 10)),
    "deep": each(lambda i, n: op(i, n, i, 2 * (n - i))),
    "deep-launches": half(lambda i, n: launch(i, i, dur=2 * (n - i)) if i % 2 else op(i, n, i, 2 * (n - i)),
                          lambda i, n: kernel(3 * n + i, i)),
    "overlapping-few": each(lambda i, n: op(i, n, i, n // 8)),
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
    "steps-threads": each(lambda i, n: step(i // 2, 10, 10, 1 + i % 2)),
    "steps-inference": each(lambda i, n: context(i)),
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
    "arrows-one-moment": lambda n: (e for i in range(n // 7) for e in with_arrows(i)),
}


def commands(path):
    views = []
    with open(path, encoding="utf-8") as f:
        for line in f:
            if not line.startswith("#") and line.strip():
                program, options = line.rstrip("\n").split("\t")[:2]
                views.append(program if options == "-" else program + " " + options)
    return views + OTHERS


class Refused(Exception):
    """The command takes no such trace."""


def cpu_time(argv, limit):
    """Seconds of the processor that a run takes; None: more than the limit."""
    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=bound, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return None
    if done.returncode not in (0, 1):
        raise Refused
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


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
            if subprocess.run([parse, "-q", "-o", base + ".trs", base + ".json"], check=False).returncode:
                os.remove(base + ".json")
                raise Refused
        return base + (".json" if raw else ".trs")


class Run:
    """One command on the traces of one shape."""

    def __init__(self, traces, command, limit, at_most):
        self.traces, self.limit, self.at_most = traces, limit, at_most
        self.words = [w.replace("~", " ") for w in command.split()]

    def time(self, n, runs=1):
        """The least time of so many runs on n events; None: above the limit."""
        path = self.traces.path(n, self.words[0] == "tr-parse")
        argv = [os.path.join(self.traces.programs, self.words[0])] + self.words[1:] + ["-j1", "-q", path]
        if self.words[0] == "tr-diff":
            argv.append(path)
        times = [cpu_time(argv, self.limit) for _ in range(runs)]
        return None if None in times else min(times)

    def doubling(self, n):
        """N, times of N and 2N, which are None if they are above the limit."""
        one, two = self.both(n, 1)
        while n // 4 >= SMALLEST and (one is None or (two is None and one * self.at_most > self.limit)):
            n //= 4
            one, two = self.both(n, 1)
        while two and two > NEAR * self.at_most * one:
            try:
                one, two = self.both(n, 3)
            except Refused:  # no stream holds so many: what was measured before stands
                n //= 2
                break
            if not two or two <= NEAR * self.at_most * one or one >= LEAST_S or n >= LARGEST:
                break
            n *= 2
        return n, one, two

    def both(self, n, runs):
        one = self.time(n, runs)
        return one, one and self.time(2 * n, runs)


def row_of(run, start):
    """All columns of the table but the first two."""
    try:
        n, one, two = run.doubling(start)
    except Refused:
        return ["", "", "", "", "refused"]
    if not one:
        return [str(n), "", "", "", "stopped"]
    ratio = (two or run.limit) / one
    says = "above-limit" if not two else "above" if ratio > run.at_most else "ok"
    return [str(n), "%.1f" % (one * 1e3), "%.1f" % ((two or run.limit) * 1e3), "%.2f" % ratio, says]


def read_table(path):
    if not path or not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    return [r for r in rows[1:] if len(r) == len(COLUMNS)]


def say_worst(rows):
    timed = [r for r in rows if r[5]]
    for shape in SHAPES:
        of = [r for r in timed if r[0] == shape]
        if of:
            print("\t".join(["worst"] + max(of, key=lambda r: float(r[5]))), file=sys.stderr)
    above = sum(r[6] not in ("ok", "refused") for r in rows)
    print("doubling: %d of %d ratios are above what is allowed" % (above, len(timed)), file=sys.stderr)
    return above > 0


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--bin", required=True)
    p.add_argument("--views", required=True)
    p.add_argument("--shape", default=",".join(SHAPES))
    p.add_argument("--command", default="", help="only commands that hold this text")
    p.add_argument("--start", type=int, default=160000, help="N, at first [160000]")
    p.add_argument("--limit", type=int, default=5, help="seconds of the processor for a run [5]")
    p.add_argument("--at-most", type=float, default=2.6, help="the ratio that is allowed [2.6]")
    p.add_argument("--table", help="go on with the table in this file")
    o = p.parse_args()
    rows = read_table(o.table)
    have = {(r[0], r[1]) for r in rows}
    with open(o.table or os.devnull, "a", encoding="utf-8") as table:
        outs = [sys.stdout, table]
        for out in outs if not rows else outs[:1]:
            print(*COLUMNS, sep="\t", file=out, flush=True)
        for shape in o.shape.split(","):
            due = [c for c in commands(o.views) if o.command in c and (shape, c) not in have]
            with tempfile.TemporaryDirectory() as folder:
                traces = Traces(shape, folder, o.bin)
                for command in due:
                    rows.append([shape, command] + row_of(Run(traces, command, o.limit, o.at_most), o.start))
                    for out in outs:
                        print(*rows[-1], sep="\t", file=out, flush=True)
    return say_worst(rows)


if __name__ == "__main__":
    sys.exit(main())
