# Truth: by hand.  A clock that is off by a thousandth, from the first event of the reference on, at 1 s: durations are
# divided by 1.001.  The launch that work has is moved as the call itself is, with its duration; a duration that cannot be is
# not, in neither place.  --undo gives back what was there.
trace() # RANK
{
    cat <<END
{"distributedInfo": {"rank": $1}, "traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 1, "tid": 1, "ts": 1000000, "dur": 200000, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "no time", "pid": 1, "tid": 1, "ts": 1400000, "dur": 0, "args": {"correlation": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "negative", "pid": 1, "tid": 1, "ts": 1500000, "dur": -5000, "args": {"correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 1300000, "dur": 500000, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 2300000, "dur": -4000, "args": {"device": 0, "stream": 7, "correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 7, "ts": 2400000, "dur": 3000, "args": {"device": 0, "stream": 7, "correlation": 3}}
]}
END
}
trace 0 >r0.json
trace 1 >r1.json
printf 'rank\toffset_us\tdrift_ppm\n0\t0\t0\n1\t0\t1000\n' >offsets
tr-align -q --offsets offsets r0.json r1.json -o aligned.trs
columns=rank,record,ts,dur,suspect,launch_record,launch_ts,launch_dur,name
tr-view -q -O tsv --columns $columns aligned.trs
tr-align -q --undo aligned.trs | tr-view -q -O tsv --columns $columns >back
tr-parse -q r0.json r1.json | tr-view -q -O tsv --columns $columns | cmp - back && echo "undone"
