# Truth: tr-critpath(1), by hand.  Work that a selection leaves out counts if it was launched before the latest moment of
# the selection so far, of any rank: with that of rank 1 at 105, k is the work that the event at 130 was recorded after, and d
# waits for none of the selection; without rank 1 it waits for b.  Ranks that come from two files are read in order.
cat >r0.json <<'END'
{"distributedInfo": {"rank": 0}, "traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 50, "dur": 2, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 60, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 1, "tid": 1, "ts": 100, "dur": 2, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 110, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaEventRecord", "pid": 1, "tid": 1, "ts": 130, "dur": 1, "args": {"correlation": 3}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamWaitEvent", "pid": 1, "tid": 1, "ts": 140, "dur": 1, "args": {"correlation": 4}},
{"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 9, "ts": 141, "dur": 1, "args": {"device": 0, "stream": 9, "correlation": 4, "wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": 3}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 150, "dur": 2, "args": {"correlation": 5}},
{"ph": "X", "cat": "kernel", "name": "d", "pid": 0, "tid": 9, "ts": 160, "dur": 10, "args": {"device": 0, "stream": 9, "correlation": 5}}
]}
END
cat >r1.json <<'END'
{"distributedInfo": {"rank": 1}, "traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": 1, "ts": 105, "dur": 10},
{"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": 1, "ts": 300, "dur": 10}
]}
END
tr-merge r0.json r1.json >both.trs
for inputs in r0.json 'r0.json r1.json' both.trs; do
    echo "== $inputs"
    tr-critpath --by count -O tsv --where 'name != "k" && name != "launch"' $inputs | grep -E '^(rank|0)'
done
