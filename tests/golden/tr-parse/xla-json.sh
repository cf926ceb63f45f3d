# Truth: by hand.  Profiles of XLA as JSON: streams of a GPU have device work, and its other lines repeat that; without
# streams, "XLA Ops" has it.  On a TPU, "XLA Ops" and its like have it.  A call and its work have the same correlation,
# in quotes.  Steps are those of the host, else those of the first device.  The last element is {}.
meta() # pid name [tid thread]
{
    printf '{"ph":"M","pid":%s,"name":"process_name","args":{"name":"%s"}},\n' "$1" "$2"
    pid=$1
    shift 2
    while [ $# -gt 0 ]; do
        printf '{"ph":"M","pid":%s,"tid":%s,"name":"thread_name","args":{"name":"%s"}},\n' "$pid" "$1" "$2"
        shift 2
    done
}
span() # pid tid ts dur name [args]
{
    printf '{"ph":"X","pid":%s,"tid":%s,"ts":%s,"dur":%s,"name":"%s"%s},\n' "$1" "$2" "$3" "$4" "$5" "${6:+,\"args\":{$6\}}"
}
head='{"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":['
{
    echo "$head"
    meta 2 "/device:GPU:1 NVIDIA H100" 13 "Stream #13(Compute,Memset)" 16 "Stream #16(MemcpyH2D)" 4294967291 "XLA Ops" \
        4294967289 Steps
    meta 701 /host:CPU 9 python3
    span 2 13 100 20.073139999999999 loop_fusion '"correlation_id":"7","kernel_details":"regs:16 grid:8,1,1 block:128,1,1"'
    span 2 13 121 10 "ncclDevKernel_AllReduce" '"correlation_id":"8"'
    span 2 16 90 5 copied '"correlation_id":"6","memcpy_details":"size:65536"'
    span 2 13 132 1 Memset32 '"correlation_id":"9"'
    span 2 4294967291 100 20 fusion.1
    span 2 4294967289 90 43 4
    span 701 9 50 2 cuMemcpyHtoDAsync '"correlation_id":"6"'
    span 701 9 60 2 cuLaunchKernel '"correlation_id":"7"'
    span 701 9 70 2 cuLaunchKernel '"correlation_id":"8"'
    span 701 9 40 100 train '"step_num":"11"'
    echo '{}]}'
} >gpu.json
{
    echo "$head"
    meta 1 /device:GPU:0 5 "XLA Ops" 6 "XLA Modules"
    span 1 5 10 5 fusion.2
    span 1 6 10 6 jit_f
    echo '{}]}'
} >no-streams.json
{
    echo "$head"
    meta 3 /device:TPU:0 1 Steps 3 "XLA Ops" 4 "XLA Modules"
    meta 4 /device:TPU:1 1 Steps 3 "XLA Ops" 5 "Async XLA Ops"
    meta 701 /host:CPU 77 python3
    span 3 3 5000 685.739729 fusion.12 '"hlo_category":"loop fusion"'
    span 3 3 5700 10 copy.3
    span 3 4 5000 710 jit_f
    span 3 1 5000 710 0
    span 4 3 5001 20 all-reduce.1
    span 4 5 5030 20 all-gather-start.2
    span 4 1 5001 100 0
    span 701 77 4000 10 "PjitFunction(f)"
    echo '{}]}'
} >tpu.json
{
    echo '{"traceEvents":['
    meta 1 "/job:localhost/replica:0/task:0/device:GPU:0/stream:all Compute" 0 all
    meta 2 "/job:localhost/replica:0/task:0/device:GPU:0/stream:17" 0 17
    span 1 0 10 5 MatMul
    span 2 0 10 5 MatMul
    echo '{}]}'
} >tensorflow.json
for file in gpu no-streams tpu tensorflow; do
    echo "# $file"
    tr-parse -q $file.json | tr-view -q -O tsv --columns name,ts,dur,activity,kind,device,stream,launch_ts,step
done
tr-parse -q tpu.json | tr-info -O json | grep -E '"(format|mean_us)"'
