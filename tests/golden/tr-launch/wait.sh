# Truth: by hand.  A call that waits for work has its correlation, but did not launch it: the call before it did.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "aiuLaunchControlBlocks", "pid": 1, "tid": 1, "ts": 10, "dur": 5, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "aiuScheduleWait", "pid": 1, "tid": 1, "ts": 16, "dur": 100, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 20, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 50, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 1}}
]}
END
tr-launch --by launch -O tsv --columns correlation,api,name,queue,launch_record t.json
# The same with begins and ends: a call becomes known when it ends.
cat >be.json <<END
{"traceEvents": [
{"ph": "B", "cat": "cuda_runtime", "name": "aiuLaunchControlBlocks", "pid": 1, "tid": 1, "ts": 10, "args": {"correlation": 1}},
{"ph": "E", "cat": "cuda_runtime", "name": "aiuLaunchControlBlocks", "pid": 1, "tid": 1, "ts": 15},
{"ph": "B", "cat": "cuda_runtime", "name": "aiuScheduleWait", "pid": 1, "tid": 1, "ts": 16, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 20, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 50, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "E", "cat": "cuda_runtime", "name": "aiuScheduleWait", "pid": 1, "tid": 1, "ts": 116}
]}
END
tr-launch --by launch -O tsv --columns correlation,api,name,queue,launch_record be.json
