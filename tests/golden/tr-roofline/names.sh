# Truth: each of these operators has a model: those that TraceLens has one for, so that who comes from it misses none.
# A number that SGLang's profiler puts after a name changes nothing.
names()
{
    tr -s ' ' '\n' <<'END_OF_NAMES'
aten::mm aten::addmm aten::_scaled_mm trtllm::cublas_scaled_mm bitsandbytes::int8_linear_matmul aten::bmm aten::baddbmm
tex_ts::te_gemm_ts vllm::gemm_with_dynamic_quant vllm::rocm_unquantized_gemm
_Linear_yfwd_mm _LinearBackward_xgrad_mm _LinearBackward_wgrad_mm
_LayerNormLinear_yfwd_mm _LayerNormLinearBackward_xgrad_mm _LayerNormLinearBackward_wgrad_mm
primus_turbo::hipblaslt_gemm_fp8 primus_turbo_cpp_extension::hipblaslt_gemm_fp8
primus_turbo::hipblaslt_gemm_fp4 primus_turbo_cpp_extension::hipblaslt_gemm_fp4
aiter::gemm_a4w4 aiter::_gemm_a4w4_asm aiter::gemm_afp4wfp4_ aiter::batched_gemm_a16wfp4_
sglang_profiler::fp8_utils_gemm_a8w8_blockscale_12 sglang_profiler::gemm_a8w8_blockscale_gemm_a8w8_blockscale
vllm::rocm_aiter_triton_gemm_a8w8_blockscale aiter::gemm_a8w8_blockscale_ck aiter::gemm_a8w8_blockscale_cktile
aiter::gemm_a8w8_blockscale_bpreshuffle_ck aiter::gemm_a8w8_blockscale_bpreshuffle_cktile
aiter::flatmm_a8w8_blockscale_asm aiter::gfx950_a8w8_blockscale_asm aiter::gemm_a8w8_ck
aiter::gemm_a8w8_bpreshuffle_ck aiter::gemm_a8w8_bpreshuffle vllm::_rocm_aiter_preshuffled_per_token_w8a8_gemm
aiter::_gemm_a8w8_blockscale_bpreshuffle_asm aiter::gemm_a16w16 aiter::gemm_a16w16_atomic_ aiter::_gemm_a16w16_asm
sglang_profiler::gemm_kernels_flydsl_hgemm
sglang_profiler::batched_gemm_a8w8_a_per_token_group_prequant_w_per_batched_tensor_quant_batched_gemm_a8w8_a_per_token_group_prequant_w_per_batched_tensor_quant
primus_turbo::grouped_gemm primus_turbo::grouped_gemm_impl primus_turbo_cpp_extension::grouped_gemm
primus_turbo_cpp_extension::ck_grouped_gemm
primus_turbo::grouped_gemm_variable_k primus_turbo::grouped_gemm_variable_k_impl
primus_turbo_cpp_extension::grouped_gemm_variable_k primus_turbo_cpp_extension::ck_grouped_gemm_variable_k
aten::convolution aten::convolution_backward ConvBias_ ConvBiasReLU_ ConvBias_Backward ConvBiasReLU_Backward
FlashAttnFunc flash_attn::_flash_attn_forward flash_attn::_flash_attn_backward flash_attn::_flash_attn_varlen_forward
flash_attn::_flash_attn_varlen_backward flash_attn_3::fwd aten::_scaled_dot_product_cudnn_attention
aten::_scaled_dot_product_efficient_attention aten::_scaled_dot_product_flash_attention
aiter::_flash_attn_forward aiter::_flash_attn_backward aiter::wrapper_fmha_v3_fwd aiter::wrapper_fmha_v3_bwd
aiter::mha_fwd aiter::fmha_v3_fwd aiter::mha_bwd EvoformerAttention
vllm::unified_attention_with_output aiter::mha_varlen_fwd aiter::fmha_v3_varlen_fwd aiter::mha_batch_prefill
sglang_profiler::attention_paged_attention_ragged_3 aiter::pa_decode_gluon
aiter::pa_sparse_prefill_opus_fwd
sglang_profiler::tilelang_kernel_tilelang_sparse_fwd vllm::gdn_attention_core aiter::linear_attention_with_output_base
sglang::store_cache _C_cache_ops::concat_and_cache_mla _C_cache_ops::concat_mla_q
LigerSiLUMulFunction
aten::copy aten::copy_ aten::clamp_min aten::clamp_min_ aten::clamp_max aten::clamp_max_ aten::sigmoid aten::rsqrt
aten::silu aten::neg aten::pow
aten::div aten::div_ aten::mul aten::mul_ aten::add aten::add_ aten::sigmoid_backward aten::threshold_backward
aten::sum aten::mean aten::max aten::min aten::norm aten::linalg_norm aten::std aten::var aten::logsumexp aten::cumsum
aten::cumprod aten::amin aten::amax
aten::batch_norm aten::native_batch_norm aten::miopen_batch_norm aten::cudnn_batch_norm
aten::layer_norm aten::native_layer_norm aten::miopen_layer_norm aten::cudnn_layer_norm
aten::group_norm aten::native_group_norm aten::miopen_group_norm aten::cudnn_group_norm
aten::instance_norm aten::native_instance_norm aten::miopen_instance_norm aten::cudnn_instance_norm aten::_fused_rms_norm
aten::batch_norm_backward aten::native_batch_norm_backward aten::miopen_batch_norm_backward
aten::cudnn_batch_norm_backward aten::layer_norm_backward aten::native_layer_norm_backward
aten::miopen_layer_norm_backward aten::cudnn_layer_norm_backward aten::group_norm_backward
aten::native_group_norm_backward aten::miopen_group_norm_backward aten::cudnn_group_norm_backward
aten::instance_norm_backward aten::native_instance_norm_backward aten::miopen_instance_norm_backward
aten::cudnn_instance_norm_backward aten::rms_norm_backward aten::native_rms_norm_backward
aten::miopen_rms_norm_backward aten::cudnn_rms_norm_backward aten::_fused_rms_norm_backward
primus::fused_ln_modulate primus::fused_ln_modulate_backward
MoEDispatch MoECombine DaoAILab::_causal_conv1d_fwd_cpp MambaSplitConv1dScanCombinedFn FusedRoPEFunc CrossEntropyFunction
primus_turbo::quantize_fp8_tensorwise primus_turbo_cpp_extension::quantize_fp8_tensorwise
primus_turbo::quantize_mxfp4_dual primus_turbo_cpp_extension::quantize_mxfp4_dual primus::quantize_mxfp4_dual
aiter::fmoe_fp8_blockscale_g1u1 aiter::fmoe_g1u1
aiter::moe_cktile2stages_gemm1_ck aiter::moe_cktile2stages_gemm2_ck aiter::ck_moe_stage1 aiter::ck_moe_stage2
vllm::moe_forward
sglang_profiler::fused_moe_triton_kernels_invoke_fused_moe_kernel_7 aiter::biased_grouped_topk_hip
aiter::moe_sorting_fwd aiter::mxfp4_moe_sort_hip aiter::topk_softplus
sglang_profiler::fused_moe_triton_kernels_fused_append_shared_experts
aiter::dynamic_per_token_scaled_quant aiter::dynamic_per_group_scaled_quant aiter::dynamic_per_tensor_quant
_C::per_token_group_fp8_quant vllm::triton_per_token_group_quant_fp8
sglang_profiler::fused_mxfp4_quant_fused_flatten_mxfp4_quant sglang_profiler::quant_dynamic_mxfp4_quant
aiter::dynamic_per_group_scaled_quant_fp4 aiter::fused_dynamic_mx_quant_moe_sort_hip
aiter::fused_dynamic_mxfp4_quant_moe_sort_hip aiter::mixed_sample_outer_exponential
aiter::rope_cached_positions_2c_fwd_impl sgl_kernel::rotary_embedding aiter::fused_qk_rope_cat_and_cache_mla
aiter::fused_qk_rope_concat_and_cache_mla
aiter::silu_and_mul _C::silu_and_mul sgl_kernel::silu_and_mul aiter::gelu_and_mul aiter::gelu_tanh_and_mul
aiter::rms_norm aiter::rmsnorm aiter::rmsnorm2d_fwd_ck aiter::rmsnorm2d_fwd_with_add_ck aiter::add_rmsnorm
aiter::rmsnorm2d_fwd_with_dynamicquant_ck aiter::rmsnorm_quant vllm::rocm_aiter_rmsnorm_fp8_group_quant
vllm::rocm_aiter_rmsnorm_with_add_fp8_group_quant vllm::rocm_aiter_triton_add_rmsnorm_pad aiter::fused_add_rmsnorm_pad_
sglang_profiler::fused_mxfp4_quant_fused_rms_mxfp4_quant aiter::_fuse_rmsnorm_fp4_quant aiter::_fused_qk_rmsnorm_kernel
aiter::fused_allreduce_rmsnorm aiter::fused_allreduce_rmsnorm_ vllm::rocm_aiter_fused_allreduce_rmsnorm
_C_custom_ar::all_reduce _C_custom_ar::qr_all_reduce aiter::reduce_scatter aiter::all_gather_reg
sgl_kernel::all_reduce_reg sgl_kernel::qr_all_reduce sglang::reg_all_gather_into_tensor
aiter::mhc_post aiter::mhc_pre_gemm_sqrsum aiter::mhc_pre_big_fuse_rmsnorm aiter::mhc_fused_post_pre_gemm_sqrsum
flash_mla::dense_decode_fwd _flashmla_C::fwd_kvcache_mla sgl_kernel::fwd_kvcache_mla_fp8 sgl_kernel::sparse_decode_fwd
_flashmla_C::sparse_prefill_fwd flash_mla::dense_prefill_fwd sgl_kernel::cutlass_mla_decode _C::sm100_cutlass_mla_decode
aiter::mla_decode_stage1_asm_fwd trtllm::nvfp4_gemm trtllm::fp4_bmm trtllm::fp8_block_scaling_gemm trtllm::cublas_mm
trtllm::dsv3_router_gemm_op trtllm::fp8_block_scale_moe_runner trtllm::fp4_quantize trtllm::fp8_quantize_1x128
trtllm::flashinfer_rmsnorm trtllm::flashinfer_gemma_fused_add_rmsnorm trtllm::flashinfer_silu_and_mul
triton_poi_fused_add_0 triton_red_fused_sum_1 triton_per_fused_mean_2
END_OF_NAMES
}
n=0
for name in $(names); do
    n=$((n + 1))
    tr-roofline --explain "$name" >said || echo "no model: $name"
    grep -q '^flops = ' said || echo "no operations: $name"
done
echo "$n operators"
