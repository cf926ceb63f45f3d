#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rows of unitrace's reference tables from `tr-view -O jsonl` on standard input.

usage: unitrace_rows.py events

events   the events in Trace Event Format; times in us as exact decimals, args with sorted keys
"""
import json
import sys

LETTERS = {"span": "X", "flow_start": "s", "flow_step": "t", "metadata": "M", "instant": "R", "counter": "C"}


def us(ns):
    if ns is None:
        return ""
    text = "%d.%03d" % divmod(ns, 1000)
    return text.rstrip("0").rstrip(".")


def text(value):
    return "" if value is None else str(value)


def events():
    print("ph", "pid", "tid", "name", "cat", "ts_us", "dur_us", "id", "args", "file", sep="\t")
    for line in sys.stdin:
        e = json.loads(line)
        args = json.dumps(e["args"], sort_keys=True, separators=(",", ":")) if e["args"] else ""
        print(LETTERS[e["phase"]], text(e["pid"]), text(e["tid"]), text(e["name"]), text(e["cat"]), us(e["ts_ns"]),
              us(e["dur_ns"]), text((e["members"] or {}).get("id")), args, e["source"], sep="\t")


def main():
    return {"events": events}[sys.argv[1]]()


if __name__ == "__main__":
    sys.exit(main())
