/* SPDX-License-Identifier: MIT */
/* Kernel names with ordinary durations and launch shapes, one table for each vendor. */
#include "gen.h"

#define ELEMENTWISE "void at::native::vectorized_elementwise_kernel<4, at::native::"
static const struct gen_kernel nvidia[] = {
    { GEN_STR("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas"), 92000, 168, 213040, 768, 384 },
    { GEN_STR("nvjet_tst_128x256_64x4_1x2_h_bz_coopA_bias_TNT"), 36000, 168, 213040, 132, 384 },
    { GEN_STR("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize256x128x64_warpgroupsize2x1x1_execute_segment_k_off_kernel__5x_cublas"), 118000, 168, 213040, 1024, 384 },
    { GEN_STR("nvjet_tst_192x192_64x4_2x1_v_bz_coopA_TNN"), 121000, 168, 213040, 132, 384 },
    { GEN_STR("void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float, false>(int, float, c10::BFloat16 const*, c10::BFloat16 const*, c10::BFloat16 const*, float*, float*, c10::BFloat16*)"), 14200, 28, 24, 16384, 128 },
    { GEN_STR("void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64, 128, 128, 4, false, false, cutlass::bfloat16_t, pytorch_flash::Flash_kernel_traits<64, 128, 128, 4, cutlass::bfloat16_t> >, false, true, false, false, false, true, false, false>(pytorch_flash::Flash_fwd_params)"), 148000, 255, 49152, 2048, 128 },
    { GEN_STR("void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() const::{lambda()#12}::operator()() const::{lambda(c10::BFloat16)#1}>(at::TensorIteratorBase&, at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() const::{lambda()#12}::operator()() const::{lambda(c10::BFloat16)#1} const&)::{lambda(int)#1}>(int)"), 21800, 26, 0, 32768, 128 },
    { GEN_STR(ELEMENTWISE "CUDAFunctor_add<c10::BFloat16>, at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, at::detail::Array<char*, 3>)"), 18400, 32, 0, 16384, 128 },
    { GEN_STR(ELEMENTWISE "GeluCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::{lambda()#2}::operator()() const::{lambda()#4}::operator()() const::{lambda(c10::BFloat16)#1}, at::detail::Array<char*, 2> >(int, at::detail::Array<char*, 2>)"), 26400, 30, 0, 65536, 128 },
    { GEN_STR("sm90_xmma_gemm_bf16bf16_bf16f32_f32_nn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas"), 98000, 168, 213040, 768, 384 },
    { GEN_STR("sm90_xmma_gemm_bf16bf16_bf16f32_f32_nt_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas"), 101000, 168, 213040, 768, 384 },
    { GEN_STR("void at::native::reduce_kernel<128, 4, at::native::ReduceOp<c10::BFloat16, at::native::func_wrapper_t<c10::BFloat16, at::native::sum_functor<c10::BFloat16, float, c10::BFloat16>::operator()(at::TensorIterator&)::{lambda(float, float)#1}>, unsigned int, c10::BFloat16, 4> >(at::native::ReduceOp<c10::BFloat16>)"), 24800, 40, 16, 24, 512 },
    { GEN_STR("void at::native::(anonymous namespace)::layer_norm_grad_input_kernel_vectorized<c10::BFloat16, float, false>(c10::BFloat16 const*, c10::BFloat16 const*, float const*, float const*, c10::BFloat16 const*, c10::BFloat16*, int)"), 27100, 48, 256, 16384, 128 },
    { GEN_STR("void at::native::(anonymous namespace)::GammaBetaBackwardCUDAKernelTemplate<c10::BFloat16, float, 32u, 8u, 128u, true, true, false>(long, long, c10::BFloat16 const*, c10::BFloat16 const*, float const*, float const*, c10::BFloat16*, c10::BFloat16*)"), 19700, 40, 8448, 32, 256 },
    { GEN_STR("void pytorch_flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<pytorch_flash::Flash_bwd_kernel_traits<64, 128, 128, 8, 4, 4, 4, false, false, cutlass::bfloat16_t, pytorch_flash::Flash_kernel_traits<64, 128, 128, 8, cutlass::bfloat16_t> >, false, true, false, false, true, true, false>(pytorch_flash::Flash_bwd_params)"), 412000, 255, 147456, 2048, 256 },
    { GEN_STR(ELEMENTWISE "GeluBackwardCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::{lambda()#2}::operator()() const::{lambda()#4}::operator()() const::{lambda(c10::BFloat16, c10::BFloat16)#1}, at::detail::Array<char*, 3> >(int, at::detail::Array<char*, 3>)"), 38900, 34, 0, 65536, 128 },
    { GEN_STR("void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::TensorListMetadata<2>, at::native::(anonymous namespace)::BinaryOpListAlphaFunctor<float, 2, 2, 0>, std::plus<float>, float>(at::native::(anonymous namespace)::TensorListMetadata<2>, std::plus<float>, float)"), 61000, 36, 0, 320, 512 },
    { GEN_STR(ELEMENTWISE "FillFunctor<float>, at::detail::Array<char*, 1> >(int, at::native::FillFunctor<float>, at::detail::Array<char*, 1>)"), 1184, 16, 0, 1, 128 },
    { GEN_STR("void (anonymous namespace)::cunn_SoftMaxForward<8, c10::BFloat16, float, c10::BFloat16, at::native::(anonymous namespace)::LogSoftMaxForwardEpilogue>(c10::BFloat16*, c10::BFloat16 const*, int)"), 212000, 40, 4224, 16384, 1024 },
    { GEN_STR("void at::native::(anonymous namespace)::nll_loss_forward_reduce_cuda_kernel_2d<float, float, long>(float*, float*, float const*, long const*, float const*, bool, long, long, long, long)"), 9400, 32, 264, 1, 32 },
};

