# Truth: by hand.  The steps of a run are those in which an event is selected.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 0, "dur": 10},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#2", "pid": 1, "tid": 1, "ts": 10, "dur": 30},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#3", "pid": 1, "tid": 1, "ts": 40, "dur": 20},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 12, "dur": 1, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 45, "dur": 3, "args": {"device": 0, "stream": 7, "correlation": 1}}
]}
END
steps="tr-diff --by steps --columns statistic,base_steps,test_steps,base_us,test_us"
$steps --base-where 'step == 1' --test-where 'step == 2' t.json t.json
# The kernel belongs to the step that launched it.
$steps --base-where 'name == "gemm"' --test-where 'step in (1, 3)' t.json t.json
$steps --base-where 'name == "no such"' --test-where 'true' t.json t.json
