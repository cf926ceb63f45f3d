# Truth: with --strict the first damage ends the work, and nothing is written.
printf '%s' '{"traceEvents": [{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1.0, "dur": 1}' >t.json
tr-parse --strict -o t.trs t.json
status=$?
ls t.trs 2>/dev/null
exit $status
