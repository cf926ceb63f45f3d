# Truth: by hand.  A table of conditions without any says so.
printf '%s\n' '{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 1,' \
    '"args": {"device": 0, "stream": 7}}]}' >t.json
tr-diff --by conditions t.json t.json 2>&1
echo "status $?"
