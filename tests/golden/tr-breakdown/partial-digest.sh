# Truth: by hand.  A partial result has the ranks of the job and a digest of its input: the same for a trace and its
# stream, alone and beside another rank, and for other options; another one for other times of steps.
trace()
{
    printf '{"distributedInfo": {"rank": %d, "world_size": 8}, "baseTimeNanoseconds": %d, "traceEvents": [' "$1" "$2"
    printf '{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 5, "dur": %d},' "$3"
    printf '{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"device": 0, "stream": 7}}]}'
}
trace 3 1000000000000000000 900 >r3.json
trace 4 1000000007000000000 900 >r4.json
trace 3 1000000000000000000 901 >other.json
tr-parse -q -o r3.trs r3.json
tr-breakdown -q --save-partial a.part r3.json
tr-breakdown -q --save-partial b.part r3.trs
tr-breakdown -q --where 'dur > 1ms' --save-partial c.part r3.json r4.json
tr-breakdown -q --save-partial d.part other.json
digest()
{
    tr-view -O tsv --by partial.time.ranks "$1" | awk -F '\t' -v column="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 { print $at[column] }'
}
digest a.part world_size
[ -n "$(digest a.part digest)" ] && [ "$(digest a.part digest)" = "$(digest b.part digest)" ] && echo 'trace and stream: equal'
[ "$(digest a.part digest)" = "$(digest c.part digest)" ] && echo 'beside another rank: equal'
[ "$(digest a.part digest)" = "$(digest d.part digest)" ] || echo 'other steps: different'
