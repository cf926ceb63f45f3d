# Truth: by hand.  Steps take 1000, 3000 and 2000 us, so step 2, from 4000 to 6000, is typical.  Pauses of less than 2 us
# join work of one kind on one stream: a and b, not b and c; a copy in between is a row of its own.  Work that starts
# before the step is clipped to it; other steps do not count.
cat >one.json <<END
{"distributedInfo": {"rank": 3}, "traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#0", "pid": 1, "tid": 1, "ts": 0, "dur": 1000},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 1000, "dur": 3000},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#2", "pid": 1, "tid": 1, "ts": 4000, "dur": 2000},
{"ph": "X", "cat": "kernel", "name": "early", "pid": 0, "tid": 7, "ts": 500, "dur": 10, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "pid": 0, "tid": 9, "ts": 3900, "dur": 150, "args": {"device": 0, "stream": 9}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 4100, "dur": 10, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": 7, "ts": 4110.5, "dur": 0.5, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 4111.999, "dur": 20, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 7, "ts": 4133.999, "dur": 3000, "args": {"device": 0, "stream": 7}}
]}
END
tr-breakdown --by typical -O tsv one.json
cat >none.json <<END
{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 0, "dur": 10, "args": {"device": 0, "stream": 7}}]}
END
tr-breakdown -q --by typical -O tsv none.json
