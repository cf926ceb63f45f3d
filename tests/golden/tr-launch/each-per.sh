# Truth: by hand.  Rows are single events, each with its device and stream; groups are refused.
cat >t.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 1, "tid": 1, "ts": 10, "dur": 2, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 20, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 1, "tid": 1, "ts": 30, "dur": 2, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 1, "tid": 9, "ts": 40, "dur": 5, "args": {"device": 1, "stream": 9, "correlation": 2}}
]}
END
tr-launch --by launch -O tsv --columns rank,device,stream,correlation,queue_us,record t.json
for per in rank device stream all; do
    tr-launch --by launch --per $per -O tsv t.json 2>&1
    echo "status $?"
done
