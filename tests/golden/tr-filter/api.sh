# Truth: by hand.  The kernels of the graph are known by the call that launched them; b has no launch, calls have none.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 1, "tid": 1, "ts": 1, "dur": 2, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 4, "dur": 2, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "a1", "pid": 0, "tid": 7, "ts": 5, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "a2", "pid": 0, "tid": 7, "ts": 7, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 8, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 9}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 7, "ts": 9, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 2}}
]}
END
tr-filter 'api =~ "Graph"' t.json | tr-view -O tsv --columns name
tr-filter 'api != cudaGraphLaunch' t.json | tr-view -O tsv --columns name
