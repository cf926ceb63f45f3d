#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Nothing of an input is passed over without a word, whatever one thing in it is not as it should be.

usage: spoiled.py BIN TESTS

A valid sample of each format is spoiled in one place at a time.  Then the input is refused; or damage is counted, and
--strict refuses it; or all that was there is there, and what took its place, too.  Perfetto and XPlane, which are no
text, have tests of their own.  null is no spoiled value: it says that there is none.
"""
import copy
import json
import os
import re
import subprocess
import sys

BIN, TESTS = sys.argv[1:]
count = 0


def run(tool, *args):
    return subprocess.run([f"{BIN}/{tool}", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Reader:
    """Reads texts of a format; the first one is the sample."""

    def __init__(self, form, name, sample):
        self.form, self.name, self.n, self.wrong = form, name, 0, []
        self.status, self.damage, self.rows, self.text, said = self.read(sample)
        assert self.status == 0 and not self.damage and self.rows, said

    def read(self, data):
        with open(self.name, "wb") as f:
            f.write(data)
        parsed = run("tr-parse", "--input-format", self.form, "--no-provenance", "-o", "o.trs", self.name)
        if parsed.returncode:
            return parsed.returncode, 0, 0, b"", parsed.stderr
        info = json.loads(run("tr-info", "-q", "-O", "json", "o.trs").stdout)
        events = run("tr-view", "-q", "-O", "jsonl", "o.trs").stdout
        rows, text = events.count(b"\n"), events + run("tr-view", "-q", "-O", "chrome", "o.trs").stdout
        for table in info["tables"]:
            rows += table["rows"]
            text += run("tr-view", "-q", "-O", "tsv", "--by", table["table"], "o.trs").stdout
        return 0, sum(d["count"] for s in info["sources"] for d in s["salvage"]), rows, text, parsed.stderr

    def judge(self, what, data, mark=None):
        """mark: the text that took the place of another one."""
        status, damage, rows, text, said = self.read(data)
        self.n += 1
        if status:
            good = status == 3 and said.count(b"\n") == 1
        elif damage:
            good = run("tr-parse", "--strict", "--input-format", self.form, "-o", "/dev/null", self.name).returncode == 3
        else:
            good = rows >= self.rows and (text == self.text or (mark is not None and mark in text))
        if not good:
            self.wrong.append((what, status, damage, self.rows - rows, said))

    def done(self, least):
        global count
        count += 1
        good = not self.wrong and self.n >= least
        print("%s %d - %s: nothing is lost without a word in %d spoiled texts" % ("ok" if good else "not ok", count,
                                                                                  self.form, self.n))
        for w in self.wrong[:20] if not good else ():
            print("#", str(w)[:300])


# ---- JSON: a value of another kind ----

def nodes(node, path=()):
    yield path, node
    for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        yield from nodes(value, path + (key,))


def replaced(doc, path, value):
    if not path:
        return value
    doc = copy.deepcopy(doc)
    at = doc
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return doc


def values(r, text, each, fine=()):
    """Put a value of each other kind in place of each value; the first ones of a place in lists stand for all.
    fine: places that may hold a value of this kind."""
    doc, seen = json.loads(text), {}
    for path, value in nodes(doc):
        place = ".".join("*" if isinstance(k, int) else k for k in path)
        for kind, new in ((str, "zzq"), (int, 98765), (dict, {"zz": "zzq"}), (list, ["zzq"])):
            number = isinstance(value, (int, float)) and kind is int
            seen[place, kind] = seen.get((place, kind), 0) + 1
            if not isinstance(value, kind) and not number and seen[place, kind] <= each and (place, kind) not in fine:
                r.judge((place, kind.__name__), json.dumps(replaced(doc, path, new)).encode(),
                        b"98765" if kind is int else b"zzq")


# ---- lines: a number that is none, half of a name, titles and lines that are cut ----

def lines(r, text, line_end=b"\n"):
    for m in re.finditer(rb"(?<![\w{])[0-9]+(?:\.[0-9]+)?(?![\w}])", text):
        r.judge(("number", text[max(0, m.start() - 30):m.end()]), text[:m.start()] + b"zzq" + text[m.end():], b"zzq")
    for m in re.finditer(rb'"', text):
        r.judge(("quote", text[max(0, m.start() - 30):m.end()]), text[:m.start()] + text[m.end():])
    split = text.split(line_end)
    for i, line in enumerate(split):
        for cut in {len(line) // 3, len(line) // 2, len(line) - 4} if line.strip() else ():
            # what is cut inside of a text of its own cannot be told from a shorter text
            if not re.search(rb": \w+ =|\] \w+ =|->|,cp|READ\[bytes\], ", line[:cut]):
                r.judge(("cut", line[:cut]), line_end.join(split[:i] + [line[:cut]] + split[i + 1:]))
        if line.strip() and not line.startswith(b"=== Device #"):  # before a table of metrics there may be any line
            r.judge(("other", line), line_end.join(split[:i] + [b"zz zz zz"] + split[i + 1:]), b"zz zz zz")


KINETO = """{"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "H100", "numSms": 132}], "distributedInfo":
{"backend": "nccl", "rank": 3, "world_size": 4, "pg_config": [{"pg_name": "0", "pg_desc": "default", "ranks": [0, 1]}]},
"baseTimeNanoseconds": 1700000000000000000, "displayTimeUnit": "ms", "traceName": "x.json", "otherData": {"a": "b"},
"traceEvents": [
{"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "ts": 0, "args": {"name": "python"}},
{"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "ts": 0, "args": {"name": "main"}},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#5", "pid": 1, "tid": 2, "ts": 10.5, "dur": 900.25},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 2, "ts": 20, "dur": 100, "args": {"External id": 2,
 "Input Dims": [[4, 8], []], "Input type": ["float", "Scalar"], "Concrete Inputs": ["", "1"]}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 2, "ts": 30, "dur": 5,
 "args": {"External id": 2, "cbid": 211, "correlation": 99}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 200, "dur": 50, "args": {"External id": 2,
 "correlation": 99, "device": 0, "stream": 7, "grid": [1, 2, 3], "block": [4, 5, 6], "graph id": 1}},
{"ph": "s", "id": 99, "pid": 1, "tid": 2, "ts": 30, "cat": "ac2g", "name": "ac2g"},
{"ph": "f", "id": 99, "pid": 0, "tid": 7, "ts": 200, "cat": "ac2g", "name": "ac2g", "bp": "e"},
{"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 2, "ts": 50, "args": {"Bytes": 50}},
{"ph": "C", "name": "power", "pid": 0, "ts": 60, "args": {"W": 300.5}},
{"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": "Spans", "tid": "PyTorch Profiler", "ts": 0, "dur": 1}
]}"""

REPORT = b"""=== API Timing Summary ===

             Total Execution Time (ns):                 5000
    Total API Time for L0 backend (ns):                 3000

== L0 Backend ==

              Function,        Calls,            Time (ns),     Time (%),         Average (ns),             Min (ns),             Max (ns)
zeEventHostSynchronize,            2,                 3000,   100.000000,                 1500,                 1000,                 2000

=== Device Timing Summary ===

                Total Execution Time (ns):             5000

== L0 Backend ==

                Kernel,        Calls,            Time (ns),     Time (%),         Average (ns),             Min (ns),             Max (ns)
"f(int, float) [clone]",            4,                 7000,   100.000000,                 1750,                 1000,                 4000

=== Kernel Properties ===

                Kernel, Compiled, SIMD, Number of Arguments, SLM Per Work Group, Private Memory Per Thread, Spill Memory Per Thread, Register File Size Per Thread
"f(int, float) [clone]",      JIT,   32,                   4,               1024,                        16,                       8,                       128

=== Kernel Submission Summary ===

== L0 Backend ==

Kernel,        Calls,          Append (ns),   Append (%),          Submit (ns),   Submit (%),         Execute (ns),  Execute (%)
"gemm",            4,                  400,    40.000000,                  300,    50.000000,                 7000,   100.000000

Thread 7 Device 59 : "f(int, float)[SIMD32 {1; 2; 3} {4; 5; 6}]" [ns] 1200 (append) 1300 (submit) 3000 (start) 4500 (end)
Thread 8 Device 59 : clEnqueueWriteBuffer [ns] 1200 (append) 1300 (submit) 4000 (start) 4600 (end)

>>>> [100] <PID:1> <TID:2> zeMemAllocDevice: hContext = 0x1 size = 64
<<<< [350] <PID:1> <TID:2> zeMemAllocDevice [250 ns] pptr = 0x7 -> ZE_RESULT_SUCCESS(0x0)
"""

METRICS = b"""=== Device #1 Metrics ===

Kernel, GlobalInstanceId, GpuTime[ns], READ[bytes], STALL[%]
"k<int, a>[SIMD8]", 1, 10, 5, 10.5
"k<int, a>[SIMD8]", 1, 5, 8, 30
"b", 2, 4, 8, 5.5
"""


def stream():
    """A byte of a stream that is another one."""
    global count
    with open("s.json", "w") as f:
        f.write(KINETO)
    run("tr-parse", "-o", "s.trs", "s.json")
    with open("s.trs", "rb") as f:
        data = f.read()
    wrong = []
    for i in range(0, len(data), 7):
        with open("t.trs", "wb") as f:
            f.write(data[:i] + bytes([data[i] ^ 1 << i % 8]) + data[i + 1:])
        status = run("tr-view", "-q", "-O", "jsonl", "t.trs").returncode
        if status != 3:
            wrong.append((i, status))
    count += 1
    print("%s %d - stream: every byte counts, of %d" % ("not ok" if wrong else "ok", count, len(data)))
    for w in wrong[:20]:
        print("#", w)


def main():
    r = Reader("json", "t.json", KINETO.encode())
    values(r, KINETO, 1)
    r.done(150)
    with open(os.path.join(TESTS, "golden", "vendors", "rocprof.json")) as f:
        text = f.read()
    r = Reader("rocprof-json", "t.json", text.encode())
    tool = "rocprofiler-sdk-tool"
    values(r, text, 1, {(tool, dict)} | {(tool + ".*." + key, int) for key in ("agents.*.id", "counters.*.id")})
    r.done(300)
    text = "[[-1, 0, 64, 1], [0, 0, 64, 1], [0, 1, 64, 2], [3, 3, -64, 3], [4, 4, 1, 1], [5, 2, 1, 2]]"
    r = Reader("memory-timeline", "t.json", text.encode())
    values(r, text, 6)
    r.done(35)
    corpus = os.path.join(TESTS, "fuzz", "corpus")
    any_value = {("nodes.*." + at, kind) for kind in (str, int, dict, list)  # a tensor is one of the values of nodes
                 for at in ("attrs.*.type", *(side + ".values.*" + deep for side in ("inputs", "outputs") for deep in ("", ".*", ".*.*")))}
    for form, path, fine in (("pytorch-et", "pytorch_et/linked_1.json", any_value),
                             ("chakra-json", "chakra_json/job.0.json", set())):
        with open(os.path.join(corpus, path)) as f:
            text = f.read()
        r = Reader(form, "t.json", text.encode())
        values(r, text, 2, fine)
        r.done(60)
    r = Reader("unitrace-text", "t.txt", REPORT)
    lines(r, REPORT)
    r.done(130)
    text = b"5000,handle_mm_fault,1000000000000,3000\n5001,do_futex,1000000012345,3001,cpu1,2\n5002,futex,1000000012346,7\n"
    r = Reader("unitrace-kmd", "t.txt", text)
    lines(r, text)
    r.done(20)
    r = Reader("unitrace-csv", "metrics.csv", METRICS)
    lines(r, METRICS)
    r.done(30)
    text = (b'Index,KernelName,gpu-id,queue-id,tid,grd,wgr,BeginNs,EndNs\n'
            b'0,"f<int, a>",1,2,43,512,256,1000,3500\n1,"g",1,2,43,512,256,4000,5000\n')
    r = Reader("rocprof-csv", "results.csv", text)
    lines(r, text)
    r.done(20)
    stream()
    print("1..%d" % count)


main()
