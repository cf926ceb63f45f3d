# Truth: by hand.  Processes of two ranks, numbers, texts and none: each is one process in the output, apart from all
# others, and keeps its threads; an event without a time has none.
for r in 0 1; do
    printf '{"distributedInfo": {"rank": %s}, "baseTimeNanoseconds": %s, "traceEvents": [
        {"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "first"}},
        {"ph": "X", "name": "a", "pid": 1, "tid": 5, "ts": 10, "dur": 2},
        {"ph": "X", "name": "b", "pid": 2, "tid": 5, "ts": 11, "dur": 2},
        {"ph": "X", "name": "c", "pid": "p", "tid": 5, "ts": 12, "dur": 2},
        {"ph": "X", "name": "d", "pid": "q", "tid": 5, "ts": 13, "dur": 2},
        {"ph": "X", "name": "e", "ts": 14, "dur": 2},
        {"ph": "X", "name": "f", "pid": 0, "tid": 5, "ts": 15, "dur": 2},
        {"ph": "X", "name": "g", "pid": -1, "tid": 5, "ts": 16, "dur": 2},
        {"ph": "i", "name": "no time", "pid": 2, "tid": 5},
        {"ph": "X", "name": "a again", "pid": 1, "tid": 6, "ts": 17, "dur": 2}]}\n' $r 10${r}000 > r$r.json
done
tr-view -q -O chrome r0.json r1.json
