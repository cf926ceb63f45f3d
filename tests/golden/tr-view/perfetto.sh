# two spans of a thread that are not nested, a kernel with its launch, an instant, a counter: as bytes
cat >small.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 2, "ts": 10, "dur": 5, "args": {"n": 1, "s": "x", "d": 0.5, "l": [1]}},
{"ph": "X", "cat": "cpu_op", "name": "b", "pid": 1, "tid": 2, "ts": 12, "dur": 5},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 2, "ts": 13, "dur": 1, "args": {"correlation": 7}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 20, "dur": 4, "args": {"correlation": 7, "device": 0, "stream": 7}},
{"ph": "i", "name": "mark", "pid": 1, "tid": 2, "ts": 21, "s": "t"},
{"ph": "C", "name": "queue", "pid": 1, "ts": 22, "args": {"length": 3}},
{"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "main"}}
]}
END
tr-view -q -O perfetto small.json | od -An -v -tx1
