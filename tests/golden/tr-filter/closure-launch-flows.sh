# Truth: by hand.  The arrow from a launch to its kernel ends on the host side, at the process and thread of a stream.
# A closure brings it in with the kernel; that of the other kernel is left out.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 5, "tid": 5, "ts": 1, "dur": 1, "args": {"correlation": 1}},
{"ph": "s", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 5, "tid": 5, "ts": 1},
{"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 5, "tid": 5, "ts": 3, "dur": 1, "args": {"correlation": 2}},
{"ph": "s", "cat": "ac2g", "name": "ac2g", "id": 2, "pid": 5, "tid": 5, "ts": 3},
{"ph": "X", "cat": "gpu_user_annotation", "name": "forward", "pid": 0, "tid": 7, "ts": 9, "dur": 30},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 10, "dur": 9, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "f", "bp": "e", "cat": "ac2g", "name": "ac2g", "id": 1, "pid": 0, "tid": 7, "ts": 10},
{"ph": "X", "cat": "kernel", "name": "softmax", "pid": 0, "tid": 7, "ts": 20, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 2}},
{"ph": "f", "bp": "e", "cat": "ac2g", "name": "ac2g", "id": 2, "pid": 0, "tid": 7, "ts": 20}
]}
END
tr-filter --closure 'name == softmax' t.json | tr-view -O tsv --columns record,name
