# Truth: by hand.  Five collectives start at the same time on both ranks; a sixth ends on rank 0 before rank 1 has
# come, and no clock that fits the others can mend that.
. "$GOLDEN/../tr-comm/jobs"
m=$(meta allreduce 5 5 2 x '[0, 1]')
begin 0; for t in 100 200 300 400 500 600; do kernel $t 10 4 nccl "$m, \"Seq\": $t"; done; end
begin 1; for t in 100 200 300 400 500 600; do kernel $((t == 600 ? 650 : t)) 10 4 nccl "$m, \"Seq\": $t"; done; end
tr-align --report rank0.json rank1.json | cut -f 1-3
begin 1; for t in 100 200 300 400 500 600; do kernel $t 10 4 nccl "$m, \"Seq\": $t"; done; end
tr-align --report rank0.json rank1.json | cut -f 1-3
