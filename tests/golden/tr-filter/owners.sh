# Truth: by hand.  A step with a backward annotation, a module, two operators in each other, and their launches; a kernel
# that starts before its launch, by a clock that is 3 us off; a collective with its record; and a kernel without launch.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#3", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
{"ph": "X", "cat": "user_annotation", "name": "Backward pass", "pid": 1, "tid": 1, "ts": 1, "dur": 50},
{"ph": "X", "cat": "python_function", "name": "nn.Module: Linear_3", "pid": 1, "tid": 1, "ts": 2, "dur": 40},
{"ph": "X", "cat": "cpu_op", "name": "aten::linear", "pid": 1, "tid": 1, "ts": 3, "dur": 30},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 4, "dur": 10},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 5, "dur": 3, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 10, "dur": 2, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 20, "dur": 8},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 22, "dur": 2, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "add", "pid": 0, "tid": 7, "ts": 19, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 2}},
{"ph": "i", "name": "note", "pid": 1, "tid": 1, "ts": 21},
{"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 1, "tid": 1, "ts": 60, "dur": 20, "args": {"Process Group Name": "dp"}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 61, "dur": 9, "args": {"correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "pid": 0, "tid": 9, "ts": 75, "dur": 5, "args": {"device": 0, "stream": 9, "correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "lone", "pid": 0, "tid": 7, "ts": 90, "dur": 5, "args": {"device": 0, "stream": 7}}
]}
END
f() { echo "$1"; tr-filter -q "$1" t.json | tr-view -q -O tsv --columns name | sed '1d; s/^/  /'; }
f 'activity == kernel && operator == "aten::mm" && annotation =~i "backward" && step == 3'
f 'activity == kernel && operator == "aten::add"'
f 'activity == kernel && !has(operator)'
f 'activity == kernel && module == Linear'
f 'parent == "aten::linear"'
f 'stack(2) == "aten::linear > aten::mm"'
f 'activity == kernel && stack =~ "^Backward pass > .*add$"'
f 'operator != "aten::mm" && activity == runtime_api'
f 'group == dp'
f 'activity == kernel && dur < launch_dur'
f 'has(launch_dur) && queue_wait >= launch_dur'
f 'rank == device || device < stream'
f 'args.correlation == args."correlation" && api =~ Launch'
f 'name =~i "GEMM"'
f 'name !~i "E" && activity == kernel'
f 'name =~gemm'
f 'record < 2'
f 'phase == instant && parent == "aten::add"'
tr-view -q -O tsv --columns 'ts,dur,operator,module,annotation,parent,stack(2),group,step,queue_wait,api,name' t.json
tr-sum -q -O tsv --by operator,group,parent --value event --where 'activity == kernel' t.json
# One condition asks for groups, and another for operators.
tr-sum -q -O tsv --columns name,count --by name --where 'group == dp' --where 'has(operator)' t.json
# a filter that kept only kernels has lost what was around them, but not their launches
tr-filter -q 'activity == kernel' t.json >k.trs
tr-view -O tsv --columns operator,api,launch_dur,name k.trs
tr-filter -c 'operator == "aten::mm"' k.trs
tr-view -O tsv --where 'operator == "aten::mm" || dur > 0us' --columns operator,name k.trs 2>&1 # said once
tr-filter --parents --linked -q 'activity == kernel' t.json | tr-view -q -O tsv --columns operator,api,name --where 'activity == kernel'
# refused
for e in 'dur < name' 'dur == bytes' 'name < operator' 'stack(0) == x' 'stack(1 == x' 'operator > 3' 'dur < 5'; do
    tr-filter "$e" t.json
done
tr-parse -q --no-sort t.json | tr-filter 'operator == x'
tr-parse -q --no-sort t.json | tr-view --columns operator
echo status $?
