# --top cuts a table that has no keys, only groups: the row for the others is that of no stream.
# Its sums are those of the rows that the table without --top has beyond the first.
tr-breakdown --by time --per stream --top 1 --columns rank,device,stream,busy,compute,comm,compute_pct -O tsv "$SAMPLE"/rank0.json.gz
tr-breakdown --by time --per stream --columns rank,device,stream,busy,compute,comm -O tsv "$SAMPLE"/rank0.json.gz |
    awk 'NR > 2 { busy += $4; compute += $5; comm += $6 } END { printf "%.3f %.3f %.3f\n", busy, compute, comm }'
