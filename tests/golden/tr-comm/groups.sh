# Truth: by hand.  Two groups of one name: ranks 0 and 1, ranks 2 and 3.  Each has its own number 1.  Ranks 0 and 1
# disagree on number 2, rank 3 lacks it.
. "$GOLDEN/jobs"
for r in 0 1 2 3; do
    ranks='[0, 1]'
    [ $r -gt 1 ] && ranks='[2, 3]'
    begin $r
    kernel 1$r 5 4 nccl "$(meta allreduce 5 5 2 tp "$ranks"), \"Seq\": 1"
    [ $r = 1 ] && kernel 30 5 4 nccl "$(meta _reduce_scatter_base 4 2 2 tp "$ranks"), \"Seq\": 2"
    [ $r = 0 ] || [ $r = 2 ] && kernel 30 5 4 nccl "$(meta allreduce 5 5 2 tp "$ranks"), \"Seq\": 2"
    kernel 50 5 4 nccl "$(meta allreduce 5 5 2 tp "$ranks"), \"Seq\": 3"
    end
done
tr-comm --by mismatch -O tsv rank*.json
tr-comm --by group -O tsv rank*.json | cut -f 1-6
tr-comm --rank 2,3 -O tsv rank*.json | cut -f 1-6,20
