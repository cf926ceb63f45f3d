# Truth: by hand.  The older profiler of PyTorch: spans of "CUDA functions" are work of the operator that an arrow leads
# from.  Newer versions write no such spans.
cat >both.json <<'END'
[{"name": "aten::mm", "ph": "X", "ts": 100.0, "dur": 26, "tid": 1, "pid": "CPU functions", "args": {}},
 {"name": "aten::mm", "ph": "s", "ts": 100.0, "tid": 1, "pid": "CPU functions", "id": 0, "cat": "cpu_to_cuda", "args": {}},
 {"name": "aten::mm", "ph": "f", "ts": 114.5, "tid": 2, "pid": "CUDA functions", "id": 0, "cat": "cpu_to_cuda", "args": {}},
 {"name": "aten::mm", "ph": "X", "ts": 114.5, "dur": 43, "tid": 2, "pid": "CUDA functions", "args": {}},
 {"name": "aten::add", "ph": "X", "ts": 130, "dur": 5, "tid": 1, "pid": "CPU functions", "args": {}}]
END
grep -v CUDA both.json | sed 's/^ \(.*add.*\)/ \1/' >host.json
tr-parse -q both.json | tr-view -q -O tsv --columns name,ts,dur,activity,device,stream,launch_ts,launch_dur --where 'phase == span'
tr-parse -q host.json | tr-info | grep "^  rank"
# An operator owns the work that it launched itself.
tr-breakdown -q -O tsv --by operator --columns name,calls,device_self_us,kernels both.json
tr-view -q -O tsv --columns name,n_device --where 'activity == cpu_op' both.json
