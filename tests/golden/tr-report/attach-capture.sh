# Truth: by hand.  A graph of one operator, whose kernel takes 20 us, was captured, and is launched outside of operators.
cat >capture.json <<'END'
[{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 9, "tid": 9, "ts": 10, "dur": 50},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamBeginCapture", "pid": 9, "tid": 9, "ts": 5, "dur": 2},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": 20, "dur": 5,
 "args": {"kernel": "gemm"}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamEndCapture", "pid": 9, "tid": 9, "ts": 70, "dur": 2}]
END
cat >run.json <<'END'
{"distributedInfo": {"rank": 0}, "traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 9, "tid": 9, "ts": 10, "dur": 5,
 "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 30, "dur": 20,
 "args": {"correlation": 1, "device": 0, "stream": 7}}]}
END
tr-report -q --sections operators run.json
tr-report -q --sections operators --attach-capture capture.json run.json
tr-report --sections operators --attach-capture capture.json --save-partial x.part run.json 2>&1
echo $?
tr-report -q --sections operators --save-partial x.part run.json
tr-report --attach-capture capture.json x.part 2>&1
echo $?
