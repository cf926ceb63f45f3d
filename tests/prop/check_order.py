#!/usr/bin/env python3
"""Are the events of a stream in canonical order?

usage: tr-view -O jsonl STREAM | check_order.py [--self-test]

Reads one JSON object per event with ts_ns, dur_ns (null or no such key: absent), rank, record and, where
they are there, host, source and suspect.  Canonical order (tr-stream(5)): events without ts first; by
ts; longer first, an absent duration being the longest and an impossible one counting as 0; by source,
that is rank, host and name; by record.  Two events with the same source and record are an error too:
that pair is what tells events apart.

Prints the first event out of place and ends with status 1, or prints the number of events.
"""
import json
import sys

LONGEST_NS = 7 * 24 * 3600 * 10**9  # anything above is impossible


def used_duration(event):
    dur = event.get("dur_ns")
    if dur is None:
        return None
    suspect = event.get("suspect") or "no"
    return 0 if suspect != "no" or not 0 <= dur <= LONGEST_NS else dur


def source(event):
    rank = event.get("rank")
    return (-1 if rank is None else rank, event.get("host") or "", event.get("source") or "")


def key(event):
    ts, dur = event.get("ts_ns"), used_duration(event)
    time = (0, 0) if ts is None else (1, ts)
    length = (0, 0) if dur is None else (1, -dur)
    return time + length + source(event) + (event["record"],)


def check(lines):
    """What is wrong, or None; and the number of events."""
    last, n, seen = None, 0, set()
    for n, line in enumerate(lines, 1):
        event = json.loads(line)
        k = key(event)
        if last is not None and k <= last:
            return "event %d: %s does not come after %s" % (n - 1, k, last), n
        identity = source(event) + (event["record"],)
        if identity in seen:
            return "event %d: record %s of source %s for the second time" % (
                n - 1, identity[-1], identity[:-1]), n
        seen.add(identity)
        last = k
    return None, n


def self_test():
    def event(ts, dur, rank, record, **more):
        return json.dumps(dict(more, ts_ns=ts, dur_ns=dur, rank=rank, record=record))

    good = [event(None, None, 0, 9), event(None, None, 1, 2), event(-5, 1, 0, 0), event(3, None, 1, 7),
            event(3, 10, 1, 1), event(3, 9, 0, 5), event(3, 9, 1, 5), event(3, 9, 1, 6),
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
