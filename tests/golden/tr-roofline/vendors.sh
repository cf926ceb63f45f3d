# Truth: by hand.  Each call has its operations and bytes beside it, as sums and products of its arguments' sizes (what
# tr-roofline(1) says counts); the program must print these.  A model of an operator in each section of
# vendors.models and inference.models, and of PyTorch what families.sh does not have.
# Names of types: F float, H half, B eight bits, Q two numbers of four bits, I int, L long, U unsigned char.
cat >t.py <<'END_OF_PYTHON'
import json, sys
F, H, B, Q, I, L, U = ("float", "c10::Half", "c10::Float8_e4m3fn", "c10::Float4_e2m1fn_x2", "int", "long int",
                       "unsigned char")
S = "sglang_profiler::"
def rms(rows, width): # squares, their sum, root and quotient of each row; two operations for each element
    return rows * (2 * width + 2) + 2 * rows * width
half = 1 - (1 - 1 / 2) ** 2 # 2 tokens, each goes to 2 of 4 experts: 3/4 of the experts have some to do
calls = [ # operator, shapes, types, values, operations, bytes
    # products: 2 M N K; M K + K N + M N elements
    ("aiter::gemm_a16w16", [[2, 8], [3, 8], [3]], [H] * 3, [], 2 * 2 * 3 * 8 + 6, (16 + 24 + 6 + 3) * 2),
    ("aiter::gemm_a8w8_ck", [[2, 8], [3, 8], [2, 1], [3, 1]], [B, B, F, F], [], 96, 16 + 24 + 6 * 2),
    (S + "fp8_utils_gemm_a8w8_blockscale_17", [[2, 8], [3, 8]], [B, B], [], 96, 16 + 24 + 12),
    ("aiter::gemm_a4w4", [[2, 32], [3, 32], [2, 2], [3, 2]], [Q, Q, B, B], [], 2 * 2 * 3 * 64,
     2 * 32 + 3 * 32 + 5 * 2 + 6 * 2),
    ("primus_turbo::hipblaslt_gemm_fp8", [[8, 2], [], [8, 3], [], [], [], [], [], []], [B, F, B, F],
     ["", "", "", "", "15", "True", "False", "False", ""], 96, 16 + 24 + 12),
    ("primus_turbo::hipblaslt_gemm_fp8", [[8, 3], [], [8, 2], [], [], [], [], [], []], [B, F, B, F],
     ["", "", "", "", "15", "True", "False", "True", ""], 96, 24 + 16 + 12),
    ("primus_turbo_cpp_extension::hipblaslt_gemm_fp4", [[2, 32], [2, 2], [3, 32], [3, 2], [], [], [], [], []],
     [Q, B, Q, B], ["", "", "", "", "15", "False", "True", "False", ""], 768, 64 + 96 + 10 + 12),
    ("aiter::batched_gemm_a16wfp4_", [[5, 2, 64], [5, 3, 32], [5, 3, 2]], [H, U, U], [], 5 * 768,
     5 * 2 * 64 * 2 + 5 * 3 * 32 + 5 * 3 * 2 + 5 * 6 * 2),
    (S + "batched_gemm_a8w8_a_per_token_group_prequant_w_per_batched_tensor_quant_batched_gemm_a8w8_a_per_token_group"
     "_prequant_w_per_batched_tensor_quant_3", [[2, 5, 8], [5, 3, 8]], [H, B], [], 5 * 96, 80 * 2 + 120 + 30 * 2),
    ("_Linear_yfwd_mm", [[2, 8], [8, 3]], [B, B], [], 96, 16 + 24 + 12),
    ("primus_turbo::grouped_gemm", [[6, 8], [2, 3, 8]], [H, H], [], 2 * 6 * 8 * 3, (48 + 48 + 18) * 2),
    ("primus_turbo::grouped_gemm", [[[2, 8], [4, 8]], [[8, 3], [8, 3]]], [H, H], [], 2 * 6 * 8 * 3, (48 + 48 + 18) * 2),
    ("primus_turbo::grouped_gemm_variable_k", [[6, 8], [6, 3], [2]], [H, H, L], [], 2 * 6 * 8 * 3, (48 + 18 + 48) * 2),
    # convolutions: 1 x 2 x 8, filters 3 x 2 x 3, pad 1, stride 2: 4 of each of 3
    ("ConvBias_", [[1, 2, 8], [3, 2, 3], [3]], [H] * 3, ["", "", "", "1", "2"], 2 * 6 * 12 + 12, (16 + 18 + 12 + 3) * 2),
    ("ConvBiasReLU_", [[1, 2, 8], [3, 2, 3], [3]], [H] * 3, ["", "", "", "1", "2"], 2 * 6 * 12 + 24, 98),
    ("ConvBias_Backward", [[1, 2, 8], [3, 2, 3], [1, 3, 4]], [H] * 3, [], 4 * 6 * 12 + 12, (2 * (16 + 18 + 12) + 3) * 2),
    # attention: 2 H pairs (d + d), backward 2 H pairs (3 d + 2 d); 3 sequences, 10 queries, at most 4: 16 + 2 * 9 pairs
    ("flash_attn::_flash_attn_varlen_backward", [[10, 2, 8]] * 4 + [[]] * 5 + [[4], [4]], [H] * 4 + [""] * 5 + [I, I],
     [""] * 11 + ["4", "4", "0.", "1.", "False"], 2 * 2 * 34 * 40, 10 * 2 * (24 + 2 * 16) * 2),
    ("aten::_scaled_dot_product_flash_attention_backward", [[1, 4, 6, 8]] * 4, [H] * 4, [""] * 10 + ["0.", "False"],
     2 * 4 * 36 * 40, 6 * 4 * (24 + 2 * 16) * 2),
    ("aten::_efficient_attention_forward", [[1, 6, 4, 8]] * 3 + [[]] * 7, [H] * 3,
     [""] * 8 + ["0.", "1"], 2 * 4 * 18 * 16, 6 * 4 * (16 + 16) * 2),
    # with a cache: 5 tokens of one prompt of which 3 were known (5 * 8 pairs without half of 5 * 5), 2 requests of 20 keys
    ("vllm::unified_attention_with_output", [[7, 4, 8], [50, 16, 2, 8]], [H, B], [], 4 * 16 * (2 * 40 - 25 + 2 * 20),
     7 * 6 * 16 * 2 + (3 + 18) * 2 * 16),
    ("aiter::mha_batch_prefill", [[7, 4, 8], [50, 2, 8], [50, 2, 6]], [H] * 3, [], 4 * 14 * 95,
     7 * 6 * 14 * 2 + 21 * 2 * 14 * 2),
    (S + "tilelang_kernel_tilelang_sparse_fwd_9", [[7, 4, 576], [50, 1, 576]], [H] * 2, [], 4 * 1088 * 95,
     7 * 5 * 1088 * 2 + 21 * 1088 * 2),
    (S + "attention_paged_attention_ragged_2", [[7, 4, 8], [9], [7, 4, 8], [50, 16, 2, 8], [50, 16, 2, 8]],
     [H, F, H, B, B], [], 4 * 16 * 95, 7 * 6 * 16 * 2 + 21 * 2 * 16),
    ("aiter::pa_decode_gluon", [[2, 4, 8], [], [50, 2, 16, 8]], [H, "", B], [""] * 19 + ["6"], 4 * 16 * 2 * 12,
     2 * 6 * 16 * 2 + (12 - 2) * 2 * 16),
    ("aiter::pa_decode_gluon", [[2, 4, 8], [], [50, 2, 16, 8]], [H, "", B], [""] * 19 + ["-1"], 4 * 16 * 2 * 20,
     2 * 6 * 16 * 2 + 18 * 2 * 16),
    ("aiter::pa_sparse_prefill_opus_fwd", [[5, 4, 8], [9, 8], [11], [], [], [6]], [H, H], [], 4 * 17 * 4 * 8,
     2 * 160 * 2 + 17 * 8 * 2),
    ("vllm::gdn_attention_core", [[7, 64], [7, 4], [7, 4], [7, 4, 8]], [H] * 4, [], 7 * 7 * 4 * 8 * 8,
     7 * 4 * (8 + 16 + 2) * 2),
    ("_C_cache_ops::concat_and_cache_mla", [[5, 8], [5, 2], [9, 4, 10], [5]], [H, H, B, L], [], 0, 50 * 2 + 50 + 40),
    ("_C_cache_ops::concat_mla_q", [[5, 4, 8], [5, 4, 2], [5, 4, 10]], [H] * 3, [], 0, 400 * 2),
    # experts: 2 tokens of 8, to 2 of 4 experts of 16; a gate beside: weights 4 x 32 x 8 and 4 x 8 x 16
    ("aiter::fmoe_g1u1", [[2, 8], [2, 8], [4, 32, 8], [4, 8, 16]], [H, B, B, B], [""] * 8 + ["2"],
     2 * 2 * 8 * 48 * 2 + 48, 16 * 2 + 16 + 4 * half * 384),
    ("aiter::ck_moe_stage1", [[2, 4], [4, 32, 4], [4, 8, 8], [9], [9], [2], [2, 2, 16]], [Q, Q, Q, I, I, I, H], [],
     2 * 2 * 8 * 32 * 2, 8 + 4 * half * 128 + 64 * 2),
    ("aiter::ck_moe_stage2", [[2, 2, 8], [4, 32, 4], [4, 8, 8], [9], [9], [2], [2, 8]], [Q, Q, Q, I, I, I, H], [],
     2 * 2 * 8 * 16 * 2, 32 + 4 * half * 64 + 16 * 2),
    ("aiter::moe_cktile2stages_gemm1_ck", [[2, 8], [4, 32, 4], [2, 2, 16]], [H, U, H], [], 2 * 2 * 8 * 32 * 2,
     16 * 2 + 4 * half * 128 + 64 * 2),
    ("aiter::moe_cktile2stages_gemm2_ck", [[2, 2, 16], [4, 8, 8], [2, 8]], [H, U, H], [], 2 * 2 * 8 * 16 * 2,
     64 * 2 + 4 * half * 64 + 16 * 2),
    (S + "fused_moe_triton_kernels_invoke_fused_moe_kernel_1", [[2, 8], [4, 32, 8], [], [4, 32], [], [], [], [], [2, 2]],
     [B, B, "", H], [], 2 * 4 * 32 * 8, 16 + 4 * half * 256 + 128 * 2),
    ("aiter::biased_grouped_topk_hip", [[2, 8], [8], [2, 2], [2, 2]], [H, F, F, I], [], 4, 32 + 32 + 16 + 16),
    ("aiter::moe_sorting_fwd", [[2, 2], [2, 2], [9], [2, 8]], [I, F, I, H], [], 16, 16 + 16 + 36 + 32),
    (S + "fused_moe_triton_kernels_fused_append_shared_experts_0", [[2, 2], [2, 2]], [I, F], [], 4, 2 * 32),
    ("aiter::topk_softplus", [[2, 2], [2, 2], [2, 8]], [F, I, H], [], 6 * 16, 32 + 32 + 32),
    ("MoEDispatch", [[2, 8]], [H], [], 0, 32),
    # scales: the greatest of a group, and a quotient of each element
    ("primus_turbo::quantize_fp8_tensorwise", [[2, 8]], [H], [], 16, 16 * 3),
    ("primus::quantize_mxfp4_dual", [[2, 64]], [H], [], 128, 128 * 2 + 128 + 2 * 2 + 64),
    ("aiter::mixed_sample_outer_exponential", [[2], [2, 8], [2, 8]], [I, H, F], [], 32, 16 * 6 + 8),
    ("aiter::dynamic_per_token_scaled_quant", [[2, 8], [2, 8], [2, 1]], [B, H, F], [], 32, 16 + 32 + 8),
    ("_C::per_token_group_fp8_quant", [[2, 8], [2, 8], [2, 2]], [H, B, F], [], 32, 32 + 16 + 16),
    ("vllm::triton_per_token_group_quant_fp8", [[2, 8], []], [H, "Scalar"], ["", "4"], 32, 32 + 16 + 16),
    (S + "quant_dynamic_mxfp4_quant_5", [[2, 64]], [H], [], 256, 256 + 64 + 4),
    ("aiter::dynamic_per_group_scaled_quant_fp4", [[2, 32], [2, 64], [2, 2]], [Q, H, B], [], 256, 256 + 64 + 4),
    ("aiter::fused_dynamic_mx_quant_moe_sort_hip", [[2, 32], [4, 2], [2, 64]], [Q, B, H], [], 256, 256 + 64 + 4),
    # norms of 2 rows of 8
    ("aiter::rms_norm", [[2, 8], [8]], [H, H], [], rms(2, 8), (32 + 8) * 2),
    ("aiter::rmsnorm_quant", [[2, 8], [2, 8], [2, 2], [8]], [B, H, F, H], [], rms(2, 8) + 32, 24 * 2 + 16 + 16),
    ("vllm::rocm_aiter_rmsnorm_fp8_group_quant", [[2, 8], [8], [], []], [H, H], ["", "", "1e-05", "4"], rms(2, 8) + 32,
     24 * 2 + 16 + 16),
    ("vllm::rocm_aiter_rmsnorm_with_add_fp8_group_quant", [[2, 8], [2, 8], [8], [], []], [H] * 3,
     ["", "", "", "1e-05", "4"], rms(2, 8) + 48, 24 * 2 + 16 + 16 + 64),
    ("aiter::rmsnorm2d_fwd_with_add_ck", [[2, 8]] * 4 + [[8]], [H] * 5, [], rms(2, 8) + 16, (64 + 8) * 2),
    ("vllm::rocm_aiter_triton_add_rmsnorm_pad", [[2, 8], [8], [], [2, 8], []], [H, H, "", H, ""],
     ["", "", "1e-05", "", "12"], rms(2, 8) + 16, (48 + 8 + 24) * 2),
    ("aiter::_fuse_rmsnorm_fp4_quant", [[2, 64], [64], [], [2, 8], [8], [], [2, 64]], [H, H, "", H, H, "", H], [],
     rms(2, 64) + rms(2, 8) + 128 + 256, (128 + 64 + 2 * 16 + 8 + 2 * 128) * 2 + 64 + 4),
    ("aiter::_fused_qk_rmsnorm_kernel", [[2, 8], [8], [], [2, 4], [4]], [H, H, "", H, H], [], rms(2, 8) + rms(2, 4),
     (32 + 8) * 2 + (16 + 4) * 2),
    ("aten::native_group_norm", [[2, 4, 3], [4], [4]], [F] * 3, [], 5 * 24 + 6 * 4, 48 * 4 + 4 * 4 * 6),
    ("aten::native_group_norm_backward", [[2, 4, 3], [2, 4, 3], [2, 2], [2, 2], [4]], [F] * 5,
     [""] * 9 + ["[True, True, True]"], 9 * 24, 24 * 4 * 3 + 4 * 4 * 4),
    ("aten::instance_norm_backward", [[2, 4, 3], [2, 4, 3], [4]], [F] * 3, [], 9 * 24, 24 * 4 * 3 + 4 * 4 * 4),
    # collectives
    ("aiter::fused_allreduce_rmsnorm_", [[2, 8], [2, 8], [8]], [H] * 3, [], rms(2, 8) + 16, (64 + 8) * 2),
    ("_C_custom_ar::all_reduce", [[], [2, 8], [2, 8]], ["Scalar", H, H], [], 0, 64),
    ("aiter::reduce_scatter", [[], [2, 8], [1, 8]], ["Scalar", H, H], [], 0, 48),
    ("sglang::reg_all_gather_into_tensor", [[4, 8], [2, 8], []], [H, H, "Scalar"], [], 0, 96),
    # positions: 3 operations for each number that is turned
    ("FusedRoPEFunc", [[2, 1, 4, 8]], [H], [], 3 * 64, 256),
    ("aiter::rope_cached_positions_2c_fwd_impl", [[1, 2, 4, 8], [1, 2, 2, 8], [1, 2, 4, 8], [1, 2, 2, 8]], [H] * 4, [],
     3 * 96, 384),
    ("aiter::fused_qk_rope_concat_and_cache_mla", [[2, 4, 8], [2, 4, 2], [2, 8], [2, 2], [9, 10], [2, 4, 10]],
     [H, H, H, H, B, B], [], 3 * (16 + 4), (80 + 20) * 2 + 80 + 20),
    # Mamba: 1 x 4 tokens, 2 heads of 8, 1 group, 4 states, chunks of 2: 2 * 16 + 2 + 2 * 4 = 42 in, 24 channels, filter 3
    ("MambaSplitConv1dScanCombinedFn", [[1, 4, 42], [24, 3], [24], [2], [2], [2]], [H, H, H, F, F, F],
     [""] * 6 + ["2"] + [""] * 8 + ["8", "1"],
     2 * (24 * 4 * 3 + 4 * 2 * 4 + 2 * 4 * 2 * 8 + 2 * 2 * 4 * 4 * 8), (168 + 72 + 24 + 64) * 2 + 24),
    ("CrossEntropyFunction", [[2, 1, 8], [2, 1]], [H, L], [], 5 * 16, 32 + 24),
    # hyper connections: 2 rows, 4 streams of 8, 24 sums, in 3 parts
    ("aiter::mhc_post", [[2, 4, 8], [2, 8], [2, 4, 8]], [H] * 3, [], 2 * 64 * 5, (16 + 128) * 2 + 4 * 2 * 4 * 5),
    ("aiter::mhc_pre_gemm_sqrsum", [[3, 2, 24], [3, 2], [2, 4, 8], [24, 32]], [F, F, H, F], [], 2 * 2 * 24 * 32,
     64 * 2 + 24 * 32 * 4 + 4 * 3 * 2 * 25),
    ("aiter::mhc_pre_big_fuse_rmsnorm", [[2, 4, 1], [2, 4, 4], [2, 8], [3, 2, 24], [3, 2], [3], [24], [2, 4, 8], [8]],
     [F, F, H, F, F, F, F, H, H], [], 2 * 16 * 4 + 5 * 16, (64 + 8 + 16) * 2 + 4 * 3 * 2 * 25 + 4 * 2 * 4 * 5),
    ("aiter::mhc_fused_post_pre_gemm_sqrsum", [[3, 2, 24], [3, 2], [2, 4, 8], [2, 8], [2, 4, 8], [2, 4, 1], [2, 4, 4],
     [24, 32]], [F, F, H, H, H, F, F, F], [], 2 * 64 * 5 + 2 * 2 * 24 * 32,
     (16 + 3 * 64) * 2 + 4 * 2 * 4 * 5 + 24 * 32 * 4 + 4 * 3 * 2 * 25),
]
name = "execute_7_context_1(sq5sk8sqsq25sqsk40)_generation_2(sq2sk20sqsq2sqsk20)"
events = [{"ph": "X", "cat": "user_annotation", "name": name, "pid": 1, "tid": 1, "ts": 0, "dur": 100 * len(calls)},
          {"ph": "X", "cat": "user_annotation", "name": "step[EXTEND bs=1 toks=5]", "pid": 1, "tid": 1, "ts": 0,
           "dur": 100 * len(calls)}]
