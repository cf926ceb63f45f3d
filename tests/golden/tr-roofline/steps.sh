# Truth: by hand.  Attention of 4 heads of 8 numbers: 4 * 16 * (2 c_sqsk - c_sqsq + 2 g_sqsk) operations, with sums from the
# annotation of each step: 64 * 95 = 6080 with all sums; prompts alone 64 * 55 = 3520, or 8 tokens in 2 equal prompts
# 64 * 32 = 2048; requests for one more token alone 64 * 40 = 2560.  Without numbers of keys there is no figure.
cat >t.py <<'END_OF_PYTHON'
import json
steps = ["execute_7_context_1(sq5sk8sqsq25sqsk40)_generation_2(sq2sk20sqsq2sqsk20)",
         "step[MIXED bs=3 toks=7 c_sq=5 c_sk=8 c_sqsq=25 c_sqsk=40 g_sq=2 g_sk=20 g_sqsq=2 g_sqsk=20]",
         "step[EXTEND bs=2 toks=8]", "prefill[bs=1 tok=5 sk=8 sqsq=25 sqsk=40]", "decode[bs=2 tok=2 sk=20 sqsq=2 sqsk=20]",
         "step[DECODE bs=2]", "execute_context_1(5)_generation_0(0)", "step 7"]
events = []
for i, name in enumerate(steps):
    at = 100 * i
    events += [
        {"ph": "X", "cat": "user_annotation", "name": name, "pid": 1, "tid": 1, "ts": at, "dur": 90},
        {"ph": "X", "cat": "cpu_op", "name": "vllm::unified_attention_with_output", "pid": 1, "tid": 1, "ts": at + 1, "dur": 50,
         "args": {"Input Dims": [[7, 4, 8], [50, 16, 2, 8]], "Input type": ["c10::Half", "c10::Half"]}},
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": at + 2, "dur": 1, "args": {"correlation": i + 1}},
        {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": at + 10, "dur": 20 - i, "args": {"device": 0, "stream": 7, "correlation": i + 1}}]
print(json.dumps({"traceEvents": events}))
END_OF_PYTHON
${PYTHON:-python3} t.py >t.json
tr-roofline --by operator,params --columns device,flop -O tsv t.json 2>&1
