# Truth: by hand.  Without numbers, the ranks show A B C A B C, A C A B C and A B C A B x: rank 1 has lost the
# first B, and what follows is matched all the same; rank 2 ends with a larger C.  If A and B end on all ranks at one
# moment, three such ends of rank 1 are too few to tell which they are: its members stand alone, and are missing
# nowhere.  Of two ranks that disagree, D that both show once is matched, the rest stands alone on either.
. "$GOLDEN/jobs"
job()
{
    begin $1
    shift
    ts=10
    for k; do
        case $k in
        A) m=$(meta $name 8 8 3 g '[0, 1, 2]') ;;
        B) m=$(meta $name 16 16 3 g '[0, 1, 2]') ;;
        C) m=$(meta broadcast 8 8 3 g '[0, 1, 2]') ;;
        D) m=$(meta $name 77 77 3 g '[0, 1, 2]') ;;
        x) m=$(meta broadcast 9 9 3 g '[0, 1, 2]') ;;
        esac
        [ $k = - ] || kernel $ts 5 1 nccl "$m"
        ts=$((ts + 10))
    done
    end
}
for name in reduce allreduce; do
    job 0 A B C A B C
    job 1 A - C A B C
    job 2 A B C A B x
    tr-comm --by mismatch -O tsv rank*.json
    tr-comm -O tsv rank*.json | cut -f 1-6,14
done
rm rank2.json
job 0 A A A A A D A A
job 1 A A A D A
tr-comm --by mismatch -O tsv rank*.json
tr-comm -O tsv rank*.json | cut -f 1-6,14
tr-comm --by member -q -O tsv --columns seq,rank,lag_us,match rank*.json
