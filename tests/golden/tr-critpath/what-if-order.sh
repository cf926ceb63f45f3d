# Truth: by hand.  Two steps, each with a, an all-reduce, and b, which waits for it: 10, 30 and 10 us, one after the other;
# a call makes b's stream wait, and the trace does not show for what.
# If nothing waits for communication, the job ends with the second all-reduce, at 166 us.  If communication takes no
# time, b starts at its launch, at 42 and 142 us, and the job ends after 152 us.  As one graph, the host has nothing to do
# from the first launch, at 24 us, to the next step, 55 us later; all-reduce and b follow a at once, but for 1 us: the
# steps end at 76 and 155 us.
event()
{
    printf ',\n{"ph": "X", "cat": "%s", "name": "%s", "pid": %s, "tid": %s, "ts": %s, "dur": %s, "args": {%s}}' "$@"
}
# part START NAME STREAM CALL WORK DUR NUMBER: an operator that launches work.
part()
{
    event cpu_op "op $2" 1 1 "$1" $(($4 + 5 - $1)) ''
    [ "$2" = a ] || event cuda_runtime cudaStreamWaitEvent 1 1 "$4" 1 ''
    event cuda_runtime cudaLaunchKernel 1 1 $(($4 + 2)) 2 "\"correlation\": 1$7"
    event kernel "$2" 0 "$3" "$5" "$6" "\"device\": 0, \"stream\": $3, \"correlation\": 1$7"
}
{
    printf '{"traceEvents": [{}'
    for step in 0 1; do
        t=$((100 * step))
        event user_annotation ProfilerStep#$step 1 1 $t 95 ''
        part $t a 7 $((t + 20)) $((t + 25)) 10 ${step}1
        part $((t + 30)) ncclDevKernel_AllReduce 20 $((t + 30)) $((t + 36)) 30 ${step}2
        part $((t + 40)) b 7 $((t + 40)) $((t + 67)) 10 ${step}3
    done
    printf ']}\n'
} >t.json
for rule in 'comm overlap' 'kind == comm scale=0' 'launch graph' 'kind == compute scale=0.5'; do
    echo "== $rule"
    tr-critpath --gaps --what-if "$rule" -O tsv t.json 2>&1
done
