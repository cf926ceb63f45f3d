# Truth: the sample has 11417 events for each rank (tests/gen/sample.spec); the merge holds all of both,
# each as it is in the stream of its rank.
tr-merge "$SAMPLE/rank1.json.gz" "$SAMPLE/rank0.json.gz" >job.trs
tr-view -O tsv --columns rank job.trs | sort | uniq -c | tr -s ' '
for rank in 0 1; do
    tr-view -O jsonl --columns rank,record,ts,dur,pid,tid,name,args,launch_record "$SAMPLE/rank$rank.json.gz" >want
    tr-view -O jsonl --columns rank,record,ts,dur,pid,tid,name,args,launch_record job.trs | grep "^{\"rank\":$rank," | cmp - want
done
