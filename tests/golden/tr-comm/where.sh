# Truth: by hand.  An expression about one member selects the collective with all its members; it may name args
# that nothing else looks at.
. "$GOLDEN/jobs"
m=$(meta allreduce 5 5 2 x '[0, 1]')
begin 0; kernel 10 10 4 nccl "$m, \"grid\": 7"; kernel 30 20 4 nccl "$m, \"grid\": 8"; end
begin 1; kernel 15 5 4 nccl "$m, \"grid\": 7"; kernel 42 8 4 nccl "$m, \"grid\": 7"; end
for expr in 'args.grid == 8' 'dur < 6us' 'rank == 1 && dur > 6us' 'rank == 7'; do
    echo "$expr"
    tr-comm --where "$expr" -O tsv rank*.json | sed 1d | cut -f 2-9
done
for rank in 0 1; do tr-parse -o rank$rank.trs rank$rank.json; done
tr-comm --where 'args.grid == 8' -O tsv rank*.trs | cut -f 2-9
