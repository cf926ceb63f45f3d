# Truth: by hand.  What the host would have avoided, had it not waited for the device.
#   step 1 (0 to 100): it waits from 20 to 52, which is 32.  Idle from 50 to 63, from 70 to 88 and from 95 to 113: 13 and 18
#   are felt, and 1 of the third gap
#   step 3 (200 to 300): it waits from 215 to 290, which is 75.  Idle from 289 to 294: 5 are felt
#   step 4 (300 to 400): idle from 350 to 370, which is still felt
#   step 6 (500 to 600): idle from 499 to 513, which is not: a wait is felt up to the end of the next step
span() { printf '{"ph": "X", "cat": "%s", "name": "%s", "pid": %s, "tid": %s, "ts": %s, "dur": %s, "args": {%s}},\n' "$@"; }
n=0
work() {
    n=$((n + 1))
    span cuda_runtime cudaLaunchKernel 1 1 "$1" 2 "\"correlation\": $n"
    span kernel gemm 0 7 "$2" "$3" "\"device\": 0, \"stream\": 7, \"correlation\": $n"
}
wait() { span cuda_runtime cudaStreamSynchronize 1 1 "$1" "$2" ''; }
{
    echo '{"traceEvents": ['
    for step in 1 2 3 4 5 6; do
        span user_annotation "ProfilerStep#$step" 1 1 $((100 * step - 100)) 100 ''
    done
    work 5 10 40
    wait 20 32
    work 60 63 7
    work 85 88 7
    work 110 113 100
    work 120 213 76
    wait 215 75
    work 291 294 56
    work 367 370 70
    work 375 440 59
    work 510 513 80
    echo '{"ph": "M", "name": "x", "pid": 0}]}'
} >t.json
tr-breakdown --by step -q -O tsv --columns step,time,host_blocked,host_busy,launch_overhead,device_overhead,drained t.json
