# Truth: worked out by hand.  Of the five launched works of rank 0 two were not timed (ts and dur 0, one a copy), one
# starts before its launch, and the span of 900 us contains two others of its stream; the work of the other stream
# beside it is fine.  On rank 1 a memset at 2 s lies 2 s after 100 us of kernels; its three frames end together.
COLUMNS=160
export COLUMNS
cat > rank0.json <<'EOT'
{"baseTimeNanoseconds": 1700000000000000000, "distributedInfo": {"rank": 0}, "traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 4, "tid": 4, "ts": 7000000, "dur": 6, "args": {"correlation": 11}},
{"ph": "X", "cat": "kernel", "name": "long", "pid": 0, "tid": 3, "ts": 7000100, "dur": 900, "args": {"device": 0, "stream": 3, "correlation": 11}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 4, "tid": 4, "ts": 7000010, "dur": 6, "args": {"correlation": 12}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 3, "ts": 7000200, "dur": 100, "args": {"device": 0, "stream": 3, "correlation": 12}},
{"ph": "X", "cat": "kernel", "name": "aside", "pid": 0, "tid": 5, "ts": 7000250, "dur": 100, "args": {"device": 0, "stream": 5}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 4, "tid": 4, "ts": 7000500, "dur": 6, "args": {"correlation": 13}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 3, "ts": 7000400, "dur": 100, "args": {"device": 0, "stream": 3, "correlation": 13}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 4, "tid": 4, "ts": 7000600, "dur": 6, "args": {"correlation": 14}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pinned -> Device)", "pid": 0, "tid": 3, "ts": 0, "dur": 0, "args": {"device": 0, "stream": 3, "correlation": 14}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 4, "tid": 4, "ts": 7000700, "dur": 6, "args": {"correlation": 15}},
{"ph": "X", "cat": "kernel", "name": "of a graph", "pid": 0, "tid": 3, "ts": 0.000, "dur": 0.000, "args": {"device": 0, "stream": 3, "correlation": 15, "graph id": 2, "graph node id": 3}}
]}
EOT
cat > rank1.json <<'EOT'
{"baseTimeNanoseconds": 1700000000000000000, "distributedInfo": {"rank": 1}, "traceEvents": [
{"ph": "X", "cat": "python_function", "name": "train.py(3): main", "pid": 4, "tid": 4, "ts": 7000000, "dur": 900},
{"ph": "X", "cat": "python_function", "name": "train.py(9): step", "pid": 4, "tid": 4, "ts": 7000100, "dur": 800},
{"ph": "X", "cat": "python_function", "name": "nn.py(5): forward", "pid": 4, "tid": 4, "ts": 7000200, "dur": 700},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 3, "ts": 7000200, "dur": 30, "args": {"device": 0, "stream": 3}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 3, "ts": 7000270, "dur": 30, "args": {"device": 0, "stream": 3}},
{"ph": "X", "cat": "gpu_memset", "name": "Memset (Device)", "pid": 0, "tid": 3, "ts": 9000300, "dur": 1, "args": {"device": 0, "stream": 3}}
]}
EOT
tr-merge -q --no-provenance rank0.json rank1.json > job.trs
tr-info -O text job.trs | sed -n '/^devices/,/^$/p; /^suspect/,$p'
tr-info -q --check --no-suspects --no-nesting --no-lone-work --no-open-frames --min-causal 0.9 --min-used 1 job.trs
echo "status $?"
tr-info -q --check --min-causal 0.9 job.trs
echo "status $?"
tr-info -q -O json job.trs | sed -n '/"trust"/,/}/p'
tr-breakdown -q job.trs
tr-breakdown -q --suspect include --rank 0 job.trs
tr-report -q -O text --sections trust job.trs
