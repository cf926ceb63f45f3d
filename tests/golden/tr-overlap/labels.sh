# Truth: by hand.  Classes that tr-categorize wrote: dense 10..30 and 40..50, norm 20..45, in the span 10..65; fill from
# 60 on has no class.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "softmax", "pid": 0, "tid": 8, "ts": 20, "dur": 25, "args": {"device": 0, "stream": 8}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 40, "dur": 10, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "fill", "pid": 0, "tid": 7, "ts": 60, "dur": 5, "args": {"device": 0, "stream": 7}}
]}
END
cat >my.rules <<END
[dense if equals to]
gemm
[norm if equals to]
softmax
END
tr-categorize --rules my.rules t.json | tr-overlap --by state --classes dense,norm -O tsv
