#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the programs find in a generated trace what the generator put there?

usage: truth.py BIN TRACE.json...

Beside each TRACE.json lie TRACE.truth.json, TRACE.links.tsv and TRACE.breakdown.tsv (trgen
--help).  Compared are the number of events, the place, time and name of each planted defect, which
launch owns which device work, and the breakdown in nanoseconds.  Output is TAP.
"""
import json
import os
import subprocess
import sys

SHOWN = 5
FIELDS = "record,ts,dur,phase,name,suspect"
DEVICE_WORK = ("kernel", "memcpy", "memset")  # a wait shown on a device has a launch, too
# Classes of defects whose element stays one event with the time and name that the generator tells.
ONE_EVENT = ("tolerated", "suspect")
# Of those that give no usable event, these give none at all; others are kept without a phase.
NO_EVENT = ("lost", "skipped")
GONE = ("torn", "null-event", "non-object")


class Tap:
    def __init__(self):
        self.n = self.failed = 0

    def line(self, what, faults):
        self.n += 1
        self.failed += bool(faults)
        print("%sok %d - %s" % ("not " if faults else "", self.n, what))
        for f in faults[:SHOWN]:
            print("# " + f)
        if len(faults) > SHOWN:
            print("# and %d more" % (len(faults) - SHOWN))


def run(bin_dir, *argv):
    p = subprocess.run([os.path.join(bin_dir, argv[0])] + list(argv[1:]), stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode != 0:
        raise RuntimeError("%s ended with status %d: %s" % (
            argv[0], p.returncode, p.stderr.decode("utf-8", "replace").strip()[-300:]))
    return p.stdout.decode("utf-8", "surrogateescape")


def table(text):
    lines = text.split("\n")[:-1]
    head = lines[0].split("\t")
    return [dict(zip(head, line.split("\t"))) for line in lines[1:]]


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def check_count(truth, events):
    """A begin and its end are two elements and become one event, with the end's record."""
    want = truth["delivered"] + sum(
        p["class"] in NO_EVENT and p["defect"] not in GONE for p in truth["planted"])
    if any(p["defect"] == "second-trace" for p in truth["planted"]):
        want += 1  # its only event is no element of this trace
    ends = sum(truth["phases"].get(ph, 0) for ph in "EeF")
    joined = ends - sum(e["phase"] in ("end", "async_end") for e in events)
    have = len(events) + joined
    return [] if have == want else ["%d events and %d joined ends, %d delivered elements" % (
        len(events), joined, want)]


def check_planted(truth, by_record, has_base):
    faults = []
    for p in truth["planted"]:
        event = by_record.get(p["element"])
        where = "element %d, %s: " % (p["element"], p["defect"])
        if p["class"] in NO_EVENT and p["defect"] in GONE and event is not None:
            faults.append(where + "an event came of it: %s" % event)
        elif p["class"] in NO_EVENT and p["defect"] not in GONE and (
                event is None or event["phase"] != "unknown"):
            faults.append(where + "not kept as an event without phase: %s" % event)
        if p["class"] not in ONE_EVENT:
            continue
        if event is None:
            faults.append(where + "no event came of it")
            continue
        for key in ("ts_ns", "dur_ns", "name"):
            if (key != "name" or key in p) and event.get(key) != p.get(key):
                faults.append("%s%s is %r, not %r" % (where, key, event.get(key), p.get(key)))
        possible = p["class"] != "suspect" or (p["ts_ns"] < 0 and not has_base)
        if (event.get("suspect") is None) != possible:
            faults.append("%ssuspect is %r" % (where, event.get("suspect")))
    return faults


def check_links(stem, truth, rows):
    """Launches that share a number count as one: whose work it was cannot be told from the trace."""
    number = {r["record"]: r["args.correlation"] for r in rows}
    shared = {str(p["element"]) for p in truth["planted"] if p["defect"] == "reused-correlation"}

    def owner(launch):
        return "any of number " + number[launch] if launch in shared else launch

    want = {(owner(r["launch"]), r["device"]) for r in table(read(stem + ".links.tsv"))}
    have = {(owner(r["launch_record"]), r["record"]) for r in rows
            if r["launch_record"] and r["activity"] in DEVICE_WORK}
    return ["missing: launch %s, device work %s" % l for l in sorted(want - have)] + [
        "extra: launch %s, device work %s" % l for l in sorted(have - want)]


def check_breakdown(stem, rows):
    want = table(read(stem + ".breakdown.tsv"))[0]
    if want["span_ns"] == "0" and not rows:
        return []
    if len(rows) != 1:
        return ["%d rows" % len(rows)]
    return ["%s is %s, not %s" % (k, rows[0].get(k), v)
            for k, v in want.items() if rows[0].get(k) != v]


def check(tap, bin_dir, path, label):
    stem = path[:-len(".json")]
    truth = json.loads(read(stem + ".truth.json"))
    text = run(bin_dir, "tr-view", "-O", "jsonl", "--unit", "ns", "--columns", FIELDS, path)
    events = [json.loads(line) for line in text.split("\n") if line]
    with open(path, "rb") as f:  # a late base may have been cut off
        has_base = b'"baseTimeNanoseconds"' in f.read()
    tap.line(label + ": events", check_count(truth, events))
    tap.line(label + ": %d defects" % len(truth["planted"]),
             check_planted(truth, {e["record"]: e for e in events}, has_base))
    links = table(run(bin_dir, "tr-view", "-O", "tsv", "--columns", "record,activity,args.correlation,launch_record", path))
    tap.line(label + ": %d links" % truth["links"], check_links(stem, truth, links))
    if os.access(os.path.join(bin_dir, "tr-breakdown"), os.X_OK):
        rows = table(run(bin_dir, "tr-breakdown", "--unit", "ns", "-O", "tsv", path))
        tap.line(label + ": breakdown", check_breakdown(stem, rows))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.split("\n\n")[1])
    tap = Tap()
    for path in sys.argv[2:]:
        label = "/".join(path.split("/")[-2:])
        try:
            check(tap, sys.argv[1], path, label)
        except (RuntimeError, ValueError, KeyError, IndexError) as e:
            tap.line(label, ["%s: %s" % (type(e).__name__, e)])
    print("1..%d" % tap.n)
    return 1 if tap.failed else 0


if __name__ == "__main__":
    sys.exit(main())
