#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Are the events of a merged stream those of its parts, sorted?

usage: merge_sort.py WHOLE PART...
       merge_sort.py --self-test

Of each stream NAME there are NAME.events (tr-view -O jsonl --unit ns) and NAME.info (tr-info -O json).
Times are compared as Unix time, since streams count from bases of their own.  Canonical order
(tr-stream(5)): events without ts first; by ts; longer first, an absent duration being the longest and an
impossible one counting as 0; by rank, host and name of the source; by record.

Prints the first event that differs and ends with status 1.
"""
import json
import sys


def key(event, name):
    ts, dur = event.get("ts_ns"), event.get("dur_ns")
    if event.get("suspect") not in (None, "no", "before_base"):
        dur = 0
    host = event.get("host")
    return ((0, 0) if ts is None else (1, ts), (0, 0) if dur is None else (1, -dur),
            event["rank"], (0, "") if host is None else (1, host), name, event["record"])


def absolute(event, base):
    for field in ("ts_ns", "launch_ts_ns"):
        if event.get(field) is not None:
            event[field] += base
    return event


def load(name):
    """The events of a stream in its order, and the names of its sources."""
    with open(name + ".info") as f:
        sources = json.load(f)["sources"]
    base = sources[0]["base_ns"] or 0  # a trace without a base counts from 0
    with open(name + ".events") as f:
        return [absolute(json.loads(line), base) for line in f], [s["name"] for s in sources]


def compare(whole, parts):
    """parts: of each the events and the name of its source.  What is wrong, or None."""
    everything = [(key(e, name), e) for events, name in parts for e in events]
    everything.sort(key=lambda pair: pair[0])
    for i, (have, (_, want)) in enumerate(zip(whole, everything)):
        if have != want:
            return "event %d: %s\nexpected: %s" % (i, have, want)
    if len(whole) != len(everything):
        return "%d events, %d expected" % (len(whole), len(everything))
    return None


def self_test():
    def event(ts, dur, record, rank=0):
        return {"ts_ns": ts, "dur_ns": dur, "record": record, "rank": rank}
    a = [event(None, None, 4), event(1, None, 3), event(1, 9, 2), event(2, 5, 7)]
    b = [event(1, 9, 1, 1), event(2, 6, 0, 1)]
    good = [a[0], a[1], a[2], b[0], b[1], a[3]]
    assert compare(good, [(a, "a"), (b, "b")]) is None
    assert compare(good, [(b, "b"), (a, "a")]) is None
    for i in range(len(good) - 1):
        bad = list(good)
        bad[i], bad[i + 1] = bad[i + 1], bad[i]
        assert compare(bad, [(a, "a"), (b, "b")])
    assert compare(good[:-1], [(a, "a"), (b, "b")])


def main(arguments):
    if arguments == ["--self-test"]:
        self_test()
        return 0
    whole, _ = load(arguments[0])
    parts = []
    for name in arguments[1:]:
        events, names = load(name)
        parts.append((events, names[0]))
    wrong = compare(whole, parts)
    print(wrong or "%d events" % len(whole))
    return 1 if wrong or not whole else 0


sys.exit(main(sys.argv[1:]))
