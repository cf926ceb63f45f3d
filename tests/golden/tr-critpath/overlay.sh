# Truth: by hand.  The path is mm until its launch, the launch, and k: a line shows the three, an arrow the step from the
# call to the kernel.  Everything else stays as it was.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": "one", "tid": 1, "ts": 10, "dur": 30},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": "one", "tid": 1, "ts": 12, "dur": 2, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 20, "dur": 50, "args": {"device": 0, "stream": 7, "correlation": 1}}
]}
END
tr-critpath --mark t.json >marked.trs
tr-view -O tsv --columns record,phase,pid,tid,ts,dur,cat,name,args marked.trs
tr-filter 'cat != "critical_path"' marked.trs | tr-view -O jsonl - >left
tr-view -O jsonl t.json | cmp - left && echo "as before"
tr-view -O chrome marked.trs | grep -o '"ph": *"[sf]".*'
