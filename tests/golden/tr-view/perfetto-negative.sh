# Truth: by hand.  Viewers take no times below 0.  A trace that begins 50 us before its zero is shown as one that begins
# there, all of its sources moved alike; one that begins later keeps its times.
trace() { # RANK FIRST SECOND
    echo '{"distributedInfo": {"rank": '"$1"'}, "traceEvents": [
        {"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 2, "ts": '"$2"', "dur": 5},
        {"ph": "X", "cat": "cpu_op", "name": "b", "pid": 1, "tid": 2, "ts": '"$3"', "dur": 5}]}'
}
mkdir below zero above
trace 0 -50 -30 >below/r0.json; trace 1 -20 10 >below/r1.json
trace 0 0 20 >zero/r0.json; trace 1 30 60 >zero/r1.json
trace 0 1 21 >above/r0.json; trace 1 31 61 >above/r1.json
for d in below zero above; do
    (cd $d && tr-view -q -O perfetto r0.json && tr-view -q -O perfetto r0.json r1.json) >$d.out
done
cmp below.out zero.out && echo "below 0: as from 0"
cmp -s above.out zero.out || echo "above 0: as it is"
# It is said how far they are moved, once for all sources.
(cd below && tr-view -O perfetto -o r.pftrace r0.json r1.json && tr-view -O perfetto -o r1.pftrace r1.json)
(cd above && tr-view -O perfetto -o r.pftrace r0.json r1.json)
