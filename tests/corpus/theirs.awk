# SPDX-License-Identifier: MIT
# Operators as TraceLens knows them.
#
#   theirs(CATEGORY, NAME)   its name of a category of ours; other, if it has no category for this operator: of first
#                            kernels it knows the classes elementwise and reduce alone
#   modelled_there(NAME)     does it have a model of this operator?
BEGIN {
    split("gemm=GEMM conv_fwd=CONV_fwd conv_bwd=CONV_bwd norm_fwd=NORM_fwd norm_bwd=NORM_bwd sdpa_fwd=SDPA_fwd " \
          "sdpa_bwd=SDPA_bwd rmsnorm=RMSNorm rope_fwd=RoPE_fwd inference_attention=InferenceAttention " \
          "moe_fused=MoE_fused moe_unfused=MoE_unfused moe_aux=MoE_aux group_quant=GroupQuant mhc=mHC " \
          "custom_collective=CustomCollective softmax=other embedding=other index=other dropout=other pool=other " \
          "random=other optimizer=other copy=other " \
          "attention=other comm=other conv=other cross_entropy=other moe=other norm=other quantize=other rope=other " \
          "scan=other sort=other upsample=other", their_pairs, " ") # the second row: of first kernels
    for (their_i in their_pairs) {
        split(their_pairs[their_i], their_pair, "=")
        their_names[their_pair[1]] = their_pair[2]
    }
}
function unclassed_there(name)
{
    return name ~ /^aten::(mv|addmv|dot|_int_mm|_weight_int4pack_mm|_(scaled_)?grouped_mm|_scaled_mm_v2)$/ ||
           name ~ /^aten::(_flash_attention_forward|_cudnn_attention_.*)$/ ||
           name ~ /^aten::(clamp|square|reciprocal|rsub|maximum|minimum|fmax|fmin|fmod|remainder|floor_divide|atan2)_?$/ ||
           name ~ /^aten::(lerp|addcmul|addcdiv|relu6|leaky_relu|prelu|elu|celu|selu|mish|hard[a-z]+|softplus)_?$/ ||
           name ~ /^aten::(log_sigmoid.*|exp2|expm1|log2|log10|log1p|tan|atan|erf|erfinv|sign|sgn|floor|ceil)_?$/ ||
           name ~ /^aten::(round|trunc|isnan|isinf|isfinite|nan_to_num|bitwise_(xor|.*_shift)|logical_.*|__.*__)_?$/ ||
           name ~ /^aten::(leaky_relu|elu|hard[a-z]+|softplus|mish|log_sigmoid)_backward$/ ||
           name ~ /^aten::(linalg_vector_norm|std_mean|var_mean|prod|aminmax|nansum|count_nonzero|topk|sort|histc)$/ ||
           name ~ /^aten::(bincount|median|cross_entropy_loss|nll_loss.*)$/ ||
           name ~ /^(fbgemm::.*Quantized.*|Compiled.*|aten::.*_convolution_backward_(input|weight)|aten::logit_backward)$/ ||
           name ~ /^(_C::(rotary_embedding|.*_quant|.*mm)|sgl_kernel::.*mm|_moe_C::(moe_sum|topk).*)$/ ||
           name ~ /^vllm::(unified_kv_cache_update|moe_forward.*|(in|out)place_fused_experts|rocm_aiter_fused_moe)$/
}
function theirs(category, name)
{
    return unclassed_there(name) ? "other" : category in their_names ? their_names[category] : category
}
function modelled_there(name)
{
    return !(unclassed_there(name) ||
             name ~ /^aten::(fill|relu|gelu|tanh|exp|log|sqrt|sin|cos|abs|bitwise_(not|and|or)|sub)_?$/ ||
             name ~ /^aten::(sigmoid|silu|rsqrt|neg|pow)_$/ ||
             name ~ /^aten::(eq|ne|lt|le|gt|ge|masked_fill|where|threshold)_?$/ ||
             name ~ /^aten::(gelu|silu|tanh)_backward$/ ||
             name ~ /^aten::(any|all|argmax|argmin|_foreach_.*|_fused_(adam|sgd).*)$/ ||
             name ~ /^aten::(_(flash|efficient)_attention_backward|_?(log_|safe_)?softmax.*|_?index.*|gather)$/ ||
             name ~ /^aten::(scatter.*|_?embedding.*|native_dropout.*|.*_pool[23]d.*)$/ ||
             name ~ /^(_C::(rms_norm|fused_add_rms_norm)|_C_cache_ops::reshape_and_cache.*|_moe_C::.*)$/)
}
