#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What Perfetto's importer makes of small traces, one for each thing that went wrong, or was left out, once.

usage: perfetto_cases.py BIN [CASE]

Truth: by hand.  With CASE, what it holds is shown.
"""
import json
import os
import subprocess
import sys
import tempfile

from perfetto_reader import Reader


def x(name, ts, dur, pid=1, tid=1, cat="cpu_op", args=None, **more):
    return dict(ph="X", cat=cat, name=name, pid=pid, tid=tid, ts=ts, dur=dur, args=args or {}, **more)


def launch(n, ts, name="cudaLaunchKernel", **more):
    return x(name, ts, 2, cat="cuda_runtime", args={"correlation": n}, **more)


def work(name, n, ts, dur, cat="kernel", stream=7, **more):
    return x(name, ts, dur, 0, stream, cat, {"correlation": n, "device": 0, "stream": stream}, **more)


def flow(ph, id, ts, pid=1, tid=1, cat="ac2g", **more):
    return dict(ph=ph, id=id, pid=pid, tid=tid, ts=ts, cat=cat, name=cat, **({"bp": "e"} if ph == "f" else {}), **more)


def numbers(text):
    return '{"traceEvents": [{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "args": {%s}}]}' % text


CASES = {
    "numbers": (numbers('"a": 18446744073709551616, "b": 1e400, "c": -0.0, "d": -9223372036854775808, '
                        '"e": 18446744073709551617, "f": 1e-400, "g": 0.10000000000000000555'), [
        "process 1 []", "thread 1 thread 1",
        "slice a args a=1.8446744073709552e+19 b='1e400' c=-0.0 d=-9223372036854775808 e='18446744073709551617' "
        "f='1e-400' g=0.1"]),
    "category of 2022": ([
        launch(5, 10), work("k", 5, 20, 5), flow("s", 5, 10, cat="async_cpu_to_gpu"),
        flow("f", 5, 20, 0, 7, cat="async_cpu_to_gpu")], [
        "process 1 []", "thread 1 thread 1", "slice cudaLaunchKernel",
        "process 1000000000 [pid 0]", "thread 7 stream 7", "slice k", "arrow cudaLaunchKernel -> k"]),
    "work of one launch": ([
        launch(5, 10, "cudaGraphLaunch"), work("early", 5, 9, 1, stream=8), work("k1", 5, 20, 5),
        work("k2", 5, 25, 5), work("k3", 5, 25, 5, stream=8)], [
        "process 1 []", "thread 1 thread 1", "slice cudaGraphLaunch", "process 1000000000 [pid 0]",
        "thread 7 stream 7", "slice k1", "slice k2", "thread 8 stream 8", "slice early", "slice k3",
        "arrow cudaGraphLaunch -> k1", "arrow cudaGraphLaunch -> k2", "arrow cudaGraphLaunch -> k3",
        "arrow early -> cudaGraphLaunch"]),
    "flows inside spans": ([
        x("outer", 10, 20), x("inner", 12, 5), x("other", 30, 5, tid=2), x("third", 40, 5, tid=2),
        flow("s", 1, 14, cat="fwdbwd"), flow("t", 1, 32, tid=2, cat="fwdbwd"), flow("f", 1, 41, tid=2, cat="fwdbwd"),
        flow("s", 2, 20, cat="fwdbwd"), dict(flow("f", 2, 36, tid=2, cat="fwdbwd"), bp="x"),
        flow("s", 3, 50, cat="fwdbwd"), flow("f", 3, 41, tid=3, cat="fwdbwd")], [
        "process 1 []", "thread 1 thread 1", "slice outer", "slice inner in outer", "thread 2 thread 2",
        "slice other", "slice third", "arrow inner -> other", "arrow other -> third", "arrow outer -> third"]),
    "one id again": ([
        x("a", 10, 2), x("b", 20, 2, tid=2), x("c", 30, 2), x("d", 40, 2, tid=2), flow("s", 1, 10, cat="f"),
        flow("f", 1, 20, tid=2, cat="f"), flow("s", 1, 30, cat="f"), flow("f", 1, 40, tid=2, cat="f")], [
        "process 1 []", "thread 1 thread 1", "slice a", "slice c", "thread 2 thread 2", "slice b", "slice d",
        "arrow a -> b", "arrow c -> d"]),
    "synchronisation": ([
        launch(5, 10, "cudaStreamSynchronize"), work("Stream Sync", 5, 11, 5, cat="cuda_sync"),
        launch(6, 20, "runFunction"), launch(7, 30, "dispatch", tid=2), launch(8, 40), work("k", 8, 50, 5),
        flow("s", 5, 10), flow("f", 5, 11, 0, 7), flow("s", 6, 20), flow("f", 6, 30, tid=2), flow("s", 8, 40),
        flow("f", 8, 50, 0, 7)], [
        "process 1 []", "thread 1 thread 1", "slice cudaStreamSynchronize", "slice runFunction",
        "slice cudaLaunchKernel", "thread 2 thread 2", "slice dispatch", "process 1000000000 [pid 0]",
        "thread 7 stream 7", "slice Stream Sync", "slice k", "arrow cudaLaunchKernel -> k",
        "arrow cudaStreamSynchronize -> Stream Sync", "arrow runFunction -> dispatch"]),
    "annotations of a stream": ([
        x("step", 10, 20, 0, 7, "gpu_user_annotation"), work("k1", 5, 10, 5), work("k2", 6, 20, 10),
        work("k3", 7, 28, 5)], [
        "process 1000000000 [pid 0]", "thread 7 stream 7", "slice step", "slice k1 in step", "slice k2 in step",
        "thread 1000000000 stream 7 (2)", "slice k3"]),
    "order": ([
        work("k", 1, 10, 1, stream=20), work("k", 2, 11, 1, stream=7), work("k", 3, 12, 3, stream=7),
        work("k", 4, 13, 3, stream=7), x("a", 14, 1, 5, 9), x("b", 15, 1, 5, 3)], [
        "process 5 []", "thread 9 thread 9", "slice a", "thread 3 thread 3", "slice b",
        "process 1000000000 [pid 0]", "thread 7 stream 7", "slice k", "slice k", "thread 1000000000 stream 7 (2)",
        "slice k", "thread 20 stream 20", "slice k"]),
    "numbers of processes": ([
        x("a", 1, 1, 0, 0), x("b", 2, 1, 4294967295, -1), x("c", 3, 1, 2147483647, 1), x("d", 4, 1, "main", "loop"),
        x("e", 5, 1, 1000000000, 1)], [
        "process 1000000000 [pid 0]", "thread 1000000000 thread 0", "slice a",
        "process 1000000001 [pid 4294967295]", "thread 1000000001 thread -1", "slice b",
        "process 2147483647 []", "thread 1 thread 1", "slice c",
        "process main 1000000002 [pid main]", "thread 1000000002 loop", "slice d",
        "process 1000000003 [pid 1000000000]", "thread 1 thread 1", "slice e"]),
    "names keep numbers": ([
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": 0, "args": {"name": "main"}},
        {"ph": "M", "name": "process_labels", "pid": 1, "args": {"labels": "CPU"}}, x("a", 1, 1, 1, 0)], [
        "process 1 [CPU]", "thread 1000000000 main [tid 0]", "slice a"]),
    "bind_id": ([
        x("a", 1, 1, bind_id="0x7", flow_out=True), x("b", 3, 1, bind_id="0x7", flow_in=True, flow_out=True),
        x("c", 5, 1, bind_id="0x7", flow_in=True), x("d", 7, 1, bind_id="0x7", flow_in=True),
        x("e", 9, 1, bind_id="0x7")], [
        "process 1 []", "thread 1 thread 1", "slice a", "slice b", "slice c", "slice d", "slice e",
        "arrow a -> b", "arrow b -> c", "arrow b -> d"]),
    "time of the thread": ([x("a", 1, 4, tts=100.5, tdur=3)], [
        "process 1 []", "thread 1 thread 1", "slice a args tdur=3 tts=100.5"]),
    "args of ends": ([
        dict(ph="b", cat="net", name="get", id=1, pid=1, tid=1, ts=10, args={"a": 1}),
        dict(ph="e", cat="net", name="get", id=1, pid=1, tid=1, ts=15, args={"bytes": 7})], [
        "track get of 1", "slice get args a=1 bytes=7"]),
    "no null": ([x("a", 1, 4, args={"n": None, "l": [None, {"n": None}], "o": {"n": None, "m": 1, "null": "null"},
                                    "last": {"m": [1], "n": None}, "all": {"a": None, "b": None}})], [
        "process 1 []", "thread 1 thread 1",
        "slice a args all={} l=['null', {}] last={'m': [1]} o={'m': 1, 'null': 'null'}"]),
    "values as texts": ([
        dict(ph="C", name="c", pid=1, ts=i, args={"n": text})
        for i, text in enumerate([".75", "5.", "-.5", "+.25e1", " 7 ", "5.e2", "0x10", "1 2", ".", "1..5", "inf", "e5"])], [
        "count 0 c: n=0.75", "count 1 c: n=5.0", "count 2 c: n=-0.5", "count 3 c: n=2.5", "count 4 c: n=7.0",
        "count 5 c: n=500.0"]),
    "counters with one value": ([
        dict(ph="C", name="MyDoubleCounter", pid=1, ts=1, args={"value": 0.5}),
        dict(ph="C", name="both", pid=1, ts=2, args={"value": 1, "other": 2})], [
        "count 1 MyDoubleCounter=0.5", "count 2 both: other=2", "count 2 both=1"]),
    "counters": ([
        dict(ph="C", name="mem", pid=1, ts=1, args={"used": "17", "rate": "1.5", "state": "on", "big": 1e3}),
        dict(ph="C", name="mem", pid=1, ts=2, id=3, args={"used": 1}),
        dict(ph="C", name="mem", pid=1, ts=3, id="0x4", args={"used": 2})], [
        "count 1 mem: big=1000.0", "count 1 mem: rate=1.5", "count 1 mem: used=17", "count 2 mem [3]: used=1",
        "count 3 mem [0x4]: used=2"]),
    "scope of instants": ([
        x("a", 1, 4), dict(ph="i", name="g", pid=1, tid=1, ts=2, s="g"),
        dict(ph="i", name="p", pid=1, tid=1, ts=3, s="p"), dict(ph="i", name="t", pid=1, tid=1, ts=4, s="t"), dict(ph="I", name="n", pid=1, tid=2, ts=4)], [
        "process 1 []", "instant p", "thread 1 thread 1", "slice a", "instant t in a", "thread 2 thread 2",
        "instant n", "track whole trace", "instant g"]),
    "open begin": ([
        dict(ph="B", name="open", pid=1, tid=1, ts=1, args={"a": 1}), x("a", 2, 2),
        dict(ph="B", name="closed", pid=1, tid=1, ts=5), dict(ph="E", pid=1, tid=1, ts=7, args={"b": 2})], [
        "process 1 []", "thread 1 thread 1", "slice open without end args a=1", "slice a in open",
        "slice closed in open args b=2"]),
}


def said(bin, trace, *options):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as f:
        f.write(trace if isinstance(trace, str) else json.dumps({"traceEvents": trace}))
        f.flush()
        parsed = subprocess.run([bin + "/tr-parse", "-q", *options, f.name], capture_output=True, check=True).stdout
    return Reader(subprocess.run([bin + "/tr-view", "-q", "-O", "perfetto", "-"], input=parsed, capture_output=True,
                                 check=True).stdout)


def text_of(row, kind):
    return ("%s %s" % (kind, row.name) + (" in %s" % row.parent.name if row.parent else "") +
            (" without end" if row.dur is None else "") +
            (" args " + " ".join("%s=%r" % a for a in sorted(row.args, key=lambda a: a[0])) if shown(row) else ""))


def shown(row):
    """Args that only make a span a kernel or a launch are not shown."""
    return row.args and not any(k == "correlation" for k, v in row.args)


def show(r):
    lines = []

    def add(track):
        lines.extend(text_of(s, "slice") for s in r.slices if s.track is track)
        lines.extend(text_of(s, "instant") for s in r.instants if s.track is track)

    threads = r.in_order()
    processes = list(dict.fromkeys(t.process() for t in threads))
    for process in processes:
        lines.append("process " + " ".join(filter(None, [process.name, str(process.pid)])) +
                     " [%s]" % " ".join(process.labels))
        add(process)
        for thread in (t for t in threads if t.process() is process):
            assert thread.pid == process.pid
            lines.append("thread %d %s" % (thread.tid, thread.name))
            add(thread)
    for track in r.tracks.values():
        if track.kind == "other":
            of = track.process()
            lines.append("track %s" % track.name + (" of %d" % of.pid if of else ""))
            add(track)
    lines += sorted("count %d %s=%r" % (ts // 1000, name, v) for ts, name, v in r.counts)
    lines += sorted("arrow %s -> %s" % (a.name, b.name) for a, b in r.arrows)
    return lines + ["error: %s (%d)" % e for e in r.errors.items()]


def overlapping(bin, n):
    """Spans each of which overlaps with all others have a lane each, and take no time that grows with their square."""
    r = said(bin, [x("s", k, n) for k in range(n)])
    return len({s.track for s in r.slices}) == n and all(s.dur == n * 1000 for s in r.slices)


def deep(bin, n):
    """Of n spans in each other, all keep their durations: an importer keeps 512 on a track."""
    r = said(bin, [x("s%d" % k, k, 2 * (n - k)) for k in range(n)])
    depth = {}
    for s in r.slices:
        depth[s.track] = depth.get(s.track, 0) + 1
    return (sorted(depth.values(), reverse=True) == [min(n, 512)] + ([n - 512] if n > 512 else []) and not r.errors and
            sorted(s.dur for s in r.slices) == [2000 * k for k in range(1, n + 1)])


def main():
    bin, only = sys.argv[1], sys.argv[2:]
    number = 0
    for name, (trace, want) in CASES.items():
        if only and name not in only:
            continue
        number += 1
        try:
            got = show(said(bin, trace))
        except (AssertionError, KeyError, ValueError, IndexError, AttributeError) as why:
            got = ["%s: %s" % (type(why).__name__, why)]
        print("%s %d - %s" % ("ok" if got == want else "not ok", number, name))
        if got != want or only:
            print("\n".join("# got  %s" % line for line in got))
            print("\n".join("# want %s" % line for line in want if got != want) or "#")
    number += 1
    print("%s %d - spans that all overlap" % ("ok" if overlapping(bin, 3000) else "not ok", number))
    for n in (511, 512, 513, 1000):
        number += 1
        print("%s %d - %d spans in each other" % ("ok" if deep(bin, n) else "not ok", number, n))
    if not only:
        number += 1
        unsorted = [dict(ph="B", name="a", pid=1, tid=1, ts=1), dict(ph="E", pid=1, tid=1, ts=5, args={"b": 1})]
        got = show(said(bin, unsorted, "--no-sort"))
        print("%s %d - ends of a stream that is not sorted" % (
            "ok" if got == ["process 1 []", "thread 1 thread 1", "slice a args b=1"] else "not ok", number))
    print("1..%d" % number)


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C"
    main()
