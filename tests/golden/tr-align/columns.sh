# Truth: the page.  The report's columns are known without a trace; those that are named are shown, in their order;
# what there is no table for is refused.  Rank 1 is 43 us ahead (tests/gen/sample.spec).
tr-align --report --device --help-columns -O tsv | cut -f 1-4
tr-align --report --columns rank,anchors --sort offset "$SAMPLE/rank0.json.gz" "$SAMPLE/rank1.json.gz"
tr-align --report --top 1 --columns rank,anchors "$SAMPLE/rank0.json.gz" "$SAMPLE/rank1.json.gz"
tr-align --report --columns drift_ppm,nothing "$SAMPLE/rank0.json.gz" | cat
tr-align --help-columns