for i, (name, dims, types, args, flop, moved) in enumerate(calls):
    at = 100 * i
    types = types + [""] * (len(dims) - len(types))
    events += [
        {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": at, "dur": 50,
         "args": {"Input Dims": dims, "Input type": types, "Concrete Inputs": args + [""] * (len(dims) - len(args))}},
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": at + 1, "dur": 1,
         "args": {"correlation": i + 1}},
        {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": at + 10, "dur": 90,
         "args": {"device": 0, "stream": 7, "correlation": i + 1}}]
if len(sys.argv) < 2:
    print(json.dumps({"traceEvents": events}))
else:
    rows = [line.rstrip("\n").split("\t") for line in open(sys.argv[1])][1:]
    rows.sort(key=lambda r: int(r[0]))
    assert len(rows) == len(calls), (len(rows), len(calls))
    for (record, name, family, calls_, flop, moved), want in zip(rows, calls):
        same = name == want[0] and flop == "%.0f" % want[4] and moved == "%.0f" % want[5]
        print("same" if same else "%s %s != %.0f %.0f" % (flop, moved, want[4], want[5]), family, name[:60])
END_OF_PYTHON
python=${PYTHON:-python3}
$python t.py >t.json
tr-roofline --by operator,shape --columns record,name,family,calls,flop,bytes -q -O tsv t.json >rows.tsv
$python t.py rows.tsv
echo "== without the annotation attention with a cache has no numbers"
grep -v nothing t.json | sed 's/execute_7_context/something/; s/step.EXTEND/something/' >bare.json
tr-roofline --columns name,calls,flop,bytes --op 'unified|gdn' -O tsv bare.json 2>&1
