#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Are the answers about traces of other vendors, and about traces that lack something, right?

usage: vendors.py CORPUS BIN

For each trace of TRACES the analyses are compared with figures that are found here in the JSON, by brute force and
without libcore, and with what the trace is known to hold: that is why the answer is right.  Output is TAP.
"""
import csv
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # the source tree may be read-only
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import breakdown
import coverage
import kineto as k
import launch
import overlap

# What a trace is, and what must be so: numbers of (work, work with a launch, launches that own work).
TRACES = {
    "mi210_gpu_only": ("AMD; calls and kernels, no operator: all kernels have launches, none an operator", (562, 562, 562)),
    "mi250_minitoy": ("AMD; a small model whole", (16, 16, 16)),
    "mi300_bert": ("AMD; inference whole", (61, 61, 61)),
    "mi300_ddp_resnet": ("AMD; collectives, and work whose calls were not captured", (3653, 2685, 2685)),
    "mi300_qwen": ("AMD; work whose calls were not captured", (1517, 1054, 1054)),
    "mi300_sglang_graph": ("AMD; one graph launch owns 544 kernels", (558, 558, 15)),
    "mtia_inference": ("MTIA; one call owns several pieces of work, some have no call", (1313, 991, 444)),
    "cpu_only_gloo": ("CPU only, collectives of the host", (0, 0, 0)),
    "cpu_only_ops": ("CPU only", (0, 0, 0)),
}
ORACLES = (("tr-breakdown --by time", breakdown), ("tr-breakdown --by type", breakdown),
           ("tr-breakdown --by stream-idle --per rank", breakdown), ("tr-breakdown --by kernel", breakdown),
           ("tr-breakdown --by annotation", breakdown), ("tr-overlap", overlap), ("tr-launch", launch))
# Every view has to end well, and to say why if it has no rows.
VIEWS = ("tr-breakdown --by time", "tr-breakdown --by type", "tr-breakdown --by idle", "tr-breakdown --by gap",
         "tr-breakdown --by stream-idle", "tr-breakdown --by kernel", "tr-breakdown --by annotation",
         "tr-breakdown --by operator,shape,stack,module,category,thread", "tr-breakdown --by category",
         "tr-breakdown --by sequence", "tr-breakdown --by tree",
         "tr-breakdown --by nesting", "tr-breakdown --per step", "tr-overlap", "tr-overlap --by state --classes compute,comm,memory",
         "tr-launch", "tr-launch --by launch", "tr-counters --by queue", "tr-counters --by bandwidth",
         "tr-counters --by full", "tr-counters --by queue-series", "tr-counters --by busy-series", "tr-patterns --op .",
         "tr-metrics", "tr-comm", "tr-comm --by name", "tr-comm --by straggler")
n_tests = 0


def ok(problem, what):
    global n_tests
    n_tests += 1
    print("%sok %d - %s" % ("not " if problem else "", n_tests, what))
    for line in str(problem or "").splitlines()[:6]:
        print("# " + line)


def run(bin_dir, view, path):
    program, *options = view.split()
    return subprocess.run([os.path.join(bin_dir, program), *options, "-O", "tsv", path], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="surrogateescape")


def rows(bin_dir, view, path):
    return list(csv.DictReader(run(bin_dir, view, path).stdout.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


def by_oracle(bin_dir, view, oracle, path):
    """What differs: the oracle's columns come first in ours, more may follow."""
    _, *options = view.split()
    columns, want = oracle.table(k.options("", tuple(getattr(oracle, "VIEWS", ())), [*options, path]))
    have = [line.split("\t")[:len(columns)] for line in run(bin_dir, view, path).stdout.splitlines()]
    want = [line.split("\t") for line in k.text(columns, want).splitlines()]
    return "\n".join("have %s\nwant %s" % pair for pair in zip(have, want) if pair[0] != pair[1]) or (
        len(have) != len(want) and "%d rows, not %d" % (len(have) - 1, len(want) - 1))


