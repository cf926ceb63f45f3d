#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does a viewer's file of several ranks keep them apart?

usage: merge_view.py MERGED.json RANK=PART.json...
       merge_view.py --self-test

Each rank has processes of its own, named and sorted by rank, that no other rank shares; flows and async
events of different ranks have different ids; and apart from pids, ids and what names and sorts processes
every rank has the events of its part.  Prints what is wrong and ends with status 1.
"""
import json
import sys
from collections import Counter
from decimal import Decimal

GIVEN = ("process_name", "process_sort_index")


def rank_of_pids(events):
    """The rank of each pid, by its name, and what is wrong with names."""
    names, sort, wrong = {}, {}, []
    for e in events:
        if e.get("ph") == "M" and e["name"] == "process_name":
            if e["pid"] in names:
                wrong.append("pid %s has two names" % e["pid"])
            names[e["pid"]] = e["args"]["name"]
        elif e.get("ph") == "M" and e["name"] == "process_sort_index":
            sort[e["pid"]] = e["args"]["sort_index"]
    ranks = {}
    for pid, name in names.items():
        head, _, rest = name.partition(": ")
        if not head.startswith("rank ") or not head[5:].isdigit() or not rest:
            wrong.append("process name %r" % name)
        else:
            ranks[pid] = int(head[5:])
    order = [ranks.get(pid) for pid in sorted(sort, key=sort.get)]
    if set(sort) != set(names) or len(set(sort.values())) != len(sort):
        wrong.append("processes without a place of their own")
    elif not wrong and order != sorted(order):
        wrong.append("processes are not sorted by rank")
    return ranks, wrong


def without_numbers(e, shift_ns):
    """An event as it is whatever its pid and id are; times in ns of a common clock."""
    e = {k: v for k, v in e.items() if k not in ("pid", "id")}
    if isinstance(e.get("ts"), (int, Decimal)):
        e["ts"] = int(e["ts"] * 1000) + int(shift_ns)
    return json.dumps(e, sort_keys=True, default=lambda number: str(number.normalize()))


def compare(merged, parts):
    events = merged["traceEvents"]
    ranks, wrong = rank_of_pids(events)
    if sorted(set(ranks.values())) != sorted(parts):
        wrong.append("ranks %s of %s" % (sorted(set(ranks.values())), sorted(parts)))
    ids, seen = {}, {rank: Counter() for rank in parts}
    base = merged.get("baseTimeNanoseconds", 0)
    for e in events:
        if e.get("ph") == "M" and e["name"] in GIVEN:
            continue
        rank = ranks.get(e.get("pid"))
        if rank is None:
            wrong.append("an event of no rank: %s" % e)
            break
        if "id" in e:
            ids.setdefault(e["id"], set()).add(rank)
        seen.setdefault(rank, Counter())[without_numbers(e, 0)] += 1
    shared = [i for i, r in ids.items() if len(r) > 1]
    if shared:
        wrong.append("id %s is of ranks %s" % (shared[0], sorted(ids[shared[0]])))
    for rank, part in parts.items():
        shift = part.get("baseTimeNanoseconds", 0) - base
        want = Counter(without_numbers(e, shift) for e in part["traceEvents"]
                       if not (e.get("ph") == "M" and e["name"] in GIVEN))
        differ = (want - seen.get(rank, Counter())) or (seen.get(rank, Counter()) - want)
        if differ:
            wrong.append("rank %s: %s" % (rank, next(iter(differ))))
        n_ids = len({e["id"] for e in part["traceEvents"] if "id" in e})
        if n_ids != sum(rank in r for r in ids.values()):
            wrong.append("rank %s has %d ids" % (rank, n_ids))
    return wrong


def self_test():
    def part():
        return {"traceEvents": [
            {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "python"}},
            {"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1.5, "dur": 1},
            {"ph": "s", "name": "f", "pid": 1, "tid": 1, "ts": 1.5, "id": 7}]}

    def named(pid, rank, sort):
        return [{"ph": "M", "name": "process_name", "pid": pid, "args": {"name": "rank %d: python" % rank}},
                {"ph": "M", "name": "process_sort_index", "pid": pid, "args": {"sort_index": sort}}]

    def merged():
        out = named(10, 0, 0) + named(11, 1, 1)
        for k in (0, 1):
            out += [dict(e, pid=10 + k) for e in part()["traceEvents"][1:]]
            if "id" in out[-1]:
                out[-1]["id"] = 7 + k
        return {"traceEvents": out}
    parts = {0: part(), 1: part()}
    assert not compare(merged(), parts)
    for change in (lambda e: e[7].update(id=7), lambda e: e[6].update(pid=10), lambda e: e.pop(4),
                   lambda e: e[2]["args"].update(name="python"), lambda e: e[1]["args"].update(sort_index=2),
                   lambda e: e[4].update(name="b"), lambda e: e[4].update(pid=12)):
        bad = merged()
        change(bad["traceEvents"])
        assert compare(bad, parts), bad


def load(name):
    with open(name) as f:
        return json.load(f, parse_float=Decimal, parse_int=Decimal)


def main(arguments):
    if arguments == ["--self-test"]:
        self_test()
        return 0
    merged = load(arguments[0])
    parts = {}
    for argument in arguments[1:]:
        rank, _, name = argument.partition("=")
        parts[int(rank)] = load(name)
    wrong = compare(merged, parts)
    for line in wrong[:5]:
        print(line)
    return 1 if wrong else 0


sys.exit(main(sys.argv[1:]))
