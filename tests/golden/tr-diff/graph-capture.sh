# Truth: by hand.  A graph of linear > mm, copy, relu and fill was captured for 4 and 8 tokens; the captures differ in
# shapes.  The base runs these operators one by one in each of two steps, the test launches the graph.  With the capture
# the trees are equal, though a stream of the graph ran relu before the copy.  In other.json the second
# graph has a kernel that is not in the capture (100 us) instead of relu (30 us), and another one (7 us); the second graph
# of strange.json has no capture.
cat >make.py <<'END_OF_PYTHON'
import json

def call(cat, name, tid, ts, dur, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": 9, "tid": tid, "ts": ts, "dur": dur, "args": args}

def save(name, events):
    json.dump({"distributedInfo": {"rank": 2}, "traceEvents": events}, open(name, "w"))

OPS = [("aten::mm", "cudaLaunchKernel", "gemm"), ("aten::copy_", "cudaMemcpyAsync", "Memcpy DtoD"),
       ("aten::relu", "cudaLaunchKernel", "relu"), ("aten::zero_", "cudaMemsetAsync", "Memset")]
DUR = {"gemm": 20, "Memcpy DtoD": 5, "relu": 30, "Memset": 2}

def operators(at, size, args_of):
    out = [call("cpu_op", "aten::linear", 9, at, 20, **{"Input Dims": [[size, 8]], "Input type": ["float"]})]
    for k, (op, api, kernel) in enumerate(OPS):
        ts = at + 1 if k == 0 else at + 30 * k
        out.append(call("cpu_op", op, 9, ts, 15, **{"Input Dims": [[size, 8]], "Input type": ["float"]}))
        out.append(call("cuda_runtime", api, 9, ts + 2, 5, **args_of(k, kernel)))
    return out

def capture(size, at):
    said = operators(at + 20, size, lambda k, kernel: {"kernel": kernel} if k in (0, 2) else {})
    return [call("user_annotation", "capture_%d_FULL" % size, 9, at, 900),
            call("cuda_runtime", "cudaStreamBeginCapture", 9, at + 10, 5)] + said + \
           [call("cuda_runtime", "cudaStreamEndCapture", 9, at + 500, 5)]

def work(name, ts, dur, correlation, stream=7):
    cat = "gpu_memcpy" if "cpy" in name else "gpu_memset" if "Memset" in name else "kernel"
    return call(cat, name, stream, ts, dur, correlation=correlation, device=0, stream=stream)

def step(n):
    return call("user_annotation", "execute_context_0(0)_generation_3(3)", 9, 1000 * n, 900)

def graph(n, kernels):
    out = [step(n), call("cuda_runtime", "cudaGraphLaunch", 9, 1000 * n + 10, 5, correlation=100 * n + 1)]
    return out + [work(name, 1000 * n + 20 + 120 * k, dur, 100 * n + 1) for k, (name, dur) in enumerate(kernels)]

save("captures.json", capture(4, 0) + capture(8, 1000))
eager = []
for n in (1, 2):
    eager += [step(n)] + operators(1000 * n + 10, 4, lambda k, _: {"correlation": 100 * n + k})
    eager += [work(kernel, 1000 * n + 200 + 50 * k, DUR[kernel], 100 * n + k) for k, (_, _, kernel) in enumerate(OPS)]
save("eager.json", eager)
one = [(kernel, DUR[kernel]) for _, _, kernel in OPS]
save("graph.json", graph(1, one) + graph(2, [one[k] for k in (0, 2, 1, 3)]))
save("other.json", graph(1, one) + graph(2, one[:2] + [("new", 100), one[3], ("more", 7)]))
save("strange.json", graph(1, one) + graph(2, [("what", 9)]))
END_OF_PYTHON
python3 make.py
compare() { echo "# $*"; tr-diff -O tsv "$@" 2>&1; }
compare --by tree eager.json graph.json
compare --by tree --test-capture captures.json eager.json graph.json
compare --by tree,node -q --test-capture captures.json --step 1 eager.json graph.json
compare --by tree,kernel -q --columns run,record,name,operator,operator_record,shapes,place --test-capture captures.json eager.json graph.json
compare --by tree --attach-capture captures.json graph.json other.json
compare --by tree,node -q --attach-capture captures.json graph.json other.json
compare --by tree --base-capture captures.json --attach-capture captures.json strange.json eager.json
compare --by operator --attach-capture captures.json graph.json eager.json
echo "status $?"
