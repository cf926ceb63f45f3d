# Truth: by hand.  Two copies of 8e9 GB/s each are at 21 us together more than a counter holds: no counter is added there.
# What a trace says of one copy may be too much as well; then its bytes and its time tell.
copy()
{
    printf '{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pinned -> Device)", "pid": 0, "tid": %s, "ts": %s, "dur": 2, "args": {"device": 0, "stream": %s, "bytes": 2000, "memory bandwidth (GB/s)": %s}}' "$1" "$2" "$1" "$3"
}
printf '{"traceEvents": [%s, %s, %s]}\n' "$(copy 7 10 1e13)" "$(copy 7 20 8e9)" "$(copy 8 21 8e9)" >t.json
tr-counters t.json | tr-view --where 'phase == counter' --columns ts,name,args
tr-counters --by bandwidth-series t.json
