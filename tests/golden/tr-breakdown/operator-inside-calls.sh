# Truth: by hand.  Calls of the runtime are open inside one another and around operators.  outer [0, 100) holds the call f
# [10, 50), which launches within it a of 5 and, through mm [32, 40) and a call inside of that, b of 3; outer itself launches
# c of 7 after f.  h [200, 300) is in no operator: d of 2, which a call inside it launches, is nobody's.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "outer", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
{"ph": "X", "cat": "cuda_runtime", "name": "f", "pid": 1, "tid": 1, "ts": 10, "dur": 40},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 20, "dur": 10, "args": {"correlation": 1}},
{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": 1, "ts": 32, "dur": 8},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 33, "dur": 4, "args": {"correlation": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 60, "dur": 10, "args": {"correlation": 3}},
{"ph": "X", "cat": "cuda_runtime", "name": "h", "pid": 1, "tid": 1, "ts": 200, "dur": 100},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 210, "dur": 10, "args": {"correlation": 4}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 400, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 410, "dur": 3, "args": {"device": 0, "stream": 7, "correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 7, "ts": 420, "dur": 7, "args": {"device": 0, "stream": 7, "correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "d", "pid": 0, "tid": 7, "ts": 430, "dur": 2, "args": {"device": 0, "stream": 7, "correlation": 4}}
]}
END
tr-breakdown --by operator --columns name,calls,device_self,device -O tsv t.json
