# Truth: tests/oracle/overlap.py on the same traces.
tr-overlap -O tsv "$SAMPLE/rank0.json.gz" "$SAMPLE/rank1.json.gz"