#define CIJK "Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT"
#define CIJK_TAIL "_MI16x16x1_SN_LDSB1_AFC1_AFEM1_AFEM1_ASEM1_CLR1_CADS0_DTLA0_DTLB0_DTVA0_DTVB0_EPS0_GRVWA8_GRVWB8_GSUAMB_ISA942_IU1_K1_LBSPPA1024_LBSPPB1024_MIWT4_4_WG64_4_1"
static const struct gen_kernel amd[] = {
    { GEN_STR(CIJK "256x160x64" CIJK_TAIL), 131000, 256, 65536, 1216, 256 },
    { GEN_STR(CIJK "128x128x64" CIJK_TAIL), 51000, 256, 65536, 1024, 256 },
    { GEN_STR(CIJK "256x256x64" CIJK_TAIL), 164000, 256, 65536, 1024, 256 },
    { GEN_STR(CIJK "256x96x64" CIJK_TAIL), 158000, 256, 65536, 768, 256 },
    { GEN_STR("void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>(int, float, c10::BFloat16 const*, c10::BFloat16 const*, c10::BFloat16 const*, float*, float*, c10::BFloat16*)"), 17100, 32, 24, 16384, 256 },
    { GEN_STR("_ZN7ck_tile6kentryILi256ELi2ENS_13FmhaFwdKernelINS_18BlockFmhaPipelineQRKSVSAsyncE14__hip_bfloat16EEJNS2_11FmhaFwdArgsEEEEvDpT2_"), 201000, 256, 65536, 4096, 256 },
    { GEN_STR("void at::native::elementwise_kernel_manual_unroll<128, 8, at::native::gpu_kernel_impl_nocast<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() const::{lambda(c10::BFloat16)#1}> >(int)"), 26800, 32, 0, 16384, 128 },
    { GEN_STR("void at::native::vectorized_elementwise_kernel<8, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul>)"), 20300, 32, 0, 8192, 256 },
    { GEN_STR("void at::native::vectorized_elementwise_kernel<8, at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::{lambda()#2}, std::array<char*, 2ul> >(int, std::array<char*, 2ul>)"), 30100, 32, 0, 32768, 256 },
    { GEN_STR("Cijk_Ailk_Bljk_BBS_BH_MT128x256x32" CIJK_TAIL), 140000, 256, 65536, 768, 256 },
    { GEN_STR("Cijk_Ailk_Bjlk_BBS_BH_MT256x128x32" CIJK_TAIL), 143000, 256, 65536, 768, 256 },
    { GEN_STR("void at::native::reduce_kernel<128, 4, at::native::ReduceOp<c10::BFloat16, at::native::func_wrapper_t<c10::BFloat16>, unsigned int, c10::BFloat16, 4> >(at::native::ReduceOp<c10::BFloat16>)"), 29800, 40, 16, 24, 512 },
    { GEN_STR("void at::native::(anonymous namespace)::layer_norm_grad_input_kernel_vectorized<c10::BFloat16, float>(c10::BFloat16 const*, c10::BFloat16 const*, float const*, float const*, c10::BFloat16*, int)"), 33100, 48, 256, 16384, 256 },
    { GEN_STR("void at::native::(anonymous namespace)::cuComputePartGradGammaBeta<c10::BFloat16, float>(c10::BFloat16 const*, c10::BFloat16 const*, long, long, float const*, float const*, float*, float*)"), 24700, 40, 8448, 32, 256 },
    { GEN_STR("_ZN7ck_tile6kentryILi256ELi1ENS_19FmhaBwdDQDKDVKernelINS_14__hip_bfloat16EEJNS2_11FmhaBwdArgsEEEEvDpT2_"), 530000, 256, 65536, 2048, 256 },
    { GEN_STR("void at::native::vectorized_elementwise_kernel<8, at::native::GeluBackwardCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::{lambda()#2}, std::array<char*, 3ul> >(int, std::array<char*, 3ul>)"), 44900, 34, 0, 32768, 256 },
    { GEN_STR("void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::TensorListMetadata<2>, std::plus<float>, float>(at::native::(anonymous namespace)::TensorListMetadata<2>, std::plus<float>, float)"), 72000, 36, 0, 227, 512 },
    { GEN_STR("void at::native::vectorized_elementwise_kernel<8, at::native::FillFunctor<float>, std::array<char*, 1ul> >(int, at::native::FillFunctor<float>, std::array<char*, 1ul>)"), 2184, 16, 0, 1, 256 },
    { GEN_STR("void (anonymous namespace)::cunn_SoftMaxForward<8, c10::BFloat16, float, c10::BFloat16>(c10::BFloat16*, c10::BFloat16 const*, int)"), 262000, 40, 4224, 16384, 1024 },
    { GEN_STR("void at::native::(anonymous namespace)::nll_loss_forward_reduce_cuda_kernel_2d<float, float, long>(float*, float*, float const*, long const*)"), 11400, 32, 264, 1, 64 },
};

