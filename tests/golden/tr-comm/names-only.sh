# Truth: by hand.  No args at all: kernels tell by their names, and streams correspond by place: 5 and 8 of rank 0
# are 6 and 7 of rank 1.  No bytes, no bandwidth.
. "$GOLDEN/jobs"
begin 0
kernel 10 5 5 'ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgs)' ''
kernel 12 5 8 'ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*)' ''
kernel 20 5 5 'ncclDevKernel_Generic(ncclDevKernelArgs)' ''
end
begin 1
kernel 11 5 7 'ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*)' ''
kernel 12 3 6 'ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgs)' ''
kernel 21 4 6 'ncclDevKernel_Generic(ncclDevKernelArgs)' ''
end
tr-comm -O tsv --verbose rank*.json | cut -f 1-8,10-14
