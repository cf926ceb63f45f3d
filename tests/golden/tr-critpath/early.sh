# Truth: by hand.  All work that one call launches on a stream counts as one, also if it is from before the window: g
# launched a and b, a began before c was launched, so the queue of c was empty, and c waited for its launch.  Work whose
# times are 0 was not recorded: it has no nodes.
cat >t.json <<'TRACE'
{"traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 0, "dur": 4, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "lost", "pid": 0, "tid": 8, "ts": 0, "dur": 0, "args": {"device": 0, "stream": 8, "correlation": 1}},
{"ph": "X", "cat": "user_annotation", "name": "first", "pid": 1, "tid": 1, "ts": 0, "dur": 6},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 1, "tid": 1, "ts": 10, "dur": 5, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 20, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 60, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 2}},
{"ph": "X", "cat": "user_annotation", "name": "second", "pid": 1, "tid": 1, "ts": 40, "dur": 20},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 40, "dur": 5, "args": {"correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 7, "ts": 75, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 3}}
]}
TRACE
edges() { tr-critpath -q --by edge -O tsv "$@" t.json | cut -f 2,3,5-8; }
edges --annotation second
edges --annotation first
edges --annotation first --suspect include
