# Truth: by hand.  Rank 1 counts its collectives from the last to the first, so that equal numbers are at -6000, -3600,
# -1200, 1200, 3600 and 6000 us to each other, and no more than two come nearer to any offset than 1200 us, which is the mean
# distance between them.  With drifts, a clock that ran backwards would fit.  Nothing is written.
. "$GOLDEN/../tr-comm/jobs"
m=$(meta allreduce 5 5 2 x '[0, 1]')
begin 0; n=0; for t in 1000 2000 3100 4300 5600 7000; do n=$((n + 1)); kernel $t 10 4 nccl "$m, \"Seq\": $n"; done; end
begin 1; n=7; for t in 1000 2000 3100 4300 5600 7000; do n=$((n - 1)); kernel $t 10 4 nccl "$m, \"Seq\": $n"; done; end
tr-align --report rank0.json rank1.json; echo "status $?"
tr-align --report --drift rank0.json rank1.json; echo "status $?"
tr-align -o written.trs rank0.json rank1.json; echo "status $?"; ls written.trs 2>/dev/null
# The n-th kernel with the n-th: distances grow each time.
begin 1; for t in 1000 9000 22000 40000 63000 99000; do kernel $t 10 4 k; done; end
begin 0; for t in 1000 2000 3000 4000 5000 6000; do kernel $t 10 4 k; done; end
tr-align --report --anchor 'name == "k"' rank0.json rank1.json; echo "status $?"
exit 0