#define SYCL "at::native::xpu::"
static const struct gen_kernel xpu[] = {
    { GEN_STR("gemm_kernel_bf16_bf16_f32_tn_256x256x32"), 171000, 256, 65536, 1216, 256 },
    { GEN_STR("gemm_kernel_bf16_bf16_f32_tn_128x256x32"), 71000, 256, 65536, 1024, 256 },
    { GEN_STR("gemm_kernel_bf16_bf16_f32_tn_256x128x32"), 204000, 256, 65536, 1024, 256 },
    { GEN_STR("gemm_kernel_bf16_bf16_f32_tn_128x128x32"), 198000, 256, 65536, 768, 256 },
    { GEN_STR(SYCL "FusedNormSIMDKernel<c10::BFloat16, float, " SYCL "LayerNormForward>"), 27100, 32, 24, 16384, 256 },
    { GEN_STR("micro_sdpa_xe_hpc_h64_bf16"), 301000, 256, 65536, 4096, 256 },
    { GEN_STR(SYCL "UnrolledElementwiseKernel<" SYCL "CopyScalarFunc<c10::BFloat16>, 4>"), 36800, 32, 0, 16384, 128 },
    { GEN_STR(SYCL "VectorizedElementwiseKernel<8, " SYCL "AddFunctor<c10::BFloat16>, at::detail::Array<char*, 3>, TrivialOffsetCalculator<2, unsigned int> >"), 30300, 32, 0, 8192, 256 },
    { GEN_STR(SYCL "VectorizedElementwiseKernel<8, " SYCL "GeluErfFunctor<c10::BFloat16>, at::detail::Array<char*, 2>, TrivialOffsetCalculator<1, unsigned int> >"), 40100, 32, 0, 32768, 256 },
    { GEN_STR("gemm_kernel_bf16_bf16_f32_nn_256x256x32"), 180000, 256, 65536, 768, 256 },
    { GEN_STR("gemm_kernel_bf16_bf16_f32_nt_256x256x32"), 183000, 256, 65536, 768, 256 },
    { GEN_STR(SYCL "ReduceKernel<1, " SYCL "ReduceOp<c10::BFloat16, " SYCL "SumFunctor<c10::BFloat16, float, c10::BFloat16>, unsigned int, c10::BFloat16, 4> >"), 39800, 40, 16, 24, 512 },
    { GEN_STR(SYCL "FusedNormSIMDKernel<c10::BFloat16, float, " SYCL "LayerNormBackward>"), 43100, 48, 256, 16384, 256 },
    { GEN_STR(SYCL "GammaBetaBackwardSimpleKernelFunctor<c10::BFloat16, float>"), 34700, 40, 8448, 32, 256 },
    { GEN_STR("micro_sdpa_bwd_xe_hpc_h64_bf16"), 730000, 256, 65536, 2048, 256 },
    { GEN_STR(SYCL "VectorizedElementwiseKernel<8, " SYCL "GeluErfBackwardFunctor<c10::BFloat16>, at::detail::Array<char*, 3> >"), 54900, 34, 0, 32768, 256 },
    { GEN_STR(SYCL "MultiTensorApplyKernelFunctor<" SYCL "TensorListMetadata<2>, " SYCL "BinaryOpListAlphaFunctor<float, 2, 2, 0>, std::plus<float>, float>"), 92000, 36, 0, 227, 512 },
    { GEN_STR(SYCL "VectorizedElementwiseKernel<4, " SYCL "FillFunctor<float>, at::detail::Array<char*, 1> >"), 3184, 16, 0, 1, 256 },
    { GEN_STR(SYCL "DispatchSoftmaxForwardKernelFunctor<8, c10::BFloat16, float, c10::BFloat16>"), 362000, 40, 4224, 16384, 1024 },
    { GEN_STR(SYCL "NllLossForwardReduce2DKernelFunctor<float, float, long>"), 14400, 32, 264, 1, 64 },
};

#define REMOTE(ns) { GEN_STR("remote"), ns, 0, 0, 0, 0 }
static const struct gen_kernel mtia[] = {
    REMOTE(327488), REMOTE(142700), REMOTE(402100), REMOTE(391200), REMOTE(46900), REMOTE(612000), REMOTE(51000),
    REMOTE(48300), REMOTE(61100), REMOTE(333000), REMOTE(341000), REMOTE(57000), REMOTE(66000), REMOTE(52000),
    REMOTE(905000), REMOTE(72000), REMOTE(120000), REMOTE(3300), REMOTE(420000), REMOTE(14000),
};

const struct gen_kernel *gen_kernels(int vendor, int *n)
{
    static const struct gen_kernel *const tables[4] = { nvidia, amd, mtia, xpu };
    *n = sizeof nvidia / sizeof *nvidia;
    return tables[vendor];
}

/* All tables have the same order. */
_Static_assert(sizeof nvidia == sizeof amd && sizeof amd == sizeof xpu && sizeof xpu == sizeof mtia,
               "kernel tables differ in length");
