# Truth: by hand.  The names of processes stand at 0; the first event is at 5,000,000 us, the last ends 105 us later.
cat >t.json <<'EOT'
{"traceEvents": [
{"ph": "M", "name": "process_name", "pid": 4, "tid": 0, "ts": 0, "args": {"name": "python"}},
{"ph": "M", "name": "thread_name", "pid": 4, "tid": 4, "ts": 0, "args": {"name": "main"}},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 4, "tid": 4, "ts": 5000000, "dur": 80},
{"ph": "X", "cat": "kernel", "name": "scale", "pid": 0, "tid": 3, "ts": 5000050, "dur": 55, "args": {"device": 0, "stream": 3}}
]}
EOT
tr-info -q -O text --tracks t.json | grep -E '^(first_us|span_us|rank)|main'
tr-info -q -O json t.json | grep -E '(first|last)_ns'
