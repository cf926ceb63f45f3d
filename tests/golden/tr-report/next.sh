# Truth: by hand, with each input.  A line has its figure, the largest comes first, and what must not be said is not said.
next()
{
    tr-report -q --sections next "$@" | sed 1d
}

rank() # NUMBER: the rest of the file is events, each with a comma after it
{
    printf '{"distributedInfo": {"rank": %d}, "baseTimeNanoseconds": 0, "traceEvents": [\n' "$1"
    cat
    echo '{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "python"}}]}'
}

host() # CATEGORY NAME TS DUR [CORRELATION]
{
    printf '{"ph": "X", "cat": "%s", "name": "%s", "pid": 1, "tid": 1, "ts": %s, "dur": %s, "args": {"correlation": %d}},\n' "$1" "$2" "$3" "$4" "${5:-0}"
}

work() # CATEGORY NAME TS DUR CORRELATION [DEVICE [MORE]]
{
    printf '{"ph": "X", "cat": "%s", "name": "%s", "pid": %d, "tid": 7, "ts": %s, "dur": %s, "args": {"device": %d, "stream": 7, "correlation": %d%s}},\n' "$1" "$2" "${6:-0}" "$3" "$4" "${6:-0}" "$5" "$7"
}

reduce() # TS DUR SEQ CORRELATION
{
    work kernel ncclDevKernel_AllReduce_Sum_f32_RING_LL "$1" "$2" "$4" 0 ", \"Collective name\": \"allreduce\", \"Process Group Name\": \"0\", \"Seq\": $3, \"Group size\": 2, \"In msg nelems\": 4096, \"Out msg nelems\": 4096, \"dtype\": \"Float\""
}

echo "== no cause is most: 60 us of each 100 run; of the idle 40 us, 19 are before the call, 2 in it, 19 after it"
for i in 1 2 3 4; do
    host cpu_op aten::mm $((100 * i + 75)) 12
    host cuda_runtime cudaLaunchKernel $((100 * i + 79)) 2 "$i"
    work kernel gemm $((100 * i + 100)) 60 "$i"
done | rank 0 >causes.json
next causes.json

echo "== one call of the host is most: a gap of 4,000 us, 3,990 of them before the next call, in which an allocation is longest"
{
    host cpu_op aten::mul 0 8
    host cuda_runtime cudaLaunchKernel 2 2 1
    work kernel mul 10 40 1
    host cuda_runtime cudaHostAlloc 60 3900
    sed 's/"tid": 1/"tid": 2/' <<END
$(host cpu_op aten::normal_ 40 4100)
END
    host cpu_op aten::mul 4000 60
    host cuda_runtime cudaLaunchKernel 4040 5 2
    work kernel mul 4050 40 2
} | rank 0 >alloc.json
next alloc.json

echo "== 150 kernels of 4 us without gaps in one graph; then one by one with gaps of 4 us: 2 us in the call, 2 us after it"
{
    host cuda_runtime cudaGraphLaunch 0 10 1
    for i in $(seq 150); do work kernel k $((16 + 4 * i)) 4 1; done
} | rank 0 >graph.json
for i in $(seq 150); do
    host cpu_op aten::add $((8 * i - 4)) 3
    host cuda_runtime cudaLaunchKernel $((8 * i - 4)) 2 "$i"
    work kernel k $((8 * i)) 4 "$i"
done | rank 0 >single.json
next graph.json
tr-report --sections launches graph.json
next single.json

echo "== pageable copies: 300 of 1,000 us"
{
    host cpu_op aten::mm 0 8
    host cuda_runtime cudaLaunchKernel 2 2 1
    work kernel gemm 10 700 1
    host cpu_op aten::to 20 100
    host cuda_runtime cudaMemcpyAsync 30 80 2
    work gpu_memcpy "Memcpy HtoD (Pageable -> Device)" 710 300 2
} | rank 0 >copies.json
next copies.json

echo "== times in nanoseconds, in fields of microseconds"
for i in 1 2 3; do
    host cpu_op aten::mm ${i}000110 4317
    host cuda_runtime cudaLaunchKernel ${i}000117 4117 "$i"
    work kernel gemm ${i}005441 731993 "$i"
done | rank 0 >unit.json
next unit.json

