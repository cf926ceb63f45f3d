# Truth: by hand.  A graph of mm (inside linear), relu, a copy and mm was captured for 2, 4 and 8 tokens; the captures
# differ in shapes alone.  It is launched in a step of 3 tokens, so the capture for 4 fits; its kernels take 20, 30, 5 and
# 10 us.  The second launch is of the same graph, whose streams run relu before mm (1, 2, 3 and 4 us).  The third has two
# kernels of the graph and one that no capture has (100 us each), and the fourth nothing of it (7 us).  A kernel of the
# operator around the launches takes 50 us.
cat >make.py <<'END_OF_PYTHON'
import json

def call(cat, name, tid, ts, dur, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": 9, "tid": tid, "ts": ts, "dur": dur, "args": args}

def save(name, events):
    json.dump({"distributedInfo": {"rank": 2}, "traceEvents": events}, open(name, "w"))

def capture(size, at, said=True):
    def launch(name, ts, kernel):
        return call("cuda_runtime", name, 9, at + ts, 5, **({"kernel": kernel} if said and kernel else {}))
    def op(name, ts, dur, *dims):
        return call("cpu_op", name, 9, at + ts, dur, **{"Input Dims": dims, "Input type": ["float"] * len(dims),
                                                       "Concrete Inputs": [""] * len(dims)})
    return [call("user_annotation", "capture_%d_FULL" % size, 9, at, 900),
            call("python_function", "nn.Module: Outside_0", 9, at + 1, 890),
            op("aten::fill_", 2, 5, [1]), launch("cudaLaunchKernel", 3, "fill"),
            call("cuda_runtime", "cudaStreamBeginCapture", 9, at + 10, 5),
            call("python_function", "nn.Module: Linear_3", 9, at + 20, 100),
            op("aten::linear", 21, 90, [size, 8], [8, 8]), op("aten::mm", 22, 50, [size, 8], [8, 8]),
            launch("cudaLaunchKernel", 30, "gemm"), op("aten::relu", 200, 20, [size, 8]),
            launch("cudaLaunchKernel", 205, "relu"), op("aten::copy_", 300, 20, [size], [size]),
            launch("cudaMemcpyAsync", 305, None), op("aten::mm", 400, 50, [size, 8], [8, 8]),
            launch("cuLaunchKernel", 405, "gemm"), call("cuda_runtime", "cudaStreamEndCapture", 9, at + 500, 5)]

save("captures.json", capture(2, 0) + capture(4, 1000) + capture(8, 2000))
save("nameless.json", capture(2, 0, False) + capture(4, 1000, False))

run = [call("user_annotation", "execute_context_0(0)_generation_3(3)", 9, 0, 99),
       call("user_annotation", "execute_context_0(0)_generation_1(1)", 9, 100, 900),
       call("python_function", "nn.Module: Model_0", 9, 1, 98), call("cpu_op", "aten::op", 9, 2, 90),
       call("cuda_runtime", "cudaLaunchKernel", 9, 3, 1, correlation=1),
       call("kernel", "own", 7, 5, 50, correlation=1, device=0, stream=7)]
graphs = [(10, [("gemm", 60, 20, 7), ("relu", 85, 30, 7), ("Memcpy DtoD", 120, 5, 7), ("gemm", 130, 10, 7)]),
          (110, [("relu", 201, 1, 8), ("gemm", 202, 2, 7), ("Memcpy DtoD", 210, 3, 7), ("gemm", 220, 4, 7)]),
          (120, [("gemm", 300, 100, 7), ("other", 400, 100, 7), ("relu", 500, 100, 7)]),
          (130, [("other", 700, 7, 7)])]
for n, (ts, work) in enumerate(graphs):
    run.append(call("cuda_runtime", "cudaGraphLaunch", 9, ts, 5, correlation=2 + n))
    for name, at, dur, stream in work:
        run.append(call("gpu_memcpy" if name.startswith("Mem") else "kernel", name, stream, at, dur,
                        correlation=2 + n, device=0, stream=stream))
save("run.json", run)
save("none.json", run[:6])
END_OF_PYTHON
python3 make.py
operators() { echo "# $*"; tr-breakdown "$@" -O tsv 2>&1; }
shown=name,calls,host_self,device_self,device,kernels
operators --by operator,shape --columns "$shown,shapes" --attach-capture captures.json run.json
operators --by operator,stack --step 0 --columns "$shown,stack" -q --attach-capture captures.json run.json
operators --by operator,module --columns name,module,device_self -q --attach-capture captures.json run.json
operators --by operator,position -q --op mm --columns name,kernel,position,stream,count,sum --attach-capture captures.json run.json
operators --by category --attach-capture captures.json -q run.json
operators --by module --attach-capture captures.json -q run.json
# work is chosen, the graph is still known
operators --by operator,shape --where 'dur >= 10us' --columns "$shown" -q --attach-capture captures.json run.json
mkdir folder
cp captures.json folder
echo '[{"file": "captures.json", "batch_size": 4, "mode": "FULL"}]' >folder/execution_details.json
operators --by operator,shape --columns "$shown" --top 3 --attach-capture folder run.json
operators --by operator --columns "$shown" --top 3 --attach-capture nameless.json run.json
operators --by operator --columns "$shown" --attach-capture captures.json none.json
operators --by operator --columns "$shown" --attach-capture run.json none.json
operators --by time --attach-capture captures.json run.json
echo "status $?"
