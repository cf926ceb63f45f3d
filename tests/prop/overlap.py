#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Spans that overlap in part: what tr-view --overlap makes of random ones.

usage: overlap.py VIEW SEED

The spans of a lane are nested or apart, each span stands on the first lane where it is, those that are dropped are
those of further lanes, async ones too, and nothing else changes.
"""

import json
import random
import subprocess
import sys

SHIFT = 5  # ns, less of which a span may begin later


def spans(rng):
    """[(thread, ts, dur)] in ns, in canonical order: many ends coincide or differ by little."""
    made = []
    for _ in range(rng.choice((0, 1, 5, 300))):
        made.append((rng.randrange(3), rng.randrange(60) * rng.choice((1, 7, 40)), rng.choice((0, 1, 2, 5, 30, 200))))
    return sorted(made, key=lambda s: (s[1], -s[2]))


def fits(lane, s):
    """Is a span nested in or apart from all spans of a lane?  They begin no later."""
    return all(not o[1] < s[1] < o[1] + o[2] or s[1] + s[2] <= o[1] + o[2] for o in lane)


def expected(made):
    """The lane of each span."""
    lanes, out = {}, []
    for s in made:
        of = lanes.setdefault(s[0], [])
        n = next((i for i, lane in enumerate(of) if fits(lane, s)), len(of))
        if n == len(of):
            of.append([])
        of[n].append(s)
        out.append(n)
    return out


def view(program, how, path, *more):
    p = subprocess.run([program, "-q", "--overlap", how, *more, path], stdout=subprocess.PIPE, check=True)
    return p.stdout.decode()


def table(program, how, path):
    text = view(program, how, path, "-O", "tsv", "--unit", "ns", "--columns", "record,ts,dur,lane,phase")
    return [line.split("\t") for line in text.splitlines()[1:]]


def shifted(made):
    """Those that begin a little later: [(ts, dur)], the rest as it was; only spans that fit are held against others."""
    own, out = {}, []
    for thread, ts, dur in made:
        lane = own.setdefault(thread, [])
        if fits(lane, (thread, ts, dur)):
            lane.append((thread, ts, dur))
        else:
            ends = [o[1] + o[2] - ts for o in lane if ts < o[1] + o[2] < ts + dur]
            by = max(ends)
            if by < SHIFT:
                ts, dur = ts + by, dur - by
        out.append((ts, dur))
    return out


def main():
    program, seed = sys.argv[1], int(sys.argv[2])
    made = spans(random.Random(seed))
    path = "spans%d.json" % seed
    with open(path, "w", encoding="utf-8") as f:
        json.dump([{"ph": "X", "name": "s", "pid": 1, "tid": t, "ts": ts / 1000, "dur": dur / 1000}
                   for t, ts, dur in made], f)
    want = expected(made)
    rows = table(program, "lane", path)
    assert [int(r[3]) for r in rows] == want, "lanes"
    assert [(int(r[1]), int(r[2])) for r in rows] == [(s[1], s[2]) for s in made], "times of lanes"
    rows = table(program, "drop", path)
    assert [int(r[0]) for r in rows] == [i for i, n in enumerate(want) if not n], "what is dropped"
    rows = table(program, "shift", path)
    assert [(int(r[1]), int(r[2])) for r in rows] == shifted(made), "what is shifted"
    rows = table(program, "async", path)
    assert [r[4] == "async_begin" for r in rows] == [n > 0 for n in want], "what is async"
    events = json.loads(view(program, "lane", path, "-O", "chrome"))
    tids = [e["tid"] for e in events if e["ph"] == "X"]
    assert tids == [s[0] if not n else "%d (%d)" % (s[0], n + 1) for s, n in zip(made, want)], "threads of lanes"
    assert len([e for e in events if e["ph"] == "M"]) == len({(s[0], n) for s, n in zip(made, want) if n}), "names"
    events = json.loads(view(program, "async", path, "-O", "chrome"))
    begins = {e["id"]: e["ts"] for e in events if e["ph"] == "b"}
    ends = {e["id"]: e["ts"] for e in events if e["ph"] == "e"}
    assert len(begins) == len(ends) == sum(n > 0 for n in want), "begins and ends"
    assert sorted(round(1000 * (ends[i] - begins[i])) for i in begins) == \
        sorted(s[2] for s, n in zip(made, want) if n), "durations of async events"


main()
