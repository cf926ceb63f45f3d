# Truth: the sample has 11417 events for each rank (tests/gen/sample.spec), and its stream gives the trace.
for rank in 0 1; do
    tr-parse "$SAMPLE/rank$rank.json.gz" | tr-view -O tsv | wc -l | tr -d ' '
    tr-parse "$SAMPLE/rank$rank.json.gz" | tr-view -O chrome >once
    tr-view -O chrome "$SAMPLE/rank$rank.json.gz" | cmp - once
done
