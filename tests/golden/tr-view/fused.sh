# Truth: by hand.  Three ranks in one trace for a viewer: their processes and flows stay apart, also where numbers made
# from those of the first rank alone would meet: with 100 for each rank, 105 of rank 1 and 5 of rank 2 are both 205.
cat >make.py <<'END_OF_PYTHON'
import json
for rank, pid in ((0, 1), (1, 105), (2, 5)):
    def span(cat, name, p, tid, ts, dur, **args):
        return {"ph": "X", "cat": cat, "name": name, "pid": p, "tid": tid, "ts": ts, "dur": dur, "args": args}
    def flow(ph, p, tid, ts):
        return {"ph": ph, "cat": "ac2g", "name": "ac2g", "pid": p, "tid": tid, "ts": ts, "id": 7, "bp": "e"}
    events = [span("cuda_runtime", "cudaLaunchKernel", pid, 1, 12 + rank, 5, correlation=7), flow("s", pid, 1, 12 + rank),
              flow("f", 0, 7, 40 + rank), span("kernel", "k", 0, 7, 40 + rank, 5, correlation=7, device=0, stream=7)]
    with open("rank%d.json" % rank, "w") as f:
        json.dump({"distributedInfo": {"rank": rank, "world_size": 3}, "traceEvents": events}, f)
END_OF_PYTHON
${PYTHON:-python3} make.py
cat >show.py <<'END_OF_PYTHON'
import json, sys
trace = json.load(sys.stdin)
owner = {e["pid"]: e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "process_name"}
print(len(owner), "processes", len(set(owner.values())), "names")
for e in sorted((e for e in trace["traceEvents"] if e["ph"] in "Xsf"), key=lambda e: (owner[e["pid"]], e["ts"], e["ph"])):
    print(owner[e["pid"]], e["ph"], e["name"], e["ts"])
flows = {}
for e in trace["traceEvents"]:
    if e["ph"] in "sf":
        flows.setdefault(e["id"], []).append(e["ph"] + " " + owner[e["pid"]])
for f in sorted(flows.values()):
    print(f)
END_OF_PYTHON
tr-merge rank?.json | tr-view -O chrome | ${PYTHON:-python3} show.py
