# Truth: by hand.  A pipeline of ranks 2 and 6, two micro-batches.  Rank 2 sends from 50 and from 80 for 10 us each and
# waits from 100 to 150 for its first gradient, all of which is warmup; then it waits from 160 to 180 for the second.  Rank
# 6 waits until 60 for its first activation, and from 90 to 100 for its second and last one; then it sends gradients for
# 20 us each, 10 us of which are beside compute.
. "$GOLDEN/jobs"
launched=0
work() # TS DUR STREAM NAME ARGS
{
    launched=$((launched + 1))
    kernel $1 $2 $3 $4 "\"correlation\": $launched${5:+, $5}"
    printf ',\n{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9, "ts": %s, "dur": 1, "args": {"correlation": %s}}' $((1 + launched)) $launched >>$file
}
message() # TS DUR STREAM send|recv RANK SEQ
{
    key="Dst Rank"
    [ $4 = send ] || key="Src Rank"
    work $1 $2 $3 ncclDevKernel_SendRecv "$(meta $4 5 5 2 pipe '[2, 6]'), \"$key\": $5, \"Seq\": $6, \"Process Group Description\": \"mesh_pp\""
}
for r in 2 6; do
    begin $r
    printf ',\n{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#4", "pid": 9, "tid": 9, "ts": 0, "dur": 220}' >>$file
    if [ $r = 2 ]; then
        work 10 40 7 gemm
        message 50 10 8 send 6 1
        work 60 20 7 gemm
        message 80 10 8 send 6 2
        message 100 50 9 recv 6 1
        work 150 10 7 gemm
        message 160 20 9 recv 6 2
        work 180 20 7 gemm
    else
        message 10 50 9 recv 2 1
        work 60 30 7 gemm
        message 90 10 9 recv 2 2
        work 100 40 7 gemm
        message 130 20 8 send 2 1
        message 155 20 8 send 2 2
        work 180 40 7 gemm
    fi
    end
done
tr-comm --by bubble -O tsv rank2.json rank6.json
