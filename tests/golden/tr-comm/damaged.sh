# Truth: what is left of a trace cut short is used, and said; a stream cut short is refused.
. "$GOLDEN/jobs"
m=$(meta allreduce 5 5 2 x '[0, 1]')
begin 0; kernel 10 10 4 nccl "$m"; kernel 30 10 4 nccl "$m"; end
sed '4s/Group size.*//' rank0.json | head -n 4 >cut.json
tr-comm -O tsv cut.json | cut -f 1-5
tr-parse rank0.json | head -c 900 >cut.trs
tr-comm -O tsv cut.trs
