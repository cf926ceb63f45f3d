#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rows of unitrace's reference tables about metrics, from the tables of tr-metrics, tr-stalls and tr-roofline.

usage: unitrace_metrics.py FEATURE [--kernel=NAME] [--instance=N] [--device=N] [--sets='LABEL=METRIC,...;...']
                           [--throughput=METRIC,...] [--top=N] INPUT...

An instance or number of 0 is all of them; a folder among the inputs holds dumps.
"""
import argparse
import os
import subprocess
import sys

SPECS = {"vector_fp16": "FP16", "vector_fp32": "FP32", "vector_fp64": "FP64", "matrix_bf16": "BF16_XMX",
         "matrix_fp16": "FP16_XMX"}
LEVELS = {"l3": "L3", "memory": "gpu_memory", "compute": "compute"}


def table(*command):
    """The rows of a command, as dictionaries."""
    said = subprocess.run(list(command) + ["-q", "-O", "tsv", "--columns", "all"], check=True, stdout=subprocess.PIPE)
    lines = said.stdout.decode("utf-8", "surrogateescape").splitlines()
    names = lines[0].split("\t") if lines else []
    return [dict(zip(names, line.split("\t"))) for line in lines[1:]]


def put(*cells):
    print("\t".join(str(c) for c in cells))


def series(o):
    put("device", "kernel", "instance", "set", "metric", "sample", "value")
    where = " && ".join(w for w in ("pid == %s" % o.device if o.device else "",
                                    "args.instance == %s" % o.instance if int(o.instance or 0) else "") if w) or "true"
    for label, metrics in (s.split("=", 1) for s in o.sets.split(";")):
        for r in table("tr-metrics", "--by", "series", "--metrics", metrics, "--where", where, *o.inputs):
            if o.kernel in ("", r["name"]):
                put(r["process"], r["name"], r["instance"], label, r["metric"], r["sample"], r["value"])


def throughput(o):
    put("device", "kernel", "instance", "metric", "sample", "gb_per_s")
    for r in table("tr-metrics", "--by", "series", "--throughput", "--metrics", o.throughput, *o.inputs):
        chosen = o.kernel in ("", r["name"]) and o.device in ("", r["process"])
        if chosen and (not int(o.instance or 0) or o.instance == r["instance"]):
            put(r["process"], r["name"], r["instance"], r["metric"], r["sample"], r["value"])


def stalls(o, by, *more):
    files = [f for f in o.inputs if not os.path.isdir(f)]
    dumps = ["--asm=" + f for f in o.inputs if os.path.isdir(f)]
    rows = table("tr-stalls", "--by", by, *dumps, *more, *files)
    return [r for r in rows if o.kernel in ("", r["name"]) and r["address"] != "others"]


def stall_series(o):
    causes = "active control pipe send dist sbid sync instr_fetch other".split()
    put("kernel", "address", *causes)
    for r in stalls(o, "instruction"):
        put(r["name"], r["address"], *(r[c] for c in causes))


def source(r):
    return "Line %s:  %s" % (r["line"], r["source"]) if r["line"] else ""


def stall_report(o):
    put("kernel", "stall", "address", "events", "line", "file", "instruction")
    for r in stalls(o, "cause", *(["--top", o.top] if int(o.top) else [])):
        if r["instruction"]:
            put(r["name"], r["cause"], r["address"], r["events"], source(r), r["file"], r["instruction"])


def stall_blame(o):
    put("kernel", "address", "blamed_address", "line", "file", "instruction")
    most = {}
    for r in stalls(o, "wait"):
        seen = most.setdefault(r["name"], [])
        if r["address"] not in seen:
            seen.append(r["address"])
        if r["waits_for"] and (not int(o.top) or seen.index(r["address"]) < int(o.top)):
            put(r["name"], r["address"], r["waits_for"], source(r), r["file"], r["setter"])


def roofline(o, by):
    return table("tr-roofline", "--by", by, "--arch", o.inputs[-1], *o.inputs[:-1])


def roofline_kernels(o):
    names = "fp16 fp32 fp64 bf16_xmx fp16_xmx".split()
    put("kernel", "time_s", "time_pct", *(n + "_gflops" for n in names), "fp16_xmx_utilization_pct", "memory_gb_per_s",
        "l3_gb_per_s", "bound")
    rows = roofline(o, "kernel")
    whole = sum(float(r["device_us"]) for r in rows)
    for r in rows:
        us = float(r["device_us"])
        put(r["name"], us / 1e6, 100 * us / whole, *(float(r[s + "_flop"]) / us / 1e3 for s in SPECS),
            r["matrix_fp16_pct"], float(r["bytes"]) / us / 1e3, float(r["l3_bytes"]) / us / 1e3, LEVELS[r["bound"]])


def roofline_points(o):
    put("precision", "level", "kernel", "intensity_flop_per_byte", "performance_gflops", "time_pct")
    for r in roofline(o, "point"):
        put(SPECS[r["spec"]], LEVELS[r["level"]], r["name"], r["flop_per_byte"], r["gflops"], r["pct"])


def roofline_roofs(o):
    put("precision", "level", "bandwidth_gb_per_s", "peak_gflops")
    for r in roofline(o, "roof"):
        put(SPECS[r["spec"]], LEVELS[r["level"]], r["GBps"], r["gflops"])


def roofline_totals(o):
    put("quantity", "value")
    rows = roofline(o, "precision")
    for r in rows:
        put(SPECS[r["spec"]].lower() + "_flop", r["flop"])
    seconds = float(rows[0]["device_us"]) / 1e6
    put("time_s", seconds)
    put("achieved_gflops", sum(float(r["flop"]) for r in rows) / seconds / 1e9)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("feature")
    for name in ("kernel", "instance", "device", "sets", "throughput"):
        p.add_argument("--" + name, default="")
    p.add_argument("--top", default="0")
    p.add_argument("inputs", nargs="+")
    o = p.parse_args()
    features = [series, throughput, stall_series, stall_report, stall_blame, roofline_kernels, roofline_points,
                roofline_roofs, roofline_totals]
    {f.__name__: f for f in features}[o.feature](o)


if __name__ == "__main__":
    sys.exit(main())
