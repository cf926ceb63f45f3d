# Truth: by hand.  Two groups have three collectives: a partial result has each group once, and members name its row.  A
# page has several tables of collectives, and saves the collectives once for all.
kernel()
{
    printf ',{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "pid": 0, "tid": 20, "ts": %d, "dur": 50, "args": {"device": 0, "stream": 20, "Collective name": "allreduce", "Process Group Name": "%s", "Process Group Ranks": "%s", "Seq": %d, "In msg nelems": 4096, "Out msg nelems": 4096, "dtype": "Float"}}' \
        "$1" "$2" "$3" "$4"
}
for rank in 0 1; do
    {
        printf '{"distributedInfo": {"rank": %d, "world_size": 2}, "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "x", "pid": 1, "tid": 1, "ts": 100, "dur": 1}' $rank
        kernel 1000 '7' '[0, 1]' 1
        kernel 2000 '8' '[1, 0]' 1
        kernel 3000 '7' '[0, 1]' 2
        printf ']}'
    } >r$rank.json
    tr-comm -q --by collective --save-partial $rank.part r$rank.json
    tr-report -q --save-partial $rank.page r$rank.json
done
tr-view -O tsv --by partial.collective.groups 0.part | cut -f 2,3
tr-view -O tsv --by partial.collective.members 0.part | awk -F '\t' '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    { print $at["seq"], $at["group"] }'
tr-comm -q -O tsv --columns group,seq,ranks,group_ranks 1.part 0.part
tr-info -O json 0.page | grep -c '"table": "partial.report.*.members"'
tr-report -q --sections comm 0.page 1.page >parts
tr-report -q --sections comm r0.json r1.json >whole
cmp parts whole
