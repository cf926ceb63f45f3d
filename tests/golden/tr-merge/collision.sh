# Truth: one process of one rank at one time cannot be in two traces; nothing is written.
cp "$SAMPLE/rank0.json.gz" a.json.gz
cp "$SAMPLE/rank0.json.gz" b.json.gz
tr-merge -o job.trs a.json.gz b.json.gz
status=$?
ls job.trs 2>/dev/null
exit $status
