# Truth: rank 1 of the sample was made with an offset of 43 us and a drift of 8 ppm (tests/gen/sample.spec); times
# are whole nanoseconds, which leaves some thousandths of a ppm open.
tr-align --drift --report -O tsv "$SAMPLE/rank0.json.gz" "$SAMPLE/rank1.json.gz"
