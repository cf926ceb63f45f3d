# Truth: by hand.  With --keep-known names of public libraries stay, and only such: one word of another origin, in a
# template's arguments, too, makes a token of the whole name.
printf '%s' 'sixteen bytes of key' >key
cat >names <<'END'
aten::mm
aten::_scaled_dot_product_flash_attention.out
c10d::allreduce_
nccl:all_reduce
nccl:my_reduce
autograd::engine::evaluate_function: AddmmBackward0
autograd::engine::evaluate_function: SecretBackward
Optimizer.step#AdamW.step
Optimizer.step#Secret.step
enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__
ProfilerStep#7
cudaLaunchKernel
cuMemcpyAsync_v2
cuda_secret
hipModuleLaunchKernel
cudaSecret_thing
ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)
ampere_sgemm_128x64_tn
void cublasLt::splitKreduce_kernel<32, 16, int, float>(cublasLt::cublasSplitKParams<float>)
void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x64_32x6_nt_align1>(cutlass_80_tensorop_s1688gemm_128x64_32x6_nt_align1::Params)
void at::native::(anonymous namespace)::fused_kernel<float>(float*, at::native::Secret)
void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl<secret::Functor>(int)>
void at::native::elementwise_kernel<128, 4>(int)::{lambda(int)#1}
void secret::kernel<at::Half>()
::secret
Cijk_Ailk_Bljk_SB_MT128x64x16
Memcpy HtoD (Pinned -> Device)
Memset (Device)
secret
aten
at::native::copy 5550100123
at::native::copy größe
END
{
    echo '{"traceEvents": ['
    sed 's/.*/{"ph": "X", "cat": "cpu_op", "name": "&", "pid": 1, "tid": 1, "ts": 1, "dur": 1},/' names
    echo ']}'
} >t.json
tr-filter --redact --keep-known --redact-key key true t.json | tr-view -O tsv --columns name | sed 1d
tr-filter --keep-known true t.json 2>&1
echo "without --redact: $?"
