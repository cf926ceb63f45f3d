# Truth: by hand.  One launch of a graph puts a and b on stream 7 and c on stream 8: a and c wait for the launch, b for a.
# d on stream 9 waits for b and for c by two waits of its stream; so there are two edges of kind sync into it, and none
# from its launch, which was earlier.  A call of another vendor is a call, stream 0 is a stream, and device 1 has a
# stream 7 of its own.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 1, "tid": 1, "ts": 10, "dur": 5, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 20, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 26, "dur": 14, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 8, "ts": 21, "dur": 17, "args": {"device": 0, "stream": 8, "correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaEventRecord", "pid": 1, "tid": 1, "ts": 16, "dur": 1, "args": {"correlation": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamWaitEvent", "pid": 1, "tid": 1, "ts": 18, "dur": 1, "args": {"correlation": 3}},
{"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 9, "ts": 19, "dur": 1, "args": {"device": 0, "stream": 9, "correlation": 3, "wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaEventRecord", "pid": 1, "tid": 1, "ts": 20, "dur": 1, "args": {"correlation": 4}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamWaitEvent", "pid": 1, "tid": 1, "ts": 22, "dur": 1, "args": {"correlation": 5}},
{"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 9, "ts": 22, "dur": 1, "args": {"device": 0, "stream": 9, "correlation": 5, "wait_on_stream": 8, "wait_on_cuda_event_record_corr_id": 4}},
{"ph": "X", "cat": "cuda_runtime", "name": "hipModuleLaunchKernel", "pid": 1, "tid": 1, "ts": 24, "dur": 1, "args": {"correlation": 6}},
{"ph": "X", "cat": "kernel", "name": "d", "pid": 0, "tid": 9, "ts": 42, "dur": 8, "args": {"device": 0, "stream": 9, "correlation": 6}},
{"ph": "X", "cat": "mtia_runtime", "name": "runFunction - job_prep_and_submit_for_execution", "pid": 1, "tid": 1, "ts": 26, "dur": 1, "args": {"correlation": 7}},
{"ph": "X", "cat": "kernel", "name": "e", "pid": 0, "tid": 0, "ts": 30, "dur": 3, "args": {"device": 0, "stream": 0, "correlation": 7}},
{"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 1, "tid": 1, "ts": 28, "dur": 1, "args": {"correlation": 8}},
{"ph": "X", "cat": "kernel", "name": "f", "pid": 1, "tid": 7, "ts": 32, "dur": 3, "args": {"device": 1, "stream": 7, "correlation": 8}}
]}
END
tr-critpath --by edge -O tsv t.json | awk -F '\t' '$2 ~ /^(from_record|1|2|3|11|13|15|0|10|12|14)$/' | cut -f 2,3,5-10
echo "== with all launches"
tr-critpath --by edge --launch-edges -O tsv t.json | awk -F '\t' '$7 == "launch"' | cut -f 2,3,5-8
echo "== waits are counted"
tr-critpath --by count -O tsv t.json
