# Truth: what the names say.  XLA: rename_fusions.cc, fusion_wrapper.cc and hlo_opcode.h of OpenXLA; on a TPU, a name is
# that of an instruction.  rocprof: names of copies of HIP.  AIU: nodes of a graph.  Older profilers of PyTorch: operators.
cat >names.txt <<'END'
elementwise	loop_multiply_fusion
elementwise	loop_multiply_fusion_1
elementwise	loop_add_exponential_fusion.kd
elementwise	loop_multiply_fusion_3.kd
elementwise	multiply_add_fusion.12.remat2
elementwise	loop_select_fusion.clone
elementwise	loop_reduce_precision_fusion_2
elementwise	reduce-precision.4
elementwise	wrapped_convert
elementwise	wrapped_add_1
elementwise	add.5
elementwise	exponential.12
elementwise	loop_fusion_2
reduce	input_reduce_fusion
reduce	input_reduce_fusion_7
reduce	input_add_reduce_fusion_7
reduce	wrapped_reduce_1
reduce	loop_reduce_window_fusion
reduce	convert_reduce_fusion.3
reduce	reduce.7
index	input_scatter_fusion
index	loop_gather_fusion_3
index	wrapped_scatter
index	select-and-scatter.2
copy	input_transpose_fusion_1.kd
copy	wrapped_transpose
copy	loop_broadcast_fusion_5
copy	loop_dynamic_update_slice_fusion_1
copy	loop_concatenate_fusion
copy	input_concatenate_slice_fusion
copy	wrapped_slice_2
copy	copy.5
copy	copy-start.2
copy	copy-done
copy	dynamic-update-slice.8
copy	bitcast_copy_fusion
elementwise	loop_add_slice_fusion
gemm	dot.4
gemm	dot_add_fusion.2
gemm	gemm_fusion_dot_3
gemm	wrapped_ragged_dot
gemm	void wvSpltK_hf_sml_<64, 4, 16, 8, 1, 4>(int, int, __half const*)
gemm	void wvSplitK_hf_<__half, 64>(int)
conv	convolution.3
conv	convert_convolution_fusion.1
sort	sort.2
sort	wrapped_sort
random	rng-bit-generator.1
random	loop_rng_bit_generator_fusion
softmax	triton_softmax_12
comm	all-reduce-start.1
comm	send.2
comm	recv-done
fusion	fusion.14
fusion	fusion
fusion	fusion_12
fusion	input_fusion.3
fusion	custom_fusion_1
-	moe_fusion_kernel
-	fusion_kernel
-	while.3
-	custom-call.9
-	sendrows
-	adder
memcpy	CopyHostToDevice
memcpy	CopyDeviceToHost
memcpy	CopyDeviceToDevice
memset	FillBuffer
memcpy	MEMORY_COPY_HOST_TO_DEVICE
memcpy	__amd_rocclr_copyBuffer.kd
conv	Im3d2Col.kd
memcpy	zeCommandListAppendMemoryCopy(M2D)[1024]
memset	zeCommandListAppendMemoryFill(D)
memcpy	zeCommandListAppendImageCopyToMemory
memcpy	clEnqueueReadBuffer
memcpy	clEnqueueSVMMemcpy
memset	clEnqueueFillBuffer
memset	clEnqueueSVMMemFill
memcpy	SenHostInput_61000 DmaI
memcpy	SenHostOutput_61001 DmaO
comm	SenRdmaSend_7 [sync=AllReduce_all_reduce_4_s1_r0_2] DmaO
elementwise	add_1 Cmpt Exec
elementwise	mul_77 Cmpt Exec
elementwise	add
reduce	mean Cmpt Exec
copy	view-VirtualReshape-Output-LxRelayout Cmpt Exec
-	second one Cmpt Exec
gemm	aten::mm
elementwise	aten::mul_
-	aten::view
-	myaten::mm
moe	aiter::fmoe_bf16_g1u1_32x256
moe	_combined_routing_memset
moe	_sum_bitmatrix_rows
copy	void copy_rows<float>(float*)
elementwise	scale_rows<float>(float*)
elementwise	clip_ids(long*)
elementwise	transformer_engine_cast_2
-	upscale_rows
-	broadcast_rows
sync	at::cuda::(anonymous namespace)::spin_kernel(long)
sync	event_wait
rope	at::AtenIpexTypeXPU::RotaryEmbeddingKernel
norm	at::AtenIpexTypeXPU::normalization<float, 4>
memcpy	dma_request
elementwise	void at::native::unrolled_elementwise_kernel<at::native::copy_device_to_device(int)::{lambda()#2}>(int)
END
awk -F '\t' 'BEGIN { print "{\"traceEvents\": [" }
{ printf "%s{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"%s\", \"pid\": 0, \"tid\": 7, \"ts\": %d, \"dur\": 2}\n", (NR > 1 ? "," : ""), $2, 10 * NR }
END { print "]}" }' names.txt >t.json
tr-categorize -q t.json | tr-view -O tsv --columns class,name - | tail -n +2 | sed 's/^\t/-\t/' >found
diff names.txt found && echo "$(wc -l <found) names are what they should be"
echo "== what decides for a name of an operator"
tr-categorize --explain aten::mm --columns as,class,rules -O tsv
echo "== in reports, as in the trace they are no device work"
tr-categorize --explain zeCommandListAppendBarrier --explain zeCommandListAppendEventReset --columns name,as,class -O tsv
