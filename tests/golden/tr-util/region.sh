# Truth: by hand.  Work runs 0..10, 60..64 and 95..100; in bins of 10 us, those from 10 to 90 are of low use: 4 of 80 us are
# busy.  Before the launch of the second kernel at 50..52, the host loads data (10..50); the wait of 8 us after it is overhead
# of the device, as is that of 1 us before the third.  From 64 to 93 the host is busy, but this is less than 40.  The bin
# from 90 is half busy.
cat >t.json <<'END'
{"distributedInfo": {"rank": 3}, "traceEvents": [
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 0, "dur": 10, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "user_annotation", "name": "enumerate(DataLoader)#next", "pid": 1, "tid": 1, "ts": 5, "dur": 45},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 50, "dur": 2, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 60, "dur": 4, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 93, "dur": 1, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 7, "ts": 95, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 2}}
]}
END
tr-util --by region --bin 10us -O tsv t.json
# Below 20 percent, the bin from 60 with its 4 us parts two stretches; below 60, the last bin takes part.
tr-util --by region --bin 10us --below 20 -O tsv --columns start,dur,cause t.json
tr-util --by region --bin 10us --below 60 --per device -O tsv --columns device,start,dur,busy_pct t.json
# In a window, the time before its first work is an edge.
tr-util --by region --bin 10us --time 50..65 -O tsv --columns start,dur,cause,cause_idle t.json
tr-util --by region --bin 100us t.json
