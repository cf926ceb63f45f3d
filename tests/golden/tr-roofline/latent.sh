# Truth: by hand.  A pair of a query and a key costs a head 2 (576 + 512) = 2176 operations.  The step has two requests
# of one token, with 20 keys together, and one of 5 tokens with 8 keys: 20 pairs of those that decode, 25 / 2 of the
# prompt among itself; types of two bytes but where said.
#   flash_mla, 2 requests, 4 heads: 20 * 4 * 2176 = 174080; (2 * 4 * (576 + 512) + 20 * 576) * 2 = 40448
#   listed, 2 x 3 places, rows of 656 bytes: 6 * 4 * 2176 = 52224; 2 * 4 * 1088 * 2 + 6 * (656 + 4) = 21368
#   sparse_decode, 6 and 2 more: 69632; 17408 + 8 * 660 = 22688
#   sparse_prefill, 5 queries, 3 of 10 keys each: 15 * 4 * 2176 = 130560; 5 * 4 * 1088 * 2 + 10 * 576 * 2 + 15 * 4 = 55100;
#   2 places each: 10 pairs
#   dense_prefill, 5 tokens, keys of 192, values of 128: 12.5 * 2 * 4 * 320 = 32000; 2 * 5 * 4 * 320 * 2 = 25600; without a
#   mask, or of more keys: not known
#   cutlass, 2 requests: as flash_mla; also with logarithms of sums before the queries
#   aiter, cache of 8 bits: 174080; 2 * 4 * 1088 * 2 + 20 * 576 = 28928
#   nvfp4 8 x 32 by 32 x 32, 16 bytes of each: 2 * 8 * 32 * 32 = 16384; 128 + 512 + 512 + 1024 = 2176
#   eight bits, 8 x 256 by 32 x 256: 131072; 2048 + 8192 + 512 + 64 + 8 = 10824; three of them; weights of four bits:
#   131072, 2048 + 4096 + 512
#   cublas_mm 8 x 16 by 16 x 4 and a bias: 1024 + 32 = 1056; (128 + 64 + 32 + 4) * 2 = 456
#   experts: half of 16 are here, 2 of them each for 40 tokens: half of 188743680; 40 * 768 * 3 + 8 (1 - (7/8)^40) 1179648
#   quantised: 512: 1024; 1024 + 256 + 32; 1600: 3200; 3200 + 1600 + 4 * 8 * 2 = 4864
#   norms of 8 x 200: 8 * 402 + 3200 = 6416; 6800; with add: 3216 + 4800 = 8016; 13200
#   silu of 8 x 8: 320; 3 * 64 * 2 = 384      positions of 3 x (16 + 8), heads of 8: 216; 288
# explain OPERATOR: what the models say of it, without the number of the line.
explain()
{
    tr-roofline --explain "$1" >explained
    status=$?
    sed "s,\(models. line\) [0-9]*,\1 N," explained
    return $status
}
cat >t.py <<'END'
import json
H, F, B, I, U, S = "c10::BFloat16", "float", "c10::Float8_e4m3fn", "int", "unsigned char", "Scalar"
Q, KV = [2, 1, 4, 576], [9, 64, 1, 576]
calls = [
    ("flash_mla::dense_decode_fwd", [Q, KV, [], [2], [2, 9]], [H, H, S, I, I], ["", "", "512", "", ""]),
    ("_flashmla_C::fwd_kvcache_mla", [Q, KV, [], [2], [2, 9]], [H, H, S, I, I], ["", "", "512"]),
    ("sgl_kernel::fwd_kvcache_mla", [Q, [9, 64, 1, 656], [], [2], [2, 9], [], [], [4], [3], [], [2, 1, 3]],
     [H, U, S, I, I, S, S, I, I, S, I], ["", "", "512", "", "", "0.1", "False", "", "", "True", ""]),
    ("flash_mla::sparse_decode_fwd", [Q, [9, 64, 1, 656], [2, 1, 3], [], [], [], [], [9, 64, 1, 656], [2, 1, 1], [], [], []],
     [H, U, I, "", "", "", "", U, I, "", S, S], [""] * 10 + ["512", "0.1"]),
    ("sgl_kernel::sparse_prefill_fwd", [[5, 4, 576], [10, 1, 576], [5, 1, 3]], [H, H, I, S, S], ["", "", "", "0.1", "512"]),
    ("_flashmla_C::sparse_prefill_fwd", [[5, 4, 576], [10, 1, 576], [5, 1, 2]], [H, H, I, S, S], ["", "", "", "0.1", "512"]),
    ("flash_mla::dense_prefill_fwd", [[64], [5, 4, 192], [5, 4, 192], [5, 4, 128]], [U, H, H, H], [""] * 8 + ["1"]),
    ("sgl_kernel::dense_prefill_fwd", [[64], [5, 4, 192], [5, 4, 192], [5, 4, 128]], [U, H, H, H], [""] * 8 + ["0"]),
    ("sgl_kernel::cutlass_mla_decode", [[2, 4, 512], [2, 4, 512], [2, 4, 64], [9, 64, 576]], [H] * 4, []),
    ("_C::sm100_cutlass_mla_decode", [[2, 4, 512], [2, 4], [2, 4, 512], [2, 4, 64], [9, 64, 576]], [H, F, H, H, H], []),
    ("aiter::mla_decode_stage1_asm_fwd", [[2, 4, 576], [9, 1, 1, 576]], [H, B], []),
    ("trtllm::nvfp4_gemm", [[8, 16], [32, 16], [128, 4], [128, 4], [1]], [U, U, U, U, F], []),
    ("trtllm::fp8_block_scaling_gemm", [[8, 256], [32, 256], [2, 8], [1, 2]], [B, B, F, F], []),
    ("trtllm::fp8_block_scaling_bmm", [[3, 8, 256], [3, 32, 256]], [B, B], []),
    ("trtllm::w4a8_mxfp4_fp8_gemm", [[8, 256], [32, 128]], [B, U], []),
    ("trtllm::cublas_mm", [[8, 16], [16, 4], [4]], [H] * 3, []),
    ("trtllm::fp8_block_scale_moe_runner", [[40, 16], [], [40, 768], [6, 40], [8, 1024, 768], [8, 8, 6], [8, 768, 512], [8, 6, 4]],
     [F, "", B, F, B, F, B, F, S, S], [""] * 8 + ["16", "2"]),
    ("trtllm::fp4_quantize", [[8, 64], [1]], [H, F, S], ["", "", "16"]),
    ("trtllm::fp8_quantize_1x128", [[8, 200]], [H], []),
    ("trtllm::flashinfer_rmsnorm", [[8, 200], [200]], [H, H], []),
    ("trtllm::flashinfer_fused_add_rmsnorm", [[8, 200], [8, 200], [200]], [H] * 3, []),
    ("trtllm::flashinfer_silu_and_mul", [[8, 16]], [H], []),
    ("trtllm::flashinfer_apply_rope_with_cos_sin_cache_inplace", [[3], [3, 16], [3, 8], [], [64, 8]],
     ["long int", H, H, S, F], ["", "", "", "8"]),
    ("trtllm::fused_moe", [[40, 768]], [H], []),
    ("trtllm::mla_custom_op_inplace", [[40, 768]], [H], []),
]
events = [{"ph": "X", "cat": "user_annotation", "name": "execute_7_context_1(sq5sk8sqsq25sqsk40)_generation_2(sq2sk20sqsq2sqsk20)",
           "pid": 1, "tid": 1, "ts": 0, "dur": 100 * len(calls)}]
for i, (name, dims, types, args) in enumerate(calls):
    at = 100 * i
    events += [
        {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": at, "dur": 50,
         "args": {"Input Dims": dims, "Input type": types, "Concrete Inputs": args}},
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": at + 1, "dur": 1, "args": {"correlation": i + 1}},
        {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": at + 10, "dur": 80 - i, "args": {"device": 0, "stream": 7, "correlation": i + 1}}]
print(json.dumps({"traceEvents": events}))
END
${PYTHON:-python3} t.py >t.json
tr-roofline -q --by operator --columns name,family,category,flop,bytes,spec -O tsv t.json
# Without the annotation of its step, only what the arguments say is known.
sed 's/execute_7_context/something/' t.json >bare.json
tr-roofline -q --by operator --op mla --columns name,flop,bytes -O tsv bare.json
explain trtllm::fused_moe
explain trtllm::mla_custom_op_inplace
