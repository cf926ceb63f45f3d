# Truth: tests/oracle/breakdown.py on the same traces.
tr-breakdown -O tsv "$SAMPLE/rank0.json.gz" "$SAMPLE/rank1.json.gz"
