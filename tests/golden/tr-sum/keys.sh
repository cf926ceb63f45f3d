# Truth: by hand.  Operators: mm (0..40) in the module Linear and the range "forward", add (50..60) in the range alone.  mm launches
# k1 (20..30) and a copy of 100 bytes, add k2; k3 has no launch.  An arg that reads the same as number and as text is one group, so
# are true and "true"; without the arg the cell is empty.  mm called its launches for 5 us: 35 us of its own; the frame of the module
# lasts 45 us, 5 of its own.
cat >t.json <<END
{"distributedInfo": {"rank": 3}, "traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#4", "pid": 1, "tid": 1, "ts": -10, "dur": 90},
{"ph": "X", "cat": "user_annotation", "name": "forward", "pid": 1, "tid": 1, "ts": -1, "dur": 65},
{"ph": "X", "cat": "python_function", "name": "nn.Module: Linear_2", "pid": 1, "tid": 1, "ts": 0, "dur": 45},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 0, "dur": 40, "args": {"n": 1, "a, b": "x"}},
{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 50, "dur": 10, "args": {"n": "1", "a, b": true}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 1, "dur": 3, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 1, "tid": 1, "ts": 6, "dur": 2, "args": {"correlation": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 51, "dur": 2, "args": {"correlation": 3}},
{"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "s": "t", "pid": 1, "tid": 1, "ts": 7, "args": {"Bytes": 64, "a, b": "true"}},
{"ph": "X", "cat": "kernel", "name": "k1", "pid": 0, "tid": 7, "ts": 20, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 1, "grid": [1, 2, 3], "w": 1.5}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": 7, "ts": 30, "dur": 5, "args": {"device": 0, "stream": 7, "correlation": 2, "bytes": 100, "w": 0.25}},
{"ph": "X", "cat": "kernel", "name": "k2<int>(int)", "pid": 0, "tid": 7, "ts": 60, "dur": 7, "args": {"device": 0, "stream": 7, "correlation": 3, "grid": [1, 2, 3], "w": 2}},
{"ph": "X", "cat": "kernel", "name": "k3", "pid": 0, "tid": 9, "ts": 90, "dur": 1, "args": {"device": 0, "stream": 9, "correlation": 9}}
]}
END
for by in operator,module,annotation 'stack(2)' stack 'short(name)' rank,device,stream kind api,step args.grid 'bin(50us)' capture,phase \
    correlation host,process,thread 'short(operator)'; do
    echo "== $by"
    tr-sum --by "$by" --where 'activity in (kernel, memcpy)' --stat count,sum -O tsv t.json
done
echo "== args"
tr-sum --by args.n,'args."a, b"' --where 'activity == cpu_op || phase == instant' --value event --stat count -O tsv t.json
tr-sum --by operator --where 'phase == instant' --value args.Bytes --stat sum -O tsv t.json
tr-sum --by kind --value args.w -O tsv t.json
echo "== self"
tr-sum --by name --where 'activity in (cpu_op, python, annotation)' --value self --stat sum,count -O tsv t.json
tr-sum --by name --where 'activity in (cpu_op, python)' --time 0..20 --value self --stat sum -O tsv t.json
tr-sum --by name --where 'activity in (cpu_op, python)' --time 0..20 --stat sum -O tsv t.json
echo "== no key"
tr-sum -O tsv --top 2 t.json
