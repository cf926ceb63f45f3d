# Truth: by hand.  Ranks of twelve kernels of 10 us, 2 us apart: 1 us in the launch and 1 us after it.  Then comes an
# allreduce, 1 us later, which ends on all ranks at 1000 us.  Before kernel 6, rank 2 waits 400 us for its data loader; on
# the other ranks, the operator "work" takes 60 us there.  So rank 2 is idle 423 us and comes last; the others are idle 83 us.
# Of three ranks, 400 of 589 us of idle time are data loading, of seven ranks 400 of 921 us, which is not most.
# The kernels a and b run three times each, the six others once: 30 us and 10 us.
# Collectives end together, so clocks agree.  With a clock that is 50 us late, it is not known whether they do.
# The launch of one kernel of 13 is not known, which is no problem.
make() # RANK LATE WAIT NAME UNKNOWN
{
    awk -v rank="$1" -v late="$2" -v wait="$3" -v name="$4" -v unknown="$5" 'BEGIN {
        printf "{\"distributedInfo\": {\"rank\": %d}, \"baseTimeNanoseconds\": 0, \"traceEvents\": [\n", rank
        split("a b a b a b c d e f g h", names, " ")
        at = 100 + late
        for (i = 1; i <= 13; i++) {
            if (i == 6) {
                printf "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"%s\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": %d},\n", name, at, wait
                at += wait
            }
            if (i == 13) # launched long before
                printf "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 1, \"tid\": 2, \"ts\": %d, \"dur\": 1, \"args\": {\"correlation\": 13}},\n", 10 + late
            else if (i != unknown)
                printf "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": 1, \"args\": {\"correlation\": %d}},\n", at, i
            at += i == 13 ? 1 : 2
            dur = i == 13 ? 1000 + late - at : 10
            what = i == 13 ? "ncclDevKernel_AllReduce_Sum_f32_RING_LL" : names[i]
            more = i == 13 ? ", \"Collective name\": \"allreduce\", \"Process Group Name\": \"0\", \"Seq\": 1, \"Group size\": 3" : ""
            printf "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"%s\", \"pid\": 0, \"tid\": 7, \"ts\": %d, \"dur\": %d, \"args\": {\"device\": 0, \"stream\": 7, \"correlation\": %d%s}}%s\n", what, at, dur, i, more, i == 13 ? "]}" : ","
            at += dur
        }
    }' >"$6"
}
make 0 0 60 work 0 r0.json
make 1 0 60 work 3 r1.json
make 2 0 400 DataLoader 0 r2.json
tr-report --sections trust,idle,kernels,next r0.json r1.json r2.json
echo
make 3 0 60 work 0 r3.json
make 4 0 60 work 0 r4.json
make 5 0 60 work 0 r5.json
make 6 0 60 work 0 r6.json
tr-report --sections next r?.json
echo
make 0 50 60 work 0 r0.json
tr-report --sections trust,next r0.json r2.json
tr-comm --by group --columns group,end_spread_p50 r0.json r2.json
echo
# A step of 600 us, whose first work comes after 500 us of data loading, and runs 60 us: idle 540 us.  The one before it
# has work from 5 us to 35 us of its 40 us.
cat >steps.json <<END
{"traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#7", "pid": 1, "tid": 1, "ts": 0, "dur": 40},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 5, "dur": 30, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#8", "pid": 1, "tid": 1, "ts": 40, "dur": 600},
{"ph": "X", "cat": "cpu_op", "name": "enumerate(DataLoader)", "pid": 1, "tid": 1, "ts": 40, "dur": 500},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 540, "dur": 1, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 542, "dur": 60, "args": {"device": 0, "stream": 7, "correlation": 2}}
]}
END
tr-report --step 8 --sections breakdown,next steps.json
tr-report --step 7 --sections next steps.json
