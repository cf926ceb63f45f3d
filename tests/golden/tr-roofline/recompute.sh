# Truth: by hand.  Two products of 2 x 2 floats, 2 and 4 us; the second one below the frame of a checkpoint that
# computes it again.
cat >t.json <<'END_OF_JSON'
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 5, "args": {"Input Dims": [[2, 2], [2, 2]], "Input type": ["float", "float"]}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 2, "dur": 1, "args": {"correlation": 1}},
{"ph": "X", "cat": "python_function", "name": "torch/utils/checkpoint.py(1400): recompute_fn", "pid": 1, "tid": 1, "ts": 20, "dur": 20},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 21, "dur": 5, "args": {"Input Dims": [[2, 2], [2, 2]], "Input type": ["float", "float"]}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 22, "dur": 1, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 10, "dur": 2, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 30, "dur": 4, "args": {"device": 0, "stream": 7, "correlation": 2}}
]}
END_OF_JSON
tr-roofline --by operator,thread,recompute --columns name,thread,recompute,calls,device,flop,bytes -O tsv t.json 2>&1
