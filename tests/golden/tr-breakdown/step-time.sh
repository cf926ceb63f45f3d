# Truth: by hand.  A step lasts from the end of the step before until its interval on the host and its work on the main
# stream have ended.
span() { printf '{"ph": "X", "cat": "%s", "name": "%s", "pid": %s, "tid": %s, "ts": %s, "dur": %s, "args": {%s}},\n' "$@"; }
step() { span user_annotation "ProfilerStep#$1" "${4:-1}" "${5:-1}" "$2" "$3" ''; }
# work LAUNCH START DUR [STREAM [NAME [PID [TID]]]]: a kernel and its launch
work() {
    n=$((n + 1))
    span cuda_runtime cudaLaunchKernel "${6:-1}" "${7:-1}" "$1" 2 "\"correlation\": $n"
    span kernel "${5:-gemm}" 0 "${4:-7}" "$2" "$3" "\"device\": 0, \"stream\": ${4:-7}, \"correlation\": $n"
}
unlaunched() { span kernel gemm 0 7 "$1" "$2" '"device": 0, "stream": 7, "correlation": 0'; }
trace() { echo '{"traceEvents": ['; n=0; "$1"; echo '{"ph": "M", "name": "x", "pid": 0}]}'; }
show() {
    echo "== $1"
    trace "$1" >t.json
    tr-breakdown --by step -O tsv --columns step,time,dur,between,lead,busy,idle,cause,cause_idle t.json
}
exec 2>&1
# The host is ahead: the second step begins at 300, but its work only when that of the first has ended.
ahead() {
    step 1 100 200; step 2 300 700
    work 110 150 800; work 310 960 900
}
show ahead
# Prefetches of stream 20 and collectives of stream 30 move no end, although they end last; they count as busy.
beside() {
    step 1 100 100; step 2 200 100
    work 110 120 60; work 120 250 200 30 ncclDevKernel_AllReduce_Sum_f32_RING_LL; work 130 260 130 20 prefetch
    work 210 220 150
}
show beside
# Collectives take longest, and still move no end: the main stream is that with most compute.
collectives() {
    step 1 100 100; step 2 200 100
    work 110 120 20; work 120 145 90 30 ncclDevKernel_AllReduce_Sum_f32_RING_LL
    work 210 220 120; work 220 250 80 30 ncclDevKernel_AllReduce_Sum_f32_RING_LL
}
show collectives
# Left-over work until 180 comes first; the gap until 190 is the lead of the first step.
leftover() { unlaunched 90 40; unlaunched 140 40; step 1 100 100; work 110 190 60; step 2 200 100; work 210 250 90; }
show leftover
# Such work comes later, too: launches are missing, and the host start counts.
missing() { unlaunched 90 90; step 1 100 100; work 110 190 60; unlaunched 255 5; step 2 200 100; work 210 260 80; }
show missing
# Steps of two processes with the same stream: each is a sequence, and its launches belong to its own steps.
processes() {
    step 1 100 100 1 1; step 1 120 200 2 2
    work 130 140 50 7 gemm 1 1; work 140 190 300 8 gemm 2 2
}
show processes
# Thread 2 has the same numbers as thread 1, and uses its own steps; thread 3, that of the backward pass, has none, and
# uses the step that started last, which is the first of thread 2.
threads() {
    step 1 100 100 1 1; step 2 200 100 1 1; step 1 150 100 1 2
    work 110 120 100 7 gemm 1 1; work 160 220 100 8 gemm 1 2; work 170 320 100 8 gemm 1 3; work 210 225 100 7 gemm 1 1
}
show threads
# Inference: the time between two steps belongs to none of them.
inference() {
    span user_annotation 'execute_context_0(0)_generation_1(1)' 1 1 100 50 ''
    work 110 120 100
    span user_annotation 'execute_context_0(0)_generation_1(1)' 1 1 300 50 ''
    work 310 320 100
    span user_annotation 'execute_context_0(0)_generation_1(1)' 1 1 380 50 ''
    work 390 425 100
}
show inference
# Two devices: each has a main stream.
devices() {
    step 1 100 100; step 2 200 100
    work 110 120 60
    span cuda_runtime cudaLaunchKernel 1 1 115 2 '"correlation": 91'
    span kernel gemm 1 7 130 120 '"device": 1, "stream": 7, "correlation": 91'
    work 210 220 60
}
show devices
# Suspect work moves no end.
suspect() { step 1 100 100; work 110 120 60; work 130 180 40; work 125 190 9223372036854775000; step 2 200 100; }
show suspect
# The headline, its gate and the report say the same.
trace ahead >t.json
tr-report --sections headline,steps,next t.json
tr-diff --by headline --base t.json --test t.json -O tsv | grep step_time
tr-diff --by steps --base t.json --test t.json -O tsv | grep mean
