# Truth: by hand.  Each moment of a step counts for one thing.
#   step 1 from its first work at 120: compute to 180; the collective, which starts at 150, alone to 210; the copy, which
#   starts at 200, alone to 230; then nothing: the host waits in cudaStreamSynchronize until 235, is busy until
#   240 and launches until 242 what starts at 250, which is work of step 1, too, and ends at 290
#   step 2 from 290: the loader until 295, busy until 300, 2 in the call and 3 behind it, compute from 305 to 335, and 10
#   after the last work, until the step ends on the host
# The wait of 115 is felt in all idle time after it but that of the loader, and that at the end.
span() { printf '{"ph": "X", "cat": "%s", "name": "%s", "pid": %s, "tid": %s, "ts": %s, "dur": %s, "args": {%s}},\n' "$@"; }
n=0
work() {
    n=$((n + 1))
    span cuda_runtime "$6" 1 1 "$1" 2 "\"correlation\": $n"
    span "$7" "$5" 0 "$4" "$2" "$3" "\"device\": 0, \"stream\": $4, \"correlation\": $n"
}
{
    echo '{"traceEvents": ['
    span user_annotation ProfilerStep#1 1 1 100 145 ''
    span user_annotation ProfilerStep#2 1 1 245 100 ''
    work 110 120 60 7 gemm cudaLaunchKernel kernel
    work 112 150 60 30 ncclDevKernel_AllReduce_Sum_f32_RING_LL cudaLaunchKernel kernel
    work 114 200 30 20 'Memcpy HtoD (Pinned -> Device)' cudaMemcpyAsync gpu_memcpy
    span cuda_runtime cudaStreamSynchronize 1 1 120 115 ''
    work 240 250 40 7 gemm cudaLaunchKernel kernel
    span user_annotation 'enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__' 1 1 280 15 ''
    work 300 305 20 7 gemm cudaLaunchKernel kernel
    work 310 325 10 7 gemm cudaLaunchKernel kernel
    echo '{"ph": "M", "name": "x", "pid": 0}]}'
} >t.json
tr-breakdown --by step -q -O tsv --columns \
    step,time,lead,compute,exposed_comm,exposed_memory,other,host_busy,host_blocked,data_loading,launch_overhead t.json
tr-breakdown --by step -q -O tsv --columns \
    step,collective_wait,device_overhead,dependency,unknown,edge,drained,busy,idle t.json
# What follows from the threshold: a longer wait after the launch is a dependency.
tr-breakdown --by step -q -O tsv --threshold 2us --columns step,device_overhead,dependency t.json
