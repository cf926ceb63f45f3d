# Truth: the numbers of case time; tr-options(7): text on a narrow terminal is turned, elsewhere and in other
# formats nothing changes, nor where it would not fit either.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "pid": 0, "tid": 9, "ts": 20, "dur": 30, "args": {"device": 0, "stream": 9}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": 7, "ts": 45, "dur": 15, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "cuda_sync", "name": "Stream Sync", "pid": 0, "tid": 7, "ts": 60, "dur": 500, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "relu", "pid": 0, "tid": 7, "ts": 70, "dur": 10, "args": {"device": 0, "stream": 7}}
]}
END
COLUMNS=80
export COLUMNS
tr-breakdown --assume-terminal stdout t.json
tr-breakdown --by type --assume-terminal stdout t.json
tr-breakdown -O text t.json
tr-breakdown -O csv --assume-terminal stdout t.json
COLUMNS=20 tr-breakdown --assume-terminal stdout t.json
COLUMNS=none tr-breakdown --assume-terminal stdout t.json
tr-overlap --assume-terminal stdout --time 20..50 t.json
COLUMNS=40 tr-overlap --assume-terminal stdout --time 20..50 t.json
