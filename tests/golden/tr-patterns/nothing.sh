# Truth: a table without rows where there is nothing to find; without --op operators are looked at.
echo '{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": 1, "ts": 10, "dur": 30}]}' >host.json
echo '{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 3}]}' >device.json
tr-patterns -q --op mm --length 1 -O tsv host.json
tr-patterns -q --op k --length 1 -O tsv device.json
tr-patterns -O tsv host.json 2>&1
echo "status $?"
