# Truth: by hand.  Thread 1: step [0, 100) holds the frame f [10, 50), which holds g [12, 40), which holds h [14, 20), which
# holds op [15, 20.001), 1 ns too long.  The range r [30, 70) begins inside g and ends after f: it is a sibling
# of f (so the step has 40 us for itself), and call [35, 38) is inside it.  Instant calls z at 70, the end of r, are siblings inside r.  The first launch owns
# two kernels; k3 seems to start before its launch.  A wait counts as no kernel.
# Thread 2 is the one of the backward pass; its root bwd [40, 60) lies in the step, late [90, 110) does not.
# The flow says that bwd is the gradient of op.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
{"ph": "X", "cat": "python_function", "name": "f", "pid": 1, "tid": 1, "ts": 10, "dur": 40},
{"ph": "X", "cat": "python_function", "name": "g", "pid": 1, "tid": 1, "ts": 12, "dur": 28},
{"ph": "X", "cat": "cpu_op", "name": "h", "pid": 1, "tid": 1, "ts": 14, "dur": 6},
{"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": 1, "ts": 15, "dur": 5.001},
{"ph": "s", "cat": "fwdbwd", "name": "fwdbwd", "id": 5, "pid": 1, "tid": 1, "ts": 15},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 16, "dur": 2, "args": {"correlation": 1}},
{"ph": "X", "cat": "user_annotation", "name": "r", "pid": 1, "tid": 1, "ts": 30, "dur": 40},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 35, "dur": 3, "args": {"correlation": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "z", "pid": 1, "tid": 1, "ts": 70, "dur": 0},
{"ph": "X", "cat": "cuda_runtime", "name": "z", "pid": 1, "tid": 1, "ts": 70, "dur": 0},
{"ph": "X", "cat": "cpu_op", "name": "autograd::bwd", "pid": 1, "tid": 2, "ts": 40, "dur": 20},
{"ph": "f", "cat": "fwdbwd", "name": "fwdbwd", "id": 5, "bp": "e", "pid": 1, "tid": 2, "ts": 40},
{"ph": "X", "cat": "cpu_op", "name": "late", "pid": 1, "tid": 2, "ts": 90, "dur": 20},
{"ph": "X", "cat": "kernel", "name": "k1", "pid": 0, "tid": 7, "ts": 20, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "gpu_memcpy", "name": "k2", "pid": 0, "tid": 7, "ts": 50, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "k3", "pid": 0, "tid": 8, "ts": 34.5, "dur": 5, "args": {"device": 0, "stream": 8, "correlation": 2}},
{"ph": "X", "cat": "cuda_sync", "name": "Stream Sync", "pid": 0, "tid": 8, "ts": 60, "dur": 9, "args": {"device": 0, "stream": 8, "correlation": 2}},
{"ph": "X", "cat": "gpu_user_annotation", "name": "r", "pid": 0, "tid": 8, "ts": 34.5, "dur": 5, "args": {"device": 0, "stream": 8}},
{"ph": "X", "cat": "kernel", "name": "orphan", "pid": 0, "tid": 9, "ts": 80, "dur": 5, "args": {"device": 0, "stream": 9, "correlation": 77}}
]}
END
tr-breakdown --by tree -O tsv t.json
tr-breakdown --by tree --join-backward -O tsv t.json | cut -f 1-5,7,9,11 | grep -E 'Prof|bwd|late'
