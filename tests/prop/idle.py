#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Idle time and operators: what was planted, and what must add up.

usage: idle.py planted BIN WITH WITHOUT    the causes in two jobs that trgen made with and without --idle-ns
       idle.py sums BIN SEED FILE...       rows of several views of the same traces
"""
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True  # the source tree may be read-only
PER = ("rank", "device", "stream", "step", "all")
PARTS = ("rank", "device", "stream", "step")


def table(bin_dir, *argv):
    """Rows as dicts; None: the program refused."""
    p = subprocess.run([os.path.join(bin_dir, "tr-breakdown"), "-q", "-O", "tsv", "--unit", "ns", *argv],
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode:
        raise RuntimeError("%s: status %d: %s" % (" ".join(argv), p.returncode, p.stderr.decode("utf-8", "replace")[-200:]))
    lines = [line.split("\t") for line in p.stdout.decode("utf-8", "surrogateescape").split("\n")[:-1]]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def sums(rows, keys, column):
    found = {}
    for r in rows:
        key = tuple(r.get(k, "") for k in keys)
        found[key] = found.get(key, 0) + int(r[column] or 0)
    return found


def planted(bin_dir, with_dir, without_dir):
    bad = []
    for name in sorted(n for n in os.listdir(with_dir) if n.endswith(".truth.json")):
        with open(os.path.join(with_dir, name), encoding="utf-8") as f:
            want = json.load(f)["idle_ns"]
        trace = name.replace(".truth.json", ".json")
        have, less = (sums(table(bin_dir, "--by", "idle", os.path.join(d, trace)), ["cause"], "idle_ns")
                      for d in (with_dir, without_dir))
        for cause, ns in want.items():
            found = have.get((cause,), 0) - less.get((cause,), 0)
            if not ns or abs(found - ns) * 100 > ns:
                bad.append("%s: %s: %d ns were planted, %d ns are found" % (trace, cause, ns, found))
        first, last = window(bin_dir, os.path.join(with_dir, trace))
        edges = table(bin_dir, "--by", "idle", "--time", "%dns..%dns" % (first - 3000, last + 4000),
                      os.path.join(with_dir, trace))
        if sums(edges, ["cause"], "idle_ns").get(("edge",)) != 7000:
            bad.append(trace + ": 7000 ns of a window lie before and after all work, and edge says otherwise")
    return bad


def window(bin_dir, path):
    """First start and last end of device work, as the file has them."""
    work = [r for r in table(bin_dir, "--by", "tree", path) if r["activity"] in ("kernel", "memcpy", "memset")]
    return min(int(r["start_ns"]) for r in work), max(int(r["start_ns"]) + int(r["dur_ns"] or 0) for r in work)


def selection(seed):
    return [[], ["--drop-last-step"], ["--step", "1.."], ["--suspect", "include"], ["--where", "dur > 5us"],
            ["--where", "kind != comm"]][seed % 6]


def chosen(bin_dir, seed, files):
    """Options that select; steps only of a trace that has some: to ask for them is an error else, status 3."""
    options = selection(seed)
    if options[:1] != ["--step"]:
        return options
    p = subprocess.run([os.path.join(bin_dir, "tr-breakdown"), "-q", *options, *files], stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return [] if p.returncode == 3 and b"the trace has no steps" in p.stderr else options


def check_idle(bin_dir, seed, files):
    bad = []
    options = chosen(bin_dir, seed, files) + ["--per", PER[seed // 6 % 5]]
    want = {k: v for k, v in sums(table(bin_dir, "--by", "time", *options, *files), PARTS, "idle_ns").items() if v}
    idle = table(bin_dir, "--by", "idle", "--threshold", "%dus" % (seed % 40), *options, *files)
    for view, rows in (("idle", idle), ("gap", table(bin_dir, "--by", "gap", *options, *files))):
        have = sums(rows, PARTS, "idle_ns")
        if have != want:
            bad.append("seed %d: --by %s %s: %s, --by time %s" % (seed, view, " ".join(options), have, want))
    for key in want:
        pct = sum(float(r["pct"]) for r in idle if tuple(r.get(k, "") for k in PARTS) == key)
        if abs(pct - 100) > 0.005 * len(idle) + 0.01:
            bad.append("seed %d: --by idle %s: pct adds up to %f" % (seed, " ".join(options), pct))
    return bad


def check_operators(bin_dir, seed, files):
    bad = []
    keys = ["", ",shape", ",stack", ",module", ",category", ",thread", ",shape,stack,module,category,thread"][seed % 7]
    options = chosen(bin_dir, seed, files) + ["--per", ("rank", "step", "all")[seed % 3]]
    want = {k: v for k, v in sums(table(bin_dir, "--by", "kernel", *options, *files), PARTS, "sum_ns").items() if v}
    for view in ("operator" + keys, "category"):
        rows = table(bin_dir, "--by", view, *options, *files)
        have = {k: v for k, v in sums(rows, PARTS, "device_self_ns").items() if v}
        if have != want:
            bad.append("seed %d: --by %s %s: %s, --by kernel %s" % (seed, view, " ".join(options), have, want))
        for key in want:
            pct = sum(float(r["pct"]) for r in rows if tuple(r.get(k, "") for k in PARTS) == key)
            if abs(pct - 100) > 0.005 * len(rows) + 0.01:
                bad.append("seed %d: --by %s %s: pct adds up to %f" % (seed, view, " ".join(options), pct))
    plain = sums(table(bin_dir, "--by", "operator", *options, *files), PARTS + ("name",), "host_self_ns")
    refined = sums(table(bin_dir, "--by", "operator" + keys, *options, *files), PARTS + ("name",), "host_self_ns")
    if plain != refined:
        bad.append("seed %d: --by operator%s %s: host_self differs from --by operator" % (seed, keys, " ".join(options)))
    return bad


def main():
    if len(sys.argv) == 5 and sys.argv[1] == "planted":
        bad = planted(*sys.argv[2:])
    elif len(sys.argv) > 4 and sys.argv[1] == "sums":
        seed, files = int(sys.argv[3]), sys.argv[4:]
        bad = check_idle(sys.argv[2], seed, files) + check_operators(sys.argv[2], seed, files)
    else:
        sys.exit(__doc__)
    print("\n".join(bad), end="\n" if bad else "")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
