# Truth: by hand.  d on stream 9 waits for b on stream 7 by the only wait of a stream that there is: one edge of kind
# sync into it, at the end of b.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 1, "tid": 1, "ts": 10, "dur": 5, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 20, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 26, "dur": 14, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 8, "ts": 21, "dur": 17, "args": {"device": 0, "stream": 8, "correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaEventRecord", "pid": 1, "tid": 1, "ts": 16, "dur": 1, "args": {"correlation": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamWaitEvent", "pid": 1, "tid": 1, "ts": 18, "dur": 1, "args": {"correlation": 3}},
{"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 9, "ts": 19, "dur": 1, "args": {"device": 0, "stream": 9, "correlation": 3, "wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "hipModuleLaunchKernel", "pid": 1, "tid": 1, "ts": 24, "dur": 1, "args": {"correlation": 6}},
{"ph": "X", "cat": "kernel", "name": "d", "pid": 0, "tid": 9, "ts": 42, "dur": 8, "args": {"device": 0, "stream": 9, "correlation": 6}},
{"ph": "X", "cat": "mtia_runtime", "name": "runFunction - job_prep_and_submit_for_execution", "pid": 1, "tid": 1, "ts": 26, "dur": 1, "args": {"correlation": 7}},
{"ph": "X", "cat": "kernel", "name": "e", "pid": 0, "tid": 0, "ts": 30, "dur": 3, "args": {"device": 0, "stream": 0, "correlation": 7}},
{"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 1, "tid": 1, "ts": 28, "dur": 1, "args": {"correlation": 8}},
{"ph": "X", "cat": "kernel", "name": "f", "pid": 1, "tid": 7, "ts": 32, "dur": 3, "args": {"device": 1, "stream": 7, "correlation": 8}}
]}
END
tr-critpath --by edge -O tsv t.json | awk -F '\t' 'NR == 1 || $7 == "sync"' | cut -f 2,3,5-10
