# Truth: by hand; n: elements of the first argument, floats of 4 bytes but where said.
#   _softmax of 6 in two bytes: 5 n = 30; 6 * (2 + 2) = 24, and to floats 6 * (2 + 4) = 36      its gradient: 24; 6 * 12 = 72
#   gelu of 8 halves: 8; 32      isnan of 5: 5; 20 + 5 = 25      fill_ of 6: 6; 24      copy_ of 4 x 6 from 4 x 1: 0; 96 + 16 = 112
#   eq of 2 x 3 and 3: 6; 24 + 12 + 6 = 42      where 2 x 1 bools, 2 x 3 and one float: 6; 2 + 24 + 4 + 24 = 54
#   lerp of 4 and 4 by a number (4): 4; 52      vector norm of 2 x 3 over 1: 6; (6 + 2) * 4 = 32      argmax: 6; 24 + 2 * 8 = 40
#   any of bools over 0: 6; 6 + 3 = 9      var_mean over 0: 6; 24 + 2 * 3 * 4 = 48
#   index_select 3 of 5 rows of 4: 0; 2 * 12 * 4 + 3 * 8 = 120      gather 2 x 3: 0; 2 * 6 * 4 + 6 * 8 = 96
#   scatter_add_ 3 x 4: 12; 2 * 12 * 4 + 12 * 8 = 192      index_put_ of 3 rows of 4, added: 12; 96 + 24 = 120      index: 0; 120
#   embedding 2 x 3 of 4: 0; 2 * 24 * 4 + 6 * 8 = 240      dropout of 8 halves: 8; 8 * 5 = 40
#   max_pool 1 x 2 x 5 x 5 by 3 every 2, pad 1: 2 * 9 out, 18 * 9 = 162; 50 * 4 + 18 * 12 = 416
#   1 x 1 x 4 x 4 by 3 every 2, beyond the end: 4 out: 36; 64 + 48 = 112      avg_pool 1 x 2 x 4 x 4 by 2: 8 out: 32; 128 + 32 = 160
#   _foreach_add_ of 6 and 4: 10      _fused_adamw_ of 10 with decay: 140      mv 3 x 4: 24; (12 + 4 + 3) * 4 = 76
#   _grouped_mm 5 x 4 by 2 x (4 x 3), halves: 120; (20 + 24 + 15) * 2 = 118; 3 x 8 by 8 x 4 in 2 groups: 192; (24 + 32 + 24) * 2 = 160
#   _int_mm 2 x 3 by 3 x 4: 48; 6 + 12 + 32 = 50      flash attention: as in families      _C::cutlass_scaled_mm: 60; 20 + 6 + 15 + 8 = 49
#   experts: 5 tokens of 4, 3 experts with 2 * 6 and 6, one each: 2 * 5 * 4 * 18 = 720; 80 + 3 * (1 - (2/3)^5) * 144 = 455.1
#   fused_add_rms_norm 2 x 4: 2 * 10 + 24 = 44; (32 + 4) * 2 = 72      rotary 3 x (16 + 8), heads of 8: 216; 288
#   static fp8 quant of 8: 8; 8 + 16 + 4 = 28      reshape_and_cache: 0; 96 * 3 + 24 = 312      topk_softmax 5 x 8: 200; 160 + 80 = 240
#   marlin 2 x 16 by 16 x 32: 2048; 64 + 256 + 64 + 16 + 128 = 528
# What an operator inside launched is that operator's, if both have a model and the one around it only of its own work.
cat >t.py <<'END_OF_PYTHON'
import json
F, H, B, L, S = "float", "c10::Half", "c10::Float8_e4m3fn", "long int", "Scalar"
calls = [
    ("aten::_softmax", [[2, 3]], ["c10::BFloat16", S, S], ["", "-1", "False"]),
    ("aten::_softmax", [[3, 2]], [H, S, S], ["", "-1", "True"]),
    ("aten::_log_softmax_backward_data", [[2, 3], [2, 3]], [F, F], []),
    ("aten::gelu", [[4, 2]], [H], []),
    ("aten::isnan", [[5]], [F], []),
    ("aten::fill_", [[6], []], [F, S], []),
    ("aten::copy_", [[4, 6], [4, 1]], [F, F], []),
    ("aten::eq", [[2, 3], [3]], [F, F], []),
    ("aten::where", [[2, 1], [2, 3], []], ["bool", F, F], []),
    ("aten::lerp", [[4], [4], []], [F, F, S], []),
    ("aten::linalg_vector_norm", [[2, 3]], [F], ["", "2", "[1]"]),
    ("aten::argmax", [[2, 3]], [F], ["", "1"]),
    ("aten::any", [[2, 3]], ["bool"], ["", "0"]),
    ("aten::var_mean", [[2, 3]], [F], ["", "[0]"]),
    ("aten::index_select", [[5, 4], [], [3]], [F, S, L], ["", "0", ""]),
    ("aten::gather", [[2, 5], [], [2, 3]], [F, S, L], ["", "1", ""]),
    ("aten::scatter_add_", [[5, 4], [], [3, 4], [3, 4]], [F, S, L, F], ["", "0", "", ""]),
    ("aten::index_put_", [[5, 4], [[3]], [3, 4], []], [F, "TensorList", F, S], ["", "", "", "True"]),
    ("aten::index", [[5, 4], [[3]]], [F, "TensorList"], []),
    ("aten::embedding", [[10, 4], [2, 3]], [F, L], []),
    ("aten::native_dropout", [[8]], [H], []),
    ("aten::max_pool2d_with_indices", [[1, 2, 5, 5]], [F], ["", "[3, 3]", "[2, 2]", "[1, 1]", "[1, 1]", "False"]),
    ("aten::max_pool2d_with_indices", [[1, 1, 4, 4]], [F], ["", "[3]", "[2]", "[0]", "[1]", "True"]),
    ("aten::avg_pool2d", [[1, 2, 4, 4]], [F], ["", "[2, 2]", "[]", "[0, 0]", "False"]),
    ("aten::_foreach_add_", [[[2, 3], [4]], []], ["TensorList", S], []),
    ("aten::_fused_adamw_", [[[10]]], ["TensorList"], [""] * 9 + ["0.01"]),
    ("aten::mv", [[3, 4], [4]], [F, F], []),
    ("aten::_grouped_mm", [[5, 4], [2, 4, 3], [2]], [H, H, "int"], []),
    ("aten::_grouped_mm", [[3, 8], [8, 4], [2]], [H, H, "int"], []),
    ("aten::_int_mm", [[2, 3], [3, 4]], ["signed char", "signed char"], []),
    ("aten::_flash_attention_forward", [[1, 6, 4, 8]] * 3, [H] * 3, [""] * 5 + ["6", "6", "0.", "True"]),
    ("aten::_flash_attention_backward", [[1, 6, 4, 8]] * 4, [H] * 4, [""] * 8 + ["6", "6", "0.", "False"]),
    ("flash_attn_3::bwd", [[1, 6, 4, 8]] * 4, [H] * 4, [""] * 16 + ["False"]),
    ("_C::cutlass_scaled_mm", [[2, 5], [2, 3], [3, 5], [1], [1]], [H, B, B, F, F], []),
    ("vllm::outplace_fused_experts", [[5, 4], [3, 12, 4], [3, 4, 6], [5, 1], [5, 1]], [H, H, H, F, "int"], []),
    ("_C::fused_add_rms_norm", [[2, 4], [2, 4], [4]], [H] * 3, []),
    ("_C::rotary_embedding", [[3], [3, 16], [3, 8], [], [100, 8]], [L, H, H, S, H], ["", "", "", "8"]),
    ("_C::static_scaled_fp8_quant", [[2, 4], [2, 4], [1]], [B, H, F], []),
    ("_C_cache_ops::reshape_and_cache_flash", [[3, 2, 8], [3, 2, 8], [10, 16, 2, 8], [10, 16, 2, 8], [3]], [H, H, B, B, L], []),
    ("_moe_C::topk_softmax", [[5, 2], [5, 2], [5, 2], [5, 8]], [F, "int", "int", F], []),
    ("_C::marlin_gemm", [[2, 16], [], [1, 64], [], [1, 32], [], [], [], [], [], [4]], [H, "", "int", "", H] + [""] * 5 + ["int"],
     [""] * 11 + ["1", "2", "32", "16"]),
]
inside = [("aten::embedding", "aten::index_select", [[8, 2], [], [3]], [F, S, L], ["", "0", ""]),
          ("aten::relu_", "aten::clamp_min_", [[7]], [F], [])]
events = []
def call(name, dims, types, args, ts, dur):
    events.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": dur,
                   "args": {"Input Dims": dims, "Input type": types, "Concrete Inputs": args}})
def work(i, ts):
    events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": ts, "dur": 1,
                   "args": {"correlation": i + 1}})
    events.append({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": ts + 9, "dur": 80 - i,
                   "args": {"device": 0, "stream": 7, "correlation": i + 1}})
for i, one in enumerate(calls):
    call(*one, 100 * i, 50)
    work(i, 100 * i + 1)
for i, (around, *one) in enumerate(inside, len(calls)):
    call(around, [[8, 2], [3]], [F, L], [], 100 * i, 60)
    call(*one, 100 * i + 1, 50)
    work(i, 100 * i + 2)
print(json.dumps({"traceEvents": events}))
END_OF_PYTHON
${PYTHON:-python3} t.py >t.json
tr-roofline --by operator,shape --columns name,family,flop,bytes,spec -O tsv t.json
tr-breakdown --by operator,category --columns name,category -O tsv t.json
