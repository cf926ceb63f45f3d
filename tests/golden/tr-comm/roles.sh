# Truth: by hand.  Ranks 0 to 3 are tp, then dp, as the names of the files say.  One group has a description, one a name,
# and one neither: its ranks have different places on both axes.  The partial results say the same.
. "$GOLDEN/jobs"
for r in 0 1 2 3; do
    begin $r
    tp=$((r % 2)) dp=$((r / 2))
    kernel 10 5 4 nccl "$(meta allreduce 5 5 2 $((1 + dp)) "[$((2 * dp)), $((2 * dp + 1))]"), \"Seq\": 1, \"Process Group Description\": \"mesh_tp\""
    kernel 20 5 4 nccl "$(meta allreduce 5 5 2 "DATA_PARALLEL_GROUP_$tp" "[$tp, $((tp + 2))]"), \"Seq\": 1"
    kernel 30 5 4 nccl "$(meta allreduce 5 5 4 0 '[0, 1, 2, 3]'), \"Seq\": 1"
    end
    mv rank$r.json TP-$tp-DP-$dp.json
done
tr-comm --by group -O tsv --columns group,role TP-*.json
for f in TP-*.json; do
    tr-comm --by group --save-partial ${f%.json}.part $f
done
tr-comm --by group -O tsv --columns group,role TP-*.part
