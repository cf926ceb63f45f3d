# Truth: what the libraries say of these kernels.  The first column is what each name has to be; those that only mention
# a collective, in a template argument, a parameter or a name that a compiler made of fused operators, compute.
COLUMNS=200 # wide enough for all of it
export COLUMNS
cat >names.txt <<'END'
comm	ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)
comm	ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*, unsigned long, ncclWork*)
comm	void ncclSymkDevKernel_AllGather_LLMC(ncclSymkDevWorkArgs4K)
comm	_Z23ncclDevKernel_Generic_424ncclDevKernelArgsStorageILm4096EE
comm	rcclGenericKernel
comm	hccl::allReduce
comm	oneccl_allreduce_small
comm	mscclKernel_Sum_half_LL
comm	void mscclpp::allreduce7<__half>(__half*, __half*)
comm	void nvshmemi_transfer_rma<int>(int*)
comm	nvshmem_barrier_all_kernel
comm	void vllm::cross_device_reduce_1stage<__nv_bfloat16, 2>(vllm::RankData*, vllm::RankSignals, vllm::Signal*, __nv_bfloat16*, int, int)
comm	void sglang::cross_device_reduce_2stage<__half, 8>(sglang::RankData*, int)
comm	void aiter::cross_device_reduce_1stage_naive<float, 4>(aiter::RankData*)
comm	_ZN4vllm26cross_device_reduce_1stageI13__nv_bfloat16Li2EEEvPNS_8RankDataENS_11RankSignalsE
comm	void quickreduce::allreduce_prototype_twoshot<quickreduce::AllReduceTwoshot<__half, quickreduce::CodecQ4<__half, 2>, false>, __half>(__half const*)
comm	quick_all_reduce_kernel
comm	void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*, unsigned long)
comm	void (anonymous namespace)::two_shot_all_reduce_kernel_inplace<float, 8, 4>(float**, unsigned long)
comm	multimem_one_shot_reduce_kernel
comm	void tensorrt_llm::kernels::twoShotAllReduceKernel<__nv_bfloat16, 8, true, true>(tensorrt_llm::kernels::AllReduceParams)
comm	void tensorrt_llm::kernels::ar_fusion::allreduce_fusion_kernel_oneshot_lamport<(tensorrt_llm::kernels::ar_fusion::AllReduceFusionPattern)1, __half, 4>(int)
comm	void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_twoshot_sync<(flashinfer::trtllm_allreduce_fusion::AllReduceFusionPattern)1, __half, 2>(int)
comm	void tensorrt_llm::kernels::moe_comm::moeA2ADispatchKernel<float>(int)
comm	void deep_ep::intranode::dispatch<8, 768, 16384>(int4*, float*)
comm	void deep_ep::internode_ll::combine<true, 7168, 9>(void*, void*)
comm	_ZN7deep_ep9internode8dispatchILb0ELi4EEEvP4int4
comm	void mori::moe::EpDispatchIntraNodeKernel<hip_bfloat16>(mori::moe::EpDispatchCombineArgs<hip_bfloat16>)
compute	void deep_ep::layout::get_dispatch_layout<256, 4, 8>(long const*, int*)
compute	void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::func_wrapper_t<float, at::native::sum_functor> > >(int)
compute	void splitKreduce_kernel<32, 16, int, float, float, float, float, true, false>(int)
compute	triton_poi_fused_all_reduce_wait_tensor_0
compute	triton_red_fused_one_shot_all_reduce_add_3
compute	void block_all_reduce_sum_f32_kernel<256>(float*, float*, int)
compute	void gemm<Epilogue<multimem_all_reduce>, ncclDevKernel_AllReduce>(Params)
compute	void fused_add<cross_device_reduce_1stage>(quickreduce::Codec*, deep_ep::intranode::Buffer)
compute	_ZN2at6native13reduce_kernelIN11quickreduce4DataEEEvT_
compute	void cutlass::device_kernel<cutlass::gemm::kernel::AllReduce<ncclComm*> >(int)
compute	void vllm::moe::dispatch<float>(float*)
compute	xnccl_like
compute	ampere_sgemm_128x64_tn
comm	void (anonymous namespace)::all_reduce_pull_kernel<__half, 8u>((anonymous namespace)::PullState, int)
comm	void vendor::gather_side::allgather_rows<float, 4>(float**, int)
comm	_ZN6vendor14reduce_scatterIfEEvPf
comm	void peer::AllToAllWithinNode::dispatchKernel<2>(int)
comm	ring_all_to_allv_kernel
comm	TreeAllReduceKernel
comm	send.3
comm	recv-done
compute	send_rows
compute	small_reduce_kernel
compute	void SmallReduce<4>(float*)
compute	overall_gather
compute	void copy<all_gather, ReduceScatter>(AllReduceState)
compute	loop_broadcast_fusion_5
compute	wrapped_broadcast.2
compute	loop_all_reduce_fusion_1
compute	void splits::flash_fwd_splitkv_combine_kernel<float>(Params)
compute	void router::dispatch_rows<float>(float*)
compute	grid_sync_kernel
compute	warpAllReduceSum
compute	all_reduce_4_Add_1 Cmpt Exec
memory	Memcpy HtoD (Pinned -> Device)
memory	__amd_rocclr_copyBuffer.kd
memory	__amd_rocclr_fillBufferAligned.kd
memory	MEMORY_COPY_DEVICE_TO_HOST
other	Stream Wait Event
other	runFunction - job_prep_and_submit_for_execution
END
awk -F '\t' 'BEGIN { print "{\"traceEvents\": [" }
{ printf "%s{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"%s\", \"pid\": 0, \"tid\": 7, \"ts\": %d, \"dur\": 2}\n", (NR > 1 ? "," : ""), $2, 10 * NR }
END { print "]}" }' names.txt >t.json
tr-parse -q t.json | tr-view -O tsv --columns kind,name - | tail -n +2 >found
diff names.txt found && echo "$(wc -l <found) names are what they should be"
echo "== tr-categorize gives the same kinds"
tr-categorize -q t.json | tr-view -O tsv --columns kind,name - | tail -n +2 | cmp - found && echo yes
echo "== with no name at all"
echo '{"traceEvents": [{"ph": "X", "cat": "kernel", "pid": 0, "tid": 7, "ts": 1, "dur": 2}]}' |
    tr-parse -q | tr-view -O tsv --columns kind - | tail -n 1
echo "== which rule made it comm"
grep -E 'cross|quick_all|deep_ep' t.json | (echo '{"traceEvents": ['; sed 's/^,//' | paste -sd ,; echo ']}') >some.json
tr-info -q some.json | sed -n '/^communication/,/^$/p'
echo "== the kind that other rules give, and no rule of the library"
printf '[mine (comm) if contains]\nget_dispatch_layout\n' >mine.rules
tr-categorize -q --rules mine.rules some.json | tr-info -q - | sed -n '/^communication/,/^$/p' | grep layout
