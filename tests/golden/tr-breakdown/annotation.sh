# Truth: by hand.  Ranges on host and device are told apart; device work and operators are none.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
{"ph": "X", "cat": "user_annotation", "name": "load", "pid": 1, "tid": 1, "ts": 10, "dur": 20},
{"ph": "X", "cat": "user_annotation", "name": "load", "pid": 1, "tid": 1, "ts": 50, "dur": 10},
{"ph": "X", "cat": "cpu_op", "name": "load", "pid": 1, "tid": 1, "ts": 60, "dur": 10},
{"ph": "X", "cat": "gpu_user_annotation", "name": "load", "pid": 0, "tid": 7, "ts": 20, "dur": 70}
]}
END
tr-breakdown --by annotation -O tsv t.json
tr-breakdown --by annotation --per step --top 1 -O tsv t.json | cut -f 1-4
tr-breakdown --by annotation --side device -O tsv t.json
