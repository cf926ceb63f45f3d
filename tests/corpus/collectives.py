#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Collective reports of TraceLens against tr-comm.  usage: collectives.py CORPUS TR-COMM

For each reference table: which of ours has the same rows, and which of its columns are which of ours.  Not
compared, because they are wrong or mean something else: num_collectives and what is divided by it (the same for
all ranks, though ranks are in different numbers of groups), total_nccl_dur_us (kernels of all kinds), sums by
elements in where these stand for several sizes; and what is empty there.
"""
import csv
import glob
import io
import os
import statistics
import subprocess
import sys

GIB, MIB = 2.0**30 / 1e9, 2.0**20  # their GB/s and MB


def ours(tool, files, *options):
    p = subprocess.run([tool, "-q", "-O", "csv", *options, *files], stdout=subprocess.PIPE, check=True)
    rows = list(csv.DictReader(io.StringIO(p.stdout.decode(), newline="")))
    for row in rows:
        row["span_node"] = row["span"] + "_node" if row.get("span") else ""
    return rows


def theirs(path):
    with open(path, encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def summed(rows):
    """Statistics of exchanges by group and type, as their summary has them."""
    figures = ("bytes", "wall_us", "total_GBps", "imbalance", "dur_max_us", "arrival_spread_us", "end_spread_us")
    groups = {}
    for row in rows:
        groups.setdefault((row["group"], row["dtype"]), []).append(row)
    out = []
    for members in groups.values():
        row = dict(members[0], count=str(len(members)))
        for figure in figures:
            values = [float(m[figure]) for m in members]
            for stat, of in (("mean", statistics.mean), ("p50", statistics.median), ("min", min), ("max", max), ("sum", sum)):
                row[figure + "_" + stat] = repr(of(values))
        out.append(row)
    return out


def collective(row):
    return row["group"] + "_" + row["seq"]


# name, options, our key, their key, {their column: (our column, factor)}; factor None: text
STAT = [("mean", "mean"), ("median", "p50"), ("min", "min"), ("max", "max")]
BANDWIDTH = {"algo bw (GB/s)_" + a: ("algbw_%s_GBps" % b, GIB) for a, b in STAT}
BANDWIDTH.update({"bus bw (GB/s)_" + a: ("busbw_%s_GBps" % b, GIB) for a, b in STAT})
TABLES = [
    ("nccl_implicit_sync", [], collective, lambda g: g["collective_id"],
     {"Collective name": ("name", None), "dtype": ("dtype", None), "Process Group Ranks": ("group_ranks", None),
      "Group size": ("group_size", 1), "Full msg size (MB)": ("bytes", MIB), "comm_latency": ("dur_min_us", 1),
      "skew in start time": ("arrival_spread_us", 1), "skew in end time": ("end_spread_us", 1),
      "avg_wait_time": ("wait_mean_us", 1), "earliest arrival rank": ("first_rank", 1),
      "algo bw (GB/s)": ("algbw_GBps", GIB), "bus bw (GB/s)": ("busbw_GBps", GIB)}),
    ("nccl_all2allv", [], collective, lambda g: g["collective_id"],
     {"Collective name": ("name", None), "dtype": ("dtype", None), "max_rank_dur (us)": ("dur_max_us", 1),
      "min_rank_dur (us)": ("dur_min_us", 1), "skew in start time": ("arrival_spread_us", 1),
      "skew in end time": ("end_spread_us", 1)}),
    ("nccl_all2allv", ["--by", "exchange", "--gpus-per-node", "2"], collective, lambda g: g["collective_id"],
     {"Collective name": ("name", None), "dtype": ("dtype", None), "Process Group Ranks": ("group_ranks", None),
      "total data communicated (MB)": ("bytes", MIB), "wall_time (us)": ("wall_us", 1), "throughput (GB/s)": ("total_GBps", GIB),
      "max_rank_throughput (GB/s)": ("rank_max_GBps", GIB), "min_rank_throughput (GB/s)": ("rank_min_GBps", GIB),
      "size_imbalance": ("imbalance", 1), "max_rank_dur (us)": ("dur_max_us", 1), "min_rank_dur (us)": ("dur_min_us", 1),
      "avg_rank_dur (us)": ("dur_mean_us", 1), "skew in start time": ("arrival_spread_us", 1),
      "skew in end time": ("end_spread_us", 1), "node_span": ("span_node", None)}),
    ("nccl_summary_all2allv", ["--by", "exchange", "--gpus-per-node", "2"], lambda r: (r["group"], r["dtype"]),
     lambda g: (g["Process Group Name"], g["dtype"]),
     {"Collective name": ("name", None), "Group size": ("ranks", 1), "count": ("count", 1), "node_span": ("span_node", None),
      "Total wall_time (us)": ("wall_us_sum", 1),
      **{"%s_%s" % (column, a): (figure + "_" + b, factor)
         for column, figure, factor in (("total data communicated (MB)", "bytes", MIB), ("wall_time (us)", "wall_us", 1),
                                        ("throughput (GB/s)", "total_GBps", GIB), ("size_imbalance", "imbalance", 1),
                                        ("max_rank_dur (us)", "dur_max_us", 1), ("skew in start time", "arrival_spread_us", 1),
                                        ("skew in end time", "end_spread_us", 1))
         for a, b in STAT}}),
    ("nccl_all2allv_heatmap", ["--by", "pair"], lambda r: (r["src"], r["dst"]), lambda g: (g["src_rank"], g["dst_rank"]),
     {"total_sent_MB": ("bytes", MIB), "avg_sent_MB": ("mean_bytes", MIB), "count": ("count", 1)}),
    ("nccl_implicit_sync", ["--gpus-per-node", "2"], collective, lambda g: g["collective_id"], {"node_span": ("span_node", None)}),
    ("nccl_long", ["--by", "member", "--gpus-per-node", "2"], lambda r: (r["rank"], float(r["start_us"])),
     lambda g: (g["rank"], float(g["ts"])), {"node_id": ("node", None)}),
    ("nccl_long", ["--by", "member"], lambda r: (r["rank"], float(r["start_us"])), lambda g: (g["rank"], float(g["ts"])),
     {"Collective name": ("name", None), "dtype": ("dtype", None), "stream": ("stream", 1), "dur": ("dur_us", 1),
      "In msg size (MB)": ("in_bytes", MIB), "Out msg size (MB)": ("out_bytes", MIB), "In split size": ("in_split", None),
      "Out split size": ("out_split", None)}),
    ("nccl_summary_implicit_sync", ["--by", "size"], lambda r: (r["name"], r["dtype"], r["bytes"]),
     lambda g: (g["Collective name"], g["dtype"], "%d" % (float(g["Full msg size (MB)"]) * MIB)),
     {"comm_latency_mean": ("dur_mean_us", 1), "comm_latency_median": ("dur_p50_us", 1), "comm_latency_min": ("dur_min_us", 1),
      "comm_latency_max": ("dur_max_us", 1), "skew in start time_mean": ("spread_mean_us", 1),
      "skew in start time_median": ("spread_p50_us", 1), "skew in start time_max": ("spread_max_us", 1),
      "count": ("count", 1), "Total comm latency (ms)": ("dur_sum_us", 1000), **BANDWIDTH}),
    # its stragglers are those of collectives of one size on all ranks
    ("straggler_summary", ["--by", "straggler", "--where", 'args."Collective name" != "all_to_allv"'], lambda r: r["rank"], lambda g: g["rank"],
     {"total_wait_time_us": ("wait_us", 1), "mean_wait_time_us": ("mean_wait_us", 1),
      "times_arrived_last": ("last_arrivals", 1), "times_arrived_first": ("first_arrivals", 1)}),
]


def equal(column, mine, factor, reference):
    if factor is None or not mine or not reference:
        return mine == reference
    digits = len(reference.partition(".")[2]) if column.endswith("_time_us") else 9
    slack = 0.0006 + (0.5 * 10.0**-digits if digits < 3 else 0)  # ours have three decimals, theirs may have one
    return abs(float(mine) / factor - float(reference)) <= slack


def mixed(path):
    """(name, type, elements in) that stand for several sizes, in groups of different size."""
    sizes = {}
    for g in theirs(os.path.join(os.path.dirname(path), "nccl_implicit_sync.csv")):
        sizes.setdefault((g["Collective name"], g["dtype"], g["In msg nelems"]), set()).add(g["Full msg size (MB)"])
    return {key for key, found in sizes.items() if len(found) > 1}


def check(have, table):
    """Differences, cells compared."""
    name, _, our_key, their_key, columns = table
    mine, bad, cells = {our_key(r): r for r in have}, [], 0
    left_out = mixed(name) if "comm_latency_mean" in columns else ()
    for g in theirs(name):
        if left_out and (g["Collective name"], g["dtype"], g["In msg nelems"]) in left_out:
            continue
        row = mine.get(their_key(g))
        if row is None:
            bad.append("no row for %s" % (their_key(g),))
            continue
        for column, (own, factor) in columns.items():
            if not g.get(column):
                continue
            cells += 1
            if not equal(column, row[own], factor, g[column]):
                bad.append("%s: %s is %s, %s is %s" % (their_key(g), own, row[own], column, g[column]))
    return bad, cells


def main():
    corpus, tool = sys.argv[1:3]
    n = failed = 0
    for job in ("nccl_synth_4ranks", "hta_sampled_2ranks"):
        files = sorted(glob.glob(os.path.join(corpus, "traces", job, "rank*.json.gz")))
        for name, options, *rest in TABLES:
            path = os.path.join(corpus, "golden", job, name + ".csv")
            if not os.path.exists(path) or not any(g.get(column) for g in theirs(path) for column in rest[-1]):
                continue
            have = ours(tool, files, *options)
            if name == "nccl_summary_all2allv":
                have = summed(have)
            bad, cells = check(have, (path, options, *rest))
            n += 1
            failed += bool(bad) or not cells
            what = " ".join([name, "of", job, *options[1:2]])
            print("%s %d - %s: %d cells" % ("not ok" if bad or not cells else "ok", n, what, cells))
            for line in bad[:5]:
                print("# " + line)
    print("1..%d" % n)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
