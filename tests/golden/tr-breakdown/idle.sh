# Truth: by hand; [a, b) is from a to b.  Kernels run in [10, 30), [100, 110), [150, 160), [166, 170), [300, 310), [400, 410)
# on two streams, all times us; the third one lies within the second and ends no gap.
#  [30, 100)   k2 is launched in [80, 90): in [30, 50) the thread waits in cudaStreamSynchronize, in [50, 60) it loads
#              data, in [60, 70) it is in aten::add, in [70, 80) in nothing but the step; [80, 90) is the launch, and the
#              10 that follow are shorter than the threshold
#  [110, 150)  launched in [100, 105), long before: 40 of dependency, while aten::mm runs 25 and the step 15
#  [160, 166)  the same launch is a graph: 6 of device_overhead, in which only Python frames and the step are open
#  [170, 300)  no launch is known: 130
#  [310, 400)  the launch begins after its kernel: all is before it, 60 in gloo:all_reduce, 10 in
#              the step and 20 in nothing
# Another thread does something all the time, which is nobody's business.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 0, "dur": 320},
{"ph": "X", "cat": "cpu_op", "name": "elsewhere", "pid": 1, "tid": 2, "ts": 0, "dur": 500},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 2, "dur": 2, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamSynchronize", "pid": 1, "tid": 1, "ts": 20, "dur": 30, "args": {"correlation": 90}},
{"ph": "X", "cat": "user_annotation", "name": "enumerate(DataLoader)#x.__next__", "pid": 1, "tid": 1, "ts": 50, "dur": 10},
{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 60, "dur": 10},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 80, "dur": 10, "args": {"correlation": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 1, "tid": 1, "ts": 100, "dur": 5, "args": {"correlation": 3}},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 115, "dur": 25},
{"ph": "X", "cat": "python_function", "name": "model.py(1): forward", "pid": 1, "tid": 1, "ts": 155, "dur": 30},
{"ph": "X", "cat": "cpu_op", "name": "gloo:all_reduce", "pid": 1, "tid": 1, "ts": 330, "dur": 60},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 402, "dur": 2, "args": {"correlation": 5}},
{"ph": "X", "cat": "kernel", "name": "k1", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "k2", "pid": 0, "tid": 7, "ts": 100, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "k3", "pid": 0, "tid": 8, "ts": 102, "dur": 3, "args": {"device": 0, "stream": 8, "correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "k4", "pid": 0, "tid": 8, "ts": 150, "dur": 10, "args": {"device": 0, "stream": 8, "correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "k5", "pid": 0, "tid": 8, "ts": 166, "dur": 4, "args": {"device": 0, "stream": 8, "correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "k6", "pid": 0, "tid": 7, "ts": 300, "dur": 10, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "k7", "pid": 0, "tid": 7, "ts": 400, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 5}}
]}
END
tr-breakdown --columns span,idle -O tsv t.json
tr-breakdown --by idle -O tsv t.json
echo "== --threshold 41us: 40 are shorter"
tr-breakdown --by idle --threshold 41us --columns cause,during,idle -O tsv t.json | grep -e device -e depend
echo "== gaps"
tr-breakdown --by gap -O tsv t.json
echo "== a window: 5 before the first work, 90 after the last"
tr-breakdown --by idle --time 5..500 --columns cause,during,idle,gaps -O tsv t.json | grep edge
tr-breakdown --by gap --time 5..500 -O tsv t.json | grep edge
tr-breakdown -q --by idle --time 420..490 -O tsv t.json
echo "== streams: 7 stands still from 110 to 300, and k6 has no launch"
tr-breakdown --by idle --per stream --columns stream,cause,during,idle -O tsv t.json
echo "== some of the work: owners are not chosen, so the host is seen all the same"
tr-breakdown --by idle --where 'stream == 7 && name != "k7"' --columns cause,during,idle -O tsv t.json
