# Truth: by hand.  Steps start 100, 103 and 101 us apart; the median of that is 101, the mean 101.333, and no
# step is so far off that it does not count in part: the fit lies between.
trace()
{
    printf '{"distributedInfo": {"rank": %d}, "traceEvents": [' "$1"
    printf '{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": %d, "dur": 900},' "$2" "$3"
    printf '{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": %d, "dur": 900}]}' "$4"
}
trace 0 1000 2000 3000 >r0.json
trace 1 1100 2103 3101 >r1.json
tr-align --anchor 'name =~ "^ProfilerStep"' --report r0.json r1.json