echo "== a rank that is late by 80 of 1,000 us each time, with 1,300 us of idle time of unknown cause on the other"
late() # RANK LATE LAUNCHED UNTIL
{
    for i in 1 2 3 4 5; do
        at=$((1000 * i + $2)) n=$((10 * i))
        [ -n "$3" ] && host cuda_runtime cudaLaunchKernel $((at - 20)) 5 $n
        work kernel gemm $at 500 $n
        reduce $((at + 600)) $((1000 * i + 740 - at - 600)) "$i" $((n + 1))
    done | rank "$1"
}
late 0 0 '' >late0.json
late 1 80 yes >late1.json
next late0.json late1.json
echo "== by 0.1 us"
late 0 0 yes >lag0.json
late 1 0 yes | sed '/gemm/!s/"ts": \([0-9]*\), "dur": 140/"ts": \1.1, "dur": 139.9/' >lag1.json
next lag0.json lag1.json | grep -v operator
echo "== by 80 us, which clocks may be wrong by"
late 0 0 yes >late0.json
late 1 0 yes | sed 's/"ts": \([0-9]*\)/"ts": \1.5/; s/"ts": \([0-9]*\)000\./"ts": \1080./; s/"ts": \([0-9]*\)600\./"ts": \1680./' >late1.json
next late0.json late1.json | grep -v operator

echo "== most collective time is waiting for a late host: 1,000 us of 1,100 on the other rank"
wait() # RANK LATE
{
    for i in 1 2; do
        host cpu_op aten::mm $((3000 * i + $2 - 30)) 20
        host cuda_runtime cudaLaunchKernel $((3000 * i + $2 - 25)) 5 $((10 * i))
        work kernel gemm $((3000 * i + $2)) 1000 $((10 * i))
        reduce $((3000 * i + $2 + 1000)) $((1100 - $2)) "$i" $((10 * i + 1))
    done | rank "$1"
}
wait 0 0 >wait0.json
wait 1 1000 >wait1.json
next wait0.json wait1.json
echo "== which one rank alone cannot know"
next wait0.json

echo "== work of an engine under no operator, and launch calls without work, which make figures doubtful"
{
    host user_annotation execute_model 0 100
    host cuda_runtime cudaGraphLaunch 5 5 1
    work kernel decode 20 900 1
    host cpu_op aten::mm 40 30
    host cuda_runtime cudaLaunchKernel 50 5 2
    work kernel gemm 920 100 2
} | rank 0 >engine.json
next engine.json
for i in 3 4; do host cuda_runtime cudaGraphLaunch $((30 * i)) 5 "$i"; done >more
{ grep -v -e traceEvents -e process_name engine.json; cat more; } | rank 0 >unused.json
next unused.json

echo "== the second of two devices works 100 of 1,000 us"
{
    for i in 1 2 3; do
        host cpu_op aten::mm $((10 * i)) 8
        host cuda_runtime cudaLaunchKernel $((10 * i + 2)) 2 "$i"
    done
    work kernel gemm 100 1000 1
    work kernel gemm 200 50 2 1
    work kernel gemm 300 50 3 1
} | rank 0 >devices.json
next devices.json

steps() # TIME OF EACH, one after the other; the work of a step takes 10 us less, and ends with it
{
    at=1000 n=100
    for time; do
        n=$((n + 1))
        host user_annotation "ProfilerStep#$n" $at "$time"
        host cpu_op aten::mm $((at + 1)) 8
        host cuda_runtime cudaLaunchKernel $((at + 2)) 2 $n
        work kernel gemm $((at + 10)) $((time - 10)) $n
        at=$((at + time))
    done | rank 0
}
echo "== one of four steps takes 500 us and not 300; of two steps, none is usual"
steps 300 500 300 300 >slow.json
next slow.json
steps 300 500 >two.json
next two.json
echo "== a step of 2,000 us whose only work runs in the last 300 us"
{
    host user_annotation "ProfilerStep#7" 0 2000
    host cpu_op aten::mm 1680 15
    host cuda_runtime cudaLaunchKernel 1690 2 1
    work kernel gemm 1700 300 1
} | rank 0 >lead.json
next lead.json

echo "== the mean over time of a queue: one piece of work for 30 us, none for 70 us"
{
    host cuda_runtime cudaLaunchKernel 0 5 1
    work kernel a 30 10 1
    host cuda_runtime cudaLaunchKernel 100 5 2
    work kernel a 100 10 2
} | rank 0 >queue.json
tr-report --sections counters queue.json

echo "== no bandwidth of a group of one rank, nor from records of the host"
reduce 10 90 1 1 | sed 's/"Group size": 2/"Group size": 1/' | rank 0 >alone.json
tr-comm -q --columns bytes,algbw_GBps,busbw_GBps alone.json
reduce 10 90 1 1 | rank 0 >both.json
tr-comm -q --columns bytes,algbw_GBps,busbw_GBps both.json
printf '{"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 1, "tid": 1, "ts": 10, "dur": 90, "args": {"Collective name": "allreduce", "Process Group Name": "0", "Seq": 1, "Group size": 2, "In msg nelems": 4096, "Out msg nelems": 4096, "dtype": "Float"}},\n' | rank 0 >record.json
tr-comm -q --columns bytes,algbw_GBps,busbw_GBps record.json
tr-report -q --sections comm record.json
