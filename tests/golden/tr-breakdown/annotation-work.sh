# Truth: by hand.  On stream 7, "step" covers 100 to 200, "inner" 120 to 150 (and another as long, after it in the trace).
# k1 starts with step, which stands after it in the trace; k2 under both inner ones, of which the last counts; k3 at the
# end of inner; k4 as long as its own annotation; k5 at the end of step, so under none; k6 on a stream without annotations.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "k1", "pid": 0, "tid": 7, "ts": 100, "dur": 300, "args": {"device": 0, "stream": 7, "context": 1}},
{"ph": "X", "cat": "gpu_user_annotation", "name": "step", "pid": 0, "tid": 7, "ts": 100, "dur": 100},
{"ph": "X", "cat": "gpu_user_annotation", "name": "inner", "pid": 0, "tid": 7, "ts": 120, "dur": 30},
{"ph": "X", "cat": "gpu_user_annotation", "name": "last", "pid": 0, "tid": 7, "ts": 120, "dur": 30},
{"ph": "X", "cat": "kernel", "name": "k2", "pid": 0, "tid": 7, "ts": 120, "dur": 10, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "k3", "pid": 0, "tid": 7, "ts": 150, "dur": 7, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "gpu_memcpy", "name": "k4", "pid": 0, "tid": 7, "ts": 160, "dur": 5, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "gpu_user_annotation", "name": "copy", "pid": 0, "tid": 7, "ts": 160, "dur": 5},
{"ph": "X", "cat": "kernel", "name": "k5", "pid": 0, "tid": 7, "ts": 200, "dur": 1, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "k6", "pid": 0, "tid": 9, "ts": 130, "dur": 2, "args": {"device": 0, "stream": 9}}
]}
END
tr-breakdown --by annotation --side work -O tsv t.json | cut -f 1-5
tr-breakdown --by annotation --side work --per stream --where 'name != "k1"' -O tsv t.json | cut -f 1-6
tr-breakdown --by annotation --side work --top 2 -O tsv t.json | cut -f 2-4,11
