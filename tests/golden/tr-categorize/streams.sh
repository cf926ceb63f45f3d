# Truth: by hand.  Unsorted streams get classes, too, with names of threads that come late; a stream without events stays
# one; a label that is a name in the trace as well is one string; damage is told, and no stream left behind.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 20, "dur": 3},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": "p", "tid": "q", "ts": 10, "dur": 3, "args": {"note": "gemm", "list": ["gemm"]}},
{"ph": "M", "name": "thread_name", "pid": 0, "tid": 7, "args": {"name": "late"}}
], "deviceProperties": [{"name": "gemm"}], "traceName": "gemm"}
END
printf '[gemm if equals to]\ngemm\n[late if contains]\nb\n' >r.rules
tr-parse --no-sort t.json | tr-categorize --rules r.rules | tr-view -O tsv --columns record,pid,tid,thread,name,class -
tr-categorize --rules r.rules t.json | tr-view -O chrome - >after.json
tr-view -O chrome t.json | cmp - after.json && echo "restored"
tr-parse --no-sort t.json | tr-categorize --rules r.rules | tr-view -O chrome - >after.json
tr-parse --no-sort t.json | tr-view -O chrome - | cmp - after.json && echo "restored unsorted"
echo "== no events"
echo '{"traceEvents": []}' | tr-parse 2>/dev/null | tr-categorize | tr-view -O tsv --columns name,class -
echo "== damage"
tr-categorize t.json | head -c 300 >cut.trs
tr-categorize -o out.trs cut.trs 2>/dev/null
echo "status $?"
[ -e out.trs ] || echo "nothing written"
