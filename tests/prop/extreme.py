#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Traces whose times lie near the limits of 64-bit nanoseconds, through every program and every view.

    extreme.py make FOLDER SEED     writes rank0.json and rank1.json; a seed below 0: ordinary times only
    extreme.py run BIN FOLDER...    runs every view over the traces and streams of these folders; one line for
                                    each run that failed, and one with the counts

A run fails if a sanitizer speaks, if a signal ends it, or if its status is none that a page names.
"""
import json
import os
import random
import subprocess
import sys

FAR = [-9223372036854775.807, -9200000000000000, -4611686018427387.905, -4611686018427387.904, -1, 0,
       4611686018427387.904, 4611686018427387.905, 9200000000000000, 9223372036854775.807]
LONG = [0, 0.001, 1, 604800000000, 604800000000.001, 4611686018427387.904, 9223372036854775.807, -1, -9200000000000000]
OPS = ["aten::mm", "aten::copy_", "autograd::engine::evaluate_function: MmBackward0", "nccl:all_reduce",
       "DataLoader.__next__"]


def decimal(ns):
    sign, ns = ("-" if ns < 0 else ""), abs(ns)
    return "%s%d.%03d" % (sign, ns // 1000, ns % 1000)


def time_of(rng):
    """Microseconds as text: near a limit, or ordinary."""
    if rng.random() < rng.far:
        far = int(round(rng.choice(FAR) * 1000)) if rng.random() < 0.2 else int(float(rng.choice(FAR))) * 1000
        far += rng.choice([-1000001, -1000, 0, 1, 1000, 5000000])
        return decimal(max(-(2 ** 63) + 1, min(2 ** 63 - 1, far)))
    return decimal(rng.randrange(1000, 40000000))


def dur_of(rng):
    if rng.random() < rng.far / 2:
        return decimal(max(-(2 ** 63) + 1, min(2 ** 63 - 1, int(rng.choice(LONG) * 1000))))
    return decimal(rng.randrange(0, 3000000))


def event(ph, cat, name, ts, dur=None, pid=1, tid=1, args=None, **more):
    e = {"ph": ph, "cat": cat, "name": name, "pid": pid, "tid": tid}
    e.update(more)
    if args is not None:
        e["args"] = args
    text = json.dumps(e)[:-1] + ', "ts": ' + ts
    return text + (', "dur": ' + dur if dur is not None else "") + "}"


def device_work(rng, n, out):
    """A call and what it launched, each at a time of its own."""
    corr = n + 1
    kind = rng.choice(["kernel", "kernel", "kernel", "nccl", "gpu_memcpy", "gpu_memset"])
    calls = {"gpu_memcpy": "cudaMemcpyAsync", "gpu_memset": "cudaMemsetAsync"}
    args = {"correlation": corr, "External id": corr, "device": rng.randrange(2), "stream": 7 + rng.randrange(2)}
    out.append(event("X", "cuda_runtime", calls.get(kind, "cudaLaunchKernel"), time_of(rng), dur_of(rng),
                     args={"correlation": corr, "External id": corr}))
    name = {"kernel": rng.choice(["gemm_kernel", "elementwise_kernel"]), "nccl": "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
            "gpu_memcpy": "Memcpy HtoD (Pageable -> Device)", "gpu_memset": "Memset (Device)"}[kind]
    if kind == "nccl":
        args.update({"Collective name": "allreduce", "In msg nelems": 1 << 20, "Out msg nelems": 1 << 20, "dtype": "Float",
                     "Group size": 2, "Process Group Name": "0", "Process Group Ranks": "[0, 1]"})
    if kind.startswith("gpu_mem"):
        args.update({"bytes": rng.choice([1, 4096, 2 ** 62]), "memory bandwidth (GB/s)": rng.choice([0.5, 2, 2 ** 62])})
    cat = "kernel" if kind == "nccl" else kind
    at = time_of(rng)
    out.append(event("X", cat, name, at, dur_of(rng), pid=args["device"], tid=args["stream"], args=args))
    out.append(event("s", "ac2g", "ac2g", time_of(rng), id=corr))
    out.append(event("f", "ac2g", "ac2g", at, pid=args["device"], tid=args["stream"], id=corr, bp="e"))


def host(rng, n, out):
    for _ in range(3):
        out.append(event("X", "cpu_op", rng.choice(OPS), time_of(rng), dur_of(rng), tid=1 + rng.randrange(2),
                         args={"External id": n + 1, "Sequence number": n % 4, "Fwd thread id": rng.randrange(2)}))
    out.append(event("X", "python_function", "forward", time_of(rng), dur_of(rng),
                     args={"Python id": n, "Python parent id": n - 1}))
    out.append(event("X", "user_annotation", "ProfilerStep#%d" % n, time_of(rng), dur_of(rng)))
    out.append(event("X", "user_annotation", "part %d" % (n % 3), time_of(rng), dur_of(rng)))
    out.append(event("X", "gpu_user_annotation", "part %d" % (n % 3), time_of(rng), dur_of(rng), pid=0, tid=7))
    out.append(event("X", "cuda_runtime", "cudaStreamSynchronize", time_of(rng), dur_of(rng),
                     args={"correlation": 1000 + n}))
    out.append(event("X", "cuda_sync", "Stream Sync", time_of(rng), dur_of(rng), pid=0, tid=7,
                     args={"correlation": 1000 + n, "stream": 7, "device": 0}))
    out.append(event("X", "cuda_profiler_range", "gemm_kernel", time_of(rng), dur_of(rng), pid=0, tid=7,
                     args={"sm__cycles.sum": 2 ** 62, "ratio.pct": 50.5}))
    for ph in "BE":
        out.append(event(ph, "cpu_op", "pair", time_of(rng), tid=3))
    for ph in "bne":
        out.append(event(ph, "async", "request", time_of(rng), id=n))
    out.append(event("C", "counter", "queue", time_of(rng), args={"value": 2 ** 62}))
    out.append(event("i", "cpu_instant_event", "[memory]", time_of(rng), s="t",
                     args={"Addr": n % 3 + 1, "Bytes": rng.choice([1 << 20, -(1 << 20), 2 ** 62]), "Device Id": 0,
                           "Device Type": 1, "Total Allocated": rng.choice([1 << 20, 2 ** 63 - 1]),
                           "Total Reserved": 1 << 22}))


def trace(seed, rank):
    rng = random.Random("%d %d" % (seed, rank))
    rng.far = 0.5 if seed >= 0 else 0
    out = []
    for n in range(12):
        device_work(rng, n, out)
        host(rng, n, out)
    head = {"deviceProperties": [{"id": 0}], "distributedInfo": {"rank": rank, "world_size": 2, "backend": "nccl"}}
    if seed % 4 == 1:
        head["baseTimeNanoseconds"] = rng.choice([2 ** 63 - 1, -(2 ** 63) + 1, 1700000000000000000])
    if seed % 4 == 3:
        rng.shuffle(out)
    return json.dumps(head)[:-1] + ', "traceEvents": [\n' + ",\n".join(out) + "\n]}\n"


# ---- the views ----

SELECT = ["", "--suspect include"]
GROUPS = ["rank", "device", "stream", "step", "all"]
VIEWS = (
    ["tr-info", "tr-info --tracks -O json", "tr-info --check --no-suspects", "tr-view -O text", "tr-view -O json",
     "tr-view -O jsonl", "tr-view -O chrome", "tr-view -O perfetto", "tr-view --columns ts,dur,suspect,launch_ts,launch_dur,name",
     "tr-filter -c 'end > 0 && dur > 1us && ts > -9000000000s && depth >= 0 && step >= 0'", "tr-filter --closure 'activity == kernel'",
     "tr-filter --parents --children 'name =~ \"gemm|mm\"'", "tr-filter --within 'name =~ \"part\"' 'dur > 0'",
     "tr-filter --redact 'dur != 5us'", "tr-merge", "tr-align", "tr-align --device", "tr-align --device --report", "tr-align --report",
     "tr-align --drift", "tr-align --drift --report", "tr-align --anchor 'name =~ \"part\"' --report",
     "tr-align --min-anchors 1 --anchor 'name =~ \"gemm\"' --drift", "tr-categorize", "tr-counters", "tr-patterns --op . --mark",
     "tr-critpath --mark", "tr-parse --no-sort {base}", "tr-parse"])


def both(text):
    if text.startswith("tr-metrics "): # measurements count whatever their times are
        return [text]
    return [text, text + " --suspect include"]


for view in ("time type idle gap stream-idle kernel class annotation operator "
             "operator,shape,args,stack,module,category,thread,recompute operator,position category sequence").split():
    VIEWS += both("tr-breakdown --by " + view)
for group in GROUPS:
    VIEWS += both("tr-breakdown --per " + group)
for side in ["device", "work"]:
    VIEWS += both("tr-breakdown --by annotation --side " + side)
VIEWS += ["tr-breakdown --by tree", "tr-breakdown --by tree --join-backward", "tr-breakdown --by nesting"]
VIEWS += both("tr-breakdown --by idle --per stream") + both("tr-breakdown --by operator --per step")
VIEWS += both("tr-breakdown --time -9000000000000000..9000000000000000 --drop-last-step") + both("tr-breakdown --per step --by kernel --coverage")
VIEWS += both("tr-overlap") + both("tr-overlap --by state --classes comm,compute,memory --per device")
for view in ["", "--by name", "--by size", "--by group", "--by member", "--by straggler", "--by mismatch", "--per step --by straggler"]:
    VIEWS += both("tr-comm " + view)
for view in ["", "--by launch", "--per step", "--per stream"]:
    VIEWS += both("tr-launch " + view)
for view in "rank stream region pace annotation".split():
    VIEWS += both("tr-util --by " + view)
for view in ["--by queue", "--by bandwidth", "--by full --max-queue 1", "--by queue-series", "--by bandwidth-series",
             "--by busy-series"]:
    VIEWS += both("tr-counters " + view)
for view in ["--by path", "--by edge", "--by count", "--gaps", "--gaps --by path --per all", "--launch-edges --what-if 'activity == kernel scale=0.5'",
             "--annotation part --instance 0..2", "--per all"]:
    VIEWS += both("tr-critpath " + view)
for view in "name short-name kernel operator class step path operator,args tree tree,kernel tree,pair tree,node".split():
    VIEWS += both("tr-diff --base {base} --test {test} --by " + view)
VIEWS += both("tr-diff --base {base} --test {test} --by headline") + both("tr-diff --base {base} --test {test} --by steps") + both("tr-diff --save-partial -")
VIEWS += both("tr-diff --base {base} --test {test} --by conditions,tree --fail-if 'total.diff_pct > 1% && total.diff_us > 1us'")
VIEWS += both("tr-flame --by stack,kernel") + both("tr-flame -O folded --weight device") + both("tr-flame -O svg")
VIEWS += both("tr-replay") + both("tr-replay -O json") + both("tr-replay -O python")
for view in ["operator,shape,thread", "operator,params", "family"]:
    VIEWS += both("tr-roofline --nested --backward --by " + view)
for view in "step cause iteration inference phase window size graph".split():
    VIEWS += both("tr-breakdown --by " + view)
for view in "kernel instruction cause wait".split():
    VIEWS += ["tr-stalls --by " + view]
VIEWS += both("tr-sum --by name,step,operator --value self --stat count,sum,mean,std,min,max,p50,share,first,last") + ["tr-report"]
VIEWS += both("tr-patterns --op .") + both("tr-patterns --op aten --length 1 --per all")
for view in "range kernel operator operator,stack".split():
    VIEWS += both("tr-metrics --by " + view)
for view in ["", "--by peak,operator", "--by end,top-operator", "--by series,annotation", "--by series,all", "--by summary"]:
    VIEWS += both("tr-memory " + view)
VIEWS += both("tr-categorize --by class --side host") + both("tr-categorize --by class --across median")
VIEWS += both("tr-categorize --by unmatched --top 5")


def run_view(view, files):
    words = view.replace("{base}", files[0]).replace("{test}", files[-1])
    if "{base}" not in view:
        words += " " + " ".join(files)
    env = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")
    done = subprocess.run(["sh", "-c", words + " >/dev/null"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env)
    said = done.stderr.decode("utf-8", "replace")
    spoke = [line for line in said.splitlines() if "runtime error" in line or "Sanitizer" in line]
    if spoke or done.returncode not in (0, 1, 3, 5):
        return "%s: status %d: %s" % (words, done.returncode, " | ".join(sorted(set(spoke))) or said.strip()[:200])
    return None


def run(folders):
    n = failed = 0
    for folder in folders:
        names = sorted(os.listdir(folder))
        files = [os.path.join(folder, name) for name in names]
        for view in VIEWS:
            wrong = run_view(view, files)
            n += 1
            if wrong:
                failed += 1
                print(wrong)
    print("runs %d failed %d" % (n, failed))
    return 0


def main():
    if sys.argv[1] == "make":
        os.makedirs(sys.argv[2], exist_ok=True)
        for rank in range(2):
            with open(os.path.join(sys.argv[2], "rank%d.json" % rank), "w") as f:
                f.write(trace(int(sys.argv[3]), rank))
        return 0
    return run(sys.argv[2:])


sys.exit(main())
