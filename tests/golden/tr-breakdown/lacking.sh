# Truth: by hand.  A trace with neither shapes nor Python frames nor flow events: correlation links the launch to its
# kernel, what is missing is said, and nothing fails.  A kernel without a launch has a row, and a remark if it is a
# tenth of the time: 3 us of 5 are 60 percent, 0.2 of 2.2 are 9.
cat >t.json <<'END_OF_JSON'
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 5},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 2, "dur": 1, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 10, "dur": 2, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "early", "pid": 0, "tid": 7, "ts": 20, "dur": 3, "args": {"device": 0, "stream": 7, "correlation": 9}}
]}
END_OF_JSON
for keys in shape args stack module recompute shape,recompute thread,category; do
    echo "== $keys"
    tr-breakdown --by operator,$keys --columns name,calls,device_self -O tsv t.json 2>&1
done
echo "== roofline"
for keys in shape params recompute; do
    tr-roofline --by operator,$keys --columns name,calls,device,model_pct -O tsv t.json 2>&1
done
echo "== launches that are not in the trace, by all operators, by some, and a small part of the time"
tr-breakdown --by category --columns category,device_self -O tsv t.json 2>&1
tr-breakdown --by operator --op mm --columns name,device_self -O tsv t.json 2>&1
sed '/early/s/"dur": 3/"dur": 0.2/' t.json | tr-breakdown --by operator --columns name,device_self -O tsv - 2>&1
echo "== no launches"
grep -v runtime t.json >unlaunched.json
tr-breakdown --by operator --columns name,calls,device_self -O tsv unlaunched.json 2>&1
tr-roofline --columns name,calls,device -O tsv unlaunched.json 2>&1
echo "== the device alone"
grep -v cpu_op t.json | grep -v runtime | tr-breakdown --by operator --columns name,device_self -O tsv - 2>&1
grep -v cpu_op t.json | grep -v runtime | tr-roofline --columns name,device -O tsv - 2>&1
grep -v cpu_op t.json | grep -v runtime | tr-breakdown --by timeline -O tsv - 2>&1
