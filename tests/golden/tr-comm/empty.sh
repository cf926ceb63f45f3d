# Truth: a trace without collectives gives a table without rows.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"device": 0, "stream": 7}}
]}
END
tr-comm --by name -O tsv t.json | cut -f 1,2
tr-comm --by straggler -O tsv t.json | cut -f 1,2
