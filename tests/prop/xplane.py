#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks of the reader of XPlane with traces made by hand.

usage: xplane.py FOLDER-OF-PROGRAMS
"""
import json
import random
import subprocess
import sys

import xplane_made as made
from perfetto_made import varint

BIN = sys.argv[1]
number = 0


def run(tool, *args, name="t.xplane.pb"):
    return subprocess.run([BIN + "/" + tool, *args, name], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def write(data, name="t.xplane.pb"):
    with open(name, "wb") as f:
        f.write(data)


def events(**more):
    out = run("tr-view", "-q", "-O", "jsonl", **more)
    assert out.returncode == 0, out.stderr
    return [json.loads(line) for line in out.stdout.splitlines()]


def table(tool, *args):
    out = run(tool, "-q", "-O", "tsv", *args)
    assert out.returncode == 0, out.stderr
    head, *rows = [line.split("\t") for line in out.stdout.splitlines()]
    return [dict(zip(head, row)) for row in rows]


def check(good, what, *details):
    global number
    number += 1
    print("ok" if good else "not ok", number, "-", what)
    if not good:
        for d in details:
            print("#", str(d)[:300])


def same(have, want, what):
    check(have == want, what, "have %s" % (have,), "want %s" % (want,))


def as_read(e):
    """The fields that say what an event is."""
    start = e["ts_ns"] * 1000 + e.get("ts_ps", 0)
    return e["name"], e["activity"], e["device"], e["stream"], start, e["dur_ns"] * 1000 + e.get("dur_ps", 0)


def what_and_when(e):
    """What a cut leaves as it is: an event can lose its name and its args, and so its activity."""
    return e["name"], e["stream"], e["ts_ns"], e.get("ts_ps", 0), e["dur_ns"], e.get("dur_ps", 0)


def test_gpus():
    write(made.space(made.gpus(), ["node7"], ["a buffer was full"], ["a clock was slow"]))
    found = events()
    work = sorted(as_read(e) for e in found if e["stream"] is not None)
    want = []
    for d in range(2):
        for step in range(2):
            at = 1_000_000_000 + step * 4_000_000_000 + d * 1000
            want += [("MemcpyH2D", "memcpy", d, 13, at + 50_000_000, 2_000_000),
                     ("fusion", "kernel", d, 13, at + 100_000_000, 5_000_001),
                     ("nvjet_gemm", "kernel", d, 13, at + 200_000_000, 7_000_999),
                     ("ncclDevKernel_AllReduce_Sum_f32", "kernel", d, 17, at + 300_000_000, 9_000_500)]
    same(work, sorted(want), "GPUs: work of streams, to the picosecond")
    host = {(e["name"], e["activity"]) for e in found if e["device"] is None}
    same(host, {("$train.py:12 main", "python"), ("train", "annotation"), ("cuLaunchKernel", "driver_api")},
         "GPUs: what the host did")
    derived = {(e["name"], e["activity"]) for e in found if e["device"] is not None and e["stream"] is None}
    same(derived, {("gemm.2", "device_annotation")}, "GPUs: a line that a viewer derived is no work")
    kernels = [e for e in found if e["activity"] == "kernel"]
    same({e["api"] for e in kernels}, {"cuLaunchKernel"}, "GPUs: each kernel has its launch")
    fusion = next(e for e in kernels if e["name"] == "fusion")
    same(fusion["args"], {
        "long_name": "fusion_1", "hlo_module": "jit_step", "program_id": 5, "correlation_id": 1, "hlo_op": "fusion.1",
        "kernel_details": "regs:32 static_shared:0 grid:1,2,1 block:128,1,1 occ_pct:50", "note": "its own", "occupancy": 0.5,
        "grid": [1, 2, 1], "block": [128, 1, 1], "registers per thread": 32, "hlo_opcode": "fusion",
        "Input Dims": [[64, 128]], "Input type": ["bf16"], "Output Dims": [64, 128], "Output type": "bf16"},
         "GPUs: stats of an event, of its kind, and of its instruction")
    reduce = next(e for e in kernels if e["name"].startswith("nccl"))
    same((reduce["args"]["replica_groups"], reduce["kind"]), ([[0, 1]], "comm"), "GPUs: devices of a collective")
    copy = next(e for e in found if e["activity"] == "memcpy")
    same(copy["args"]["bytes"], 4096, "GPUs: bytes of a copy")
    steps = table("tr-breakdown", "--by", "step")
    same([(s["step"], s["start_us"], s["dur_us"]) for s in steps],
         [("7", "1000.000", "3900.000"), ("8", "5000.000", "3900.000")], "GPUs: steps that the host marks")
    same([(r["name"], r["calls"], r["shapes"], r["device_self_us"]) for r in table("tr-breakdown", "--by", "operator,shape")],
         [("all-reduce.3", "4", "[[[64,256],[8]]]", "36.000"), ("gemm.2", "4", "[[64,128],[128,256]]", "28.000"),
          ("fusion.1", "4", "[[64,128]]", "20.000"), ("(none)", "", "", "8.000")], "GPUs: operators are operations of XLA")
    info = json.loads(run("tr-info", "-q", "-O", "json").stdout)["sources"][0]
    same((info["host"], info["format"], info["base_ns"]), ("node7", "xplane", 1_700_000_000_000_000_000),
         "GPUs: host, and when the profile began")
    chrome = json.loads(run("tr-view", "-q", "-O", "chrome").stdout)
    same(chrome["xplane"]["/device:GPU:1"], {"device_vendor": "Nvidia", "core_count": 132, "clock_rate": 1980000},
         "GPUs: what the file says of a device")
    same(sorted({t["process"] for t in info["tracks"]}), ["/device:GPU:0", "/device:GPU:1", "/host:CPU"], "GPUs: processes")
    said = run("tr-info", "--check").stderr
    check("its profiler says: a buffer was full" in said and "its profiler warns: a clock was slow" in said,
          "GPUs: what the profiler could not do is passed on", said)


def test_programs():
    rows = {r["name"]: r for r in table("tr-view", "--by", "hlo")}
    gemm = rows["gemm.2"]
    same((gemm["opcode"], gemm["target"], gemm["type"], gemm["dims"], gemm["operand_types"], gemm["operand_dims"]),
         ("custom-call", "__cublas$gemm", "(bf16,f32)", "[[64,256],[8]]", '["bf16","bf16"]', "[[64,128],[128,256]]"),
         "programs: an instruction, its result and its operands")
    same((gemm["op_name"], gemm["source_file"], gemm["source_line"], gemm["backend_config"]),
         ("jit(step)/dot_general", "train.py", "31", "{}"), "programs: where it comes from")
    same((rows["all-reduce.3"]["replica_groups"], rows["all-gather.4"]["replica_groups"]), ("[[0,1]]", "[[0,2],[1,3]]"),
         "programs: groups of devices, as lists and by a rule")


def test_tpu():
    write(made.space(made.tpu()))
    found = events()
    work = [as_read(e) + (e["kind"],) for e in found if e["stream"] is not None]
    at = 1_700_000_000_000_000_000_000
    same(work, [("fusion.7", "kernel", 0, 3, at + 1_000_000, 3_000_250, "compute"),
                ("copy-start.2", "memcpy", 0, 5, at + 2_000_000, 1_000_000, "memory"),
                ("fusion.7", "kernel", 0, 3, at + 6_000_000, 3_000_250, "compute"),
                ("all-reduce.9", "kernel", 0, 3, at + 9_500_000, 400_000, "comm")],
         "TPU: what ran are its operations, also those in the background")
    same({e["activity"] for e in found if e["stream"] is None}, {"device_annotation"}, "TPU: all else is derived")
    same(next(e for e in found if e["activity"] == "kernel")["args"],
         {"long_name": "%fusion.7 = bf16[8,128] fusion()", "run_id": 1, "hlo_category": "convolution fusion", "flops": 2048,
          "tf_op": "jit(f)/dot", "equation": "a long text", "raw": "2 bytes", "hlo_op": "fusion.7"}, "TPU: a text that is compressed, bytes")
    same([(r["step"], r["busy_us"]) for r in table("tr-breakdown", "--by", "step")], [("3", "3.000"), ("4", "3.400")],
         "TPU: steps of the device")
    same([(r["name"], r["calls"], r["device_self_us"], r["device_busy_us"]) for r in table("tr-breakdown", "--by", "operator")],
         [("fusion.7", "2", "6.000", "6.000"), ("copy-start.2", "1", "1.000", "1.000"), ("all-reduce.9", "1", "0.400", "0.400")],
         "TPU: operators are operations of XLA that nothing launched")
    same([(r["step"], r["compute_us"], r["comm_us"]) for r in table("tr-breakdown", "--per", "step")],
         [("3", "3.000", "0.000"), ("4", "3.000", "0.400")], "TPU: work belongs to the step of the device in which it starts")
    same([r["compute_us"] for r in table("tr-breakdown", "--step", "4")], ["3.000"], "TPU: work of one step")
    same([(r["step"], r["count"]) for r in table("tr-sum", "--by", "step", "--where", "kind == compute")], [("3", "1"), ("4", "1")],
         "TPU: steps as a key")
    time = table("tr-breakdown")[0]
    same((time["compute_us"], time["comm_us"]), ("6.000", "0.400"), "TPU: no time counts twice")
    kept = subprocess.run([BIN + "/tr-filter", 'activity == "kernel"', "t.xplane.pb"], stdout=subprocess.PIPE)
    write(kept.stdout, "kept.trs")
    out = run("tr-breakdown", "-q", "-O", "tsv", "--per", "step", "--columns", "step,compute,comm", name="kept.trs")
    same(out.stdout, "step\tcompute_us\tcomm_us\n3\t3.000\t0.000\n4\t3.000\t0.400\n",
         "TPU: a filter that drops the line of steps keeps the steps")


def rows_of(out):
    head, *rows = [line.split("\t") for line in out.splitlines()]
    return [dict(zip(head, row)) for row in rows]


def command(tool, *args):
    out = subprocess.run([BIN + "/" + tool, "-q", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert out.returncode == 0, out.stderr
    return out.stdout


def matched(names, per_host):
    """What tr-comm found: for each collective its name and members (device of all hosts, duration)."""
    found = {}
    for m in rows_of(command("tr-comm", "--by", "member", "--unit", "ns", "-O", "tsv", *names)):
        found.setdefault(m["collective"], []).append((m["name"], per_host * int(m["rank"]) + int(m["device"]), m["dur_ns"]))
    return sorted((members[0][0], sorted(m[1:] for m in members)) for members in found.values())


def test_collectives():
    """Devices are matched by the groups of the instructions, on one host and on two."""
    element = {kind: (size, n) for _, _, kind, size, n, _ in made.MESH}
    factor = {"all-reduce": 2 * 3 / 4, "all-gather": 1 / 2, "reduce-scatter": 1 / 2, "collective-permute": 1}
    for per_host, devices in ((4, (0, 1, 2, 3)), (2, (0, 1, 2, 3)), (2, (2, 0, 3, 1)), (1, (0, 1, 2, 3))):
        files, truth = made.mesh(random.Random(per_host), per_host, device_of=devices)
        names = ["h%d.xplane.pb" % h for h in range(len(files))]
        for name, planes in zip(names, files):
            write(made.space(planes), name)
        what = "collectives of %d devices on %d hosts%s" % (4, len(files), "" if devices == (0, 1, 2, 3) else ", assigned")
        want = sorted((kind, sorted((d, "%d" % dur) for d, _, dur in members)) for kind, members in truth)
        same(matched(names, per_host), want, what)
        rates, groups = [], {}
        for r in rows_of(command("tr-comm", "--unit", "ns", "-O", "tsv", *names)):
            rates.append((r["name"], r["bytes"], r["dur_min_ns"], r["busbw_GBps"], r["arrival_spread_ns"]))
            groups.setdefault(r["name"], set()).add((r["group"], r["group_size"]))
        want = []
        for kind, members in truth:
            size, n = element[kind]
            bytes_of = size * n * (2 if kind == "all-gather" else 1)
            least = min(dur for _, _, dur in members)
            starts = [start for _, start, _ in members]
            want.append((kind, str(bytes_of), str(least), "%.3f" % (factor[kind] * bytes_of / least), str(max(starts) - min(starts))))
        same(sorted(rates), sorted(want), what + ": bytes, the fastest device, bandwidth, spread")
        if devices == (0, 1, 2, 3):
            same((groups["all-reduce"], groups["all-gather"], groups["reduce-scatter"]),
                 ({("devices 0..3", "4")}, {("devices 0,2", "2"), ("devices 1,3", "2")}, {("devices 0,1", "2"), ("devices 2,3", "2")}),
                 what + ": groups")
        else:
            same(groups["all-gather"], {("devices 2,3", "2"), ("devices 0,1", "2")}, what + ": groups")
        lag = {(int(r["rank"]) * per_host + int(r["device"])): (r["collectives"], r["last_arrivals"])
               for r in rows_of(command("tr-comm", "--by", "straggler", "-O", "tsv", *names))}
        sync = [members for kind, members in truth if kind != "collective-permute"]
        last = [max(members, key=lambda m: (m[1], -m[0]))[0] for members in sync]
        want = {d: (str(sum(d in [m[0] for m in members] for members in sync)), str(last.count(d))) for d in range(4)}
        same(lag, want, what + ": how often each device came last")


def test_align():
    """The clock of a host is put right by the collectives of its devices."""
    files, truth = made.mesh(random.Random(8), 2, 7_000_000)
    for h in range(2):
        write(made.space(files[h]), "h%d.xplane.pb" % h)
    names = ["h0.xplane.pb", "h1.xplane.pb"]
    aligned = command("tr-align", "--report", "-O", "tsv", *names)
    offset = {r["rank"]: float(r["offset_us"]) for r in rows_of(aligned)}
    check(abs(offset["1"] - offset["0"] - 7000) < 1, "the clock of the second host is 7 ms ahead", aligned)


def test_async():
    write(made.space(made.tpu_async()))
    rows = table("tr-comm", "--unit", "ns")
    same([(r["group"], r["name"], r["bytes"], r["ranks"], r["dur_min_ns"], r["arrival_spread_ns"]) for r in rows],
         [("devices 6,7", "all-reduce", "1024", "2", "950", "50")], "TPU: an asynchronous collective counts once")


def test_costs():
    """Operations and bytes of products of matrices, convolutions and attention, from operands and configs."""
    planes, truth, names = made.costs()
    write(made.space(planes))
    rows = {r["name"]: r for r in table("tr-roofline", "--arch", "H100")}
    same(sorted(rows), sorted(names), "costs: a row for each operation")
    same({n: r["calls"] for n, r in rows.items()}, {n: "3" for n in names}, "costs: calls, also those of two kernels")
    same({n: (r["family"], r["flop"], r["bytes"]) for n, r in rows.items() if r["family"]},
         {n: (family, str(3 * flop), str(3 * size)) for n, (family, flop, size) in truth.items()},
         "costs: families, operations, bytes")
    modules = {(r["name"], r["module"], r["calls"]) for r in table("tr-breakdown", "--by", "operator,module")}
    same(modules, {(n, "jit_costs", "3") for n in names}, "costs: the program of each operation")
    alone = [(r["module"], r["calls"], r["pct"]) for r in table("tr-breakdown", "--by", "module")]
    same(alone, [("jit_costs", str(3 * len(names)), "100.00")], "costs: the program alone")
    gemm = rows["gemm.1"]
    same((gemm["spec"], gemm["tflops"], gemm["device_us"]),
         ("matrix_bf16", "%.3f" % (truth["gemm.1"][1] / 2e-6 / 1e12), "6.000"), "costs: rates")
    params = {r["name"]: json.loads(r["params"] or "{}") for r in table("tr-roofline", "--by", "operator,params")}
    same(params["gemm.2"], dict(batch=1, m=64, n=16, k=32, has_bias=True, dtype_a="f32", dtype_b="f32"), "costs: a product")
    same(params["conv.7"], dict(conv_dims=2, input_shape=[2, 8, 10, 12], filter_shape=[6, 4, 3, 3], stride=[2, 2], padding=[1, 1],
                                dilation=[1, 1], groups=2, dtype_input="bf16", dtype_weight="bf16", has_bias=False),
         "costs: a convolution")
    same(params["fmha.9"], dict(batch=2, n_q=128, h_q=8, n_kv=256, h_kv=2, d_qk=64, d_v=96, causal=True, dtype_a="bf16"),
         "costs: attention")


def test_runs():
    """A run of an operation is one call, however many kernels it has, and whatever else shows the run."""
    def calls(*how, **more):
        write(made.space(made.runs(*how, **more)))
        rows = {r["name"]: r for r in table("tr-roofline", "--arch", "MI300X")}
        by_tree = {r["name"]: r["calls"] for r in table("tr-breakdown", "--by", "operator")}
        r = rows["gemm.3"]
        same(by_tree["gemm.3"], r["calls"], "runs: tr-breakdown says the same")
        same(float(r["flop"]), 2.0 * 32 * 8 * 16 * int(r["calls"]), "runs: operations of %s calls" % r["calls"])
        return r["calls"], r["kernels"]
    same(calls(4, ("split", "mul")), ("8", "16"), "runs: spans of the host tell runs apart, also of two devices at a time")
    same(calls(4, ("mul",)), ("8", "8"), "runs: of one kernel each")
    same(calls(4, ("mul", "mul")), ("8", "16"), "runs: of one kernel twice")
    same(calls(4, ("split", "mul"), spans=False), ("16", "16"), "runs: unknown, so each launch is a call")
    for kernels in (("mul",), ("split", "mul"), ("pad", "mul", "pad"), ("a", "b", "a", "c")):
        for n in (1, 2, 7, 90):
            same(calls(n, kernels, launched=False), (str(2 * n), str(2 * n * len(kernels))),
                 "runs: without launches, %d of %s" % (n, ", ".join(kernels)))
    same(calls(4, ("pad", "mul", "pad"), launched=False, lost=1), ("8", "22"), "runs: the first one is not complete")


def test_order():
    """Names before the lines that need them, and planes in any order."""
    write(made.space(made.gpus()))
    want = events()
    planes = [p if isinstance(p, list) else sorted(p.fields(), key=lambda f: -f[0]) for p in made.gpus()]
    planes = [[f for f in p if f[0] == 2] + [f for f in p if f[0] != 2] for p in planes]
    write(made.space(planes))
    same(events(), want, "order: names may come before what they name")


def test_damage():
    data = made.space(made.gpus())
    write(data)
    whole = {what_and_when(e) for e in events()}
    wrong, last = [], -1
    for n in list(range(40, len(data), 97)) + [len(data) - 1]:
        write(data[:n])
        out = run("tr-view", "-O", "jsonl")
        found = [json.loads(line) for line in out.stdout.splitlines()] if out.returncode == 0 else []
        named = {what_and_when(e) for e in found if e["name"]}
        spans = len(found)
        nothing = out.returncode == 3 and "nothing could be read" in out.stderr and last <= 0  # cut before an event
        if not (out.returncode == 0 or nothing) or "ends in the middle" not in out.stderr or spans < last or named - whole:
            wrong.append("cut at %d: status %d, %d events, %s" % (n, out.returncode, spans, out.stderr))
        last = spans
    check(not wrong, "cut anywhere: all whole events are read, and it is said", *wrong[:5])
    chance = random.Random(3)
    wrong = []
    for _ in range(150):
        changed = bytearray(data)
        for _ in range(chance.randint(1, 6)):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        write(bytes(changed))
        out = run("tr-view", "--input-format", "xplane", "-O", "jsonl")
        if out.returncode not in (0, 3) or (out.returncode and len(out.stderr.splitlines()) != 1):
            wrong.append("status %d: %s" % (out.returncode, out.stderr))
    check(not wrong, "changed at random: read, or one line", *wrong[:5])
    plane = made.Plane("/device:GPU:0", 1)
    plane.line(1, "Stream #1", 0, [("k", 0, 1000, {}), ("l", 5000, 1000, {})])
    lost = [f for f in plane.fields() if f[0] != 4]
    write(made.space([lost]))
    out = run("tr-info")
    same([e["name"] for e in events()], [None, None], "names that are not in the file: the events are there")
    check("number of a name that is not in the file" in out.stdout, "and it is said", out.stdout, out.stderr)
    check("no hlo_op" in out.stderr, "work without operations of XLA: it is said", out.stderr)
    write(made.space([plane, plane])[:-1] + b"\xff")
    same(run("tr-view", "--strict").returncode, 3, "--strict refuses what is damaged")
    write(b"\x0a\x00")
    same(run("tr-view", "--input-format", "xplane").returncode, 0, "an empty plane is no damage")


def test_times():
    plane = made.Plane("/device:GPU:0", 1)
    plane.line(1, "Stream #1", 5, [("early", -1, 1, {}), ("late", 999, 1001, {})])
    plane.line(2, "Stream #2", 2**63 - 1, [("beyond", 10**6, 1, {})])
    write(made.space([plane]))
    found = {e["name"]: (e["ts_ns"], e.get("ts_ps", 0), e["dur_ns"], e.get("dur_ps", 0)) for e in events()}
    same(found, {"early": (4, 999, 0, 1), "late": (5, 999, 1, 1)}, "times below a nanosecond, before their line")
    salvage = json.loads(run("tr-info", "-q", "-O", "json").stdout)["sources"][0]["salvage"]
    same([(s["cause"], s["count"]) for s in salvage], [("bad_event", 1)], "a time beyond 64 bits is damage")


def parsed(*how):
    did = subprocess.run([BIN + "/tr-parse", "--no-provenance", *how, "t.xplane.pb"], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    return did.returncode, did.stdout, did.stderr


def far():
    """Correlations far below zero, on either side of the numbers that the builder uses itself."""
    plane, host = made.Plane("/device:GPU:0", 1), made.Plane("/host:CPU", 2)
    numbers = [-2**63 + 1, -2**62 - 3, -2**62, -2**62 + 1, -5, 5, 2**62]
    plane.line(1, "Stream #1", 0, [("k%d" % n, 10**6 * i, 10**5, {"correlation_id": n})
                                   for i, n in enumerate(numbers)])
    host.line(2, "main", 0, [("cudaLaunchKernel", 10**6 * i, 10**5, {"correlation_id": n})
                             for i, n in enumerate(reversed(numbers))])
    return [plane, host]


def lines():
    """Steps on the lines of two devices, flows from one line to another, damage between them."""
    planes = [made.Plane("/device:TPU:%d" % d, d) for d in range(2)]
    for p in planes:
        p.line(1, "Steps", 0, [(name, 10**7 * i, 10**6, {}) for i, name in enumerate(("warm up", "3", "4", "5"))])
        p.line(2, "XLA Ops", 0, [("op", 10**6 * i, 10**5, {"_pt": 1, "_p": i, "text": b"\xff\xfe".decode("latin-1")})
                                 for i in range(20)])
        p.line(3, "beyond", 2**63 - 1, [("bad", 10**6, 1, {})] * 3)
        p.line(4, "takes", 0, [("t", 10**6 * i + 1000, 10**5, {"_ct": 1, "_c": i}) for i in range(20)])
    return planes


def test_threads():
    """However the events are cut into pieces for threads, the same stream comes of it, and the same is said."""
    space = made.space(made.gpus())
    for name, data in (("GPUs", space), ("TPU", made.space(made.tpu())), ("far", made.space(far())),
                       ("lines", made.space(lines())), ("cut", space[:len(space) * 2 // 3]),
                       ("changed", space[:900] + b"\xff" + space[901:-200] + b"\xee" + space[-199:])):
        write(data)
        got = [parsed(*how) for how in (["-j1"], ["-j1", "--piece-size", "1B"], ["-j3", "--piece-size", "1B"],
                                        ["-j2", "--piece-size", "100B"])]
        check(got[0][0] == 0 and len(got[0][1]) > 100 and got.count(got[0]) == len(got), name + ": in pieces",
              *[(status, len(out), said) for status, out, said in got])
    write(made.space(far()))
    same([e["launch_record"] for e in events() if e["activity"] == "kernel"], list(range(13, 6, -1)),
         "far: each kernel has the launch of its correlation")
    write(made.space(made.gpus(), warnings=["lost 3 events"]))
    said = parsed("--no-sort")[2]
    check(b"t.xplane.pb: its profiler warns: lost 3 events" in said, "--no-sort: warnings name the input", said)


def test_flows():
    """Lines are not in order of time: what is taken stands before what hands it on."""
    def number(ident, direction):
        return 1 << 58 | ident << 2 | direction
    host = made.Plane("/host:CPU", 1)
    taken = {"_ct": 5, "_c": 7}
    host.line(1, "takes", 0, [(n, ns * 1000, 1000, a) for n, ns, a in (
        ("too early", 500, taken), ("first", 2000, taken), ("second", 3000, taken), ("third", 6000, taken),
        ("other type", 2500, {"_ct": 6, "_c": 7}), ("in", 300, {"flow": number(9, 1)}))])
    host.line(2, "makes", 0, [(n, ns * 1000, 1000, a) for n, ns, a in (
        ("made", 1000, {"_pt": 5, "_p": 7}), ("made again", 5000, {"_pt": 5, "_p": 7}),
        ("nobody takes it", 4000, {"_pt": 5, "_p": 8}), ("out", 100, {"flow": number(9, 2)}),
        ("both", 200, {"flow": number(9, 3)}))])
    write(made.space([host]))
    flows = [(e["members"]["id"], e["phase"], e["ts_ns"], e["tid"]) for e in events() if e["phase"].startswith("flow")]
    want = [("flow 1.9", "flow_start", 100, 2), ("flow 1.9", "flow_step", 200, 2), ("flow 1.9", "flow_end", 300, 1),
            ("5.7", "flow_start", 1000, 2), ("5.7", "flow_step", 2000, 1), ("5.7", "flow_end", 3000, 1),
            ("5.7", "flow_start", 5000, 2), ("5.7", "flow_end", 6000, 1)]
    same(flows, want, "flows: from what hands work on to what takes it")
    kept = subprocess.run([BIN + "/tr-filter", "--closure", 'name =~ "^(made|first)$"', "t.xplane.pb"],
                          stdout=subprocess.PIPE)
    write(kept.stdout, "kept.trs")
    same([(e["name"], e["phase"], e["ts_ns"]) for e in events(name="kept.trs")],
         [("flow", "flow_start", 1000), ("made", "span", 1000), ("flow", "flow_step", 2000), ("first", "span", 2000)],
         "flows: their ends are on the events, as tr-filter --closure sees them")


def like_one_another(chance, with_more):
    """Lines of events that repeat, with other numbers or not, and what a reader has to see although they look alike.
    with_more: each event begins with a field that no reader knows."""
    names = ["correlation_id", "kernel_details", "count", "real", "text", "ref", "_p", "_pt", "_c", "_ct", "flow", "hlo_op",
             "Memcpy details", "grid:1,1,1 block:32,1,1", "grid:2,1,1 block:64,1,1", "sum", "copy.1"]
    number = {name: i + 1 for i, name in enumerate(names)}
    refs = [number["grid:1,1,1 block:32,1,1"], number["sum"], number["copy.1"]]

    def value(name):
        if name in ("kernel_details", "ref", "hlo_op"):
            return 7, chance.choice(refs + [99] * (chance.random() < .02))
        if name == "real":
            return 2, chance.choice([0.5, -1e300, 2.0] + [float("inf"), float("nan")] * (chance.random() < .1))
        if name == "text":
            return chance.choice([(5, b"a"), (5, b"b"), (5, b""), (6, b"xy")] + [(5, b"\xff")] * (chance.random() < .05))
        if name == "count":
            return chance.choice([(3, 0), (3, 5), (4, -5), (3, 2**63 - 1), (3, 2**63 + 1), (4, 77)])
        if name == "correlation_id":
            return chance.choice([3, 4]), chance.choice([0, 1, 7, 300, 2**40, -5, -2**62, -2**62 - 3])
        return chance.choice([3, 4]), chance.choice([1, 2, 300, 2**40 + 1 << 2 | chance.randint(0, 3)])

    planes = []
    for plane, line in (("/host:CPU", "thread"), ("/device:GPU:0", "Stream #7(Compute)"), ("/device:TPU:0", "XLA Ops")):
        lines = []
        for k in range(2):
            looks = [(chance.randint(1, 4), [n for n in names[:12] if chance.random() < .3]) for _ in range(6)]
            made_of = []
            for _ in range(250):
                kind, stats = chance.choice(looks)
                stats = [[(1, number[n]), value(n)] for n in stats]
                odd = chance.randint(0, 60)
                if odd == 0 and stats:
                    stats.append(stats[0])
                elif odd == 1:
                    stats.append([(1, 98), (3, 1)])
                elif odd == 2:
                    stats.append([(1, number["count"])])
                elif odd == 3 and stats:
                    stats[0].reverse()
                times = [(2, chance.choice([0, 999, 1000, 123_456_789_012])), (3, chance.choice([0, 1, 5_000, 10**9]))]
                if odd == 4:
                    times.reverse()
                elif odd == 5:
                    times = [(5, 3)]
                elif odd == 6:
                    times[1] = (3, -1)
                elif odd == 7:
                    times[0] = (2, -10**15)
                made_of.append([(15, 1)] * with_more + [(1, kind)] * (odd != 8) + [t for t in times if t[1]] +
                               [(4, s) for s in stats])
            lines.append((3, [(1, k), (2, line + " %d" % k if k else line), (3, 10**9)] + [(4, e) for e in made_of]))
        kinds = [(4, [(1, n), (2, [(1, n), (2, name), (4, display), (5, [(1, number["sum"]), (3, 9)])])])
                 for n, name, display in ((1, "cuLaunchKernel", ""), (2, "$f.py:3 f", "f"), (3, "MemcpyD2H", ""))]
        planes.append([(2, plane)] + lines + kinds + [(5, [(1, n), (2, [(1, n), (2, name)])]) for name, n in number.items()])
    return made.space(planes)


def test_alike():
    """Events that look like ones before them are read as if each were read for itself."""
    for seed in range(3):
        got = []
        for with_more in (True, False):
            write(like_one_another(random.Random(seed), with_more))
            for how in (["-j1"], ["-j2", "--piece-size", "200B"]):
                status, out, said = parsed(*how)
                write(out, "alike.trs")
                text = run("tr-view", "-q", "-O", "jsonl", name="alike.trs").stdout
                info = json.loads(run("tr-info", "-q", "-O", "json", name="alike.trs").stdout)
                causes = [(d["cause"], d["count"]) for d in info["sources"][0]["salvage"] if d["cause"] != "unknown_field"]
                got.append((status, text, causes))
        check(got[0][0] == 0 and got[0][1].count("\n") > 1400 and len(got[0][2]) >= 3 and got.count(got[0]) == len(got),
              "events alike, seed %d" % seed, *[(g[0], len(g[1]), g[2]) for g in got])


# ---- parts that cannot be understood ----

def whole_programs(planes):
    """The planes as lists to their innermost messages: programs, too, which are bytes otherwise."""
    encode, made.encode = made.encode, lambda message: message
    try:
        return [p.fields() if isinstance(p, made.Plane) else p for p in planes()]
    finally:
        made.encode = encode


def is_message(v):
    return isinstance(v, list) and not isinstance(v, made.Packed)


class Spoiled(bytes):
    """The bytes of a field, key and all."""


def raw(message):
    return b"".join(v if isinstance(v, Spoiled) else made.encode([(field, raw(v) if is_message(v) else v)])
                    for field, v in message)


def field_of(number, data, length=None):
    return Spoiled(varint(number << 3 | 2) + varint(len(data) if length is None else length) + data)


def spoiled(message, path, seen, closed=True):
    """How a message can be spoilt in one place, by path and kind, each a few times: a field that has no wire type is
    added, one that nobody knows, bytes in place of a number and the other way round, and a message that is cut or too
    long."""
    def first(what):
        seen[path, what] = seen.get((path, what), 0) + 1
        return seen[path, what] <= 2
    if first("group"):
        yield (path, "group"), message + [(0, Spoiled(b"\x0f"))]
    if closed and path[-1:] != (6,) and first("unknown"):
        yield (path, "unknown"), message + [(60, 1)]
    for i, (field, v) in enumerate(message):
        inner, here = path + (field,), lambda bad: message[:i] + [(field, bad)] + message[i + 1:]
        if closed and first(("renamed", field)):
            yield (path, field, "renamed"), message[:i] + [(61, v)] + message[i + 1:]
        if not isinstance(v, made.Packed) and first(("wire", field)):  # numbers may be packed or not
            yield (path, field, "wire"), here(7 if not isinstance(v, (int, float)) else b"text")
        if first(("fixed", field)):
            yield (path, field, "fixed"), here(Spoiled(varint(field << 3 | 5) + b"abcd"))
        if is_message(v):
            data = raw(v)
            if data and first(("cut", field)):
                yield (path, field, "cut"), here(field_of(field, data[:-1]))
            if first(("long", field)):
                yield (path, field, "long"), here(field_of(field, data, len(data) + 1000))
            yield from ((what, here(bad)) for what, bad in spoiled(v, inner, seen, closed and inner[-2:] != (5, 6)))


def salvage(name="t.xplane.pb"):
    out = run("tr-info", "-q", "-O", "json", name=name)
    return sum(d["count"] for d in json.loads(out.stdout)["sources"][0]["salvage"]) if out.returncode == 0 else None


def test_parts():
    """Whatever part of a file cannot be understood, it is counted, and with --strict it is an error."""
    seen, wrong, n = {}, [], 0
    for planes in (made.gpus, made.tpu, lambda: made.costs()[0], lambda: made.mesh(random.Random(2), 4, device_of=(1, 0, 3, 2))[0][0]):
        sound = whole_programs(planes)
        for what, bad in spoiled([(1, p) for p in sound] + [(4, "host")], (), seen):
            write(raw(bad))
            n += 1
            counted, strict = salvage(), run("tr-view", "--strict", "-q").returncode
            if counted == 0 or strict != 3:
                wrong.append((what, counted, strict))
    check(not wrong and n > 400, "each of %d parts that cannot be understood is counted" % n, len(wrong), *wrong[:8])


for test in (test_gpus, test_programs, test_tpu, test_collectives, test_align, test_async, test_costs, test_runs,
             test_order, test_damage, test_times, test_flows, test_alike,
             test_threads, test_parts):
    test()
print("1..%d" % number)
