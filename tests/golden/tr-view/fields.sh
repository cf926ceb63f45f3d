# Truth: by hand.  Every field that tr-view knows (host and picoseconds have no value here): a step, an operator, a
# launch and its kernel in a graph, and a span of negative duration.  The kernel has a class of tr-categorize and a
# member of its own; its start, half a nanosecond after 10 us, is rounded up; the launch owns one event of a device.
# name-parts.sh has what stands in names.
cat >t.json <<END
{"distributedInfo": {"rank": 2}, "traceEvents": [
{"ph": "M", "name": "process_name", "pid": 5, "args": {"name": "python"}},
{"ph": "M", "name": "thread_name", "pid": 5, "tid": 6, "args": {"name": "main"}},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#3", "pid": 5, "tid": 6, "ts": 0, "dur": 50},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 5, "tid": 6, "ts": 1, "dur": 9, "args": {"n": 4}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 5, "tid": 6, "ts": 2, "dur": 3, "args": {"correlation": 7}},
{"ph": "X", "cat": "kernel", "name": "gemm", "sf": 3, "pid": 0, "tid": 9, "ts": 10.0005, "dur": 20.25, "args": {"device": 0, "context": 1, "stream": 9, "correlation": 7, "graph id": 11, "graph node id": 12}},
{"ph": "X", "cat": "cpu_op", "name": "back", "pid": 5, "tid": 6, "ts": 60, "dur": -1}
]}
END
printf '[dense if equals to]\ngemm\n' >my.rules
tr-categorize -q --rules my.rules -o t.trs t.json
f() { tr-view -q -O tsv --columns "$1" t.trs; }
f rank,source,record,phase,activity,kind,class,suspect,name,cat
f record,pid,tid,process,thread,device,stream,context,host,correlation,step,step_phase
f record,ts,dur,end,ts_ps,dur_ps
tr-view -q --overlap lane -O tsv --columns record,lane t.trs
f record,launch_record,launch_ts,launch_dur,api,n_device,graph_id,graph_node
f record,args
f record,members
f record,kernel,grid,block,simd,tile,direction,bytes
