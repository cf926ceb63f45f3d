# Truth: by hand.  mm launches a twice; each mm gets an annotation with its own times, after it.  The one that launches
# b is another pattern, which --top 1 leaves out.  A pid or tid may be a string.  Everything else stays as it was, and the
# result can be written as JSON.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": 1, "ts": 10, "dur": 30},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 12, "dur": 2, "args": {"correlation": 1}},
{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": "two", "ts": 10, "dur": 30},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": "two", "ts": 13, "dur": 2, "args": {"correlation": 2}},
{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": 1, "ts": 50, "dur": 30},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 52, "dur": 2, "args": {"correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 20, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 30, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 60, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 3}}
]}
END
tr-patterns --op mm --length 1 --top 1 --mark t.json >marked.trs
tr-view -O tsv --columns record,tid,ts,dur,cat,name,args marked.trs
echo "== without marks"
tr-filter 'cat != "pattern"' marked.trs | tr-view -O tsv --columns record,tid,ts,dur,name - >left
tr-view -O tsv --columns record,tid,ts,dur,name t.json | cmp - left && echo "as before"
tr-view -O chrome marked.trs | tr-view -O tsv --columns tid,ts,dur,cat,name - | grep pattern
