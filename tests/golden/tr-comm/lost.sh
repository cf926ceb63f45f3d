# Truth: by hand.  Without numbers, the ranks show A B C A B C, A C A B C and A B C A B x: rank 1 has lost the
# first B, and what follows is matched all the same; rank 2 ends with a larger C.
. "$GOLDEN/jobs"
job()
{
    begin $1
    shift
    ts=10
    for k; do
        case $k in
        A) m=$(meta allreduce 8 8 3 g '[0, 1, 2]') ;;
        B) m=$(meta allreduce 16 16 3 g '[0, 1, 2]') ;;
        C) m=$(meta broadcast 8 8 3 g '[0, 1, 2]') ;;
        x) m=$(meta broadcast 9 9 3 g '[0, 1, 2]') ;;
        esac
        [ $k = - ] || kernel $ts 5 1 nccl "$m"
        ts=$((ts + 10))
    done
    end
}
job 0 A B C A B C
job 1 A - C A B C
job 2 A B C A B x
tr-comm --by mismatch -O tsv rank*.json
tr-comm -O tsv rank*.json | cut -f 1-6,14
