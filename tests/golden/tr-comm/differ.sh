# Truth: by hand.  The clock of rank 2 is 5 ms ahead.  Ranks 0 and 1 reduce in group a, and their ends say that their
# clocks agree; ranks 0 and 2 gather in group b, where ends are as far apart as starts.  So rows about group b, and about
# the ranks in it, are marked, and nobody is after tr-align or with --align.
kernel()
{
    printf ',{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_%s", "pid": 0, "tid": 20, "ts": %d, "dur": %d, "args": {"device": 0, "stream": 20, "Collective name": "%s", "Process Group Name": "%s", "Process Group Ranks": "%s", "Group size": 2, "Seq": %d, "In msg nelems": 4096, "Out msg nelems": 4096, "dtype": "Float"}}' \
        "$1" "$2" $(($3 - $2)) "$1" "$4" "$5" "$6"
}
trace()
{
    printf '{"distributedInfo": {"rank": %d, "world_size": 3}, "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "x", "pid": 1, "tid": 1, "ts": 100, "dur": 1}' "$1"
    for n in 1 2 3 4; do
        at=$((n * 1000 + n * n * 10))
        [ "$1" -lt 2 ] && kernel allreduce $((at + 40 * $1)) $((at + 100)) a '[0, 1]' "$n"
        [ "$1" -ne 1 ] && kernel allgather $((at + 300 + 15 * $1 + $2)) $((at + 400 + $2)) b '[0, 2]' "$n"
    done
    [ "$1" -ne 1 ] && kernel alltoallv $((8000 + 15 * $1 + $2)) $((8100 + $2)) b '[0, 2]' 5 | sed 's/"Seq"/"In split size": "[2048, 2048]", &/'
    printf ']}'
}
trace 0 0 >r0.json
trace 1 0 >r1.json
trace 2 5000 >r2.json
for view in straggler name group; do
    tr-comm -q -O text --by $view r0.json r1.json r2.json
done
tr-comm -q -O tsv --by collective --columns group,seq,arrival_spread,last_rank,clocks_differ r0.json r1.json r2.json
tr-comm -q -O tsv --by member --columns seq,name,rank,lag,clocks_differ r0.json r1.json r2.json
tr-comm -q -O tsv --by exchange --columns group,seq,wall,arrival_spread,clocks_differ r0.json r1.json r2.json
tr-comm -q -O tsv --by size --columns name,bytes,spread_max,clocks_differ r0.json r1.json r2.json
tr-comm -q -O text --by straggler --align r0.json r1.json r2.json
tr-report -q --no-align --sections comm,stragglers r0.json r1.json r2.json
for rank in 0 1 2; do
    tr-comm -q --by straggler --save-partial $rank.part r$rank.json
done
tr-comm -q -O text --by straggler 0.part 1.part 2.part
