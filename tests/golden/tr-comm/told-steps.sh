# Truth: by hand.  One of two ranks tells steps, the first or the second: its member of a collective tells the step.
. "$GOLDEN/jobs"
for teller in 0 1; do
for r in 0 1; do
    begin $r
    for k in 1 2; do
        printf ',\n{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": %s, "dur": 1, "args": {"correlation": %s}}' $((100 * k + r)) $k >>rank$r.json
        kernel $((100 * k + 10 + 3 * r)) $((9 - 3 * r)) 5 nccl "$(meta allreduce 5 5 2 tp '[0, 1]'), \"Seq\": $k, \"correlation\": $k"
        [ $r = "$teller" ] && printf ',\n{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%s", "pid": 9, "tid": 9, "ts": %s, "dur": 90}' $k $((100 * k - 5)) >>rank$r.json
    done
    end
done
tr-comm --by straggler --per step -O tsv rank0.json rank1.json
done
