# Truth: by hand.  moe_forward has 4 tokens of 64 and scores of 8 experts.  Inside it each token chooses 2 of them (TopK),
# and weights of 8 x 32 x 96 and 8 x 24 x 64 bytes, two numbers in each, are viewed: from 64 up to 96 = 2 * 48, and from
# 48 down to 64.  1 - (1 - 2/8)^4 = 175/256 of the experts are busy, 5.46875; a weight has 17/16 of its bytes with scales.
#   up: 2 * 4 * 2 * 64 * 96 = 98304; 4 * (64 + 2 * 48) * 2 + 5.46875 * 32 * 96 * 17/16 = 1280 + 17850
#   down: 2 * 4 * 2 * 48 * 64 = 49152; 4 * 2 * (48 + 64) * 2 + 5.46875 * 24 * 64 * 17/16 = 1792 + 8925
# Two calls; kernels take 2 (choice), 30 (up), 20 (down) and 3 us.  What no part is for is the operator's, without a model;
# but neg inside, of 8 halves, has one, and the kernel of 5 us is its.  The second call has no views inside: no figures.
# A file of models that names the operator replaces both parts.
# explain OPERATOR: what the models say of it, without the number of the line.
explain()
{
    tr-roofline --explain "$1" >explained
    status=$?
    sed "s,\(models. line\) [0-9]*,\1 N," explained
    return $status
}
cat >t.py <<'END_OF_PYTHON'
import json
events, n = [], 0
def call(name, ts, dur, dims, types, args):
    events.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": dur,
                   "args": {"Input Dims": dims, "Input type": types, "Concrete Inputs": args}})
def work(name, ts, dur):
    global n
    n += 1
    events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": ts, "dur": 1,
                   "args": {"correlation": n}})
    events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": ts + 1000, "dur": dur,
                   "args": {"device": 0, "stream": 7, "correlation": n}})
H = "c10::Half"
for at in 0, 500:
    call("vllm::moe_forward", at, 400, [[4, 64], [4, 8], [], []], [H, H, "", ""], [""] * 4)
    call("TopK", at + 10, 20, [[4, 8], [], []], [H, "Scalar", "Scalar"], ["", "2", "True"])
    work("_topk_forward", at + 15, 2)
    if not at:
        call("aten::view", at + 40, 1, [[4, 64], []], [H, "ScalarList"], ["", "[4, 64]"])
        call("aten::view", at + 50, 1, [[8, 32, 96], []], ["unsigned char", "ScalarList"], ["", "[8, 32, 96]"])
    work("_matmul_ogs_NNT_bf16xbf16xmxfp4_swiglu", at + 60, 30)
    call("aten::neg", at + 100, 10, [[8]], [H], [""])
    work("vectorized_neg", at + 101, 5)
    if not at:
        call("aten::view", at + 120, 1, [[8, 24, 64], []], ["unsigned char", "ScalarList"], ["", "[8, 24, 64]"])
    work("_matmul_ogs_NNT_bf16xbf16xmxfp4", at + 150, 20)
    work("_finalize_matmul_scatter", at + 200, 3)
print(json.dumps({"traceEvents": events}))
END_OF_PYTHON
${PYTHON:-python3} t.py >t.json
shown=name,family,calls,device,model_pct,flop,bytes,kernels
tr-roofline --columns $shown -O tsv t.json
tr-roofline --by operator,params --op moe --columns family,params,device -q -O tsv t.json
tr-roofline --by family --columns family,calls,device -q -O tsv t.json
tr-roofline --nested --columns $shown -q -O tsv t.json
# The same call in a capture: views that launch nothing are inside it, too.  The graph is launched once.
cat >capture.py <<'END_OF_PYTHON'
import json
H = "c10::Half"
def span(category, name, ts, dur, **args):
    return {"ph": "X", "cat": category, "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": dur, "args": args}
def call(name, ts, dur, dims, types, args):
    return span("cpu_op", name, ts, dur, **{"Input Dims": dims, "Input type": types, "Concrete Inputs": args})
names = "_topk_forward", "_matmul_ogs_NNT_swiglu", "_matmul_ogs_NNT"
captured = [span("cuda_runtime", "cudaStreamBeginCapture", 1, 1),
            call("vllm::moe_forward", 10, 80, [[4, 64], [4, 8], [], []], [H, H, "", ""], [""] * 4),
            call("TopK", 12, 9, [[4, 8], [], []], [H, "Scalar", "Scalar"], ["", "2", "True"]),
            call("aten::view", 25, 1, [[8, 32, 96], []], ["unsigned char", "ScalarList"], ["", "[8, 32, 96]"]),
            call("aten::view", 45, 1, [[8, 24, 64], []], ["unsigned char", "ScalarList"], ["", "[8, 24, 64]"]),
            span("cuda_runtime", "cudaStreamEndCapture", 95, 1)]
captured += [span("cuda_runtime", "cudaLaunchKernel", ts, 2, kernel=n) for ts, n in zip((14, 30, 60), names)]
json.dump({"traceEvents": captured}, open("capture.json", "w"))
run = [span("cuda_runtime", "cudaGraphLaunch", 5, 5, correlation=1)]
run += [dict(span("kernel", n, 20 + 40 * i, 10 * i + 2, correlation=1, device=0, stream=7), tid=7) for i, n in enumerate(names)]
json.dump({"traceEvents": run}, open("run.json", "w"))
END_OF_PYTHON
${PYTHON:-python3} capture.py
tr-roofline --attach-capture capture.json --columns $shown -q -O tsv run.json
cat >own.models <<'END_OF_MODELS'
[products]
ops = vllm::moe_forward
kernels =~ "matmul_ogs"
flops = 10 * len(inside("TopK", "arg"))
[choice]
ops = vllm::moe_forward
kernels =~ "^_topk"
flops = 1
END_OF_MODELS
tr-roofline --models own.models --columns $shown -q -O tsv t.json
explain vllm::moe_forward | grep -e '^#' -e '^\[' -e '^kernels'
explain aten::cat
echo "status $?"
tr-roofline --explain nothing::known
echo "status $?"
for line in 'kernels = "x"' 'kernels =~ x' 'kernels =~ "("' 'own = a
kernels =~ "x"' 'flops = len(inside(op, "arg"))' 'flops = inside("a")' 'why =' 'source ='; do
    printf '[f]\nops = b\n%s\n' "$line" >bad.models
    tr-roofline --models bad.models t.json
    echo "status $?"
done
