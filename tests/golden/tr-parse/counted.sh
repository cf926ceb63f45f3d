# Truth: by hand: three events, of which one is lost; a time in quotes and a name with an unknown escape are mended, another
# time in quotes in the second input.
cat >a.json <<'END'
{"distributedInfo": {"rank": 0}, "traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1},
{"ph": "X", "cat": "cpu_op", "name": "\path", "pid": 1, "tid": 1, "ts": "2.25", "dur": 1},
{"ph": "X", "cat": "cpu_op", "name": lost, "pid": 1, "tid": 1, "ts": 3, "dur": 1},
{"ph": "X", "cat": "cpu_op", "name": "b", "pid": 1, "tid": 1, "ts": 4, "dur": 1}
]}
END
echo '{"distributedInfo": {"rank": 1}, "traceEvents": [{"ph": "X", "name": "c", "pid": 1, "tid": 1, "ts": "5", "dur": 1}]}' >b.json
tr-parse --verbose -o ab.trs a.json b.json
