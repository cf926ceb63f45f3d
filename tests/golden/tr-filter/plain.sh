# Truth: by hand.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "pid": 0, "tid": 9, "ts": 20, "dur": 30, "args": {"device": 0, "stream": 9}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": 7, "ts": 45, "dur": 15, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "cuda_sync", "name": "Stream Sync", "pid": 0, "tid": 7, "ts": 60, "dur": 500, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "relu", "pid": 0, "tid": 7, "ts": 70, "dur": 10, "args": {"device": 0, "stream": 7}}
]}
END
tr-filter 'activity == "kernel" && dur >= 20us' t.json | tr-view -O tsv --columns record,ts,dur,name
tr-filter --count -v 'kind == "compute"' t.json
