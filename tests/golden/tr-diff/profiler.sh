# Truth: by hand.  Two recordings of the same work: other numbers of steps, and a profiler that flushed its buffers in
# one of them.  What the profiler did itself is no difference; a user's span of such a name is one.
one()
{
    cat <<END
{"traceEvents": [
{"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": "Spans", "tid": "PyTorch Profiler", "ts": 0, "dur": $1},
{"ph": "X", "cat": "Trace", "name": "Iteration Start: PyTorch Profiler", "pid": "Traces", "tid": "Trace", "ts": 0, "dur": 1},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#$2", "pid": 1, "tid": 1, "ts": 0, "dur": $1},
{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": 1, "ts": 10, "dur": 20},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 12, "dur": 5, "args": {"correlation": 1}},
$3
{"ph": "X", "cat": "kernel", "name": "g", "pid": 0, "tid": 7, "ts": 30, "dur": 40, "args": {"device": 0, "stream": 7, "correlation": 1}}
]}
END
}
one 100 7 '' >base.json
one 120 30 '{"ph": "X", "cat": "overhead", "name": "Buffer Flush", "pid": -1, "tid": 0, "ts": 50, "dur": 9},
{"ph": "X", "cat": "overhead", "name": "Resource", "pid": -1, "tid": 0, "ts": 60, "dur": 9},' >test.json
for view in name short-name kernel operator path class; do
    echo "== $view"
    tr-diff --by $view -O tsv base.json test.json | cut -f 1-10
done
echo "== what a program does under such a name"
sed 's/overhead/user_annotation/; s/"pid": -1/"pid": 1/' test.json >named.json
tr-diff --changed-only -O tsv base.json named.json | cut -f 1-10
echo "== if asked for"
tr-diff --profiler include --changed-only -O tsv base.json test.json | cut -f 1-10
tr-diff --profiler exclude base.json test.json
echo "status $?"
