# Truth: by hand.  Each of four ranks is recorded for 100 us.  Ranks 0, 1 and 3 compute for 40 us and communicate for 30;
# rank 2 computes for 60 and communicates for 10: it is 20 us above the median in compute, and no rank is in another part.
# Three ranks have no such picture, nor have four that are alike.
rank() {
    cat <<END
{"distributedInfo": {"rank": $1}, "traceEvents": [
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 0, "dur": $2, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "pid": 0, "tid": 7, "ts": $2, "dur": $((70 - $2)), "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 99, "dur": 1, "args": {"device": 0, "stream": 7}}
]}
END
}
for r in 0 1 3; do rank $r 40 >$r.json; done
rank 2 60 >2.json
rank 2 40 >alike.json
for ranks in '[0-3].json' '[0-2].json' '[013].json alike.json'; do
    # shellcheck disable=SC2086 # patterns
    tr-report -q --sections breakdown -O html $ranks | grep -o -E '<p class="notes">By how[^<]*|<rect [^>]*class="h[0-9]"><title>[^<]*'
    echo "-- $ranks"
done
