# Truth: by hand.  The rules give two of the names the classes gemm and softmax, and none to k.  Work that has a
# class of its own keeps it, and then no other work gets one.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "ampere_sgemm_128x64_nn", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "softmax_warp_forward", "pid": 0, "tid": 8, "ts": 20, "dur": 25, "args": {"device": 0, "stream": 8}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 60, "dur": 5, "args": {"device": 0, "stream": 7}}
]}
END
tr-categorize --by class -O tsv t.json
echo "== as the rules say"
tr-overlap --by state --classes gemm,softmax -O tsv t.json 2>&1
echo "== the same by tr-categorize"
tr-categorize t.json | tr-overlap --by state --classes gemm,softmax -O tsv 2>&1
echo "== work with a class of its own"
printf '[mine if equals to]\nk\n' >my.rules
tr-categorize --rules my.rules t.json | tr-overlap --by state --classes mine,softmax -O tsv 2>&1
echo "== what no rule gives"
tr-overlap --by state --classes nothing -O tsv t.json 2>&1
echo "== kinds alone"
tr-overlap --by state --classes compute,comm -O tsv t.json 2>&1
