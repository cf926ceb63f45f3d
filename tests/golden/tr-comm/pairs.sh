# Truth: by hand.  Rank 0 sends to 1 and 2, in another order than these receive from it; numbers that each rank
# counts on its own say nothing.  A send that does not tell where to stays alone.
. "$GOLDEN/jobs"
s=$(meta send 100 100 3 pp '[0, 1, 2]'); r=$(meta recv 100 100 3 pp '[0, 1, 2]')
begin 0
kernel 10 5 1 nccl "$s, \"Dst Rank\": 2, \"Seq\": 1"
kernel 20 5 1 nccl "$s, \"Dst Rank\": 1, \"Seq\": 2"
kernel 30 5 1 nccl "$s, \"Dst Rank\": 2, \"Seq\": 3"
kernel 90 5 1 nccl "$s"
end
begin 1; kernel 8 17 1 nccl "$r, \"Src Rank\": 0, \"Seq\": 1"; end
begin 2; kernel 9 6 1 nccl "$r, \"Src Rank\": 0, \"Seq\": 1"; kernel 31 5 1 nccl "$r, \"Src Rank\": 0, \"Seq\": 2"; end
tr-comm -O tsv rank*.json | cut -f 2-8,10-14
tr-comm --by mismatch -O tsv rank*.json | wc -l
