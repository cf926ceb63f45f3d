# Truth: by hand.  Each rank has two annotations, one of which has an all-reduce; the clock of rank 1 is 70 ms ahead.
# Rank 1 loads data for 30 us longer, rank 0 waits for it in the all-reduce, and computes for 20 us longer after it.
. "$GOLDEN/jobs"
launch()
{
    printf ',\n{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": %s, "dur": 2, "args": {"correlation": %s}}' $1 $2 >>rank$r.json
}
range()
{
    printf ',\n{"ph": "X", "cat": "user_annotation", "name": "%s", "pid": 9, "tid": 9, "ts": %s, "dur": %s}' "$1" $2 $3 >>rank$r.json
}
for r in 0 1; do
    at=$((1000 + 70000 * r)) late=$((30 * r))
    begin $r
    range "ProfilerStep#1" $at $((280 - 20 * r))
    range load $((at + 10)) $((50 + late))
    range train $((at + 70 + late)) $((160 - late))
    launch $((at + 80 + late)) 1
    kernel $((at + 85 + late)) 25 7 gemm '"correlation": 1'
    launch $((at + 90 + late)) 2
    kernel $((at + 110 + late)) $((60 - late)) 5 nccl "$(meta allreduce 5 5 2 tp '[0, 1]'), \"Seq\": 1, \"correlation\": 2"
    launch $((at + 175)) 3
    kernel $((at + 180)) $((70 - 20 * r)) 7 gemm '"correlation": 3'
    end $r
done
tr-comm --by stage -O tsv rank0.json rank1.json
