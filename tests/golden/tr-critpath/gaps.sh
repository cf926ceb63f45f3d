# Truth: by hand.  b waits neither for its launch (its queue was not empty when it began) nor for work of its stream, and
# the trace does not say what hipDeviceSynchronize waits for; so the path is the host's, which waits 30 us, and the 10 us
# between two and three count nothing: 10 + 40 + 10.  With --gaps, b most likely waited for a, which had ended 2 us
# before, and the call for c, which ended last in it, 0.5 us before its end; three comes 10 us after two.  All 90 us
# have a reason then: 1 operator, 1 launch (from the start of the call), 20, 2, 35, 0.5, 0.5, 9 operator, 10, 10.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "one", "pid": 1, "tid": 1, "ts": 0, "dur": 10},
{"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 1, "tid": 1, "ts": 2, "dur": 1, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 1, "tid": 1, "ts": 5, "dur": 1, "args": {"correlation": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 1, "tid": 1, "ts": 7, "dur": 1, "args": {"correlation": 3}},
{"ph": "X", "cat": "cpu_op", "name": "two", "pid": 1, "tid": 1, "ts": 30, "dur": 40},
{"ph": "X", "cat": "cuda_runtime", "name": "hipDeviceSynchronize", "pid": 1, "tid": 1, "ts": 31, "dur": 30},
{"ph": "X", "cat": "cpu_op", "name": "three", "pid": 1, "tid": 1, "ts": 80, "dur": 10},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 3, "ts": 3, "dur": 20, "args": {"device": 0, "stream": 3, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 4, "ts": 25, "dur": 35, "args": {"device": 0, "stream": 4, "correlation": 2}},
{"ph": "X", "cat": "gpu_memcpy", "name": "c", "pid": 0, "tid": 4, "ts": 60, "dur": 0.5, "args": {"device": 0, "stream": 4, "correlation": 3}}
]}
END
tr-critpath -O tsv t.json
tr-critpath --by count -O tsv t.json | grep unexplained
echo "== gaps"
tr-critpath --gaps -O tsv t.json
tr-critpath --gaps --by path -O tsv t.json | cut -f 2-
echo "== one and three load data"
tr-critpath --gaps --data '^(one|three)$' -O tsv t.json
