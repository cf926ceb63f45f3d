#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tr-comm --by bubble, from the events of traces: see bubbles.sh.  usage: bubbles.py TRACE..."""
import json
import subprocess
import sys


def ns(us):
    return round(us * 1000)


def load(path):
    with open(path) as f:
        trace = json.load(f)
    spans = [e for e in trace["traceEvents"] if e.get("ph") == "X"]
    return trace["distributedInfo"]["rank"], [dict(e, start=ns(e["ts"]), end=ns(e["ts"]) + ns(e["dur"])) for e in spans]


def steps_of(spans, launch):
    """Number, start and end on the host, start and end; the main stream is 7."""
    out, before = [], None
    marks = [e for e in spans if e["name"].startswith("ProfilerStep#") and e["cat"] == "user_annotation"]
    for e in sorted(marks, key=lambda e: e["start"]):
        mine = [k for k in spans if k["cat"] == "kernel" and e["start"] <= launch(k) < e["end"]]
        end = max([e["end"], before or e["end"]] + [k["end"] for k in mine if k["args"]["stream"] == 7])
        out.append((int(e["name"][13:]), e["start"] if before is None else before, end, mine))
        before = end
    return out


def length(parts):
    total, at = 0, None
    for a, b in sorted(parts):
        a = a if at is None else max(a, at)
        total += max(0, b - a)
        at = b if at is None else max(at, b)
    return total


def clipped(parts, start, end):
    return [(max(a, start), min(b, end)) for a, b in parts if min(b, end) > max(a, start)]


def bubbles(rank, start, end, mine, compute):
    messages = [k for k in mine if k["args"].get("Collective name") in ("send", "recv")]
    if not messages:
        return None, {}

    def ends(name, after):
        key = "Src Rank" if name == "recv" else "Dst Rank"
        return [k["end"] for k in messages if k["args"]["Collective name"] == name and (k["args"][key] > rank) == after]

    full = min(ends("recv", True) or ends("recv", False) or [start])
    drains = max(full, max(ends("recv", False) or ends("send", True) or [end]))
    busy = [(k["start"], k["end"]) for k in messages]
    of = {}
    for cause, a, b in (("warmup", start, min(full, end)), ("imbalance", max(full, start), min(drains, end)),
                        ("cooldown", max(drains, start), end)):
        both = clipped(busy, a, b) + clipped(compute, a, b)
        of[cause] = length(both) - length(clipped(compute, a, b))
    ranks = json.loads(messages[0]["args"]["Process Group Ranks"])
    return sorted(ranks).index(rank), of


def main():
    want, bad, with_cause = [], [], set()
    for path in sys.argv[1:]:
        rank, spans = load(path)
        calls = {e["args"]["correlation"]: e["start"] for e in spans if e["cat"] == "cuda_runtime"}
        compute = [(k["start"], k["end"]) for k in spans if k["cat"] == "kernel" and "nccl" not in k["name"]]
        for number, start, end, mine in steps_of(spans, lambda k: calls[k["args"]["correlation"]]):
            stage, of = bubbles(rank, start, end, mine, compute)
            want += [[stage, rank, number, cause, part, end - start] for cause, part in of.items() if part]
    run = subprocess.run(["tr-comm", "--by", "bubble", "-q", "-O", "json", "--unit", "ns"] + sys.argv[1:],
                         stdout=subprocess.PIPE, text=True)
    have = [[r[c] for c in ("stage", "rank", "step", "cause", "bubble_ns", "step_time_ns")]
            for r in json.loads(run.stdout)]
    bad = [row for row in sorted(have) if row not in want] + [row for row in sorted(want) if row not in have]
    with_cause = {row[3] for row in have}
    print("%sok 1 - each bubble is what the events show" % ("not " if bad or not have else ""))
    for row in bad[:6]:
        print("# %s %s" % ("have" if row in have else "want", row))
    print("%sok 2 - each cause occurs" % ("" if with_cause == {"warmup", "cooldown", "imbalance"} else "not "))
    print("1..2")


main()
