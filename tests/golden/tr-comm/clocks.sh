# Truth: by hand.  Rank 1 seems to start 100 us after rank 0 has ended, which an allreduce cannot do; a broadcast can.
. "$GOLDEN/jobs"
begin 0; kernel 10 10 4 nccl "$(meta allreduce 5 5 2 x '[0, 1]')"; kernel 30 10 4 nccl "$(meta broadcast 5 5 2 x '[0, 1]')"; end
begin 1; kernel 120 9 4 nccl "$(meta allreduce 5 5 2 x '[0, 1]')"; kernel 140 9 4 nccl "$(meta broadcast 5 5 2 x '[0, 1]')"; end
tr-comm -O tsv rank*.json | cut -f 3,6-8
