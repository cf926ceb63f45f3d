# Truth: worked out by hand from the seven events below.
COLUMNS=160 # wide enough for all of it
export COLUMNS
cat > small.json <<'EOF'
{"schemaVersion": 1, "baseTimeNanoseconds": 1700000000000000000, "traceEvents": [
{"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "ts": 0.000, "args": {"name": "python"}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 100, "tid": 101, "ts": 1.500, "dur": 4, "args": {"cbid": 211, "correlation": 7}},
{"ph": "X", "cat": "kernel", "name": "void gemm<\"a\\b\">(int)", "pid": 0, "tid": 7, "ts": 10.0005, "dur": 20.25, "args": {"device": 0, "stream": 7, "correlation": 7, "grid": [1, 2, 3], "occupancy": 0.1, "big": 18446744073709551615, "none": null}},
{"ph": "s", "id": 7, "pid": 100, "tid": 101, "ts": 1.500, "cat": "ac2g", "name": "ac2g"},
{"ph": "B", "name": "load", "pid": 100, "tid": 101, "ts": 40, "args": {"file": "x"}},
{"ph": "E", "pid": 100, "tid": 101, "ts": "45.125"},
{"ph": "i", "name": "caf\u00e9", "pid": "Spans", "tid": "T", "ts": 50, "s": "g"}
], "traceName": "small.json"}
EOF
tr-info -q --tracks small.json
