# Truth: by hand.  A wait holds back what the thread that asked for it launches on its stream, not what another thread
# launches there in between: d of thread 2 waits for b, c of thread 1 does not.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 10, "dur": 1, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 20, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaEventRecord", "pid": 1, "tid": 2, "ts": 12, "dur": 1, "args": {"correlation": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamWaitEvent", "pid": 1, "tid": 2, "ts": 14, "dur": 1, "args": {"correlation": 3}},
{"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 9, "ts": 15, "dur": 1, "args": {"device": 0, "stream": 9, "correlation": 3, "wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 17, "dur": 1, "args": {"correlation": 4}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 9, "ts": 45, "dur": 5, "args": {"device": 0, "stream": 9, "correlation": 4}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 2, "ts": 19, "dur": 1, "args": {"correlation": 5}},
{"ph": "X", "cat": "kernel", "name": "d", "pid": 0, "tid": 9, "ts": 55, "dur": 5, "args": {"device": 0, "stream": 9, "correlation": 5}}
]}
END
tr-critpath --by edge -O tsv t.json | cut -f 2,3,5-10
