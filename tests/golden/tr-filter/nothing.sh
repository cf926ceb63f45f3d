# Truth: by hand.  A test that selects nothing is named, with the name or step that no input has; -q silences it.
tr-filter -c 'step == 99' "$SAMPLE/rank0.json.gz"
tr-filter -c 'activity == "kernel" && name == "gemm_that_is_not_there"' "$SAMPLE/rank0.json.gz"
tr-filter -c -e 'dur > 50s' -e 'name =~ "^zz"' "$SAMPLE/rank0.json.gz"
tr-filter -c 'dur > 50s || name =~ "^zz"' "$SAMPLE/rank0.json.gz"
tr-filter -c -v 'dur > 50s' "$SAMPLE/rank0.json.gz"
tr-filter -c --within 'name == "warmup"' true "$SAMPLE/rank0.json.gz"
tr-filter -c --outside 'step == 3' true "$SAMPLE/rank0.json.gz"
tr-filter -c true --where 'name == "x" || dur > 50s' "$SAMPLE/rank0.json.gz"
tr-filter -q -c 'dur > 50s' "$SAMPLE/rank0.json.gz"
tr-breakdown --by kernel --where 'name == "x"' -O tsv "$SAMPLE/rank0.json.gz" | wc -l
