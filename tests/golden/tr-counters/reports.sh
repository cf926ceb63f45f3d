# Truth: by hand.  Stream 7: a launched at 0, runs 10..30; b and c launched at 5 by one graph, run 30..40 and 40..60.
# Queue: 1 at 0, 3 at 5, 2 at 10, 1 at 30, 0 at 40; full (2) from 5 to 30.  Stream 9: a copy of 4000 bytes in 20 us, 0.2
# GB/s, from 15 to 35, and one that the trace says had 1.5 GB/s, 25 to 45: 0.2, 1.7, 1.5, 0.  Busy: stream 7
# from 10 to 60 without a gap, stream 9 from 15 to 45.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 0, "dur": 4, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 1, "tid": 1, "ts": 5, "dur": 2, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 30, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 7, "ts": 40, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 2}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pinned -> Device)", "pid": 0, "tid": 9, "ts": 15, "dur": 20, "args": {"device": 0, "stream": 9, "bytes": 4000}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pageable -> Device)", "pid": 0, "tid": 9, "ts": 25, "dur": 20, "args": {"device": 0, "stream": 9, "bytes": 4000, "memory bandwidth (GB/s)": 1.5}}
]}
END
tr-counters --by queue -O tsv t.json
tr-counters --by bandwidth -O tsv t.json
tr-counters --by full --max-queue 2 -O tsv t.json
for series in queue bandwidth busy; do tr-counters --by $series-series -O tsv t.json; done
tr-counters t.json | tr-view -O tsv --columns pid,tid,stream,ts,name | grep 'Queue\|pid'
tr-counters t.json | tr-filter 'phase == counter && name != "Queue Length"' | tr-view -O jsonl | grep -o '"name".*' | cut -c 1-150
