# Truth: by hand.  Operators of symmetric memory are collectives, so their category says so; a copy beside them is none.
cat >t.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "symm_mem::two_shot_all_reduce_", "pid": 3, "tid": 3, "ts": 10, "dur": 20},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 3, "tid": 3, "ts": 12, "dur": 4, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "void (anonymous namespace)::two_shot_all_reduce_kernel<float, 4>(float**)", "pid": 0, "tid": 7, "ts": 20, "dur": 30, "args": {"correlation": 1, "device": 0, "stream": 7}},
{"ph": "X", "cat": "cpu_op", "name": "symm_mem::fused_all_gather_matmul", "pid": 3, "tid": 3, "ts": 40, "dur": 20},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 3, "tid": 3, "ts": 42, "dur": 4, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "multimem_all_gather_kernel", "pid": 0, "tid": 7, "ts": 60, "dur": 10, "args": {"correlation": 2, "device": 0, "stream": 7}},
{"ph": "X", "cat": "cpu_op", "name": "aten::add_", "pid": 3, "tid": 3, "ts": 70, "dur": 20},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 3, "tid": 3, "ts": 72, "dur": 4, "args": {"correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "void add_kernel<float>(float*)", "pid": 0, "tid": 7, "ts": 90, "dur": 60, "args": {"correlation": 3, "device": 0, "stream": 7}}
]}
END
tr-breakdown -q -O text --by category t.json
