# Truth: the same by the text of the trace: kernels have the category "kernel".
zcat "$SAMPLE/rank0.json.gz" | grep -c '"cat": "kernel"'
tr-filter --count 'cat == "kernel"' "$SAMPLE/rank0.json.gz"
tr-filter 'cat == "kernel"' "$SAMPLE/rank0.json.gz" | tr-breakdown -O tsv --by type
