#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rows of XPlane's reference tables from `tr-view -O tsv --unit ns` on standard input.

usage: xspace.py lines|events

lines   events, time and ends of each line of a plane; ids of lines as the tables have them, without sign
events  number and time of the events of streams, by name and operation
Times are whole picoseconds.
"""
import csv
import sys


def rows():
    csv.field_size_limit(sys.maxsize)
    for row in csv.DictReader(sys.stdin, delimiter="\t", quoting=csv.QUOTE_NONE):
        if not row["dur_ns"]: # an arrow, which is no event of the file
            continue
        start = int(row["ts_ns"]) * 1000 + int(row["ts_ps"] or 0)
        dur = int(row["dur_ns"]) * 1000 + int(row["dur_ps"] or 0)
        yield row, start, dur


def lines():
    table = {}
    for row, start, dur in rows():
        key = row["pid"], int(row["tid"]) % 2**64, row["thread"]
        n, total, first, last = table.get(key, (0, 0, start, start + dur))
        table[key] = n + 1, total + dur, min(first, start), max(last, start + dur)
    print("plane", "line_id", "line", "events", "sum_ps", "first_start_ps", "last_end_ps", sep="\t")
    return table


def events():
    table = {}
    for row, _, dur in rows():
        if row["stream"]:
            key = row["pid"], row["name"], row["args.hlo_module"], row["args.hlo_op"]
            n, total = table.get(key, (0, 0))
            table[key] = n + 1, total + dur
    print("plane", "event", "hlo_module", "hlo_op", "count", "sum_ps", sep="\t")
    return table


for key, values in sorted({"lines": lines, "events": events}[sys.argv[1]]().items()):
    print(*key, *values, sep="\t")
