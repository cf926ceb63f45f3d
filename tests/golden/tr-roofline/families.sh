# Truth: by hand, from the formulas of tr-roofline(1) and the schemas of the operators; floats of 4 bytes but where said.
#   te_gemm_ts: 2 x 3 transposed by 4 x 3: m 2, k 3, n 4: 48 + 8 of the bias; (6 + 12 + 8) * 4 + 4 * 4 = 120
#   gemm_a16w16: 2 x 3 by (5 x 3): 60; (6 + 15 + 10) * 2 = 62
#   _scaled_mm of bytes: 2 x 3 by 3 x 5: 60; 6 + 15 + 10 * 2 = 41
#   bmm: 7 x 2 x 3 by 7 x 3 x 5: 7 * 60 = 420; 7 * (6 + 15 + 10) * 4 = 868
#   convolution 1d: 1 x 2 x 8, filters 3 x 2 x 3, pad 1, stride 2: out 4; 2 * 6 * 12 + 12 = 156; (16 + 18 + 12 + 3) * 4 = 196
#   transposed: 1 x 2 x 4, filters 2 x 3 x 2, stride 2, 1 group: out (4 - 1) * 2 + 1 + 1 = 8; 2 * 6 * 8 = 96;
#   (8 + 12 + 24) * 4 = 176
#   convolution_backward: dy 1 x 3 x 4: 2 * 6 * 12 each way: input and filter 288, bias 12: 300; 2 * (12 + 16 + 18) * 4 + 3 * 4 = 380
#   flash attention 1 x 4 heads x 6 x 8, causal: pairs 18; 2 * 4 * 18 * 16 = 2304; 6 * 4 * 16 * 2 * 2 = 1536
#   2 queries, 6 keys, causal: pairs 2 * (12 - 2) / 2 = 10: 2 * 4 * 10 * 16 = 1280; (2 + 6) * 4 * 16 * 2 = 1024
#   varlen: 3 sequences, 10 queries and keys, at most 4: 16 + 2 * 3 * 3 = 34 pairs; 2 * 2 * 34 * 16 = 2176; 2 * 10 * 2 * 16 * 2 = 1280
#   _flash_attn_backward 1 x 6 x 4 x 8: 2 * 4 * 36 * 40 = 11520; (6 * 4 * 24 + 2 * 6 * 4 * 16) * 2 = 2688
#   Evoformer 1 x 2 x 3 x 4 x 8: batch 2: 2 * 2 * 4 * 9 * 16 = 2304; 2 * (3 * 4 * 16 * 2) * 4 = 3072
#   add of 2 x 3 x 1 and 4: 24; (6 + 4 + 24) * 4 = 136      mul of 6 halves by a number: 6; 6 * 2 + 4 + 6 * 2 = 28
#   pad 1 x 2 x 3 by 1, 2: 2 * 6 = 12; (6 + 12) * 4 = 72     nearest 1 x 2 x 3 to 6: 12; (6 + 12) * 4 = 72
#   silu_and_mul of 2 x 6: 6 * 5 = 30; (12 + 6) * 2 = 36
#   sum of 2 x 3 x 4 over -1: 24; (24 + 6) * 4 = 120        cumsum of 5: 5; 40        mean over all: 24; (24 + 1) * 4 = 100
#   layer_norm 2 x 4 with weight and bias: 40 + 24 = 64; 16 * 4 + 4 * 4 * 6 = 160
#   native_batch_norm 2 x 3 x 4, in use: 48 + 18 = 66; 48 * 4 + 3 * 4 * 4 = 240
#   its backward, training: 9 * 24 = 216; 24 * 4 * 3 + 3 * 4 * (1 + 3) = 336
#   cudnn's: the same      _fused_rms_norm 2 x 4: 2 * 10 + 16 = 36; 64 + 16 = 80
#   its backward: 16 + 48 + 16 = 80; 32 + 64 + 32 = 128     aiter::rmsnorm 2 x 4: 36; 80
#   fused_ln_modulate 2 x 1 x 4: 96; 64 + 32 + 16 = 112     triton: add and silu of 8: 40; (8 + 8) * 4 = 64
cat >t.py <<'END_OF_PYTHON'
import json
F, H, B = "float", "c10::Half", "c10::Float8_e4m3fn"
calls = [
    ("tex_ts::te_gemm_ts", {0: [2, 3], 5: [4, 3], 10: [2, 4], 14: [4]}, {0: F, 5: F, 10: F, 14: F}, {4: "1", 9: "0"}),
    ("aiter::gemm_a16w16", [[2, 3], [5, 3]], [H, H], []),
    ("aten::_scaled_mm", [[2, 3], [3, 5]], [B, B], []),
    ("aten::bmm", [[7, 2, 3], [7, 3, 5]], [F, F], []),
    ("aten::convolution", [[1, 2, 8], [3, 2, 3], [3]], [F, F, F], ["", "", "", "[2]", "[1]", "[1]", "False", "[0]", "1"]),
    ("aten::convolution", [[1, 2, 4], [2, 3, 2], []], [F, F, ""], ["", "", "", "[2]", "[0]", "[1]", "True", "[0]", "1"]),
    ("aten::convolution_backward", [[1, 3, 4], [1, 2, 8], [3, 2, 3]], [F, F, F],
     ["", "", "", "[3]", "[2]", "[1]", "[1]", "False", "[0]", "1", "[True, True, True]"]),
    ("aten::_scaled_dot_product_flash_attention", [[1, 4, 6, 8]] * 3, [H] * 3, ["", "", "", "0.", "True", "False"]),
    ("aten::_scaled_dot_product_flash_attention", [[1, 4, 2, 8], [1, 4, 6, 8], [1, 4, 6, 8]], [H] * 3, ["", "", "", "0.", "True", "False"]),
    ("flash_attn::_flash_attn_varlen_forward", [[10, 2, 8]] * 3 + [[4], [4]], [H] * 3 + ["int", "int"],
     ["", "", "", "", "", "4", "4", "0.", "1.", "False"]),
    ("flash_attn::_flash_attn_backward", [[1, 6, 4, 8]] * 4, [H] * 4, [""] * 9 + ["0.", "1.", "False"]),
    ("EvoformerAttention", [[1, 2, 3, 4, 8]] * 3, [F] * 3, []),
    ("aten::add", [[2, 3, 1], [4]], [F, F], []),
    ("aten::mul", [[6], []], [H, "Scalar"], []),
    ("aten::replication_pad1d", [[1, 2, 3]], [F], ["", "[1, 2]"]),
    ("aten::upsample_nearest1d", [[1, 2, 3]], [F], ["", "[6]"]),
    ("sgl_kernel::silu_and_mul", [[2, 3], [2, 6]], [H, H], []),
    ("aten::sum", [[2, 3, 4]], [F], ["", "[-1]", "False"]),
    ("aten::cumsum", [[5]], [F], ["", "0"]),
    ("aten::mean", [[2, 3, 4]], [F], [""]),
    ("aten::layer_norm", [[2, 4], [], [4], [4]], [F, "", F, F], ["", "[4]"]),
    ("aten::native_batch_norm", [[2, 3, 4], [3], [3]], [F, F, F], ["", "", "", "", "", "False"]),
    ("aten::native_batch_norm_backward", [[2, 3, 4], [2, 3, 4], [3]], [F, F, F], [""] * 7 + ["True", "", "[True, True, True]"]),
    ("aten::cudnn_batch_norm_backward", [[2, 3, 4], [2, 3, 4], [3]], [F, F, F], []),
    ("aten::_fused_rms_norm", [[2, 4], [], [4]], [F, "", F], ["", "[4]"]),
    ("aten::_fused_rms_norm_backward", [[2, 4], [2, 4], [], [2], [4]], [F, F, "", F, F], ["", "", "[4]", "", "", "[True, True]"]),
    ("aiter::rmsnorm", [[2, 4], [2, 4], [4]], [F] * 3, []),
    ("primus::fused_ln_modulate", [[2, 1, 4]], [F], []),
    ("triton_poi_fused_add_silu_3", [[8], []], [F, "Scalar"], ["", "8"]),
]
events = []
for i, (name, dims, types, args) in enumerate(calls):
    full = lambda x, none: [x.get(k, none) for k in range(max(x) + 1)] if isinstance(x, dict) else x
    at = 100 * i
    events += [
        {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": at, "dur": 50,
         "args": {"Input Dims": full(dims, []), "Input type": full(types, ""), "Concrete Inputs": full(args, "")}},
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": at + 1, "dur": 1, "args": {"correlation": i + 1}},
        {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": at + 10, "dur": 80 - i, "args": {"device": 0, "stream": 7, "correlation": i + 1}}]
print(json.dumps({"traceEvents": events}))
END_OF_PYTHON
${PYTHON:-python3} t.py >t.json
tr-roofline --by operator,shape --columns name,family,flop,bytes,spec -O tsv t.json
