# Truth: one rank has one clock, and its times stay; --device moves the kernel to the start of its launch.
cat >r.json <<'END'
{"distributedInfo": {"rank": 4}, "traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 1, "tid": 1, "ts": 100, "dur": 2, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 93.5, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 1}}
]}
END
tr-align r.json | tr-view -O tsv --columns rank,activity,ts,dur,launch_ts
tr-align --device --report r.json
tr-align --device r.json | tr-view -O tsv --columns rank,activity,ts,dur,launch_ts
tr-align --device r.json | tr-align --undo | tr-view -O tsv --columns rank,activity,ts,dur,launch_ts
