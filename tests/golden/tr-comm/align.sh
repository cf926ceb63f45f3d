# Truth: by hand.  Five allreduces of 20 us end on both ranks at one moment; the clock of rank 1 is 1 s late.  Rank 1 comes 8 us
# after rank 0 to three of them, and 4 us before it to the others.  So rank 0 waits 24 us, rank 1 8 us.  Without
# alignment rank 1 would come last to all, a second late.  The rows are those of the stream that tr-align writes.
# With two collectives, or with ends that agree on no clock, times stay, and the reason is said.
. "$GOLDEN/jobs"
job() # FIRST LAST OF-RANK-1...: the starts of rank 1, whose ends are those of rank 0 and a second
{
    begin 0
    n=0
    for start; do
        n=$((n + 1))
        kernel $((n * 100)) 20 4 nccl "$(meta allreduce 5 5 2 x '[0, 1]')"
    done
    end
    begin 1
    n=0
    for start; do
        n=$((n + 1))
        kernel $((1000000 + n * 100 + start)) $((20 - start)) 4 nccl "$(meta allreduce 5 5 2 x '[0, 1]')"
    done
    end
}
job 8 -4 8 -4 8
tr-comm --align --by straggler -O tsv rank*.json
tr-align -q rank*.json | tr-comm --by straggler -O tsv >of-stream
tr-comm -q --align --by straggler -O tsv rank*.json | cmp - of-stream
tr-align -q rank*.json | tr-comm --by collective -O tsv >of-stream
tr-comm -q --align --by collective -O tsv rank*.json | cmp - of-stream
tr-comm --by straggler --columns rank,last_arrivals -O tsv rank*.json
tr-report --sections trust,stragglers -O text rank*.json
tr-report --no-align --sections trust,stragglers -O text rank*.json
job 8 -4
tr-comm --align --by straggler --columns rank,last_arrivals -O tsv rank*.json
tr-report --sections trust -O text rank*.json
