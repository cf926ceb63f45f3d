# Truth: by hand.  Rank 1 has a time base and ranks 0 and 2 have none, so times of rank 1 and those of the others are
# not compared; the collective of ranks 0 and 2 alone is, in which rank 2 comes 7 us later.  Each rank has its own times.
# Aligned by three collectives that end together (rank 1 starts 5 us after rank 0, which waits), all compare.
COLUMNS=160
export COLUMNS
kernel() # RANK SEQ TS DUR GROUP
{
    printf '{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum", "pid": 0, "tid": 9, "ts": %d, "dur": %d, ' "$3" "$4"
    printf '"args": {"device": %d, "stream": 9, "Collective name": "allreduce", "Seq": %d, "Process Group Name": "%s", ' "$1" "$2" "$5"
    printf '"Process Group Ranks": "%s", "Group size": 2, "dtype": "Float", "In msg nelems": 64, "Out msg nelems": 64}}%s\n' "$5" "$6"
}
{
    echo '{"distributedInfo": {"rank": 0}, "traceEvents": ['
    kernel 0 1 1000 60 '[0, 1]' ,
    kernel 0 2 1200 60 '[0, 1]' ,
    kernel 0 3 1400 60 '[0, 1]' ,
    kernel 0 1 1600 30 '[0, 2]'
    echo ']}'
} >rank0.json
{
    echo '{"baseTimeNanoseconds": 1600000000000000000, "distributedInfo": {"rank": 1}, "traceEvents": ['
    kernel 1 1 5 55 '[0, 1]' ,
    kernel 1 2 205 55 '[0, 1]' ,
    kernel 1 3 405 55 '[0, 1]'
    echo ']}'
} >rank1.json
{
    echo '{"distributedInfo": {"rank": 2}, "traceEvents": ['
    kernel 2 1 1607 23 '[0, 2]'
    echo ']}'
} >rank2.json
exec 2>&1
tr-comm -O text rank*.json
tr-comm -O text --by straggler rank*.json
tr-breakdown -O text --per all rank*.json
tr-breakdown -O text rank*.json
tr-critpath -q -O text --per all rank*.json
tr-report -q -O text --sections trust,comm,stragglers,next rank*.json
echo aligned
tr-align -q rank0.json rank1.json >aligned.trs
tr-comm -O text aligned.trs
tr-breakdown -O text --per all aligned.trs
tr-info -O text aligned.trs | sed -n '/^notes/,$p'
tr-report -q -O text --sections trust aligned.trs
