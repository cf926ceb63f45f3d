# Truth: the rows are those of the example in tr-counters(1); the largest queue of the two others is 3, their samples are
# 24 + 36, and their mean is weighted with these.  The stream is no table.
tr-counters --by queue -O tsv --columns stream,count,max --sort count:asc "$SAMPLE/rank0.json.gz"
tr-counters --by queue -O tsv --columns count,mean,max --top 1 "$SAMPLE/rank0.json.gz"
tr-counters --columns count "$SAMPLE/rank0.json.gz"
