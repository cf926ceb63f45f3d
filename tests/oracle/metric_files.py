#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tr-metrics, tr-stalls and tr-roofline on random metric files: usage: metric_files.py BIN SEEDS

Files are written from random instances, stalls, kernels and dumps, in all forms of unitrace.  What the tables should say
is computed here from these, not from the files.  Prints TAP.
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from collections import defaultdict

sys.dont_write_bytecode = True  # the source tree may be read-only
import seeds

SUMMED = {"GpuTime[ns]", "L3_BYTE_READ[bytes]", "XVE_INST[events]", "GpuCoreClocks[cycles]"}
MEANS = {"XVE_STALL[%]", "AvgFreq[MHz]", "Rate[bytes/s]"}
FIRST = {"GlobalInstanceId", "SubDeviceId", "QueryBeginTime[ns]", "ReportReason", "Device"}
RATES = {"L3_BYTE_READ[bytes]": ("GB/s", "L3_BYTE_READ_GBps"), "XVE_INST[events]": ("events/ns", "XVE_INST_per_ns"),
         "GpuCoreClocks[cycles]": ("cycles/ns", "GpuCoreClocks_per_ns")}
NAMES = ["gemm[SIMD32 {64; 1; 1} {256; 1; 1}]", "at::impl<int, float>::mm[SIMD16 {8; 8; 1} {1; 1; 1}]", "plain",
         'operator""_x[SIMD8 {1; 1; 1} {1; 1; 1}]', "NoKernel(Before plain)"]
CAUSES = ["sbid", "control", "pipe", "send", "dist", "sync", "instr_fetch", "other"]
STALLS = {"ControlStall": "control", "PipeStall": "pipe", "SendStall": "send", "DistStall": "dist", "SbidStall": "sbid",
          "SyncStall": "sync", "InstrFetchStall": "instr_fetch", "OtherStall": "other", "NewStall": "other"}
FLOP = {"vector_fp16": ("FP16", 64), "vector_fp32": ("FP32", 32), "vector_fp64": ("FP64", 32),
        "matrix_bf16": ("XMX_BF16", 512), "matrix_fp16": ("XMX_FP16", 512)}
failed = tests = 0


def check(good, what, said=""):
    global failed, tests
    tests += 1
    if not good:
        failed += 1
        print("not ok %d - %s" % (tests, what))
        print("# " + str(said).replace("\n", "\n# ")[:1500])
    return good


