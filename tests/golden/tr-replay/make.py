# SPDX-License-Identifier: MIT
"""A trace of calls, each with one kernel.  usage: make.py, with a list of [name, dims, types, strides, values, dur] on
standard input; what is null is not in the trace."""
import json
import sys

events = []
for i, (name, dims, types, strides, values, dur) in enumerate(json.load(sys.stdin)):
    at = 100 * i
    args = {"Input Dims": dims, "Input type": types, "Input Strides": strides, "Concrete Inputs": values}
    events.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": at, "dur": 50,
                   "args": {k: v for k, v in args.items() if v is not None}})
    events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": at + 1, "dur": 1,
                   "args": {"correlation": i + 1}})
    events.append({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": at + 10, "dur": dur,
                   "args": {"device": 0, "stream": 7, "correlation": i + 1}})
print(json.dumps({"traceEvents": events}))
