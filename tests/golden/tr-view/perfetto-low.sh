# Truth: by hand.  With its time base an event is where the value stands that means no time, or beyond: Perfetto cannot hold it.
for base in -1 -2; do
    printf '{"baseTimeNanoseconds": %s, "traceEvents": [{"ph": "X", "name": "low", "pid": 1, "ts": -9223372036854775.807, "dur": 1}]}' $base >low.json
    tr-view -O perfetto -o low.pftrace low.json
    echo "$? $(ls low.pftrace 2>/dev/null)"
done