def queue_problem(bin_dir, path, launched):
    """Each piece of work with a launch goes into a queue and out of it; in the end all are empty."""
    last, n = {}, 0
    for r in rows(bin_dir, "tr-counters --by queue-series", path):
        last[r["device"], r["stream"]] = int(r["queue_length"])
        n += 1
    if n != 2 * launched:
        return "%d changes of queues, not %d" % (n, 2 * launched)
    return any(last.values()) and "queues end at %s" % last


def operator_problem(bin_dir, path):
    """Kernels launched by operators: the same number by the table of operators and by brute force."""
    all_rows = list(k.spans(k.load(path)))
    operators, owners = {}, {}
    for ts, dur, cat, name, e in all_rows:
        if cat in ("cpu_op", "Operator"):
            operators.setdefault((e.get("pid"), e.get("tid")), []).append((ts, ts + dur))
        number = k.args_of(e).get("correlation")
        if cat.lower().endswith(("runtime", "driver")) and number is not None:
            if number not in owners or ts >= owners[number][0]:
                owners[number] = ts, (e.get("pid"), e.get("tid"))
    want = 0
    for ts, dur, cat, name, e in all_rows:
        owner = owners.get(k.args_of(e).get("correlation"))
        if cat == "kernel" and owner and not re.match("Memcpy|Memset|hipMem|dma", name):
            want += any(a <= owner[0] < b for a, b in operators.get(owner[1], ()))
    have = sum(int(r["kernels"]) for r in rows(bin_dir, "tr-breakdown --by sequence", path))
    return have != want and "%d kernels, not %d" % (have, want)


def comm_problem(bin_dir, path):
    """Each kernel of a collective is one member of one."""
    want = sum(cat in k.DEVICE and k.kind_of(cat, name) == "comm" for _, _, cat, name, _ in k.spans(k.load(path)))
    have = len(rows(bin_dir, "tr-comm --by member", path))
    return want and have != want and "%d members, not %d" % (have, want)


def graph_problem(bin_dir, path):
    """A graph launch owns all kernels with its number; its row has so many pairs and so many calls."""
    all_rows = list(k.spans(k.load(path)))
    calls = {k.args_of(e).get("correlation"): name for _, _, _, name, e in all_rows if name.endswith("GraphLaunch")}
    owned = [k.args_of(e)["correlation"] for _, _, cat, _, e in all_rows
             if cat in k.DEVICE and k.args_of(e).get("correlation") in calls]
    have = [(int(r["launches"]), int(r["calls"])) for r in rows(bin_dir, "tr-launch", path) if r["api"].endswith("GraphLaunch")]
    want = [(len(owned), len(set(owned)))] if owned else []
    return have != want and "%s, not %s" % (have, want)


def check(bin_dir, path, name, why, known):
    used, _, launched, work, _, _ = coverage.counts(path)
    ok((work, launched, used) != known and "%s, not %s" % ((work, launched, used), known), "%s: %s" % (name, why))
    for view in VIEWS:
        p = run(bin_dir, view, path)
        silent = p.stdout.count("\n") < 2 and not p.stderr.strip()
        ok(p.returncode and p.stderr or silent and "no rows, and not why",
           "%s: %s ends well%s" % (name, view, "" if p.stdout.count("\n") > 1 else " without rows, and says why"))
    for view, oracle in ORACLES:
        ok(by_oracle(bin_dir, view, oracle, path), "%s: %s is what brute force finds" % (name, view))
    for program, what in coverage.differences(bin_dir, [path]).items() or [("", "")]:
        ok(what, "%s: coverage is what brute force finds%s" % (name, program and ": " + program))
    ok(queue_problem(bin_dir, path, launched), "%s: %d pieces of work enter queues and leave them" % (name, launched))
    ok(operator_problem(bin_dir, path), "%s: kernels of operators" % name)
    ok(comm_problem(bin_dir, path), "%s: members of collectives are kernels that communicate" % name)
    ok(graph_problem(bin_dir, path), "%s: graph launches own their kernels" % name)


def main(corpus, bin_dir):
    for name, (why, known) in TRACES.items():
        path = os.path.join(corpus, name + ".json.gz")
        if os.path.exists(path):
            check(bin_dir, path, name, why, known)
    print("1..%d%s" % (n_tests, "" if n_tests else " # SKIP none of the traces is there"))


if __name__ == "__main__":
    main(*sys.argv[1:])
