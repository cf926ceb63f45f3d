# SPDX-License-Identifier: MIT
"""Names of kernels and of their functors, as profilers print them."""
ADD = "CUDAFunctor_add<c10::BFloat16>"
ADDCDIV = "addcdiv_cuda_kernel(at::TensorIteratorBase&, c10::Scalar const&)::{lambda()#2}"
ADDCMUL = "addcmul_cuda_kernel(at::TensorIteratorBase&, c10::Scalar const&)::{lambda()#2}"
BATCH_NORM = "void cudnn::bn_fw_tr_1C11_kernel_NCHW<__nv_bfloat16, float, 512, true, 1, true>"
BATCH_NORM_BACKWARD = "void cudnn::bn_bw_1C11_kernel_new<__nv_bfloat16, float, float2, 512, true, 1>"
CACHE_WRITE = "void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16, __nv_bfloat16, (vllm::Fp8KVCacheDataType)0>"
CLAMP = (
    "launch_clamp_scalar(at::TensorIteratorBase&, c10::Scalar, c10::Scalar, "
    "at::native::detail::ClampLimits)::{lambda()#1}")
CONV_BACKWARD = (
    "sm80_xmma_%s_implicit_gemm_indexed_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize128x128x64_stage3_warpsize2x2x1_"
    "g1_tensor16x8x16_kernel_cudnn")
CONV_FORWARD = (
    "sm80_xmma_fprop_implicit_gemm_indexed_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize128x128x64_stage3_"
    "warpsize2x2x1_g1_tensor16x8x16_kernel_cudnn")
DIV_FLOAT = "BinaryFunctor<float, float, float, at::native::binary_internal::DivFunctor<float> >"
EMBEDDING_BACKWARD = (
    "void at::native::(anonymous namespace)::embedding_backward_feature_kernel<c10::BFloat16, float, long>")
FLASH = (
    "void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<128, 128, 64, 4, false, false, "
    "cutlass::bfloat16_t>, false, true, false, false, true, true, false>(pytorch_flash::Flash_fwd_params)")
FLASH_BACKWARD = (
    "void pytorch_flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<pytorch_flash::Flash_bwd_kernel_traits<128, "
    "64, 128, 8, 2, 4, 2, false, false, cutlass::bfloat16_t>, false, true, false, false, true, "
    "true>(pytorch_flash::Flash_bwd_params)")
FLASH_BACKWARD_DOT = (
    "void pytorch_flash::flash_bwd_dot_do_o_kernel<true, pytorch_flash::Flash_bwd_kernel_traits<128, 64, 128, 8, "
    "2, 4, 2, false, false, cutlass::bfloat16_t> >(pytorch_flash::Flash_bwd_params)")
FLASH_DECODE = (
    "void flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<128, 64, 128, 4, false, false, "
    "cutlass::bfloat16_t> >")
FOREACH = (
    "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
    "namespace)::TensorListMetadata<2>, at::native::(anonymous namespace)::BinaryOpScalarFunctor<float, 2, 1, 1>, "
    "std::multiplies<float>, float>")
FUSED_ADAM = (
    "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
    "namespace)::FusedOptimizerTensorListMetadata<4>, at::native::(anonymous "
    "namespace)::FusedAdamMathFunctor<float, 4, (at::native::ADAM_MODE)1, false> >")
GELU = "GeluCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::{lambda()#2}"
GELU_BACKWARD = "GeluBackwardCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::{lambda()#2}"
INDEX_SELECT = (
    "void at::native::(anonymous namespace)::indexSelectLargeIndex<c10::BFloat16, long, unsigned int, 2, 2, -2, "
    "true>")
LAYER_NORM = (
    "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>(int, float, "
    "c10::BFloat16 const*, c10::BFloat16 const*, c10::BFloat16 const*, float*, float*, c10::BFloat16*)")
LAYER_NORM_BACKWARD = (
    "void at::native::(anonymous namespace)::layer_norm_grad_input_kernel_vectorized<c10::BFloat16, "
    "float>(c10::BFloat16 const*, c10::BFloat16 const*, float const*, float const*, c10::BFloat16 const*, "
    "c10::BFloat16*, int)")
LAYER_NORM_WEIGHTS_BACKWARD = (
    "void at::native::(anonymous namespace)::GammaBetaBackwardCUDAKernelTemplate<c10::BFloat16, float, 32u, 1u, "
    "32u, true, true, false>(long, long, c10::BFloat16 const*, c10::BFloat16 const*, float const*, float const*, "
    "c10::BFloat16*, c10::BFloat16*)")
MUL = "BinaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, at::native::binary_internal::MulFunctor<float> >"
MUL_SCALAR = (
    "AUnaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, at::native::binary_internal::MulFunctor<float> >")
MUL_SCALAR_FLOAT = "AUnaryFunctor<float, float, float, at::native::binary_internal::MulFunctor<float> >"
NLL_LOSS = (
    "void at::native::(anonymous namespace)::nll_loss_forward_reduce_cuda_kernel_2d<c10::BFloat16, float, long>")
POW = "pow_tensor_scalar_kernel_impl<c10::BFloat16, float>(at::TensorIteratorBase&, float)::{lambda(float)#1}"
RMS_NORM_0 = "triton_red_fused__to_copy_add_mean_mul_pow_rsqrt_0"
RMS_NORM_1 = "triton_red_fused__to_copy_add_mean_mul_pow_rsqrt_1"
SILU = "silu_kernel(at::TensorIteratorBase&)::{lambda()#2}"
SILU_BACKWARD = "silu_backward_kernel(at::TensorIteratorBase&)::{lambda()#2}"
SOFTMAX = (
    "void at::native::(anonymous namespace)::cunn_SoftMaxForward<8, c10::BFloat16, float, c10::BFloat16, "
    "at::native::(anonymous namespace)::LogSoftMaxForwardEpilogue>")
SOFTMAX_BACKWARD = (
    "void at::native::(anonymous namespace)::cunn_SoftMaxBackward<8, c10::BFloat16, float, c10::BFloat16, "
    "at::native::(anonymous namespace)::LogSoftMaxBackwardEpilogue>")
SQRT = "sqrt_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2}"
TANH = "tanh_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2}"
THRESHOLD = "threshold_kernel_impl<c10::BFloat16>"
TOPK = "void at::native::sbtopk::gatherTopK<c10::BFloat16, unsigned int, 2, false>"
