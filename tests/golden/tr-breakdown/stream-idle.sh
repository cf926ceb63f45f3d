# Truth: by hand, on stream 7.  a ends at 30.  b was launched at 35, after that: host_wait 40-30.  c was launched at
# 20 and starts 2 us after b ends: kernel_wait.  d lies inside c: a gap of 0.  e was launched at 20 and starts 58 us
# after c ends: other.  A wait shown on the device is no work.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 0, "dur": 2, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 35, "dur": 2, "args": {"correlation": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 1, "tid": 1, "ts": 20, "dur": 2, "args": {"correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 40, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 2}},
{"ph": "X", "cat": "cuda_sync", "name": "Stream Sync", "pid": 0, "tid": 7, "ts": 50, "dur": 500, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 7, "ts": 52, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "d", "pid": 0, "tid": 7, "ts": 55, "dur": 2, "args": {"device": 0, "stream": 7, "correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "e", "pid": 0, "tid": 7, "ts": 120, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 3}}
]}
END
tr-breakdown --by stream-idle -O tsv t.json
tr-breakdown --by stream-idle --threshold 1us --per all -O tsv t.json | cut -f 1-4
