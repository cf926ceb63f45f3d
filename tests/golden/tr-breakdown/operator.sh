# Truth: by hand.  outer [10, 60) holds mm [12, 32) and mm [40, 58); the second mm holds mm [45, 55), which launches; so mm
# is called 3 times, for 20 + 18 (the one inside counts with the one around it), and 20 + 8 + 10 alone.  outer has
# 50 - 20 - 18 = 12 alone.  The first mm launches a graph: k1 [30, 40) and k2 [35, 45), which is 20 of time and 15 busy.
# The innermost mm launches k3 of 7.  outer itself launches a copy of 5, at [100, 105), and d of 4 is launched by nobody,
# e of 6 by an unknown call; both are (none).  view launches nothing.  All work: 20 + 7 + 5 + 10 = 42.
cat >t.json <<END
{"traceEvents": [
{"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "main"}},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 0, "dur": 90},
{"ph": "X", "cat": "python_function", "name": "nn.Module: Linear_3", "pid": 1, "tid": 1, "ts": 5, "dur": 80},
{"ph": "X", "cat": "cpu_op", "name": "outer", "pid": 1, "tid": 1, "ts": 10, "dur": 50},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 12, "dur": 20, "args": {"Input Dims": [[2, 3], [3, 4]], "Input type": ["float", "float"], "Input Strides": [[3, 1], [4, 1]]}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 1, "tid": 1, "ts": 14, "dur": 2, "args": {"correlation": 1}},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 40, "dur": 18, "args": {"Input Dims": [[8, 3], [3, 4]], "Input type": ["float", "float"]}},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 45, "dur": 10, "args": {"Input Dims": [[8, 3], [3, 4]], "Input type": ["float", "float"]}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 46, "dur": 2, "args": {"correlation": 3}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 1, "tid": 1, "ts": 58, "dur": 1, "args": {"correlation": 4}},
{"ph": "X", "cat": "cpu_op", "name": "view", "pid": 1, "tid": 2, "ts": 62, "dur": 1},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 70, "dur": 2, "args": {"correlation": 5}},
{"ph": "X", "cat": "kernel", "name": "k1", "pid": 0, "tid": 7, "ts": 30, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "k2", "pid": 0, "tid": 8, "ts": 35, "dur": 10, "args": {"device": 0, "stream": 8, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "k3", "pid": 0, "tid": 7, "ts": 50, "dur": 7, "args": {"device": 0, "stream": 7, "correlation": 3}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": 7, "ts": 100, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 4}},
{"ph": "X", "cat": "kernel", "name": "d", "pid": 0, "tid": 7, "ts": 110, "dur": 4, "args": {"device": 0, "stream": 7, "correlation": 5}},
{"ph": "X", "cat": "kernel", "name": "e", "pid": 0, "tid": 7, "ts": 120, "dur": 6, "args": {"device": 0, "stream": 7}}
]}
END
tr-breakdown --by operator -O tsv t.json
for key in shape stack module category thread; do
    echo "== $key"
    tr-breakdown --by operator,$key -O tsv t.json | cut -f 2-6
done
echo "== two keys, in the order of columns"
tr-breakdown --by operator,stack,module --columns name,module,stack,device_self -O tsv t.json
echo "== category"
tr-breakdown --by category -O tsv t.json
echo "== module: all but view, which runs on another thread, is in Linear"
tr-breakdown --by module -O tsv t.json
tr-breakdown --by module --op view -O tsv t.json
echo "== which operators launch k3, and what else they do"
tr-breakdown --by operator --where 'activity == kernel && name =~ "k3"' -O tsv t.json
tr-breakdown --by category --where 'name == "k3"' -O tsv t.json
echo "== --op"
tr-breakdown --by operator --op mm --columns name,calls,device_self,pct -O tsv t.json
echo "== a window: the calls of mm are 12 + 10 in it, 12 + 5 + 5 alone, outer 30 and 8; k1 and k2 are 20"
tr-breakdown --by operator --time 20..50 --columns name,calls,host_self,host,device_self,device -O tsv t.json
echo "== --top"
tr-breakdown --by operator --top 1 -O tsv t.json