def run(*command):
    p = subprocess.run([os.path.join(BIN, command[0])] + list(command[1:]) + ["-O", "tsv"], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    lines = p.stdout.decode().split("\n")[:-1]
    names = lines[0].split("\t") if lines else []
    return [dict(zip(names, line.split("\t"))) for line in lines[1:]], p.stderr.decode(), p.returncode


def near(a, b):
    if a == b:
        return True
    try:
        return math.isclose(float(a), float(b), rel_tol=1e-9, abs_tol=5e-10)
    except ValueError:
        return False


def same(rows, want, columns, what, said=""):
    """Rows in any order; want: tuples in the order of columns."""
    have = sorted(tuple(r[c] for c in columns) for r in rows)
    want = sorted(tuple("" if v is None else str(v) for v in w) for w in want)
    have.sort(key=lambda r: r[:KEYS])
    want.sort(key=lambda r: r[:KEYS])
    good = len(have) == len(want) and all(near(x, y) for a, b in zip(have, want) for x, y in zip(a, b))
    first = next(((a, b) for a, b in zip(have, want) if not all(near(x, y) for x, y in zip(a, b))), None)
    check(good, what, "%d rows, %d wanted; %s %s" % (len(have), len(want), first, said))


KEYS = 9


class File:
    """A metric file of instances: rank, device and rows."""

    def __init__(self, rng, number):
        self.rng, self.rank, self.rows = rng, rng.randint(0, 2), []
        self.form = rng.choice(["sampled", "queried", "old"])
        named = rng.random() < 0.4
        self.name = "metrics_%d.rank_%d.%d.csv" % (rng.randint(0, 3), self.rank, number) if named else \
            "%d.rank_%d.csv" % (number, self.rank)
        self.text, self.instances = [], []
        devices = [int(self.name[8])] if named else rng.sample(range(4), rng.randint(1, 2))
        if not named and rng.random() < 0.3:
            self.text += ["=== Device Timing Summary ===", "", " Kernel,   Calls,  Time (ns)", ' "a",  1,  5', ""]
        for device in devices:
            self.table(device, banner=not named)

    def value(self, metric):
        rng = self.rng
        if metric in MEANS and "%" in metric:
            return rng.choice(["%.6f" % (rng.random() * 100), "50", "0.000000"])
        if metric == "GpuTime[ns]":
            return str(rng.randint(1, 10 ** 6))
        return str(rng.choice([0, 1, rng.randint(0, 10 ** 9), 2 ** 40]))

    def table(self, device, banner):
        rng, sep = self.rng, ", " if self.form == "sampled" else ","
        first = {"sampled": ["GlobalInstanceId"], "queried": ["GlobalInstanceId", "SubDeviceId"],
                 "old": ["Device", "SubDeviceId"]}[self.form]
        columns = first + [m for m in sorted(SUMMED | MEANS | {"QueryBeginTime[ns]", "ReportReason"}) if rng.random() < 0.8]
        if banner and self.form != "old":
            self.text += ["", "=== Device #%d Metrics ===" % device, ""]
        elif banner:
            self.text += ["== Kernel Metrics ==", ""]
        tail = "," if self.form == "old" and rng.random() < 0.5 else ""
        self.text.append("Kernel" + sep + sep.join(columns) + tail)
        numbers = defaultdict(int)
        for k in range(rng.randint(1, 8)):
            name = rng.choice(NAMES)
            numbers[name] += 1
            instance = {"rank": self.rank, "device": device, "name": name, "number": numbers[name], "rows": [],
                        "columns": columns, "id": len(self.instances) + 1}
            begin = len(self.instances)
            for _ in range(rng.randint(1, 4)):
                row = {c: self.value(c) for c in columns}
                row.update({c: v for c, v in (("GlobalInstanceId", str(begin + 1)), ("Device", str(device)))
                            if c in columns})
                instance["rows"].append(row)
                shown = '"%s"' % name if self.form != "old" else name
                self.text.append(shown + sep + sep.join(row[c] for c in columns) + tail)
            self.instances.append(instance)
            self.text += [""] * rng.choice([1, 1, 2])
        if rng.random() < 0.3:
            while self.text[-1] == "":
                self.text.pop()

    def write(self):
        with open(self.name, "w") as f:
            f.write(("\r\n" if self.rng.random() < 0.2 else "\n").join(self.text) + "\n")


def total(instances, metric):
    """The value of a metric of instances together, or None."""
    rows = [r for i in instances for r in i["rows"] if metric in r]
    if not rows:
        return None
    if metric in FIRST:
        return float(rows[0][metric])
    values = [float(r[metric]) for r in rows]
    return sum(values) if metric in SUMMED else sum(values) / len(values)


def unit(metric):
    return metric[metric.index("[") + 1:-1] if "[" in metric else ""


def metrics(rng, made):
    files = [File(rng, n) for n in range(rng.randint(1, 3))]
    for f in files:
        f.write()
    paths = [f.name for f in files]
    every = [i for f in files for i in f.instances]
    known = sorted({c for i in every for c in i["columns"]})
    rows, said, _ = run("tr-metrics", "--by", "list", *paths)
    want, seen = [], {}
    for i in every:
        for r in i["rows"]:
            for position, c in enumerate(i["columns"]):
                seen.setdefault((i["rank"], c, i["device"]), [position]).append(float(r[c]))
    for (rank, c, device), (position, *v) in seen.items():
        want.append((rank, c, device, unit(c), len(v), min(v), sum(v) / len(v), max(v)))
    same(rows, want, "rank metric process unit samples min mean max".split(), "%s: list" % made, said)
    check(all(any(r["metric"] in i["columns"] and i["columns"].index(r["metric"]) == int(r["position"]) for i in every)
              for r in rows), "%s: position" % made)
    rows, said, _ = run("tr-metrics", "--by", "series", *paths)
    want = [(i["rank"], c, i["device"], i["name"], i["number"], n, unit(c), "", "", r[c])
            for i in every for n, r in enumerate(i["rows"]) for c in i["columns"]]
    columns = "rank metric process name instance sample unit ts_us dur_us value".split()
    same(rows, want, columns, "%s: series" % made, said)
    rows, said, status = run("tr-metrics", "--by", "series", "--throughput", *paths)
    want = [(i["rank"], c, i["device"], i["name"], i["number"], n, RATES[c][0], "", "", float(r[c]) / float(r["GpuTime[ns]"]))
            for i in every for n, r in enumerate(i["rows"]) for c in i["columns"] if c in RATES and "GpuTime[ns]" in r]
    check(status == (0 if want else 3), "%s: throughput, status" % made, said)
    same(rows, want, columns, "%s: throughput of series" % made, said)
    rows, said, _ = run("tr-metrics", "--by", "instance", *paths)
    columns = "rank name instance device samples".split()
    want = [(i["rank"], i["name"], i["number"], i["device"], len(i["rows"]), *(total([i], c) for c in known)) for i in every]
    same(rows, want, columns + known, "%s: instance" % made, said)
    groups = defaultdict(list)
    for i in sorted(every, key=lambda i: i["rank"]):
        groups[i["rank"], i["name"]].append(i)
    rows, said, _ = run("tr-metrics", "--by", "kernel", *paths)
    want = [(*key, len(g), *(total(g, c) for c in known if c not in FIRST)) for key, g in groups.items()]
    same(rows, want, ["rank", "name", "count"] + [c for c in known if c not in FIRST], "%s: kernel" % made, said)
    rows, said, status = run("tr-metrics", "--by", "kernel", "--throughput", *paths)
    rated = [c for c in known if c in RATES]
    timed = lambda g, c: [i for i in g if c in i["columns"]]
    if status == 0 and all("GpuTime[ns]" in i["columns"] for i in every):
        want = [(*key, len(g), *(total(timed(g, c), c) / total(timed(g, c), "GpuTime[ns]") if timed(g, c) else None
                                 for c in rated)) for key, g in groups.items()]
        same(rows, want, ["rank", "name", "count"] + [RATES[c][1] for c in rated], "%s: throughput of kernels" % made, said)
    joined(rng, made, files[0], known)


def joined(rng, made, f, known):
    """A trace whose kernels have some of the instances of a file."""
    if f.form == "old":
        return
    events, want = [], {}
    unique = {i["id"]: i for i in reversed(f.instances)}
    for n, i in enumerate(rng.sample(sorted(unique.values(), key=lambda i: i["id"]), rng.randint(0, len(unique)))):
        op = rng.choice(["mm", "add"])
        t = 100 * n
        events += [{"ph": "X", "cat": "cpu_op", "name": op, "pid": 9, "tid": 1, "ts": t, "dur": 50},
                   {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 1, "ts": t + 1, "dur": 2,
                    "args": {"correlation": n + 1}},
                   {"ph": "X", "cat": "kernel", "name": i["name"], "pid": 0, "tid": 7, "ts": t + 10, "dur": 7,
                    "args": {"correlation": n + 1, "device": 0, "stream": 7,
                             "id": str(i["id"]) if rng.random() < 0.5 else i["id"]}}]
        want[i["id"]] = (op, len(events) - 1, "%d.000" % (t + 10))
    with open("trace.json", "w") as out:
        json.dump({"distributedInfo": {"rank": f.rank}, "traceEvents": events}, out)
    rows, said, _ = run("tr-metrics", "--by", "instance", "trace.json", f.name)
    have = sorted((r["operator"], r["record"], r["start_us"], r["dur_us"]) for r in rows if r["operator"])
    check(have == sorted((op, str(record), start, "7.000") for op, record, start in want.values()),
          "%s: kernels of a trace" % made, (have, want, said))
    check(len(rows) == len(f.instances), "%s: other instances stay" % made, said)


# ---- stalls ----

class Dump:
    """A random control flow; entries of the scoreboard are set and waited for."""

    def __init__(self, rng, kernel):
        self.ops, self.blocks, lines, address = [], [], ["//.kernel " + kernel], 0
        n = rng.randint(1, 4)
        file, line = "", ""
        for b in range(n):
            preds = [p for p in range(n) if n > 1 and rng.random() < 0.4]
            self.blocks.append((len(self.ops), preds))
            if n > 1:
                lines.append("// B%03d: Preds:{%s},  Succs:{}" % (b, ", ".join("B%03d" % p for p in preds)))
            for _ in range(rng.randint(1, 6)):
                if rng.random() < 0.4:
                    file, line = "/src/%s.cpp" % rng.choice("ab"), str(rng.randint(1, 99))
                    lines += ["// File: " + file, "// Line %s:  x = %s;" % (line, line)]
                kind = rng.choice(["load.ugm", "add", "sync.nop", "store.ugm", "math.inv"])
                entry = rng.randint(0, 3)
                sets = kind in ("load.ugm", "store.ugm", "math.inv")
                token = "$%d" % entry if sets else rng.choice(["$%d.dst", "$%d.src", "A@1"] + ["$%d"] * (kind == "add"))
                token = token % entry if "%" in token else token
                compact = rng.random() < 0.3
                braces = ",".join((["Compacted"] if compact else []) + [token])
                text = "%s (8|M0)   r%d:f   {%s}" % (kind, len(self.ops), braces)
                self.ops.append((address, text, kind, token, file, line, b))
                lines.append("        " + text + "   // $%d" % len(self.ops))
                address += 8 if compact else 16
        self.text = "\n".join(lines) + "\n"

    def setters(self, op):
        """By brute force: all walks backwards that visit no instruction twice."""
        _, _, kind, token, *_ = self.ops[op]
        load = "load" in kind or "store" in kind
        if not token.startswith("$") or (load and "." not in token):
            return set()
        entry, bare = token.split(".")[0], "." not in token
        found, seen = set(), set()
        todo = [(op, self.ops[op][6])]
        while todo:
            at, block = todo.pop()
            first = self.blocks[block][0]
            if at == first:
                for p in self.blocks[block][1]:
                    end = self.blocks[p + 1][0] if p + 1 < len(self.blocks) else len(self.ops)
                    if ("end", p) not in seen:
                        seen.add(("end", p))
                        todo.append((end, p))
                continue
            before = at - 1
            _, _, other, set_token, *_ = self.ops[before]
            if set_token == entry and not (bare and other == "sync.nop"):
                found.add(before)
            else:
                todo.append((before, block))
        return found


def stalls(rng, made):
    kernels = rng.sample(["k1", "k2", "main::{lambda(auto:1)#2}"], rng.randint(1, 3))
    columns = [c for c in STALLS if rng.random() < 0.9] or ["SbidStall"]
    lines, sums, dumps = [], defaultdict(lambda: defaultdict(int)), {}
    os.makedirs("dumps", exist_ok=True)
    for f in os.listdir("dumps"):
        os.unlink(os.path.join("dumps", f))
    for n, k in enumerate(kernels):
        dumps[k] = Dump(rng, "_ZTSZ4mainEUlT_E0_" if "lambda" in k else k)
        with open("dumps/d%d.asm" % n, "w") as out:
            out.write(dumps[k].text)
    for device in range(rng.randint(1, 2)):
        lines += ["=== Device #%d Metrics ===" % device, "", "Kernel, IP[Address], Active[Events], " +
                  ", ".join(c + "[Events]" for c in columns)]
        for k in kernels:
            for address, *_ in dumps[k].ops:
                active = rng.choice([0, 5])
                row = [rng.choice([0, 0, rng.randint(1, 9)]) for _ in columns]
                lines.append('%20s, %8x, %d, %s' % ('"%s"' % k, address, active, ", ".join(map(str, row))))
                of = sums[k, address]
                of["active"] += active
                for c, v in zip(columns, row):
                    of[STALLS[c]] += v
                    of["stalls"] += v
    with open("stall.csv", "w") as out:
        out.write("\n".join(lines) + "\n")
    where = ["--asm", "dumps", "stall.csv"]
    rows, said, _ = run("tr-stalls", "--by", "kernel", "stall.csv")
    whole = sum(v["stalls"] for v in sums.values())
    want = []
    for k in kernels:
        of = [v for (name, _), v in sums.items() if name == k]
        n = sum(v["stalls"] for v in of)
        want.append(("0", k, sum(v["stalls"] > 0 for v in of), n, "%.2f" % (100 * n / whole) if whole else "",
                     sum(v["active"] for v in of), *(sum(v[c] for v in of) for c in CAUSES)))
    same(rows, want, "rank name instructions stalls pct active".split() + CAUSES, "%s: stalls by kernel" % made, said)
    of_kernel = {k: sum(v["stalls"] for (name, _), v in sums.items() if name == k) for k in kernels}
    op_of = {(k, op[0]): n for k in kernels for n, op in enumerate(dumps[k].ops)}

    def source(k, n):
        _, text, _, _, file, line, _ = dumps[k].ops[n]
        shown = " ".join(text.split()) + " // $%d" % (n + 1)
        return (file, line, "x = %s;" % line if line else "", shown)

    rows, said, _ = run("tr-stalls", "--by", "instruction", *where)
    want = [("0", k, hex(a), v["stalls"], "%.2f" % (100 * v["stalls"] / of_kernel[k]), v["active"], *(v[c] for c in CAUSES),
             *source(k, op_of[k, a])) for (k, a), v in sums.items() if v["stalls"]]
    same(rows, want, "rank name address stalls pct active".split() + CAUSES + "file line source instruction".split(),
         "%s: stalls by instruction" % made, said)
    rows, said, _ = run("tr-stalls", "--by", "cause", *where)
    want = []
    for (k, a), v in sums.items():
        for c in CAUSES:
            if v[c]:
                all_c = sum(w[c] for (name, _), w in sums.items() if name == k)
                want.append(("0", k, c, hex(a), v[c], "%.2f" % (100 * v[c] / all_c), *source(k, op_of[k, a])))
    same(rows, want, "rank name cause address events pct file line source instruction".split(), "%s: stalls by cause" % made,
         said)
    order = [(r["name"], r["cause"], -int(r["events"])) for r in rows]
    check(all(a[:2] != b[:2] or a[2] <= b[2] for a, b in zip(order, order[1:])), "%s: most stalls first" % made)
    rows, said, _ = run("tr-stalls", "--by", "wait", *where)
    want = []
    for (k, a), v in sums.items():
        if v["sbid"]:
            for s in sorted(dumps[k].setters(op_of[k, a])) or [None]:
                found = ("", "", "", "", "") if s is None else (hex(dumps[k].ops[s][0]), *source(k, s))
                want.append(("0", k, hex(a), v["sbid"], *found, source(k, op_of[k, a])[3]))
    same(rows, want, "rank name address events waits_for file line source setter instruction".split(), "%s: waits" % made, said)
    k = kernels[0]
    p = subprocess.run([os.path.join(BIN, "tr-stalls"), "--annotate", "dumps/d0.asm"], stdout=subprocess.PIPE)
    have = [line[4:12] for line in p.stdout.decode().split("\n") if line.startswith("/* [")]
    check(have == ["%08X" % op[0] for op in dumps[k].ops], "%s: addresses of a dump" % made, have)


# ---- roofline ----

def roofline(rng, made):
    kernels = {}
    peaks = {s: rng.randint(1, 500) * 100 for s in FLOP}
    memory, l3 = rng.randint(1, 30) * 100, rng.randint(10, 60) * 100
    flops = [["XVE_INST_EXECUTED_%s[events]" % FLOP[s][0], s] for s in FLOP]
    header = {"f": ["GpuTime[ns]"] + [h for h, _ in flops] + ["XVE_INST_EXECUTED_XMX_FP16_UTILIZATION[%]"],
              "b": ["GpuTime[ns]", "AvgGpuCoreFrequencyMHz[MHz]", "L3_BYTE_READ[bytes]", "L3_BYTE_WRITE[bytes]",
                    "GPU_MEMORY_BYTE_READ[bytes]", "GPU_MEMORY_BYTE_WRITE[bytes]", "XVE_THREADS_OCCUPANCY_ALL[%]"]}
    lines = {w: ["Kernel," + ",".join(header[w])] for w in "fb"}
    for name in rng.sample(NAMES, rng.randint(1, 5)):
        rows = {w: [] for w in "fb"}
        for w in rng.choice(["fb", "fb", "fb", "f"]):
            for _ in range(2):
                row = [rng.randint(1, 10 ** 6)] + [rng.choice([0, rng.randint(0, 10 ** 8)]) if "[%]" not in h and "MHz" not in h
                                                   else "%.6f" % (100 * rng.random()) for h in header[w][1:]]
                rows[w].append([float(v) for v in row])
                lines[w] += ['"%s",%s' % (name, ",".join(map(str, row))), ""]
        if rows["f"] and rows["b"] and not name.startswith("NoKernel"):
            kernels[name] = rows
    for w in "fb":
        with open(w + ".csv", "w") as out:
            out.write("\n".join(lines[w]) + "\n")
    keys = {"vector_fp16": "FP16_GFLOPS", "vector_fp32": "FP32_GFLOPS", "vector_fp64": "FP64_GFLOPS",
            "matrix_bf16": "BF16_XMX_GFLOPS", "matrix_fp16": "FP16_XMX_GFLOPS"}
    with open("device.csv", "w") as out:
        out.write('PlatformName,"x"\n' + "".join("%s,%d\n" % (keys[s], peaks[s]) for s in FLOP) +
                  "GPU_MEMORY_BW_in_GB_per_sec,%d\nL3_BW_in_GB_per_sec,%d\n" % (memory, l3))
    files = rng.sample(["f.csv", "b.csv"], 2)
    base = ["--arch", "device.csv", "-q", *files]
    whole, want, points, sums = 0, [], [], {s: 0 for s in FLOP}
    facts = {}
    for name, rows in kernels.items():
        ns = sum(r[0] for r in rows["b"])
        work = {s: FLOP[s][1] * sum(r[1 + i] for r in rows["f"]) for i, s in enumerate(FLOP)}
        level = {"l3": sum(r[2] + r[3] for r in rows["b"]), "memory": sum(r[4] + r[5] for r in rows["b"])}
        facts[name] = (ns, work, level)
        whole += ns
        for s in FLOP:
            sums[s] += work[s]
    for name, (ns, work, level) in facts.items():
        times = [(work[s] / peaks[s], "compute") for s in FLOP] + [(level["memory"] / memory, "memory"), (level["l3"] / l3, "l3")]
        least, bound = max(times, key=lambda t: t[0])
        most = max(FLOP, key=lambda s: work[s])
        total = sum(work.values())
        rows = kernels[name]
        mean = lambda w, c: sum(r[c] for r in rows[w]) / len(rows[w])
        fixed = lambda v, n: "%.*f" % (n, v)
        div = lambda a, b, n=3: fixed(a / b, n) if b else ""
        want.append((name, 2, fixed(ns / 1000, 3), fixed(100 * ns / whole, 2), bound if least else "",
                     fixed(round(least) / 1000, 3) if least else "", fixed(100 * least / ns, 2) if least else "",
                     most if work[most] else "", fixed(total, 0), *(fixed(work[s], 0) for s in FLOP), fixed(level["memory"], 0),
                     fixed(level["l3"], 0), div(total, level["memory"]), div(total, level["l3"]), fixed(total / ns / 1e3, 3),
                     fixed(level["memory"] / ns / 1e3, 3), fixed(level["l3"] / ns / 1e3, 3), fixed(mean("b", 1), 1),
                     fixed(mean("b", 6), 2), fixed(mean("f", 6), 6)))
    rows, said, _ = run("tr-roofline", "--by", "kernel", "--columns", "all", *base)
    columns = ("name calls device_us pct bound roofline_us roofline_pct spec flop vector_fp16_flop vector_fp32_flop "
               "vector_fp64_flop matrix_bf16_flop matrix_fp16_flop bytes l3_bytes flop_per_byte l3_flop_per_byte tflops tb_s "
               "l3_tb_s mhz occupancy_pct matrix_fp16_pct").split()
    rounded(rows, want, columns, "%s: roofline of kernels" % made, said)
    spec = max(FLOP, key=lambda s: sums[s]) if kernels else None
    for name, (ns, work, level) in facts.items():
        for l in level:
            if work[spec] > 0:
                slope = work[spec] / level[l] * {"l3": l3, "memory": memory}[l] if level[l] else math.inf
                points.append((spec, l, name, work[spec] / level[l] if level[l] else "", work[spec] / ns, 100 * ns / whole,
                               min(peaks[spec], slope)))
    rows, said, _ = run("tr-roofline", "--by", "point", *base)
    rounded(rows, points, "spec level name flop_per_byte gflops pct roof_gflops".split(), "%s: points" % made, said)
    rows, said, _ = run("tr-roofline", "--by", "roof", "--spec", "matrix_bf16", *base)
    p = peaks["matrix_bf16"]
    rounded(rows, [("matrix_bf16", "l3", l3, p, p / l3), ("matrix_bf16", "memory", memory, p, p / memory)],
            "spec level GBps gflops flop_per_byte".split(), "%s: roofs" % made, said)
    rows, said, _ = run("tr-roofline", "--by", "precision", *base)
    every = sum(sums.values())
    want = [(s, sums[s], 100 * sums[s] / every if every else "", whole / 1000, sums[s] / whole, peaks[s])
            for s in FLOP if kernels]
    rounded(rows, want, "spec flop pct device_us gflops peak_gflops".split(), "%s: precisions" % made, said)


def rounded(rows, want, columns, what, said):
    """As same, but numbers of the program have few decimals."""
    key = lambda r: tuple(r[c] for c in columns if c in ("name", "spec", "level"))
    places = [columns.index(c) for c in columns if c in ("name", "spec", "level")]
    have = sorted(rows, key=key)
    want = sorted(([str(v) for v in w] for w in want), key=lambda w: tuple(w[p] for p in places))
    good, first = len(have) == len(want), None
    for r, w in zip(have, want):
        for c, v in zip(columns, w):
            decimals = len(r[c].split(".")[1]) if "." in r[c] else 0
            number = r[c] not in ("", v) and v != "" and c not in ("name", "spec", "level", "bound")
            fine = r[c] == v or (number and abs(float(r[c]) - float(v)) <= 1.01 * 10 ** -decimals * (1 if decimals else 0)
                                 + 1e-9 * abs(float(v)))
            if not fine:
                good, first = False, first or (c, r[c], v)
    check(good, what, "%d rows, %d wanted; %s %s" % (len(have), len(want), first, said))


def main():
    of = seeds.of(sys.argv[2])
    for seed in of:
        rng = random.Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            metrics(rng, "seed %d" % seed)
            stalls(rng, "seed %d" % seed)
            roofline(rng, "seed %d" % seed)
            os.chdir("/")
    print("%sok %d - %d comparisons of %d random jobs" % ("not " if failed else "", tests + 1, tests, len(of)))
    print("1..%d" % (tests + 1))
    return 1 if failed else 0


if __name__ == "__main__":
    BIN = os.path.abspath(sys.argv[1])
    sys.exit(main())
