# Truth: by hand.  Host: b runs 1 ns past a: rounding; c begins 5 us before a ends: overrun.  Device, stream 7:
# l begins 2 us before k has ended and outlasts it: concurrent; n and o lie within m: swallowed, 4 and 3 us; the rest and
# everything on stream 8 is fine.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 0, "dur": 30},
{"ph": "X", "cat": "cpu_op", "name": "b", "pid": 1, "tid": 1, "ts": 10, "dur": 20.001},
{"ph": "X", "cat": "user_annotation", "name": "c", "pid": 1, "tid": 1, "ts": 25, "dur": 25},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "l", "pid": 0, "tid": 7, "ts": 28, "dur": 10, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "m", "pid": 0, "tid": 7, "ts": 40, "dur": 100, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "n", "pid": 0, "tid": 7, "ts": 50, "dur": 4, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "o", "pid": 0, "tid": 7, "ts": 60, "dur": 3, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "p", "pid": 0, "tid": 8, "ts": 60, "dur": 3, "args": {"device": 0, "stream": 8}}
]}
END
tr-breakdown --by nesting -O tsv t.json
