# Truth: by hand.  mm twice launches a, b through the operator gemm inside it, 1 and 3 us after gemm began (launched at 12
# and 112, begun at 11 and 109); a starts 8 and 20 us after its launch.  The copy that gemm launches is no kernel.  The third
# mm launches a graph with two kernels by itself.  add launches c, which seems to start 1 us before its launch; the same
# interval on another thread does not own it.  d is launched outside all operators.
# With --op mm, kernels belong to mm whatever lies between: launched 2 and 12 us after it began.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": 1, "ts": 10, "dur": 30},
{"ph": "X", "cat": "cpu_op", "name": "gemm", "pid": 1, "tid": 1, "ts": 11, "dur": 20},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 12, "dur": 2, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 1, "tid": 1, "ts": 15, "dur": 2, "args": {"correlation": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 18, "dur": 2, "args": {"correlation": 3}},
{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": 1, "ts": 100, "dur": 40},
{"ph": "X", "cat": "cpu_op", "name": "gemm", "pid": 1, "tid": 1, "ts": 109, "dur": 20},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 112, "dur": 2, "args": {"correlation": 4}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 118, "dur": 2, "args": {"correlation": 5}},
{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": 1, "ts": 200, "dur": 10},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 1, "tid": 1, "ts": 205, "dur": 2, "args": {"correlation": 6}},
{"ph": "X", "cat": "cpu_op", "name": "add", "pid": 1, "tid": 1, "ts": 300, "dur": 10},
{"ph": "X", "cat": "cpu_op", "name": "other", "pid": 1, "tid": 2, "ts": 301, "dur": 8},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 305, "dur": 2, "args": {"correlation": 7}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 400, "dur": 2, "args": {"correlation": 8}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 20, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": 8, "ts": 26, "dur": 5, "args": {"device": 0, "stream": 8, "correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 30, "dur": 2, "args": {"device": 0, "stream": 7, "correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 8, "ts": 131, "dur": 2, "args": {"device": 0, "stream": 8, "correlation": 5}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 132, "dur": 6, "args": {"device": 0, "stream": 7, "correlation": 4}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 210, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 6}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 220, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 6}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 7, "ts": 304, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 7}},
{"ph": "X", "cat": "kernel", "name": "d", "pid": 0, "tid": 7, "ts": 410, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 8}}
]}
END
tr-breakdown --by sequence --verbose -O tsv t.json 2>err
grep kernels err
tr-breakdown --by sequence --op '^mm$' -O tsv t.json | cut -f 1-5
