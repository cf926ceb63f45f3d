# Truth: by hand.  The outer range launches a (20..30) itself and b (40..50) in the inner one: 20..50 on the device, of which
# 20 are busy.  The second inner range launches nothing; c, launched on another thread, belongs to no range.
cat >t.json <<'END'
{"distributedInfo": {"rank": 0}, "traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "outer", "pid": 1, "tid": 1, "ts": 0, "dur": 30},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 20, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "user_annotation", "name": "inner", "pid": 1, "tid": 1, "ts": 5, "dur": 4},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 6, "dur": 2},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 6, "dur": 1, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 40, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 2}},
{"ph": "X", "cat": "user_annotation", "name": "inner", "pid": 1, "tid": 1, "ts": 12, "dur": 2},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 2, "ts": 6, "dur": 1, "args": {"correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 9, "ts": 21, "dur": 90, "args": {"device": 0, "stream": 9, "correlation": 3}}
]}
END
tr-util --by annotation -O tsv t.json
# A condition is for device work; a window cuts both sides.
tr-util --by annotation --where 'name == "b"' -O tsv --columns name,count,device,busy_pct,kernels t.json
tr-util --by annotation --time 10..45 -O tsv --columns name,count,host,device,busy t.json
