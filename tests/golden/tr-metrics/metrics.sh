# Truth: by hand.  Three ranges meet three launches by position: k1 and k2 were launched by gemm in mm, the second through
# the driver, whose call inside the runtime's is no launch of its own; k1 again by no operator.  The last has no counter x.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cuda_profiler_range", "name": "k1", "pid": 0, "tid": 0, "ts": 1000, "dur": 100, "args": {"x.sum": 5, "flops": 1.5}},
{"ph": "X", "cat": "cuda_profiler_range", "name": "k1", "pid": 0, "tid": 0, "ts": 1200, "dur": 100, "args": {"flops": 4, "kind": "text"}},
{"ph": "X", "cat": "cuda_profiler_range", "name": "k2", "pid": 0, "tid": 0, "ts": 1100, "dur": 100, "args": {"x.sum": 7, "flops": 2}},
{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": 1, "ts": 10, "dur": 30},
{"ph": "X", "cat": "python_function", "name": "frame", "pid": 1, "tid": 1, "ts": 10.5, "dur": 28},
{"ph": "X", "cat": "cpu_op", "name": "gemm", "pid": 1, "tid": 1, "ts": 11, "dur": 20},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 12, "dur": 2},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 1, "tid": 1, "ts": 15, "dur": 2},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernelExC", "pid": 1, "tid": 1, "ts": 18, "dur": 5},
{"ph": "X", "cat": "cuda_driver", "name": "cuLaunchKernelEx", "pid": 1, "tid": 1, "ts": 19, "dur": 2},
{"ph": "X", "cat": "cuda_driver", "name": "cuLaunchKernel", "pid": 1, "tid": 1, "ts": 50, "dur": 2}
]}
END
for view in range kernel operator operator,stack; do
    echo "== $view"
    tr-metrics --by $view -O tsv t.json
done
echo "== where"
tr-metrics --where 'name == "k2"' -O tsv t.json | cut -f 1-3,6-8
