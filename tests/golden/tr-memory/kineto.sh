# Truth: by hand.  Before the trace 1000 bytes are allocated on device 0, of 8192 that are reserved.
#
#   us   bytes   address  under                         device 0 then holds
#    5     100   a        linear                        1100
#   12     200   b        linear > mm > empty           1300
#   30    -100   a        nothing                       1200   step 1 ends at 40
#   45     400   c        nothing, forward              1600   a peak
#   50    -300   x        nothing; older than the trace 1300
#   60     100   a        linear                        1400
#   62     700   c again  linear; c was freed unseen    1600   as the total says: no new peak
#   70      64   host     linear                        the host: 64, nothing reserved
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 1, "dur": 39},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#2", "pid": 1, "tid": 1, "ts": 40, "dur": 60},
{"ph": "X", "cat": "user_annotation", "name": "forward", "pid": 1, "tid": 1, "ts": 44, "dur": 3},
{"ph": "X", "cat": "cpu_op", "name": "linear", "pid": 1, "tid": 1, "ts": 2, "dur": 20},
{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": 1, "ts": 10, "dur": 10},
{"ph": "X", "cat": "cpu_op", "name": "aten::empty_strided", "pid": 1, "tid": 1, "ts": 11, "dur": 5},
{"ph": "X", "cat": "cpu_op", "name": "of another thread", "pid": 1, "tid": 2, "ts": 0, "dur": 90},
{"ph": "X", "cat": "cpu_op", "name": "linear", "pid": 1, "tid": 1, "ts": 55, "dur": 20},
{"ph": "i", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 5, "args": {"Bytes": 100, "Addr": 10, "Total Allocated": 1100, "Total Reserved": 8192, "Device Type": 1, "Device Id": 0}},
{"ph": "i", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 12, "args": {"Bytes": 200, "Addr": 11, "Total Allocated": 1300, "Total Reserved": 8192, "Device Type": 1, "Device Id": 0}},
{"ph": "i", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 30, "args": {"Bytes": -100, "Addr": 10, "Total Allocated": 1200, "Total Reserved": 4096, "Device Type": 1, "Device Id": 0}},
{"ph": "i", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 45, "args": {"Bytes": 400, "Addr": 12, "Total Allocated": 1600, "Total Reserved": 4096, "Device Type": 1, "Device Id": 0}},
{"ph": "i", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 50, "args": {"Bytes": -300, "Addr": 99, "Total Allocated": 1300, "Total Reserved": 4096, "Device Type": 1, "Device Id": 0}},
{"ph": "i", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 60, "args": {"Bytes": 100, "Addr": 10, "Total Allocated": 1400, "Total Reserved": 4096, "Device Type": 1, "Device Id": 0}},
{"ph": "i", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 62, "args": {"Bytes": 700, "Addr": 12, "Total Allocated": 1600, "Total Reserved": 4096, "Device Type": 1, "Device Id": 0}},
{"ph": "i", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 70, "args": {"Bytes": 64, "Addr": 10, "Total Allocated": 64, "Total Reserved": 0, "Device Type": 0, "Device Id": -1}}
]}
END
for options in "" "--by series,operator" "--by peak,operator" "--by peak,top-operator --top 1" "--by peak,annotation" \
    "--by end,operator" "--by summary" "--by summary --per step" "--by series,all --step 2 --where args.Bytes>0"; do
    echo "== $options"
    tr-memory $options -O tsv t.json
done
echo "== text, of two ranks"
tr-memory --renumber --by peak -O text t.json t.json
