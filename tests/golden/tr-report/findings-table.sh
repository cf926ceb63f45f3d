# Findings as a table: all of their columns, one row each.
# Truth: by hand.  Each step of 1000 us has 200 kernels of 1 us, launched one by one; the rest is pauses before them.
python=${PYTHON:-python3}
$python - >rank0.json <<'END'
import json
events = []
def span(cat, name, ts, dur, pid=1, tid=1, **args):
    events.append({"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args})
for step in range(6):
    start = 1000 * step
    span("user_annotation", "ProfilerStep#%d" % step, start, 1000)
    for i in range(200):
        span("cpu_op", "aten::add", start + 5 * i, 4)
        span("cuda_runtime", "cudaLaunchKernel", start + 5 * i + 1, 2, correlation=1000 * step + i)
        span("kernel", "k", start + 5 * i + 3, 1, 0, 7, correlation=1000 * step + i, device=0, stream=7)
print(json.dumps({"distributedInfo": {"rank": 0}, "traceEvents": events}))
END
tr-report -q --sections findings -O tsv rank0.json
tr-report -q --sections findings -O csv --findings 1 rank0.json | cut -d , -f 1-9
tr-report -q -O tsv rank0.json
echo "status $?"
tr-report -q -O csv --sections findings,idle rank0.json
echo "status $?"
