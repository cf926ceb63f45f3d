# Truth: a trace without allocations: a header, and why there is no more.
echo '{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]}' >t.json
tr-memory -O tsv t.json
tr-memory -q --by peak -O tsv t.json
tr-memory --by series,operator,all t.json
echo "status $?"
tr-memory --per step t.json
tr-memory --per all t.json
tr-memory --by summary,operator t.json
echo "status $?"
