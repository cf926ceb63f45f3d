#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rows of unitrace's reference tables from `tr-view -O jsonl` on standard input.

usage: unitrace_rows.py events|timeline|tracks
       unitrace_rows.py processes SAID

events     the events in Trace Event Format; times in us as exact decimals, args with sorted keys
tracks     from `tr-info -O json': processes and threads that have names
timeline   device work with the times of its submission
processes  from `tr-view -O tsv --by timing_summary': the rank is that of the report alone, by SAID, the JSON of tr-info
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
        number = (e["members"] or {}).get("cat")  # that the category of an arrow has in place of its asterisk
        if number is not None:
            e["cat"] = e["cat"].replace("*", str(number))
        print(LETTERS[e["phase"]], text(e["pid"]), text(e["tid"]), text(e["name"]), text(e["cat"]), us(e["ts_ns"]),
              us(e["dur_ns"]), text((e["members"] or {}).get("id")), args, e["source"], sep="\t")


def timeline():
    print("thread", "device", "name", "append_ns", "submit_ns", "start_ns", "end_ns", sep="\t")
    for line in sys.stdin:
        e = json.loads(line)
        name = (e["members"] or {}).get("name", e["name"])
        print(e["stream"], e["args"]["device"], name, e["args"]["append_ns"], e["args"]["submit_ns"], e["ts_ns"],
              e["ts_ns"] + e["dur_ns"], sep="\t")


def processes():
    said = {s["name"]: str(s["rank"]) for s in json.loads(sys.argv[2])["sources"] if s["rank_from"] == "metadata"}
    head = sys.stdin.readline().rstrip("\n").split("\t")
    print("member", "rank", *head[2:], sep="\t")
    for line in sys.stdin:
        cells = line.rstrip("\n").split("\t")
        print(cells[1].partition("(")[2].rstrip(")"), said.get(cells[1], ""), *cells[2:], sep="\t")


def tracks():
    print("pid", "tid", "rank", "host", "kind", "name", sep="\t")
    text_in = sys.stdin.read()
    for source in json.loads(text_in)["sources"] if text_in else []:
        said = source["rank_from"] == "metadata"
        work = {t["pid"] for t in source["tracks"] if t["side"] == "device"}
        for pid, name in sorted({(t["pid"], t["process"]) for t in source["tracks"] if t["process"]}):
            kind = "device" if pid in work else "driver" if source["phases"]["span"] == source["activities"]["os_api"] else "host"
            print(pid, "", source["rank"] if said else "", source["host"], kind, name, sep="\t")
        for pid, tid, name in sorted({(t["pid"], t["tid"], t["thread"]) for t in source["tracks"]
                                     if t["thread"] and t["tid"] is not None}):
            print(pid, tid, "", "", "thread", name, sep="\t")


def main():
    return {"events": events, "timeline": timeline, "tracks": tracks, "processes": processes}[sys.argv[1]]()


if __name__ == "__main__":
    sys.exit(main())
