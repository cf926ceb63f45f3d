# SPDX-License-Identifier: MIT
"""Events of a trace of several ranks for a viewer, by rank, category and phase, with their processes.  usage: fuse.py <TRACE"""
import json
import sys

events = json.load(sys.stdin)["traceEvents"]
rank = {e["pid"]: e["args"]["name"].split(":")[0].split()[1] for e in events
        if e["ph"] == "M" and e["name"] == "process_name"}
rows = {}
for e in events:
    meta = e["ph"] == "M"
    row = rows.setdefault(("" if meta else rank[e["pid"]], "" if meta else e["cat"], e["ph"]), [0, 0, set()])
    row[0] += 1
    row[1] += e.get("dur", 0)
    row[2].add(e["pid"])
print("rank\tcategory\tphase\tcount\tsum_us\tpids\tprocesses")
for key in sorted(rows):
    n, us, pids = rows[key]
    print("\t".join(key) + "\t%d\t%.3f\t%s\t%d" % (n, us, json.dumps(sorted(pids), separators=(",", ":")), len(pids)))
