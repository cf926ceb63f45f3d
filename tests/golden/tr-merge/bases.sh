# Truth: by hand.  The bases are 250 ns apart, so an event at 1.000 us of the second trace is at 1.250 us of
# the first one's clock.  Equal times: the longer first, then the lower rank, then the lower record.
trace()
{
    echo '{"baseTimeNanoseconds": '"$2"', "distributedInfo": {"rank": '"$1"'}, "traceEvents": ['
    sed "s/^/{\"ph\": \"X\", \"cat\": \"cpu_op\", \"pid\": 1, \"tid\": 1, /; s/$/}/; \$!s/$/,/"
    echo ']}'
}
trace 3 1700000000000000000 >a.json <<'IN'
"name": "a0", "ts": 1.250, "dur": 1
"name": "a1", "ts": 1.250, "dur": 1
"name": "a2", "ts": 9.000, "dur": 1
IN
trace 2 1700000000000000250 >b.json <<'IN'
"name": "b0", "ts": 1.000, "dur": 1
"name": "b1", "ts": 1.000, "dur": 2
"name": "b2", "ts": 0.500, "dur": 0
IN
tr-merge a.json b.json | tr-view -O tsv --unit ns --columns rank,record,ts,dur,name
