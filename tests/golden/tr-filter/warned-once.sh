# Truth: what is odd about an input is said once, although it is read twice.
echo '{"traceEvents": [{"ph": "E", "name": "alone", "pid": 1, "tid": 1, "ts": 1}]}' >t.json
tr-parse -q t.json -o t.trs
tr-filter --closure true t.trs 2>&1 >/dev/null
tr-filter --closure true <t.trs 2>&1 >/dev/null
tr-filter --closure true t.json 2>&1 >/dev/null
tr-parse -q t.json | tr-filter true 2>&1 >/dev/null
