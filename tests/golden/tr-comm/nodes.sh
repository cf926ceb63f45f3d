# Truth: by hand.  Traces that list two devices say that ranks 0 and 1 are on one node, and 2 and 3 on the next; an option
# says otherwise.  One device tells nothing, as each process may see its own alone; nor do lists that disagree.
rank()
{
    printf '{"deviceProperties": [%s], "distributedInfo": {"rank": %d, "world_size": 4}, "traceEvents": [\n' "$2" "$1"
    for seq in 1 2; do
        [ $seq = 1 ] && ranks="[0, 1, 2, 3]" size=4 group=0
        [ $seq = 2 ] && ranks="[$(($1 / 2 * 2)), $(($1 / 2 * 2 + 1))]" size=2 group=$((1 + $1 / 2))
        printf '{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_f32", "pid": 0, "tid": 7, "ts": %d, "dur": 10, "args": {"device": 0, "stream": 7, "Collective name": "allreduce", "In msg nelems": 4, "Out msg nelems": 4, "Group size": %d, "dtype": "Float", "Process Group Name": "%d", "Process Group Ranks": "%s", "Seq": %d}}%s\n' \
            $((seq * 100)) $size $group "$ranks" $seq "$([ $seq = 1 ] && echo ,)"
    done
    printf ']}\n'
}
two='{"id": 0, "name": "a \"{[", "sub": {"x": [1]}}, {"id": 1}'
for r in 0 1 2 3; do
    rank $r "$two" >two$r.json
    rank $r '{"id": 0}' >one$r.json
done
rank 3 "$two, {\"id\": 2}" >odd3.json
members()
{
    tr-comm --by member -q -O tsv --columns rank,node,group "$@" | sort
}
echo "== two"
members two?.json
tr-comm -q -O tsv --columns group,span two?.json | sort
echo "== the option"
tr-comm -q -O tsv --gpus-per-node 4 --columns group,span two?.json | sort
echo "== one"
tr-comm -q -O tsv --columns group,span one?.json | sort
echo "== they disagree"
tr-comm -q -O tsv --columns group,span two0.json two1.json two2.json odd3.json | sort
