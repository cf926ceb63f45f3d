# Truth: by hand.  The window holds the second collective of rank 0 and the first of rank 1 only in part: what is
# matched does not change, and of what is matched nothing is cut.
. "$GOLDEN/jobs"
m=$(meta allreduce 5 5 2 x '[0, 1]')
begin 0; kernel 10 10 4 nccl "$m"; kernel 30 20 4 nccl "$m"; kernel 60 5 4 nccl "$m"; end
begin 1; kernel 15 5 4 nccl "$m"; kernel 42 8 4 nccl "$m"; kernel 61 4 4 nccl "$m"; end
tr-comm --time 21..35 -O tsv rank*.json | cut -f 2-9
