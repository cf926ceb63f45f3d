# Truth: by hand; pids and flow ids of two ranks coincide in the input and must not in the output.
for r in 0 1; do
    printf '{"distributedInfo": {"rank": %s}, "baseTimeNanoseconds": %s, "traceEvents": [
        {"ph": "M", "name": "process_name", "pid": 5, "tid": 0, "ts": 0, "args": {"name": "python"}},
        {"ph": "s", "id": 3, "pid": 5, "tid": 6, "ts": 1, "cat": "c", "name": "f"},
        {"ph": "X", "pid": 5, "tid": 6, "ts": 1, "dur": 1, "name": "op"}]}\n' $r 200000$r > r$r.json
done
tr-view -O chrome r0.json r1.json
