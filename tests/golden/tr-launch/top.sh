# Truth: by hand.  Rows come as the work does, and streams take turns: the others of a stream stand after its last row,
# and what they waited is added up.
event() {
    printf '{"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 9, "tid": 1, "ts": %d, "dur": 1, "args": {"correlation": %d}},\n' $(($1 * 10)) $1
    printf '{"ph": "X", "cat": "kernel", "name": "k%d", "pid": 0, "tid": %d, "ts": %d, "dur": 1, "args": {"correlation": %d, "device": 0, "stream": %d}}%s\n' \
        $1 $2 $(($1 * 10 + 1 + $1)) $1 $2 "$3"
}
{
    echo '{"traceEvents": ['
    for i in 1 2 3 4 5 6 7 8; do event $i $((7 + i % 2)) ,; done
    event 9 8
    echo ']}'
} >t.json
tr-launch --by launch --top 2 -O tsv --columns stream,name,queue,stream_wait,start_latency t.json
