# Truth: by hand.  Device work whose launch is not in the trace is (none); its share of the time is said, of the work that
# counts: what --where leaves out, what a window cuts off and what cannot be is in neither sum, and what has no end takes none.
cat >t.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 0, "dur": 50},
{"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 1, "tid": 1, "ts": 10, "dur": 3, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "linked", "pid": 0, "tid": 7, "ts": 100, "dur": 30, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "lone", "pid": 0, "tid": 7, "ts": 200, "dur": 10, "args": {"device": 0, "stream": 7}},
{"ph": "B", "cat": "kernel", "name": "open", "pid": 0, "tid": 8, "ts": 800, "args": {"device": 0, "stream": 8}},
{"ph": "X", "cat": "kernel", "name": "negative", "pid": 0, "tid": 7, "ts": 5000, "dur": -5, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "other", "pid": 0, "tid": 7, "ts": 9000, "dur": 60, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 1, "tid": 1, "ts": 20, "dur": 3, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "another", "pid": 0, "tid": 7, "ts": 9500, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 2}}
]}
END
exec 2>&1
f() { echo "== $*"; tr-breakdown --by operator -O tsv "$@" t.json | grep -v '^tr-.*t.json'; }
f
f --where 'name != other && name != another'
f --where 'name == linked || name == other'
f --time 0us..205us
f --where 'name == linked || name == open'
f --where 'name == linked || name == negative'
f --where 'name == lone'
