# Truth: by hand.  On device 0, a runs 10..30 and 60..80 on stream 7, b 20..40 and 25..28 on stream 8, and a 50..65 on
# stream 9; zero is of no length.  Work of one stream, of another device, and work that only touches makes no pair.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 8, "ts": 20, "dur": 20, "args": {"device": 0, "stream": 8}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 1, "tid": 8, "ts": 20, "dur": 20, "args": {"device": 1, "stream": 8}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 8, "ts": 25, "dur": 3, "args": {"device": 0, "stream": 8}},
{"ph": "X", "cat": "kernel", "name": "zero", "pid": 0, "tid": 9, "ts": 26, "dur": 0, "args": {"device": 0, "stream": 9}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 9, "ts": 40, "dur": 5, "args": {"device": 0, "stream": 9}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 9, "ts": 50, "dur": 15, "args": {"device": 0, "stream": 9}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 60, "dur": 20, "args": {"device": 0, "stream": 7}}
]}
END
tr-overlap --by kernel -O tsv t.json
echo "== a window cuts"
tr-overlap --by kernel --time 22..26 --per device -O tsv t.json
echo "== nothing beside each other"
tr-overlap --by kernel --where 'stream == 7' -O tsv t.json 2>&1
echo "== more at a time than are remembered"
awk 'BEGIN { print "["; for (i = 0; i < 66; i++) printf "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"args\":{\"device\":0,\"stream\":%d}},\n", i, i + 10, 200 - i, i; print "{}]" }' >many.json
tr-overlap --by kernel -O tsv many.json 2>&1
