# Truth: by hand.  Texts that a spreadsheet would calculate stand after an apostrophe; numbers below 0 are no texts.
cat >t.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "=cmd|' /C calc'!A0", "pid": 1, "tid": 1, "ts": 1, "dur": 2, "args": {"x": -3}},
{"ph": "X", "cat": "cpu_op", "name": "+1, \"two\"", "pid": 1, "tid": 1, "ts": 4, "dur": 2, "args": {"x": -4}},
{"ph": "X", "cat": "cpu_op", "name": "-a", "pid": 1, "tid": 1, "ts": 7, "dur": 2, "args": {"x": -5}},
{"ph": "X", "cat": "cpu_op", "name": "@a", "pid": 1, "tid": 1, "ts": 10, "dur": 2, "args": {"x": -6}},
{"ph": "X", "cat": "cpu_op", "name": "\ttab", "pid": 1, "tid": 1, "ts": 13, "dur": 2, "args": {"x": -7}},
{"ph": "X", "cat": "cpu_op", "name": "\rreturn", "pid": 1, "tid": 1, "ts": 16, "dur": 2, "args": {"x": -8}},
{"ph": "X", "cat": "cpu_op", "name": "a=b", "pid": 1, "tid": 1, "ts": 19, "dur": 2, "args": {"x": -9}},
{"ph": "X", "cat": "cpu_op", "name": "", "pid": 1, "tid": 1, "ts": 22, "dur": 2, "args": {"x": -10}}
]}
END
for safe in '' --csv-safe; do
    echo "== -O csv $safe"
    tr-sum -q --value args.x --stat sum -O csv $safe t.json | tr '\r\t' '_>'
done
echo "== with another format"
tr-sum -q --csv-safe -O tsv t.json 2>&1
tr-patterns --mark --csv-safe t.json 2>&1
true
