# Truth: by hand.  Rank 0 starts each allreduce 30 us before rank 1, and both end together: rank 1 comes last.  Where the
# clock of rank 1 is 1 ms behind, rank 0 seems to; both show it only by their ends.  tr-align puts it right.
. "$GOLDEN/jobs"
job()
{
    for rank in 0 1; do
        begin $rank
        for i in 1 2 3 4 5 6 7 8 9 10; do
            kernel $((2000 * i + 30 * rank + $1 * rank)) $((1500 - 30 * rank)) 4 nccl "$(meta allreduce 5 5 2 x '[0, 1]')"
        done
        end
    done
}
job 0
echo "== equal clocks"
tr-comm --by straggler --columns rank,last_arrivals,wait_caused -O tsv rank*.json
job -1000
echo "== clocks that differ"
tr-comm --by straggler --columns rank,last_arrivals,wait_caused -O tsv rank*.json
echo "== aligned"
tr-align -q rank*.json | tr-comm --by straggler --columns rank,last_arrivals,wait_caused -O tsv
