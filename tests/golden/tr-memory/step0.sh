# Truth: by hand.  Before the first step, whose number is 0, 100 bytes are allocated, then 200 in it.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#0", "pid": 1, "tid": 1, "ts": 10, "dur": 40},
{"ph": "i", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 5, "args": {"Bytes": 100, "Addr": 10, "Total Allocated": 100, "Total Reserved": 512, "Device Type": 1, "Device Id": 0}},
{"ph": "i", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 20, "args": {"Bytes": 200, "Addr": 11, "Total Allocated": 300, "Total Reserved": 512, "Device Type": 1, "Device Id": 0}}
]}
END
tr-memory --by summary --per step -O tsv t.json
