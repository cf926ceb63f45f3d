# Truth: by hand.  Rank 1 shows 80 us more than rank 0, and its starts come 20 and 10 us early, in time, and 10 us late.
# Of the trace as it is all four collectives end before both ranks are there; once aligned, two, which no shift mends.
. "$GOLDEN/jobs"
m=$(meta allreduce 5 5 2 x '[0, 1]')
begin 0; for i in 1 2 3 4; do kernel $((i * 100)) 10 4 nccl "$m, \"Seq\": $i"; done; end
begin 1; for i in 1 2 3 4; do kernel $((i * 110 + 50)) 9 4 nccl "$m, \"Seq\": $i"; done; end
tr-comm -O tsv rank*.json 2>&1 >/dev/null
tr-align -q -o aligned.trs rank0.json rank1.json
tr-comm -O tsv aligned.trs 2>&1 >/dev/null
tr-critpath --per all --by count -O tsv aligned.trs 2>&1 >/dev/null | grep clocks
echo "== taken back"
tr-align --undo aligned.trs | tr-comm -O tsv 2>&1 >/dev/null
