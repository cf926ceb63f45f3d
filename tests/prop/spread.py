#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--per spread, from the rows of ranks: see spread.sh.  usage: spread.py STREAM"""
import json
import subprocess
import sys

VIEWS = ["tr-breakdown --by time", "tr-breakdown --by type", "tr-breakdown --by timeline", "tr-breakdown --by cause",
         "tr-breakdown --by kernel", "tr-breakdown --by operator", "tr-breakdown --by annotation",
         "tr-breakdown --by operator,shape", "tr-overlap", "tr-launch"]
GROUPS = ("rank", "capture")


def rows(command):
    run = subprocess.run(command.split(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 0, (command, run.stderr)
    return json.loads(run.stdout)


def columns(view):
    run = subprocess.run((view + " --per rank --help-columns -O json").split(), stdout=subprocess.PIPE, text=True)
    return {c["column"]: c for c in json.loads(run.stdout)}


def spread(values):
    """values: (figure, rank) of each rank."""
    values = sorted(values)
    figures = [v for v, _ in values]
    middle = figures[(len(figures) - 1) // 2]
    gaps = sorted(abs(v - middle) for v in figures)
    far = max(3 * 1.4826 * gaps[len(gaps) // 2], 0.05 * abs(middle)) if len(figures) >= 4 else float("inf")
    out = sorted(r for v, r in values if abs(v - middle) > far)
    return [len(values), middle, figures[0], values[0][1], figures[-1], min(r for v, r in values if v == figures[-1]),
            len(out), ",".join(map(str, out)) or None]


def differ(have, want):
    pairs = list(zip(have, want))
    return len(have) != len(want) or any(
        a != b and not (isinstance(a, (int, float)) and isinstance(b, (int, float)) and abs(a - b) < 0.0011)
        for a, b in pairs)


NAMES = ("ranks", "median", "min", "min_rank", "max", "max_rank", "outliers", "outlier_ranks")


def check(view, stream):
    described = columns(view)
    of = rows("%s --per rank -O json -q --columns all %s" % (view, stream))
    have = rows("%s --per spread -O json -q %s" % (view, stream))
    keys = [c for c, d in described.items() if d["role"] == "key"]
    figures = [c for c, d in described.items() if c not in keys and d["type"] != "string" and
               d["role"] in ("sum", "count", "min", "max", "inclusive", "share", "ratio", "difference", "quantile", "mean")]
    if keys:
        sums = [c for c in figures if described[c]["role"] == "sum"]
        figures = sums[:1] or figures[:1]
    want = {}
    for figure in figures:
        by_key = {}
        for row in of:
            if row.get(figure) is not None:
                by_key.setdefault(tuple(row.get(k) for k in keys), []).append((row[figure], row["rank"]))
        for key, values in by_key.items():
            want[key + (figure,)] = spread(values)
    found = {tuple(row.get(k) for k in keys) + (row["metric"],): [row.get(n) for n in NAMES] for row in have}
    wrong = ["%s %s: %s, want %s" % (view, key, found.get(key), want.get(key))
             for key in sorted(set(want) | set(found), key=str) if differ(found.get(key, []), want.get(key, []))]
    medians = [row["median"] for row in have]
    if keys and medians != sorted(medians, reverse=True):
        wrong.append("%s: not in the order of medians" % view)
    if not want:
        wrong.append("%s: nothing to compare" % view)
    return wrong


def main():
    failed = 0
    for n, view in enumerate(VIEWS, 1):
        wrong = check(view, sys.argv[1])
        print("%sok %d - %s" % ("not " if wrong else "", n, view))
        for line in wrong[:8]:
            print("# " + line)
        failed += bool(wrong)
    print("1..%d" % len(VIEWS))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
