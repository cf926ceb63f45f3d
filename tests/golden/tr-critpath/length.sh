# Truth: by hand.  A thread works from 0 to 20 us; another one begins at 40, and what it launches ends last.  So with --gaps
# the path is 100 us: 40 before the other thread begins, 5 us of it, 5 for the launch, and 50.  Its parts add up, by path
# and by edge.  Kernels of one stream that overlap are longer in sum than the time that they take: 42 + 50 of 90 us.
# With --gaps, the second has not waited for the first, but for its launch, and the path is 4 us of a call, 1 us between
# the calls, 35 us for the launch and 50.  A device whose clock is 2 us behind starts before it is asked to: 52 us instead of 50.
sums()
{
    tr-critpath --gaps -O tsv t.json | awk -F '\t' '$2 == "total" { print "total", $3 }'
    tr-critpath -q --gaps --by path -O tsv t.json | awk -F '\t' '{ sum += $8 } END { print "path", sum }'
    tr-critpath -q --gaps --by edge -O tsv t.json | awk -F '\t' '$12 == 1 { sum += $8 } END { print "edges", sum }'
}
echo "== the path begins late"
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "load", "pid": 1, "tid": 1, "ts": 1000, "dur": 20},
{"ph": "X", "cat": "cpu_op", "name": "step", "pid": 1, "tid": 2, "ts": 1040, "dur": 30},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 2, "ts": 1045, "dur": 4, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 1050, "dur": 50, "args": {"device": 0, "stream": 7, "correlation": 1}}
]}
END
sums
tr-critpath --gaps --by path -O tsv t.json | cut -f 2,4,7-10
echo "== work of a stream overlaps"
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 2, "ts": 1000, "dur": 4, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 2, "ts": 1005, "dur": 4, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 1008, "dur": 42, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 1040, "dur": 50, "args": {"device": 0, "stream": 7, "correlation": 2}}
]}
END
tr-critpath -O tsv t.json
sums
tr-critpath --gaps -O tsv t.json
echo "== clocks disagree"
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "step", "pid": 1, "tid": 1, "ts": 1000, "dur": 30},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 1010, "dur": 4, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 1008, "dur": 42, "args": {"device": 0, "stream": 7, "correlation": 1}}
]}
END
sums
