# Truth: tests/oracle/comm.py on the same traces; the late rank is the one the sample was made with (tests/gen/sample.spec).
tr-comm -O tsv "$SAMPLE/rank0.json.gz" "$SAMPLE/rank1.json.gz"
tr-comm --by straggler -O tsv "$SAMPLE/rank0.json.gz" "$SAMPLE/rank1.json.gz"
