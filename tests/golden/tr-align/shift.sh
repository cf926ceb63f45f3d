# Truth: by hand.  The clock of rank 1 is 100 us ahead; its events move back by that, end up where they belong
# among those of rank 0, and take their launches with them.
for rank in 0 1; do
    late=$((rank * 100))
    {
        printf '{"distributedInfo": {"rank": %d}, "traceEvents": [\n' $rank
        for k in 1 2 3; do
            [ $k -eq 1 ] || echo ,
            cat <<END
{"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 1, "tid": 1, "ts": $((k * 1000 + late + rank * 5)), "dur": 2,
 "args": {"correlation": $k}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum", "pid": 0, "tid": 7, "ts": $((k * 1000 + late + 10 + rank * 40)),
 "dur": $((90 - rank * 40)), "args": {"device": 0, "stream": 7, "correlation": $k}}
END
        done
        printf ']}\n'
    } >r$rank.json
done
tr-align --report r0.json r1.json
tr-align r0.json r1.json | tr-view -O tsv --columns rank,activity,ts,dur,launch_ts
