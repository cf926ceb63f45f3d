# Truth: by hand.  Kernel a: called 0..4, runs 10..30: cpu 4, queue 6, all of it start latency.  b: called 20..22, runs
# 40..41: queue 18, of which 8 are spent waiting for a, which ends at 30; shorter than its call.  c and d: one graph,
# called 50..130, run 60..70 and 75..80: queue 0.  e starts before its call: negative.  f has no launch.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 0, "dur": 4, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 20, "dur": 2, "args": {"correlation": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 1, "tid": 1, "ts": 50, "dur": 80, "args": {"correlation": 3}},
{"ph": "X", "cat": "cuda_driver", "name": "cuLaunchKernel", "pid": 1, "tid": 1, "ts": 200, "dur": 2, "args": {"correlation": 4}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaFree", "pid": 1, "tid": 1, "ts": 300, "dur": 2, "args": {"correlation": 5}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 40, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 7, "ts": 60, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "d", "pid": 0, "tid": 7, "ts": 75, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "e", "pid": 0, "tid": 7, "ts": 199, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 4}},
{"ph": "X", "cat": "kernel", "name": "f", "pid": 0, "tid": 9, "ts": 299, "dur": 5, "args": {"device": 0, "stream": 9, "correlation": 6}}
]}
END
tr-launch -O tsv t.json
tr-launch -O tsv --cpu-cutoff 1us --queue-cutoff 10us --per stream t.json | cut -f 1-5,14-
tr-launch --by launch -O tsv t.json
