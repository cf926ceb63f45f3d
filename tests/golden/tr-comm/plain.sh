# Truth: by hand.  Three ranks, starts 10, 30, 20 and ends 50, 51, 52: spread 20, transfer 50 - 30, shortest 21;
# 4000 bytes in 21 us are 0.190 GB/s, times 2 * 2/3 are 0.254.  Of the allgather what comes out counts, 12000
# bytes in 10 us, times 2/3; all ranks start it together, so nobody comes last.
. "$GOLDEN/jobs"
ar=$(meta allreduce 1000 1000 3 7 '[0, 1, 2]')
ag=$(meta _allgather_base 1000 3000 3 7 '[0, 1, 2]')
begin 0; kernel 10 40 5 nccl "$ar, \"Seq\": 4"; kernel 100 10 5 nccl "$ag, \"Seq\": 5"; end
begin 1; kernel 30 21 5 nccl "$ar, \"Seq\": 4"; kernel 100 12 5 nccl "$ag, \"Seq\": 5"; end
begin 2; kernel 20 32 5 nccl "$ar, \"Seq\": 4"; kernel 100 11 5 nccl "$ag, \"Seq\": 5"; end
tr-comm -O tsv rank*.json
tr-comm --by straggler -O tsv rank*.json
tr-comm --by name -O csv rank*.json | cut -d , -f 1-10,14
tr-comm --by member --time 100..101 -O tsv rank*.json
