# Truth: by hand.  Device work at 0 that takes no time was not measured, if its launch is known: without one, or with a
# duration, a time, or on the host, it is what it says.
cat >t.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 1, "tid": 1, "ts": 0, "dur": 3, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "linked", "pid": 0, "tid": 7, "ts": 0, "dur": 0, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "lone", "pid": 0, "tid": 7, "ts": 0, "dur": 0, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "gpu_memcpy", "name": "copy", "pid": 0, "tid": 7, "ts": 0, "dur": 0, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "gpu_memset", "name": "long", "pid": 0, "tid": 7, "ts": 0, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "late", "pid": 0, "tid": 7, "ts": 1, "dur": 0, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "cpu_op", "name": "host", "pid": 1, "tid": 1, "ts": 0, "dur": 0}
]}
END
tr-view -q -O tsv --columns name,ts,dur,suspect,launch_ts t.json
tr-info -q -O json t.json | grep -E '"(zero_time|n_events|events|device_linked)"'
tr-filter -q 'has(suspect)' t.json | tr-view -q -O tsv --columns name
tr-parse -q --no-sort t.json | tr-view -q -O tsv --columns name,suspect
