# Truth: by hand.  Kineto of 2021: steps are operators; a tid in quotes is the same thread as one without.
cat >t.json <<'END'
{"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "Operator", "name": "ProfilerStep#4", "pid": 9, "tid": "9", "ts": 100, "dur": 50, "args": {"External id": 1}},
{"ph": "X", "cat": "Operator", "name": "aten::mm", "pid": 9, "tid": "9", "ts": 110, "dur": 20, "args": {"External id": 2}},
{"ph": "X", "cat": "Runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": "9", "ts": 112, "dur": 5, "args": {"external id": 2, "correlation": 7}},
{"ph": "X", "cat": "Kernel", "name": "gemm", "pid": 0, "tid": "stream 7", "ts": 120, "dur": 30, "args": {"external id": 2, "correlation": 7, "device": 0, "stream": 7}},
{"ph": "i", "name": "[memory]", "pid": 9, "tid": 9, "ts": 111, "s": "t", "args": {"Device Type": 1, "Device Id": 0, "Bytes": 1024}}
]}
END
tr-view -q -O tsv --columns name,ts,dur,activity,step,operator,tid,thread t.json
tr-breakdown -q --by step -O tsv --columns rank,step t.json
