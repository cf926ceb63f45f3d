# Truth: by hand.  aten::mean of 2 x 3 floats over its last dimension to 2 x 1; aten::sum inside of it has the number 5
# of the backward pass, too, and is the inner one.  The engine's call of number 5 on thread 2 launches 3 us itself and,
# in aten::div, 4 us of which 2 overlap: 5 us.  6 operations, (6 + 2) * 4 bytes.
# A second mean has number 6; its backward pass on thread 2 runs 2 us.  Number 6 of thread 2 itself, a mean that is
# computed again there, is not what that call belongs to.  Number 7 has no call of the forward pass.
# A third mean, number 8, has no backward pass.
cat >t.py <<'END_OF_PYTHON'
import json
events, n = [], 0
def op(tid, name, ts, dur, number, shaped=True, kernels=()):
    global n
    args = {"Input Dims": [[2, 3], [], [], []], "Input type": ["float", "ScalarList", "Scalar", ""],
            "Concrete Inputs": ["", "[-1]", "True", ""]} if shaped else {}
    if number is not None:
        args["Sequence number"] = number
    events.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": tid, "ts": ts, "dur": dur, "args": args})
    for start, length in kernels:
        n += 1
        events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": tid, "ts": ts + 1, "dur": 1,
                       "args": {"correlation": n}})
        events.append({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": start, "dur": length,
                       "args": {"device": 0, "stream": n, "correlation": n}})
op(1, "aten::mean", 0, 20, 5)
op(1, "aten::sum", 5, 10, 5, kernels=[(8, 1)])
op(1, "aten::mean", 30, 5, 6, kernels=[(33, 1)])
op(1, "aten::mean", 40, 5, 8, kernels=[(43, 1)])
op(2, "aten::mean", 50, 5, 6, kernels=[(53, 1)])
engine = "autograd::engine::evaluate_function: MeanBackward1"
op(2, engine, 100, 30, 5, False, [(110, 3)])
op(2, "MeanBackward1", 104, 20, 5, False)
op(2, "aten::div", 105, 10, None, False, [(111, 4)])
op(2, engine, 200, 10, 6, False, [(210, 2)])
op(2, engine, 300, 10, 7, False, [(310, 2)])
print(json.dumps({"traceEvents": events}))
END_OF_PYTHON
${PYTHON:-python3} t.py >t.json
columns=name,family,calls,device,kernels,flop,bytes,mean,min,max,record
tr-roofline -q --backward --op 'backward|^autograd' --columns $columns -O tsv t.json
echo "== by arguments"
tr-roofline -q --backward --by operator,shape --op backward --columns name,shapes,args,calls,device -O tsv t.json
echo "== families"
tr-roofline -q --backward --by family --columns family,calls,device -O tsv t.json
echo "== without"
tr-roofline -q --op 'backward|^autograd|mean' --columns name,calls,device -O tsv t.json
tr-roofline --explain 'backward of aten::mean' | head -n 2 | sed "s,\(models. line\) [0-9]*,\1 N,"
