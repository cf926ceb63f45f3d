# Truth: by hand.  linear occurs twice with a, copy, b (the second time the copy was launched last, but began before b:
# work is in the order of its start), and inside a step once with a alone; a wait is no work.  A linear inside
# linear_relu leaves its work to that one, which therefore has a, a, a.  Depth does not matter.
# With --top 1 the pattern of linear_relu is the only other one of its step.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "linear", "pid": 1, "tid": 1, "ts": 10, "dur": 30},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 12, "dur": 2, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 1, "tid": 1, "ts": 15, "dur": 2, "args": {"correlation": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 18, "dur": 2, "args": {"correlation": 3}},
{"ph": "X", "cat": "cpu_op", "name": "linear", "pid": 1, "tid": 1, "ts": 100, "dur": 40.5},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 102, "dur": 2, "args": {"correlation": 4}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 108, "dur": 2, "args": {"correlation": 5}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 1, "tid": 1, "ts": 115, "dur": 2, "args": {"correlation": 6}},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 200, "dur": 100},
{"ph": "X", "cat": "cpu_op", "name": "linear", "pid": 1, "tid": 1, "ts": 210, "dur": 10},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 212, "dur": 2, "args": {"correlation": 7}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamSynchronize", "pid": 1, "tid": 1, "ts": 215, "dur": 2, "args": {"correlation": 8}},
{"ph": "X", "cat": "cpu_op", "name": "linear_relu", "pid": 1, "tid": 1, "ts": 230, "dur": 50},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 232, "dur": 2, "args": {"correlation": 9}},
{"ph": "X", "cat": "cpu_op", "name": "linear", "pid": 1, "tid": 1, "ts": 240, "dur": 20},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 1, "tid": 1, "ts": 242, "dur": 2, "args": {"correlation": 10}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 20, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "gpu_memcpy", "name": "copy", "pid": 0, "tid": 7, "ts": 26, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 30, "dur": 2, "args": {"device": 0, "stream": 7, "correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 120, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 4}},
{"ph": "X", "cat": "gpu_memcpy", "name": "copy", "pid": 0, "tid": 8, "ts": 121, "dur": 1, "args": {"device": 0, "stream": 8, "correlation": 6}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 130, "dur": 2.25, "args": {"device": 0, "stream": 7, "correlation": 5}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 220, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 7}},
{"ph": "X", "cat": "cuda_sync", "name": "Stream Sync", "pid": 0, "tid": 7, "ts": 225, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 8}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 250, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 9}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 260, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 10}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 262, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 10}}
]}
END
tr-patterns --op linear -O tsv t.json
echo "== all lengths, the name itself"
tr-patterns --op '^linear$' --length 1 -O tsv t.json
echo "== step"
tr-patterns --op linear --length 1 --per step --top 1 -O tsv t.json
echo "== without --op: operators that lie in no other; work of linear takes 16.25 us, of linear_relu 3"
tr-patterns -O tsv t.json >out 2>said
tr-patterns --op linear -O tsv t.json | cmp - out && cat said
tr-patterns --mark -q t.json 2>&1 | tr-patterns --op 'pattern [0-9]+: ' -O tsv
