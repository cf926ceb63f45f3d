# Truth: the events of an empty trace are none.
echo '{"traceEvents": []}' > empty.json
tr-view -O chrome empty.json
tr-view -O tsv empty.json
tr-view -O json empty.json
tr-view -O jsonl empty.json
