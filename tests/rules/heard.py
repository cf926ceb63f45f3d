#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is each option of each program heard in each of its forms?

usage: heard.py BIN TRGEN FOLDER

An option that a form knows changes what is printed for one of the traces and values below; one that it does not know is
refused (status 2).  What is left is ignored in silence, and that is a mistake, unless neutral.tsv says why nothing
changes.  With TR_LONG=1, that is tried, too: a line that is not needed is a mistake.

views.tsv lists the tables; the forms below are those that print something else.  FOLDER is where traces are made.
"""

import concurrent.futures
import itertools
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

# Program, options that ask for the form; "~" is a blank inside an argument.
FORMS = [
    ("tr-parse", "-"), ("tr-parse", "--no-sort"), ("tr-parse", "--list-formats"),
    ("tr-merge", "-"),
    ("tr-filter", "-e~activity==kernel"), ("tr-filter", "-c -e~activity==kernel"),
    ("tr-filter", "-e~name==\"aten::mm\""), ("tr-filter", "--closure -e~activity==kernel"),
    ("tr-filter", "-e~name==none"), ("tr-filter", "-e~activity==runtime_api"),
    ("tr-filter", "--redact -e~activity==kernel"), ("tr-filter", "--redact --redact-key KEY -e~activity==kernel"),
    ("tr-view", "-O text"), ("tr-view", "-O tsv"), ("tr-view", "-O jsonl"), ("tr-view", "-O json"),
    ("tr-view", "-O chrome"), ("tr-view", "-O perfetto"), ("tr-view", "--by samples -O tsv"),
    ("tr-info", "-"), ("tr-info", "-O json"), ("tr-info", "--check --sorted"),
    ("tr-align", "-"), ("tr-align", "--drift"), ("tr-align", "--anchor kind==comm"), ("tr-align", "--undo"),
    ("tr-align", "--offsets OFFSETS"), ("tr-align", "--offsets OFFSETS --device"),
    ("tr-cycles", "-"),
    ("tr-counters", "-"), ("tr-counters", "--by full --max-queue 2"), ("tr-critpath", "--annotation ProfilerStep --instance 1"), ("tr-critpath", "--mark"), ("tr-memory", "--by peak,operator"), ("tr-memory", "--by end,operator"),
     ("tr-patterns", "--mark"),
    ("tr-categorize", "-"), ("tr-categorize", "--by class --rules RULES"), ("tr-categorize", "--explain nccl~c"), ("tr-categorize", "--print-rules kernels"), ("tr-categorize", "--by class --compat unitrace -O json"),
    ("tr-flame", "-O folded"), ("tr-flame", "-O speedscope"), ("tr-flame", "-O svg"), ("tr-flame", "-O html"),
    ("tr-replay", "-O json"), ("tr-replay", "-O python"),
    ("tr-roofline", "--explain aten::mm"), ("tr-roofline", "--list-archs"),
    ("tr-roofline", "--shape aten::add~[8,4]~[4]~fp32 --shape aten::mm~[8,4]~[4,2]~fp32"), ("tr-stalls", "--annotate DUMP"),
    ("tr-diff", "-O md"), ("tr-diff", "-O junit --fail-if diff_pct>50%"), ("tr-diff", "--save-partial -"),
    ("tr-diff", "--base BASELINE --by name"), ("tr-diff", "--of tr-breakdown~--by~kernel"),
]

# What each program cannot do without, in any form.
WITH = {("tr-counters", "--by full"): ["--max-queue", "2"], ("tr-diff", "--by conditions"): ["--fail-if", "diff_us > 1us"],
        ("tr-roofline", "--by roof"): ["--arch", "PEAKS"],
        ("tr-metrics", "--by ideal"): ["--attach", "IDEAL"], ("tr-metrics", "--by utilization"): ["--attach", "IDEAL"],
        ("tr-breakdown", "--by window"): ["--steps", "2"], ("tr-metrics", "--by utilization,category"): ["--attach", "IDEAL"],
        ("tr-metrics", "--by utilization,rank"): ["--attach", "IDEAL"],
        ("tr-breakdown", "--by node"): ["--attach", "GRAPH"], ("tr-critpath", "--by chain"): ["--attach", "GRAPH"]}
ONLY = {("tr-filter", "-e~name==none"): {"exit-status"}}  # what is tried of a form
ALWAYS = {"tr-filter": ["--no-provenance"], "tr-parse": ["--no-provenance"], "tr-merge": ["--no-provenance"],
          "tr-align": ["--no-provenance"], "tr-counters": ["--no-provenance"],
          "tr-cycles": ["--no-provenance"], "tr-critpath": ["--no-provenance"],
          "tr-patterns": ["--no-provenance"], "tr-categorize": ["--no-provenance"]}

# About the run of a program, not about what it prints: tr-options(7).  Those of partial results, --every, --follow,
# --top-per, which goes with another, --open, which waits, with its options, and --save-path have tests of their own: pipe/partial.sh,
# pipe/every.sh, pipe/follow.sh, golden/tr-breakdown/top-per.sh, pipe/open.sh, golden/tr-critpath/member.sh.
RUN = set("output force compress no-provenance input-format strict renumber depth threads max-memory temp-dir progress "
          "quiet verbose help version help-columns save-partial distinct expect-ranks min-ranks every follow top-per open port keep save-path".split())

# Values to try, by program and option, or by option.
VALUES = {
    "step": ["16", "1"], "time": ["WINDOW", "12..60", "+0us..+300us"], "host-time": ["WINDOW", "12..60"], "rank": ["1", "0"],
    "where": ["dur > 20us", "kind == comm", "rank == 1", "args.Bytes > 150", 'name == "k2"'], "suspect": ["include"],
    "per": ["rank", "device", "stream", "step", "all", "spread"],
    "unit": ["ms", "ns"], "size": ["900x600"], "top": ["1"], "output-format": ["json", "text", "csv", "md"],
    "columns": ["FIRST_COLUMN"], "sort": ["COLUMN:asc", "COLUMN:desc"], "profiler": ["include"],
    "threshold": ["0us", "1ms"], "micro-idle": ["10us", "1ms"], "memset": ["compute"], "ratio": ["0.2"], "side": ["device", "work", "host"], "op": ["aten::add", "aten::mm"],
    "cpu-cutoff": ["5us", "0us"], "queue-cutoff": ["2us", "0us"], "classes": ["comm,compute"],
    "max-queue": ["2", "1"],
    "annotation": ["ProfilerStep#16"], "instance": ["1"], "what-if": ["dur > 1us scale=0.5"], "data": ["."],
    "length": ["1", "4"], "category": ["kernel", "cuda_profiler_range"], "metrics": ["bytes"],
    "anchor": ["activity == memcpy", "kind == comm"], "reference": ["1"], "min-anchors": ["1000"], "offsets": ["OFFSETS"],
    "limit": ["3"], "steps": ["1"], "split": ["rank"], "overlap": ["drop", "lane"], "freq": ["540"],
    "min-events": ["1000000"], "ranks": ["7"], "min-coverage": ["0.999"], "min-metadata": ["0.999"],
    "min-used": ["0.999"], "min-causal": ["0.999"],
    "expr": ["phase == meta", "dur > 1us"], "expr-file": ["EXPR"], "within": ['name =~ "ProfilerStep#16"'], "outside": ['name =~ "ProfilerStep#16"'],
    "attach": ["NODES", "IDEAL2", "GRAPH2"], "attach-capture": ["CAPTURED"], "inductor-cache": ["INDUCTOR"], "core-freq": ["10"],
    "redact-key": ["KEY"], "rank-from": ["order", "name", "pid"], "ranks": ["5,7", "7"], "files0-from": ["NAMES"],
    "block-events": ["7"], "piece-size": ["100"],
    "rules": ["communication", "RULES"], "names": ["MEANINGS"], "precedence": ["longest", "first"], "print-rules": ["amd"], "explain": ["nccl c"],
    "across": ["median", "max"], "compat": ["unitrace"], "absent": ["zero", "skip"],
    "base-capture": ["CAPTURED"], "test-capture": ["CAPTURED"],
    "base-where": ["dur > 20us", 'name != "k2"'], "test-where": ["dur > 20us", 'name != "k2"'], "keys": ["kind"], "of": ["tr-breakdown --by kernel"],
    "base": ["RANK0"], "test": ["RANK0"], "fail-if": ["diff_us > 1us"],
    "gpus-per-node": ["1", "2"], "arch": ["H100", "MI300X"], "measured": ["MEASURED"], "models": ["MODELS"],
    "args": ["rows"], "spec": ["vector_fp32"], "asm": ["DUMP"], "annotate": ["DUMP"],
}
OF_PROGRAM = {
    ("tr-sum", "by"): ["kind,name"], ("tr-sum", "value"): ["self", "event"], ("tr-sum", "stat"): ["count,p50"], ("tr-sum", "hist"): ["log", "3"],
    ("tr-parse", "rank"): ["5"], ("tr-view", "by"): ["samples"], ("tr-view", "columns"): ["name", "ts,name"], ("tr-merge", "ranks"): ["5,7"], ("tr-info", "ranks"): ["7"],
    ("tr-view", "budget"): ["%d" % (1500 * 2 ** (k / 2)) for k in range(12)],
    ("tr-view", "output-format"): ["json", "text", "tsv", "jsonl", "chrome", "perfetto"],
    ("tr-flame", "output-format"): ["json", "folded", "speedscope", "pprof", "svg", "html"], ("tr-flame", "weight"): ["device", "launches", "bytes"],
    ("tr-flame", "per"): ["rank"],
    ("tr-replay", "output-format"): ["json", "python", "csv", "md", "text", "svg", "vega", "html"], ("tr-replay", "limit"): ["1"], ("tr-replay", "schemas"): ["SCHEMAS"],
    ("tr-diff", "output-format"): ["json", "junit", "md", "svg", "vega"],
    ("tr-info", "output-format"): ["json"],
    ("tr-critpath", "base"): ["SAVED"],
    ("tr-util", "bin"): ["10us", "1ms"], ("tr-util", "below"): ["5", "99"], ("tr-util", "name"): ["gemm"],
    ("tr-diff", "annotation"): [],
    ("tr-roofline", "explain"): ["aten::mm"], ("tr-roofline", "shape"): ["aten::relu [8] fp32"],
}


def run(argv, stdin=None):
    p = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return p.returncode, p.stdout, p.stderr


IMPOSSIBLE = 8 * 24 * 3600 * 10 ** 6  # us


class Job:
    """The programs, and traces with something to say to each of them."""

    def __init__(self, bin_dir, trgen, folder):
        self.bin, self.folder, self.words = bin_dir, folder, {}
        made = os.path.join(folder, "made")
        os.mkdir(made)
        subprocess.run([trgen, "--output", made, "--ranks", "2", "--steps", "3", "--layers", "1", "--counters", "2",
                        "--graphs", "1", "--graph-kernels", "3", "--straggler", "1", "--straggler-ns", "400000",
                        "--shapes", "2", "--idle-ns", "50000", "--offset-ns", "0,20000", "--drift-ppb", "0,90000",
                        "--no-truth", "--end-jitter-ns", "500"], check=True)
        ranks = [os.path.join(made, "rank%d.json" % r) for r in range(2)]
        self.json = ranks
        streams = []
        for path in ranks:
            streams.append(path[:-5] + ".trs")
            self.need("tr-parse", "-q", "-o", streams[-1], path)
        self.need("tr-merge", "-q", "-o", self.at("both.trs"), *streams)
        self.need("tr-align", "-q", "--min-anchors", "1", "-o", self.at("aligned.trs"), *streams)
        self.need("tr-categorize", "-q", "-o", self.at("classes.trs"), self.at("both.trs"))
        subprocess.run([trgen, "--output", self.at("."), "--ranks", "2", "--steps", "2", "--layers", "1", "--missing", "0.3",
                        "--device-skew-ns", "-40000", "--no-truth", "--collectives", "6", "--pid-collision"], check=True)
        self.need("tr-merge", "-q", "-o", self.at("odd.trs"), self.at("rank0.json"), self.at("rank1.json"))
        small = self.write("small.json", small_trace(1))
        small2 = self.write("small2.json", small_trace(2))
        exchange = [self.write("exchange%d.json" % r, exchange_trace(r)) for r in range(2)]
        pipeline = [self.write("pipeline%d.json" % r, pipeline_trace(r)) for r in range(2)]
        stamps = [self.write("aiu-rank_%d-job-%d.json" % (r, j), stamped_trace(r, j)) for r in range(2) for j in range(2)]
        stamps.append(self.write("stamped-steps.json", stamped_steps()))
        small_kernels = self.write("small-kernels.json", chain_trace())
        inference = [self.write("inference%d.json" % r, inference_trace(r)) for r in range(2)]
        timeline = self.write("t.raw.json", "[[-1, 1, 1024, 0], [2000000, 2, 50, 5], [2000500, 3, -50, 5]]")
        self.write("NAMES", ranks[0] + "\0")
        self.write("OFFSETS", "rank\toffset_us\n0\t0\n1\t7\n")
        self.write("KEY", "a key of more than sixteen bytes")
        self.write("EXPR", "phase == counter")
        self.write("saved1.tsv", "name\tkind\tsum\na\tx\t1\nb\ty\t2\n")
        self.write("saved2.tsv", "name\tkind\tsum\nb\tx\t1\na\ty\t3\n")
        self.write("NODES", "position\tmodule\n0\tLinear\n")
        self.write("CAPTURED", json.dumps([
            {"ph": "X", "cat": "cuda_runtime", "name": n, "pid": 1, "tid": 1, "ts": 10 * i, "dur": 5}
            for i, n in enumerate(("cudaStreamBeginCapture", "cudaLaunchKernel", "cudaStreamEndCapture"))]))
        self.write("RULES", "[other if starts with]\nnccl\n[spaced if starts with]\nnccl DevKernel_All\n[long if starts with]\nncclDevKernel\n")
        self.write("IDEAL", "~~~~ Ideal/Total Cycles ~~~~\nk0-opCatA 5000\nk1-opCatB 3000\nTotal 8000\n")
        self.write("IDEAL2", "~~~~ Ideal/Total Cycles ~~~~\nk1-opCatA 9000\n")
        self.write("SCHEMAS", "aten::mm.mine(Tensor a, Tensor b) -> Tensor\n")
        self.write("MEASURED", "[x]\nbandwidth = 7\n" + "".join("%s_%s = 0.6\n" % (unit, precision) for unit in ("matrix", "vector")
                                                                for precision in ("fp64", "fp32", "fp16", "bf16")))
        self.write("PEAKS", "[x]\nbandwidth = 10\nl3_bandwidth = 50\nvector_fp32 = 1\nvector_fp64 = 0.5\n")
        self.write("DUMP", "//.kernel k2\n    load r1 {$1} // $1\n    add r2 {$1.dst} // $2\n")
        metric_files = [self.write("metrics_0.rank_%d.csv" % r, metric_file(r)) for r in range(2)]
        self.write("MEANINGS", "[memcpy if name starts with]\nnccl\n")
        os.mkdir(self.at("INDUCTOR"))
        self.write("INDUCTOR/graph.py", "triton_poi_fused_add_0 = async_compile.triton(\n")
        self.words["INDUCTOR"] = self.at("INDUCTOR")
        self.write("MODELS", "[mine]\nops = aten::mm, aten::add\nflops = 7\n")
        self.need("tr-diff", "-q", "--save-partial", self.at("BASELINE"), *streams)
        self.need("tr-critpath", "-q", "--save-path", self.at("SAVED"), streams[0])
        begin = self.need("tr-view", "-q", "-O", "tsv", "--columns", "ts", "-n", "40", streams[0]).decode().split("\n")
        times = [float(t) for t in begin[1:] if t]
        self.words.update({"WINDOW": "%.3f..%.3f" % (times[-1] + 300, times[-1] + 3000), "RANK0": streams[0]})
        for name in ("NAMES", "OFFSETS", "KEY", "EXPR", "RULES", "MEANINGS", "BASELINE", "NODES", "CAPTURED", "SAVED", "MODELS", "SCHEMAS", "IDEAL2", "IDEAL", "DUMP", "PEAKS", "MEASURED"):
            self.words[name] = self.at(name)
        reports = [self.write("report%d.txt" % r, "=== Device Timing Summary ===\n\n== L0 Backend ==\n\nKernel, Calls, Time (ns)\n"
                              "add, 2, %d\n" % (5000 + r) + ("" if r else "gemm, 3, 9000\n")) for r in range(2)]
        dumps = [self.write("nccl_trace_rank_%d.json" % r, recorder_dump(r)) for r in range(4)]
        recorded = [self.write("recorded%d.json" % r, recorded_trace(r)) for r in range(2)] + \
            [self.write("recorder_%d.json" % r, recorder_of_trace(r)) for r in range(2)]
        logs = [self.write("node-pid%d.log" % r, inspector_log(r)) for r in range(2)]
        joined = [self.write("joined%d.json" % r, joined_trace(r)) for r in range(2)]
        for r, name in enumerate(("GRAPH", "GRAPH2")):
            self.write(name, execution_trace(r))
            self.words[name] = self.at(name)
        self.inputs = [[small, small2], [small_kernels], reports, [self.at("both.trs")], [self.at("odd.trs")], [self.at("classes.trs")], streams, [self.at("aligned.trs")],
                       [os.path.join(HERE, "../spec/accept/tables.trs")], [timeline], [ranks[0]], stamps[:-1], stamps[-1:], inference, exchange, metric_files, dumps, logs, joined, recorded, pipeline]

    def at(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.at(name), "w", encoding="utf-8") as f:
            f.write(text)
        return self.at(name)

    def need(self, program, *args):
        status, out, said = run([os.path.join(self.bin, program), *args])
        if status:
            raise RuntimeError("%s: status %d: %s" % (program, status, said.decode("utf-8", "replace")))
        return out

    def replace(self, word):
        for name, value in self.words.items():
            word = word.replace(name, value)
        return word

    def given(self, program, view):
        """The arguments of a form."""
        args = ["-q", "-j1"] + ALWAYS.get(program, []) + [self.replace(w) for w in WITH.get((program, view), [])]
        for word in view.split() if view != "-" else []:
            args += [self.replace(w) for w in (word.split("~", 1) if word.startswith("-") else [word.replace("~", " ")])]
        return args

    def operands(self, program, view, files):
        if program == "tr-diff" and view.startswith("--by table"):
            return [self.at("saved1.tsv"), self.at("saved2.tsv")]
        if program == "tr-diff" and "BASELINE" not in view and "--save" not in view:
            return [files[0], self.at("small2.json") if "small" in files[0] else self.at("aligned.trs")]
        if view == "--list-formats":
            return []
        if program == "tr-categorize" and view.split(" ")[0] in ("--explain", "--show-rules", "--list-rules", "--print-rules"):
            return []
        if program == "tr-stalls" and view.startswith("--annotate"):
            return []
        if program == "tr-roofline" and view.split(" ")[0] in ("--explain", "--list-archs", "--shape"):
            return []
        return files


def metric_file(rank):
    """Metrics and stalls of kernels; the precision with the most operations is not fp32."""
    lines = ["=== Device #0 Metrics ===", "", "Kernel,GpuTime[ns],XVE_INST_EXECUTED_FP32[events],XVE_INST_EXECUTED_FP64[events],"
             "GPU_MEMORY_BYTE_READ[bytes],L3_BYTE_READ[bytes]"]
    for i, name in enumerate(("k2", "f<int>(x)", "f<int>(y)")):
        lines += ["%s,%d,%d,%d,%d,%d" % (name, 100000 * (i + 1), 10 + i, 50 + rank, 4000 + i, 90000), ""]
    lines += ["=== Device #0 Metrics ===", "", "Kernel, IP[Address], Active[Events], SbidStall[Events], PipeStall[Events]"]
    for i, name in enumerate(("k2", "f<int>(x)", "f<int>(y)")):
        lines += ['"%s", %x, %d, %d, %d' % (name, 16 * a, rank, 1 + (5 * a + i) % 7, 3 * a + i) for a in range(4)]
    return "\n".join(lines) + "\n"


def recorder_dump(rank):
    """The flight recorder of a rank of four; rank 2 stops before the second call of all, and 3 waits for 1 in another."""
    groups = [("0", "job", "[0, 1, 2, 3]")] + ([("1", "pair", "[1, 3]")] if rank % 2 else [])
    made = [(0, 1, "completed")] + ([(0, 2, "started")] if rank < 2 else []) + ([(1, 1, "started")] if rank == 3 else [])
    calls = [{"process_group": groups[g][:2], "collective_seq_id": i, "profiling_name": "nccl:all_reduce", "is_p2p": False,
              "state": state, "time_created_ns": 10 ** 18 + (i + g) * 10 ** 6 + rank,
              "input_sizes": [[8]], "output_sizes": [[8]], "input_dtypes": ["Float"], "output_dtypes": ["Float"],
              "frames": [{"name": "step", "filename": "train.py", "line": 40 + i}]} for g, i, state in made]
    return json.dumps({"version": "2.10", "entries": calls,
                       "pg_config": {n: {"name": n, "desc": d, "ranks": r} for n, d, r in groups}})


def recorded_trace(rank):
    """All-reduces of two ranks in four steps, of which the clock of one is ahead, and a kernel of an impossible time."""
    events = []
    for step in range(1, 6):
        t = 1000 * step + 37 * step * step + 400 * rank
        if step < 5:
            events.append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % step, "pid": 1, "tid": 1, "ts": t, "dur": 900})
        events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": t + 5, "dur": 2,
                       "args": {"correlation": step}})
        late = 20 * (rank ^ step & 1)
        events.append({"ph": "X", "cat": "kernel", "name": "nccl<1>(x)", "pid": 0, "tid": 7, "ts": t + 10 + late,
                       "dur": 90 - late if step < 5 else 8 * 24 * 3600 * 1000000,
                       "args": {"Collective name": "allreduce", "In msg nelems": step, "Out msg nelems": step, "dtype": "Float",
                                "Seq": step, "Process Group Name": "0", "Process Group Ranks": "[0, 1]", "Group size": 2,
                                "correlation": step, "device": 0, "stream": 7}})
    return json.dumps({"baseTimeNanoseconds": 10 ** 18, "distributedInfo": {"rank": rank}, "traceEvents": events})


def recorder_of_trace(rank):
    """The flight recorder of recorded_trace."""
    return json.dumps({"pg_config": {"0": {"name": "0", "desc": "job", "ranks": "[0, 1]"}}, "entries": [
        {"process_group": ["0", "job"], "collective_seq_id": i, "profiling_name": "nccl:all_reduce", "is_p2p": False,
         "state": "completed", "time_created_ns": 10 ** 18 + 10 ** 6 * i + rank} for i in range(1, 6)]})


def inspector_log(rank):
    """Collectives in the log of a process, of which the second one is late on the second rank."""
    return "".join(json.dumps({
        "header": {"id": "0x7" if i < 4 else "0x8", "comm_name": "tp", "rank": rank, "n_ranks": 2, "nnodes": 1},
        "metadata": {"hostname": "node", "pid": 100 + rank},
        "coll_perf": {"coll": ("AllReduce", "AllGather")[i % 2], "coll_sn": i, "coll_msg_size_bytes": 4096 << i,
                      "coll_exec_time_us": 50 + 400 * (rank == 0 and i == 2), "coll_timing_source": "kernel_gpu",
                      "coll_busbw_gbs": 1.5 + i}}) + "\n" for i in range(1, 5))


def execution_trace(rank):
    """The graph of the operators of joined_trace: each needs the one before."""
    none = {"values": [], "shapes": [], "types": []}
    return json.dumps({"schema": "1.1.0-chakra.0.0.4", "pid": 1, "rank": rank, "nodes": [
        {"id": i + 2, "name": "f<int>(x)" if i == 3 else "aten::op%d" % i, "ctrl_deps": 1,
         "inputs": dict(none, values=[[i, i, 0, 4, 4, "cpu"]] if i else []), "outputs": dict(none, values=[[i + 1, i + 1, 0, 4, 4, "cpu"]]),
         "attrs": [{"name": "rf_id", "type": "uint64", "value": i + 1}, {"name": "op_schema", "type": "string", "value": "x"}]}
        for i in range(6)]})


def joined_trace(rank):
    """Operators with the numbers of an execution trace, in two steps, one with an impossible kernel."""
    events = []
    for step in range(1, 3):
        t = 100 * step
        events.append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % (14 + step), "pid": 1, "tid": 1, "ts": t, "dur": 90})
        for i in range(3):
            c = 3 * step + i - 2
            events.append({"ph": "X", "cat": "cpu_op", "name": "aten::op%d" % i, "pid": 1, "tid": 1, "ts": t + 10 * i, "dur": 8 + i,
                           "args": {"Record function id": c}})
            events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": t + 10 * i + 2,
                           "dur": 2, "args": {"correlation": c}})
            events.append({"ph": "X", "cat": "kernel", "name": "k%d" % i, "pid": 0, "tid": 7, "ts": t + 15 + 20 * i,
                           "dur": 19 + i + rank if step < 2 or i < 2 else IMPOSSIBLE, "args": {"correlation": c, "device": 0, "stream": 7}})
    return json.dumps({"distributedInfo": {"rank": rank}, "traceEvents": events})


def small_trace(k):
    return json.dumps({"baseTimeNanoseconds": 10 ** 18, "distributedInfo": {"rank": k - 1},
                       "traceEvents": list(small_events(k))})


def stamped_trace(rank, j):
    """A job of a device with cycle stamps, the second one outside of its round trip."""
    t, lap = 1000 + 5000 * j, 4294960000 + 2800000 * j
    events = [{"ph": "X", "name": "AIU Roundtrip", "pid": rank, "tid": 1, "ts": t, "dur": 1000, "attr": {}}]
    for i in range(3):
        at = [lap + 56000 * i + c for c in (0, 5600, 8400, 36400, 50400)]
        stamps = {"TS%d" % (n + 1): str(c % (1 << 32)) for n, c in enumerate(at)}
        events += [{"ph": "X", "name": "add<int>(x) Cmpt Exec", "pid": rank, "tid": 7, "ts": t + 15 + 100 * i - 600 * j, "dur": 51,
                    "attr": stamps}]
    return json.dumps(events)


def chain_trace():
    """Chains of elementwise kernels, and what the profiler costs, in two steps on two devices, with impossible times."""
    events = []
    for step in range(1, 3):
        t = 100 * step
        events.append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % step, "pid": 1, "tid": 1, "ts": t, "dur": 90})
        for i, name in enumerate(("Command Buffer Full", "Activity Buffer Request")):
            events.append({"ph": "X", "cat": "overhead", "name": name, "pid": -1, "tid": i, "ts": t + 20 * i, "dur": 4 + 30 * i + step})
        for i in range(9):
            c, gemm = 10 * step + i, i == 3
            name = "sm90_gemm" if gemm else "void at::native::vectorized_elementwise_kernel<%d>(int)" % (i % 5)
            events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": t + 2 * i,
                           "dur": 1, "args": {"correlation": c}})
            events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": t + 10 + 7 * i,
                           "dur": 3 + i % 3 if i < 8 else IMPOSSIBLE, "args": {"correlation": c, "device": step % 2, "stream": 7}})
    events.append({"ph": "X", "cat": "overhead", "name": "Resource", "pid": -1, "tid": 0, "ts": 130, "dur": IMPOSSIBLE})
    return json.dumps({"distributedInfo": {"rank": 0}, "traceEvents": events})


def inference_trace(rank):
    """Six steps of an inference engine, with impossible kernels."""
    events = []
    for step in range(6):
        t, prompts, tokens = 100 * step + 50 * rank, 1 if step % 3 == 0 else 0, step + 2 + rank
        sums = "(sq%dsk%dsqsq%dsqsk%d)"
        name = "execute_%d_context_%d%s_generation_%d%s" % (
            64 * prompts + tokens, prompts, sums % ((64, 64, 4096, 4096) if prompts else (0, 0, 0, 0)),
            tokens, sums % (tokens, 300 + step, tokens, 300 + step))
        events.append({"ph": "X", "cat": "user_annotation", "name": name, "pid": 1, "tid": 1, "ts": t, "dur": 60 + step})
        for i in range(3):
            link = {"correlation": 10 * step + i + 1}
            events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": t + 5 * i, "dur": 3, "args": link})
            events.append({"ph": "X", "cat": "kernel", "name": "k%d" % i, "pid": 0, "tid": 7, "ts": t + 20 + 30 * i,
                           "dur": 10 + 7 * i + step if i < 2 or step < 5 else 8 * 24 * 3600 * 1000000,
                           "args": dict(link, device=0, stream=7)})
    return json.dumps({"distributedInfo": {"rank": rank}, "traceEvents": events})


def stamped_steps():
    """Two steps whose kernels have cycle stamps and readings of the charge, and wait for their turn."""
    events, charge = [], 1000
    for step in range(1, 3):
        t = 100 * step - 95
        events.append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % (14 + step), "pid": 1, "tid": 1, "ts": t, "dur": 90})
        for i in range(4):
            c = 10 * step + i
            events.append({"ph": "X", "cat": "cuda_runtime", "name": "aiuLaunchControlBlocks", "pid": 1, "tid": 1,
                           "ts": t + 5 + 8 * i, "dur": 3, "args": {"correlation": c}})
            charge += 20000 + 9000 * i + 5000 * step
            at = [100 * (t + 8 + 18 * i) + n for n in (0, 100, 300, 1000 + 300 * i, 1400)]
            stamps = {"TS%d" % (n + 1): x for n, x in enumerate(at)}
            stamps["Power"] = charge
            events.append({"ph": "X", "name": "k%d Cmpt Prep" % (i % 2), "pid": 0, "tid": 8, "ts": t + 9 + 18 * i, "dur": 2 + i,
                           "args": dict(stamps)})
            stamps.update({"correlation": c, "device": 0, "stream": 7})
            events.append({"ph": "X", "cat": "kernel", "name": "k%d Cmpt Exec" % (i % 2), "pid": 0, "tid": 7,
                           "ts": t + 11 + 18 * i, "dur": 7 + 3 * i, "args": stamps})
    events.append({"ph": "X", "cat": "kernel", "name": "f<int>(x)", "pid": 0, "tid": 7, "ts": 80, "dur": 3,
                   "args": {"device": 0, "stream": 7}})
    for name, ts, tid in (("f<int>(x) Cmpt Exec", 150, 7), ("k1 Cmpt Prep", 151, 8)):
        events.append({"ph": "X", "cat": "kernel" if tid == 7 else None, "name": name, "pid": 0, "tid": tid, "ts": ts,
                       "dur": 8 * 24 * 3600 * 1000000, "args": {"TS%d" % n: 1 for n in range(1, 6)}})
    return json.dumps({"distributedInfo": {"rank": 0}, "traceEvents": events})


def pipeline_trace(rank):
    """Two steps of a pipeline of two ranks, which pass something on once in each of them."""
    events = []
    for step in range(2):
        at = 1000 * step + 5 * rank
        key = "Src Rank" if rank else "Dst Rank"
        events += [
            {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % step, "pid": 9, "tid": 9, "ts": at, "dur": 500},
            {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": at + 10, "dur": 3,
             "args": {"correlation": step + 1}},
            {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_SendRecv", "pid": 0, "tid": 7, "ts": at + 20 + rank,
             "dur": 50 + step, "args": {"device": 0, "stream": 7, "correlation": step + 1, "Seq": step, key: 1 - rank,
                                        "Collective name": "recv" if rank else "send", "In msg nelems": 5,
                                        "Out msg nelems": 5, "dtype": "Float", "Group size": 2,
                                        "Process Group Name": "pipe", "Process Group Ranks": "[0, 1]"}}]
    return json.dumps({"distributedInfo": {"rank": rank}, "traceEvents": events})


def exchange_trace(rank):
    """Two steps with an all-to-all each, whose parts differ, and one of an impossible time."""
    events = []
    for step in range(1, 4):
        t = 100 * step
        if step < 3:
            events.append({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d" % step, "pid": 1, "tid": 1, "ts": t, "dur": 90})
        events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": t + 5, "dur": 2,
                       "args": {"correlation": step}})
        parts = [10 * step + rank, 5] if step != 1 or rank == 0 else [0, 900]
        args = {"Collective name": "all_to_allv", "In msg nelems": sum(parts), "Out msg nelems": 9, "dtype": "Float", "Seq": step,
                "In split size": str(parts), "Process Group Name": "0", "Process Group Ranks": "[0, 1]", "Group size": 2,
                "correlation": step, "device": rank, "stream": 7}
        events.append({"ph": "X", "cat": "kernel", "name": "k2", "pid": 0, "tid": 7, "ts": t + 10 + rank,
                       "dur": 25 - 10 * (step - 1) if step < 3 else 8 * 24 * 3600 * 1000000, "args": args})
    return json.dumps({"distributedInfo": {"rank": rank}, "traceEvents": events})


def small_events(k):
    """Two steps with launches, memory, hardware counters, an annotation of the device, an impossible time."""
    def event(cat, name, ts, dur, pid=1, tid=1, **args):
        return {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args}
    for step in range(1, 3):
        t = 100 * step - 95
        yield event("user_annotation", "ProfilerStep#%d" % step, t, 90)
        yield event("cpu_op", "aten::add", t + 1, 60 * k)
        yield event("cpu_op", "aten::mm" if step == 1 else "f<int>(x)", t + 2, 40)
        for i in range(4):
            yield event("cuda_runtime", "cudaLaunchKernel" if i < 3 else "cudaMemcpyAsync", t + 5 + 8 * i, 3 + 2 * i, correlation=10 * step + i)
            work = dict(device=0, stream=7 + i % 2, correlation=10 * step + i, bytes=1 << 20)
            if i == 3:
                yield event("gpu_memcpy", "Memcpy HtoD", t + 50, 9, 0, 7 + i % 2, **work)
            else:
                name = ("void gemm<1>(int)", "ncclDevKernel_AllReduce", "zzz<int>(x)" if step == 1 else "k2")[i]
                if i == 1:
                    work.update({"Collective name": "allreduce" if step == 1 else "broadcast", "Seq": step, "dtype": "Float",
                                 "Process Group Name": str(step), "In msg nelems": 8 * step, "Out msg nelems": 8 * step,
                                 "Group size": 2, "Process Group Ranks": "[0, 1]"})
                yield event("kernel", name, t + 10 + 9 * i, 20 * k, 0, 7 + i % 2, **work)
        yield event("gpu_user_annotation", "ProfilerStep#%d" % step, t + 10, 60, 0, 7)
        for i in range(3):
            yield event("cuda_profiler_range", "k%d<int>(x)" % i, 1000 + 50 * step + 10 * i, 5, 0, 0, flops=step, bytes=7)
        for i, size in enumerate((100, 200, -100)):
            yield {"ph": "i", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": t + 3 + i,
                   "args": {"Bytes": size, "Addr": 10 + i % 2, "Total Allocated": 1000 + size * step, "Total Reserved": 8192,
                            "Device Type": 1, "Device Id": 0}}
    for cat, name, pid, tid in (("kernel", "late", 0, 7), ("gpu_memcpy", "Memcpy HtoD", 0, 7), ("user_annotation", "long", 1, 1),
                                ("kernel", "ncclDevKernel_AllReduce", 0, 9), ("cuda_runtime", "cudaLaunchKernel", 1, 1)):
        yield event(cat, name, 150, 8 * 24 * 3600 * 1000000, pid, tid, device=0, stream=tid, correlation=99, bytes=512)
    number = {"Sequence number": 4} # of a call, and of its backward pass, which launches a graph
    yield event("cpu_op", "aten::mean", 2, 1, **number, **{"Input Dims": [[8]], "Input type": ["float"]})
    yield event("cpu_op", "autograd::engine::evaluate_function: MeanBackward1", 59, 4, 1, 3, **number)
    yield event("cuda_runtime", "cudaGraphLaunch", 60, 2, 1, 3, correlation=77)
    for ts, dur in ((64, 3), (68, -5)):
        yield event("kernel", "g<int>(x)", ts, dur, 0, 7, device=0, stream=7, correlation=77)
    yield event("cpu_op", "aten::add", 40, -5, 1, 2)
    yield event("cuda_profiler_range", "k3", 1500, 8 * 24 * 3600 * 1000000, 0, 0, flops=3, bytes=9)
    yield {"ph": "i", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": -4,
           "args": {"Bytes": 900, "Addr": 17, "Total Allocated": 1900, "Total Reserved": 8192, "Device Type": 1, "Device Id": 0}}


def rows(path):
    with open(path, encoding="utf-8") as f:
        return [tuple(line.rstrip("\n").split("\t")) for line in f if line.strip() and not line.startswith("#")]


def options_of(job, program):
    """Names of the options that say what is printed, whether they take a value, and their words."""
    found = {}
    for line in job.need(program, "--option-table").decode().split("\n")[:-1]:
        whose, _, name, value, _, kind, words = line.split("\t")[:7]
        if name not in RUN:
            found[name] = (whose == "own", value != "no", words.split(",") if kind == "choice" else [])
    return found


def columns_of(out):
    return [c for c in out.decode("utf-8", "replace").split("\n")[0].split("\t") if c]


def values_of(program, option, takes, words):
    if not takes:
        return [None]
    values = OF_PROGRAM.get((program, option), VALUES.get(option, []))
    return values + [w for w in words if w not in values]


class Base:
    """What a form prints without more options, for the traces to which it has something to say: those with several
    rows first.  It is run when that is asked for."""

    def __init__(self, job, program, view, argv):
        self.job, self.program, self.view, self.argv = job, program, view, argv
        self.first, self.last, self.said = [], [], {}

    def __getitem__(self, i):
        if i not in self.said:
            self.said[i] = run(self.argv + self.job.operands(self.program, self.view, self.job.inputs[i]))
            status, out, _ = self.said[i]
            if status in (0, 1, 5) and out:
                (self.last if i > 0 and out.count(b"\n") < 3 else self.first).append(i)
        return self.said[i]

    def good(self):
        """Numbers of traces."""
        seen = 0
        for i in range(len(self.job.inputs)):
            self[i]
            for k in self.first[seen:]:
                seen += 1
                yield k
        yield from self.last


def judge(job, program, view, neutral):
    """For each option of a form: "refused", "heard", or the reason why it seems to be ignored.  neutral: options that
    are known to be ignored, and need not be tried."""
    argv = [os.path.join(job.bin, program)] + job.given(program, view)
    base, found = Base(job, program, view, argv), {}
    if next(base.good(), None) is None:
        return {"": "the form prints nothing for any trace: " + base[0][2].decode("utf-8", "replace")}
    for option, (_, takes, words) in options_of(job, program).items():
        if option not in ONLY.get((program, view), {option}):
            continue
        if any(w == "--" + option for w in view.replace("~", " ").split()) or \
                (option == "output-format" and "-O" in view) or (option == "expr" and "-e" in view) or \
                (option == "count" and "-c" in view.split()):
            continue
        found[option] = "ignored" if option in neutral else \
            hear(job, argv, program, view, option, values_of(program, option, takes, words), base)
    return found


TRIED = 21  # traces of those that a form has something to say to


def hear(job, argv, program, view, option, values, base):
    """"heard", "refused", or the reason why it seems to be ignored.  A value that is refused for one trace is not tried
    with others: it was not ignored, and another trace could only make it heard."""
    refused = set()  # value and column
    for i in itertools.islice(base.good(), TRIED):
        if refused.issuperset((value, "") for value in values) and values:
            break
        columns = columns_of(base[i][1]) or ["name"]
        for value in values:
            if value == "FIRST_COLUMN":
                tried = columns[:1]
            else:
                tried = columns if value and "COLUMN" in value else [""]
            for column in tried:
                if (value, column) in refused:
                    continue
                given = []
                if value is not None:
                    given = [job.replace(value).replace("FIRST_COLUMN", column).replace("COLUMN", column)]
                if program == "tr-diff" and option in ("base", "test"):
                    other = "test" if option == "base" else "base"
                    argv2 = argv + ["--" + option, *given, "--" + other, job.at("aligned.trs")]
                else:
                    argv2 = argv + ["--" + option + ("=" + given[0] if given else "")]
                    argv2 += ["--threads=1"] * (option == "base") # the end of its list
                    argv2 += job.operands(program, view + " --" + option, job.inputs[i]) if option != "files0-from" else []
                status, out, said = run(argv2)
                if status == 2:
                    refused.add((value, column))
                elif (status, out, said) != base[i] and status != 4:
                    return "heard"
    return "refused" if refused else "ignored: tried %s" % (" ".join(map(str, values)) or "nothing")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.split("\n\n")[1])
    job = Job(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3]))
    built = lambda program: os.access(os.path.join(job.bin, program), os.X_OK)
    forms = [r[:2] for r in rows(os.path.join(HERE, "views.tsv"))] + FORMS
    forms = [f for f in forms if built(f[0])]
    neutral = {r[:3]: r[3] for r in rows(os.path.join(HERE, "neutral.tsv"))}
    every = os.environ.get("TR_LONG", "0") != "0"
    known = lambda program, view: set() if every else {o for p, v, o in neutral if p == program and v in ("*", view)}
    used, heard, n = set(), {}, 0
    print("1..%d" % (len(forms) + len({f[0] for f in forms}) + 1))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for (program, view), found in zip(forms, pool.map(lambda f: judge(job, *f, known(*f)), forms)):
            wrong = []
            for option, how in found.items():
                heard.setdefault(program, {}).setdefault(option, set()).add(how.split(":")[0])
                key = [k for k in ((program, view, option), (program, "*", option)) if k in neutral]
                used.update(key if how not in ("heard", "refused") else [])
                if how not in ("heard", "refused") and not key:
                    wrong.append("--%s: %s" % (option, how))
            n += 1
            print("%sok %d - %s %s: no option is ignored" % ("not " if wrong else "", n, program, view))
            print("".join("# %s\n" % w for w in wrong), end="")
    for program in sorted(heard):
        own = {o for o, (is_own, _, _) in options_of(job, program).items() if is_own}
        chosen = " ".join(view for name, view in forms if name == program)
        never = [o for o, how in heard[program].items()
                 if o in own and "heard" not in how and "--" + o not in chosen.split() and (program, "*", o) not in neutral]
        used.update((program, "*", o) for o, how in heard[program].items() if "heard" not in how)
        n += 1
        print("%sok %d - %s: each option is heard in some form" % ("not " if never else "", n, program))
        print("".join("# --%s\n" % o for o in never), end="")
    stale = [" ".join(k) for k in neutral if k not in used and built(k[0])]
    print("%sok %d - neutral.tsv: each line is needed" % ("not " if stale else "", n + 1))
    print("".join("# %s\n" % s for s in stale), end="")


if __name__ == "__main__":
    main()
