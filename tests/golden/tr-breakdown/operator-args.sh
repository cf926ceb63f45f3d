# Truth: by hand.  Three calls of one set of arguments launch 10, 20 and 20 + 20 us that overlap by 10 (30): mean 20,
# median 20, deviation 10.  Below the third one an operator launches 40 more, so that all work is 10, 20 and 70: mean
# 33.333, median 20, deviation 32.146.  One call of other values of the same shapes: 5.  The fourth call of these
# arguments launches nothing.  The last call launches two kernels, k7 and k8.
# The third call runs below recompute_fn of a checkpoint; so does what is inside of it, and nothing after it.
cat >t.py <<'END_OF_PYTHON'
import json
events, n = [], 0
def span(cat, name, ts, dur, **args):
    events.append({"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": dur, "args": args})
def call(name, ts, dur, value, *kernels):
    global n
    span("cpu_op", name, ts, dur, **{"Input Dims": [[2], []], "Input type": ["float", "Scalar"], "Input Strides": [[1], []],
                                    "Concrete Inputs": ["", value]})
    for start, length in kernels:
        n += 1
        span("cuda_runtime", "cudaLaunchKernel", ts + 1, 1, correlation=n)
        events.append({"ph": "X", "cat": "kernel", "name": "k%d" % n, "pid": 0, "tid": 7, "ts": start, "dur": length,
                       "args": {"device": 0, "stream": n, "correlation": n}})
span("python_function", "train.py(1): step", 0, 1000)
call("aten::mul", 100, 20, "1", (110, 10))
call("aten::mul", 200, 20, "1", (210, 20))
span("python_function", "torch/utils/checkpoint.py(1400): recompute_fn", 290, 60)
call("aten::mul", 300, 40, "1", (310, 20), (320, 20))
call("aten::copy_", 320, 10, "", (400, 40))
call("aten::mul", 500, 20, "2", (510, 5))
call("aten::mul", 600, 20, "1")
call("aten::cat", 700, 20, "", (710, 5), (730, 7))
print(json.dumps({"traceEvents": events}))
END_OF_PYTHON
${PYTHON:-python3} t.py >t.json
tr-breakdown --by operator,args -O tsv t.json
echo "== recompute"
tr-breakdown --by operator,recompute --columns name,recompute,calls,device_self,kernels -O tsv t.json
# k3 and k4 are places 1 and 2 of the third call, k7 and k8 of the last; k5 and k4 run on their own streams.
echo "== kernels"
tr-breakdown --by operator,shape,position --columns name,shapes,kernel,stream,position,count,sum,pct -O tsv t.json
echo "== short ones, whatever their place"
tr-breakdown --by operator,kernel --where 'dur < 10us' --op mul --columns name,kernel,count,sum,pct,mean -O tsv t.json
