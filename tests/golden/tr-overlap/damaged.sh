# Truth: the first kernel is whole, the second is cut off; what is left is used, and one line says so.
printf '%s' '{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 10, "dur": 20,
 "args": {"device": 0, "stream": 7}}, {"ph": "X", "cat": "kernel", "name": "rel' >t.json
tr-overlap -O tsv t.json
