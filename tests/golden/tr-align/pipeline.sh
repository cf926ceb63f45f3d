# Truth: by hand.  Four stages of a pipeline share no collective, only sends and receives of neighbours, which end
# together: at 1000, 2000 and so on for the first pair, 100 later for the next one.  Clocks are 0, 500, -200 and 40 us
# ahead.  The receive of the third stage at 4100 is 3 us late, and counts less.  A send of the last stage waits for nobody.
kernel()
{
    printf ',{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_SendRecv", "pid": 0, "tid": 20, "ts": %d, "dur": %d, "args": {"device": 0, "stream": 20, "Collective name": "%s", "%s Rank": %d, "Process Group Name": "1", "Process Group Ranks": "[0, 1, 2, 3]", "In msg nelems": 4096, "Out msg nelems": 4096, "dtype": "Float"}}' \
        $(($1 - $2)) "$2" "$3" "$4" "$5"
}
# stage RANK AHEAD: it receives from the one before it, and sends to the next one
stage()
{
    printf '{"distributedInfo": {"rank": %d, "world_size": 4}, "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "x", "pid": 1, "tid": 1, "ts": 100, "dur": 1}' "$1"
    for n in 1 2 3 4 5; do
        late=0
        [ $n -eq 4 ] && [ "$1" -eq 2 ] && late=3
        [ "$1" -gt 0 ] && kernel $((n * 1000 + ($1 - 1) * 100 + $2 + late)) 90 recv Src $(($1 - 1))
        [ "$1" -lt 3 ] && kernel $((n * 1000 + $1 * 100 + $2)) 40 send Dst $(($1 + 1))
    done
    printf ']}'
}
stage 0 0 >r0.json
stage 1 500 >r1.json
stage 2 -200 >r2.json
stage 3 40 >r3.json
tr-align --report --columns rank,anchors,offset,residual_max,ignored r0.json r1.json r2.json r3.json
