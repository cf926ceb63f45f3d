#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables of traces of other formats, from the Trace Event Format that tr-view writes.  usage: elements.py TABLE"""
import collections
import json
import sys

text = json.load(sys.stdin)
events = text["traceEvents"] if isinstance(text, dict) else text


def ascend_flows():
    starts, ends = collections.defaultdict(list), collections.defaultdict(list)
    for e in events:
        if e.get("ph") in ("s", "t", "f"):
            (starts if e["ph"] == "s" else ends)[e.get("cat")].append(e["id"])
    print("cat\tstarts\tends\tids_with_both")
    for cat in sorted(set(starts) | set(ends)):
        print("%s\t%d\t%d\t%d" % (cat, len(starts[cat]), len(ends[cat]), len(set(starts[cat]) & set(ends[cat]))))


def jax_facts():
    print("key\tvalue")
    spans = [e for e in events if e.get("ph") == "X"]
    print("spans\t%d" % len(spans))
    print("negative_dur\t%d" % sum(e.get("dur", 0) < 0 for e in spans))
    print("args_all_text\t%s" % all(isinstance(v, str) for e in spans for v in e.get("args", {}).values()))


def old_kineto_tids():
    print("operator_tids_that_are_text\t%d" % len({e["tid"] for e in events
                                                  if e.get("cat") == "Operator" and isinstance(e["tid"], str)}))


{"ascend_flows": ascend_flows, "jax_facts": jax_facts, "old_kineto_tids": old_kineto_tids}[sys.argv[1]]()
