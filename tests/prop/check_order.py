#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Are the events of a stream in canonical order?

usage: tr-view -O jsonl --unit ns --columns ts,dur,rank,host,source,record,suspect | check_order.py
       check_order.py --self-test

Reads one JSON object per event with ts_ns and dur_ns (null or no such key: absent), rank, record
and, where they are there, host, source (a number) and suspect.  Canonical order (tr-stream(5)):
events without ts first; by ts; longer first, an absent duration being the longest and an
impossible one counting as 0; by source, that is rank, host and name; by record.  Names of sources
are not looked at: two sources of equal rank and host must stand in the same order wherever they
meet.  Two events with the same source and record are an error too: that pair is what tells events
apart.

Prints the first event out of place and ends with status 1, or prints the number of events.
"""
import json
import sys

LONGEST_NS = 7 * 24 * 3600 * 10**9  # anything above is impossible


def used_duration(event):
    dur, suspect = event.get("dur_ns"), event.get("suspect") or "no"
    if suspect != "no":
        return 0
    return dur if dur is None or 0 <= dur <= LONGEST_NS else 0


def key(event):
    ts, dur, rank = event.get("ts_ns"), used_duration(event), event.get("rank")
    time = (0, 0) if ts is None else (1, ts)
    length = (0, 0) if dur is None else (1, -dur)
    return time + length + (-1 if rank is None else rank, event.get("host") or "")


def check(lines):
    """What is wrong, or None; and the number of events."""
    last, n, seen, pairs = None, 0, set(), set()
    for n, line in enumerate(lines, 1):
        event = json.loads(line)
        k, source, record = key(event), event.get("source", event.get("rank")), event["record"]
        now = (k, source, record)
        if last is not None:
            if source != last[1]:
                wrong = k < last[0] or (k == last[0] and (source, last[1]) in pairs)
                if k == last[0]:
                    pairs.add((last[1], source))
            else:
                wrong = (k, record) <= (last[0], last[2])
            if wrong:
                return "event %d: %s does not come after %s" % (n - 1, now, last), n
        if (source, record) in seen:
            why = "event %d: record %s of source %s for the second time"
            return why % (n - 1, record, source), n
        seen.add((source, record))
        last = now
    return None, n


def self_test():
    def event(ts, dur, rank, record, **more):
        return json.dumps(dict(more, ts_ns=ts, dur_ns=dur, rank=rank, record=record))

    good = [event(None, None, 0, 9), event(None, None, 1, 2), event(-5, 1, 0, 0),
            event(3, None, 1, 7), event(3, 10, 1, 1), event(3, 9, 0, 5),
            event(3, 9, 1, 5), event(3, 9, 1, 6),
            event(3, 9, 1, 3, suspect="before_base"), event(3, -4, 1, 4), event(4, 0, 0, 1)]
    wrong = 0
    if check(good) != (None, len(good)):
        print("takes no ordered events: %s" % check(good)[0])
        wrong = 1
    for i in range(len(good) - 1):
        swapped = good[:i] + [good[i + 1], good[i]] + good[i + 2:]
        if check(swapped)[0] is None:
            print("does not see that events %d and %d are swapped" % (i, i + 1))
            wrong = 1
    ties = [event(1, 0, 0, 5, source=4), event(1, 0, 0, 2, source=3),
            event(2, 0, 0, 6, source=4), event(2, 0, 0, 3, source=3)]
    if check(ties)[0] is not None or check(ties[:2] + ties[:1:-1])[0] is None:
        print("two sources of one rank: wrong")
        wrong = 1
    if check(good + [event(5, 0, 0, 1)])[0] is None:
        print("does not see that a record comes twice")
        wrong = 1
    return wrong


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    why, n = check(sys.stdin)
    print(why if why else "%d events" % n)
    return 1 if why else 0


if __name__ == "__main__":
    sys.exit(main())
