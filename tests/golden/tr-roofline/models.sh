# Truth: by hand.  A file of models adds an operator and replaces another; what it does not know has no numbers.
# fuse of 64 x 16 halves: 3 operations for each of 1024 elements, 2 * 1024 * 2 bytes; 2 us: 0.002 TFLOP/s, 0.002 TB/s.
# mm costs 7 operations whatever its shapes, in 1 us.  An add whose shapes do not fit, and one without, have no numbers.
cat >t.json <<END_OF_JSON
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "my::fuse", "pid": 1, "tid": 1, "ts": 1, "dur": 5, "args": {"Input Dims": [[64, 16]], "Input type": ["c10::Half"]}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 2, "dur": 1, "args": {"correlation": 1}},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 11, "dur": 5, "args": {"Input Dims": [[2, 2], [2, 2]], "Input type": ["float", "float"]}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 12, "dur": 1, "args": {"correlation": 2}},
{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 21, "dur": 5, "args": {"Input Dims": [[2, 3], [2, 4]], "Input type": ["float", "float"]}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 22, "dur": 1, "args": {"correlation": 3}},
{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 31, "dur": 5},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 32, "dur": 1, "args": {"correlation": 4}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 100, "dur": 2, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 110, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 120, "dur": 4, "args": {"device": 0, "stream": 7, "correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 130, "dur": 8, "args": {"device": 0, "stream": 7, "correlation": 4}}
]}
END_OF_JSON
cat >my.models <<END_OF_MODELS
# models of one's own
[fused]
ops = my::fuse, my::other*
let n = prod(dims(0))   # elements
flops = 3 * n
bytes = 2 * n * size(types(0))
spec = "vector_" + precision(types(0))
param = n

[mine]
ops = aten::mm
flops = 7
END_OF_MODELS
tr-roofline --models my.models --by operator,params --columns name,family,params,calls,device,model_pct,flop,bytes,spec,tflops -O tsv t.json 2>&1
echo "== explain"
tr-roofline --models my.models --explain my::other_one
tr-roofline --models my.models --explain aten::mm
tr-roofline --explain my::fuse || echo "status $?"
echo "== wrong"
wrong()
{
    printf '%b' "$1" >wrong.models
    tr-roofline --models wrong.models --explain x 2>&1 || echo "status $?"
}
wrong ''
wrong 'ops = x\n'
wrong '[f]\nflops = 1 +\n'
wrong '[f]\nlet x = y\n'
wrong '[f]\nlet op = 1\n'
wrong '[f]\nlet x = size(1, 2)\n'
wrong '[f]\nparam = x\n'
wrong '[f]\nspeed = 1\n'
wrong '[]\n'
printf '[d]\nbandwidth = none\n' >wrong.peaks
tr-roofline --arch ./wrong.peaks t.json 2>&1 || echo "status $?"
printf '{"max_achievable_tflops": {"matrix_fp32": "x"}}' >wrong.json
tr-roofline --arch wrong.json t.json 2>&1 || echo "status $?"
tr-roofline --arch X100 t.json 2>&1 || echo "status $?"
echo "== peaks as JSON: 7 operations at 7e6 a second take 1 us"
printf '{"name": "j", "mem_bw_gbps": 1, "max_achievable_tflops": {"matrix_fp32": 0.000007}}' >j.json
printf '[mine]\nops = aten::mm\nflops = 7\nbytes = 1\nspec = "matrix_fp32"\n' >mine.models
tr-roofline --arch j.json --models mine.models --op mm --columns name,bound,roofline,roofline_pct -O tsv t.json 2>said
