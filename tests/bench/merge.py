#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The merge of traces as a script does it: each file is read whole, and each event written on a line of its own.

usage: merge.py FILE... >MERGED
"""
import json
import sys

before = '{ "traceEvents":[\n'
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as f:
        events = json.load(f)["traceEvents"]
    for event in events:
        sys.stdout.write(before + json.dumps(event))
        before = ",\n"
sys.stdout.write("\n]}\n")
