# Truth: by hand.  Host events by their start, the end of a step left out; device work by its launch, known or not; of
# steps that lie in each other, the one that started last; events without a time have no step, nor have unsorted streams.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#4", "pid": 1, "tid": 1, "ts": 0, "dur": 50},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#5", "pid": 1, "tid": 1, "ts": 50, "dur": 50},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#9", "pid": 1, "tid": 2, "ts": 60, "dur": 5},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 49, "dur": 4, "args": {"correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "launched in 4", "pid": 0, "tid": 7, "ts": 55, "dur": 4, "args": {"correlation": 3, "device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "launched by nobody", "pid": 0, "tid": 7, "ts": 60, "dur": 4, "args": {"correlation": 8, "device": 0, "stream": 7}},
{"ph": "X", "cat": "cpu_op", "name": "in 5 and 9", "pid": 1, "tid": 1, "ts": 62, "dur": 1},
{"ph": "i", "s": "t", "name": "in 5", "pid": 1, "tid": 1, "ts": 65},
{"ph": "X", "cat": "cpu_op", "name": "behind", "pid": 1, "tid": 1, "ts": 100, "dur": 1},
{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "python"}}
]}
END
tr-view -O tsv --columns ts,step,name t.json
tr-view -O jsonl --columns 'step?,name' t.json | tail -n 2
tr-view -O text --columns step,name -n 3 t.json
tr-parse --no-sort t.json | tr-view -O tsv --columns step,name | cut -f 1 | sort -u
