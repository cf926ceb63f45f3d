# Truth: by hand.  The call that launched a was not recorded, and a holds the stream when b is launched.  Without --gaps, a
# is left out, and as the wait of hipStreamSynchronize is not shown, the path is the host's: 4 of one, 1 + 56 of its calls.
# With --gaps it counts: 50 of a, from 0; 3 until b; 10 of b; 1 until the wait ends; 2 until one ends.
# The window begins at 5, when a runs already: what counts is c, which begins at 10 and ends at 51, 2 before b.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "one", "pid": 1, "tid": 1, "ts": 5, "dur": 61},
{"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 1, "tid": 1, "ts": 6, "dur": 1, "args": {"correlation": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "hipStreamSynchronize", "pid": 1, "tid": 1, "ts": 8, "dur": 56},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 3, "ts": 0, "dur": 50, "args": {"device": 0, "stream": 3, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 3, "ts": 53, "dur": 10, "args": {"device": 0, "stream": 3, "correlation": 2}}
]}
END
tr-critpath -q -O tsv t.json
echo "== gaps"
tr-critpath -q --gaps --by path -O tsv t.json | cut -f 2-
echo "== in a window that begins later"
sed 's/^\]}/,{"ph": "X", "cat": "user_annotation", "name": "window", "pid": 1, "tid": 1, "ts": 5, "dur": 62},\
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 4, "ts": 10, "dur": 41, "args": {"device": 0, "stream": 4, "correlation": 3}}&/' t.json >w.json
tr-critpath -q --gaps --by path --annotation window -O tsv w.json | cut -f 2-
