# Truth: by hand.  Two stages of a pipeline.  The first computes 50 us for each of three batches, and sends each, which
# takes 10 us.  The second posts each receive early, and it spins; then it computes 30 us, at last it runs an optimizer for
# 20 us.  Alone, the second stage spins for 55, 49 and 49 us, and its receives lie one behind the other; but of the second
# and third only the 18 us count in which nothing else runs.  Its path ends with the optimizer, also without --gaps, and
# also if the trace does not say what its kernels send or receive.  Together, the receives wait for the first stage: its
# 150 us, the last 10 of data, then 30 and 20.
trace() # RANK, then PARTNER, KIND, START and DUR of each piece of work
{
    rank=$1 c=0 sep=
    shift
    printf '{"distributedInfo": {"rank": %d}, "traceEvents": [' $rank
    while [ $# -gt 0 ]; do
        c=$((c + 1)) stream=7 args=
        case $2 in
        send) stream=20 name=ncclDevKernel_SendRecv args=", \"Collective name\": \"send\", \"Src Rank\": $rank, \"Dst Rank\": $1, \"Process Group Name\": \"pp\", \"Group size\": 2" ;;
        recv) stream=21 name=ncclDevKernel_SendRecv args=", \"Collective name\": \"recv\", \"Src Rank\": $1, \"Dst Rank\": $rank, \"Process Group Name\": \"pp\", \"Group size\": 2" ;;
        *) name=$2 ;;
        esac
        cat <<END
$sep{"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 1, "tid": 1, "ts": $c, "dur": 0.5, "args": {"correlation": $c}},
{"ph": "X", "cat": "kernel", "name": "$name", "pid": 0, "tid": $stream, "ts": $3, "dur": $4, "args": {"device": 0, "stream": $stream, "correlation": $c$args}}
END
        sep=,
        shift 4
    done
    echo ']}'
}
trace 0 - fwd 10 50 1 send 60 10 - fwd 60 50 1 send 110 10 - fwd 110 50 1 send 160 10 >rank0.json
trace 1 0 recv 15 55 - bwd 72 30 0 recv 71 49 - bwd 122 30 0 recv 121 49 - bwd 172 30 - adam 203 20 >rank1.json
for options in '' --gaps; do
    echo "== the second stage alone $options"
    tr-critpath $options -O tsv rank1.json
    tr-critpath $options --by path -O tsv rank1.json | cut -f 4,5,7-10
done
sed 's/, "Collective name.*"Group size": 2//' rank1.json >nameless.json
echo "== kernels of sends and receives"
tr-critpath --gaps -O tsv nameless.json
echo "== its receives take no time"
tr-critpath --gaps --what-if 'args."Collective name" == "recv" scale=0' -O tsv rank1.json
tr-critpath --gaps --by count -O tsv rank1.json | grep -E 'peer|operator'
echo "== both"
tr-critpath --per all -O tsv rank?.json
tr-critpath --per all --by path -O tsv rank?.json | cut -f 1,4,5,7-10
