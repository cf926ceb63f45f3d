# Truth: by hand.  cudaLaunchKernel is called three times, once for nothing; one kernel has no launch, and
# cudaFree launches nothing ever.  Kernels of 20 and 5 us are launched within an operator, the latter shown
# before its launch by a clock that is late; those of 30 and 10 us are not.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "early", "pid": 0, "tid": 7, "ts": 5, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 2, "ts": 6, "dur": 10},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 2, "ts": 7, "dur": 3, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 2, "ts": 10, "dur": 1, "args": {"correlation": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 1, "tid": 2, "ts": 12, "dur": 1, "args": {"correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 15, "dur": 12, "args": {"device": 0, "stream": 7, "correlation": 3}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaFree", "pid": 1, "tid": 2, "ts": 16, "dur": 2, "args": {"correlation": 4}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 2, "ts": 20, "dur": 1, "args": {"correlation": 5}},
{"ph": "X", "cat": "kernel", "name": "relu", "pid": 0, "tid": 7, "ts": 30, "dur": 8, "args": {"device": 0, "stream": 7, "correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "late", "pid": 0, "tid": 7, "ts": 40, "dur": 30, "args": {"device": 0, "stream": 7, "correlation": 5}},
{"ph": "X", "cat": "kernel", "name": "lost", "pid": 0, "tid": 7, "ts": 70, "dur": 10, "args": {"device": 0, "stream": 7}}
]}
END
tr-overlap --coverage -O json t.json
# Selected work only; operators need not be selected.  Nothing has no share.
tr-overlap --coverage -O json --where 'name =~ "gemm|late"' t.json >part.json
tr-overlap --coverage -q --where 'name == "nothing"' t.json >part.json
