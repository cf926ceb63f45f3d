# Truth: the causes are those of the view idle, added up; the remarks by the pages.
tr-breakdown --by idle -O tsv "$SAMPLE/rank1.json.gz" | awk -F '\t' 'NR > 1 { sum[$2] += $4; n[$2] += $6 }
    END { for (c in sum) printf "%s\t%.3f\t%d\n", c, sum[c], n[c] }' | LC_ALL=C sort
echo "== cause"
tr-breakdown --by cause -O tsv --columns cause,idle,gaps "$SAMPLE/rank1.json.gz" | LC_ALL=C sort
echo "== a step, without the wait before its first work"
tr-breakdown --by cause --step 17 -O tsv --columns cause,idle "$SAMPLE/rank0.json.gz"
tr-breakdown --by gap --step 17 --top 1 -O tsv --columns idle "$SAMPLE/rank0.json.gz"
tr-breakdown --by gap --time +1ms..+5ms --top 1 -O tsv --columns idle "$SAMPLE/rank0.json.gz"
echo "== ranks whose clocks were not aligned"
tr-breakdown --per all -O tsv --columns idle "$SAMPLE/rank0.json.gz" "$SAMPLE/rank1.json.gz"
tr-breakdown --per all --rank 1 -O tsv --columns idle "$SAMPLE/rank0.json.gz" "$SAMPLE/rank1.json.gz"
tr-breakdown --per all --by kernel --top 1 -O tsv --columns count "$SAMPLE/rank0.json.gz" "$SAMPLE/rank1.json.gz"
tr-align -q "$SAMPLE/rank0.json.gz" "$SAMPLE/rank1.json.gz" | tr-breakdown --per all -O tsv --columns idle
