# Truth: by hand.  Without numbers, the intervals between ends of rank 1 are none of rank 0: nothing is written.  With
# regular intervals and a loss somewhere, one of two clocks is as good as the other: the same.  With irregular ones, a
# loss shifts nothing: rank 1 shows 7000 us more, which its other ends tell.
. "$GOLDEN/../tr-comm/jobs"
m=$(meta allreduce 5 5 2 x '[0, 1]')
begin 0; for t in 1000 2000 3100 4300 5600 7000; do kernel $t 10 4 nccl "$m"; done; end
begin 1; for t in 1000 2900 3700 6000 6500 9100; do kernel $t 10 4 nccl "$m"; done; end
tr-align --report rank0.json rank1.json; echo "status $?"
tr-align -o written.trs rank0.json rank1.json; echo "status $?"; ls written.trs 2>/dev/null
begin 0; for t in 1000 2000 3000 4000 5000 6000; do kernel $t 10 4 nccl "$m"; done; end
begin 1; for t in 1000 2000 3000 4000 5000; do kernel $t 10 4 nccl "$m"; done; end
tr-align --report rank0.json rank1.json; echo "status $?"
begin 0; for t in 1000 2000 4300 5600 7000; do kernel $t 10 4 nccl "$m"; done; end
begin 1; for t in 9000 10100 11300 12600 14000; do kernel $t 10 4 nccl "$m"; done; end
tr-align --report rank0.json rank1.json | cut -f 1-3
tr-align -q rank0.json rank1.json | tr-comm -q -O tsv --columns seq,ranks,arrival_spread_us | head -8
