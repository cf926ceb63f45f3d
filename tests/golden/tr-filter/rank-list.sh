# Truth: by hand.  The message about a rank that is not there names those that are; of many the first, and "...".
for rank in 0 1 2 4 6 8 9; do
    printf '{"distributedInfo": {"rank": %s}, "traceEvents": [{"ph": "X", "name": "k", "pid": 1, "ts": 10, "dur": 2}]}' $rank >few$rank.json
done
for rank in $(seq 0 2 98); do
    printf '{"distributedInfo": {"rank": %s}, "traceEvents": [{"ph": "X", "name": "k", "pid": 1, "ts": 10, "dur": 2}]}' $rank >many$rank.json
done
tr-merge few*.json | tr-filter --rank 7 >out.trs; echo $?
tr-merge many*.json | tr-filter --rank 7 >out.trs; echo $?
