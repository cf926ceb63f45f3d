# Truth: by hand.  What a redacted extract says of communication does not depend on the format in which it is sent.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_f32_RING_LL(mine)", "pid": 0, "tid": 8, "ts": 0, "dur": 10, "args": {"device": 0, "stream": 8}},
{"ph": "X", "cat": "kernel", "name": "my_kernel", "pid": 0, "tid": 7, "ts": 4, "dur": 3, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "comm_x0123456789abcdeg", "pid": 0, "tid": 7, "ts": 10, "dur": 5, "args": {"device": 0, "stream": 7}}
]}
END
tr-filter --redact t.json >r.trs
for as in chrome perfetto; do tr-view -O $as r.trs >r.$as; done
tr-filter --redact r.chrome >twice.trs
for f in t.json r.trs r.chrome r.perfetto twice.trs; do
    tr-breakdown --by time -O tsv --columns compute_us,comm_us,exposed_comm_us $f | tail -n 1
done
tr-info --texts r.chrome | sed -n 's/x[0-9a-f]\{16\}/(digits)/p'
