# Truth: by hand.  torch_npu queues operators for another thread, whose calls are inside no operator.  Its arrows lead
# from the operator to the start of the work: mm has the first kernel and add the second, although add ended before its
# kernel was launched.  The third has no arrow, and belongs to what is around its call; the copy has neither.
cat >trace_view.json <<'END'
[{"ph": "X", "name": "Module", "pid": 9, "tid": 9, "ts": "100.000", "dur": 20, "cat": "python_function", "args": {}},
{"ph": "X", "name": "aten::linear", "pid": 9, "tid": 9, "ts": "101.000", "dur": 10, "cat": "cpu_op", "args": {}},
{"ph": "X", "name": "aten::mm", "pid": 9, "tid": 9, "ts": "102.000", "dur": 5, "cat": "cpu_op", "args": {}},
{"ph": "X", "name": "aten::add", "pid": 9, "tid": 9, "ts": "112.000", "dur": 3, "cat": "cpu_op", "args": {}},
{"ph": "s", "bp": "e", "name": "torch_to_npu", "id": 200000, "pid": 9, "tid": 9, "ts": "103.000", "cat": "async_npu"},
{"ph": "f", "bp": "e", "name": "torch_to_npu", "id": 200000, "pid": 9632, "tid": 2, "ts": "200.000", "cat": "async_npu"},
{"ph": "s", "bp": "e", "name": "torch_to_npu", "id": 220000, "pid": 9, "tid": 9, "ts": "112.000", "cat": "async_npu"},
{"ph": "f", "bp": "e", "name": "torch_to_npu", "id": 220000, "pid": 9632, "tid": 2, "ts": "220.000", "cat": "async_npu"},
{"ph": "s", "bp": "e", "name": "torch_to_npu", "id": 999999, "pid": 9, "tid": 9, "ts": "112.000", "cat": "async_npu"},
{"name": "process_name", "pid": 9440, "tid": 0, "args": {"name": "CANN"}, "ph": "M"},
{"name": "process_name", "pid": 9632, "tid": 0, "args": {"name": "Ascend Hardware"}, "ph": "M"},
{"ph": "X", "name": "Dequeue@add", "pid": 9440, "tid": 10, "ts": "120.000", "dur": 20, "cat": "dequeue", "args": {}},
{"name": "Node@launch", "pid": 9440, "tid": 10, "ts": "110.000", "dur": 1, "args": {"level": "node", "connection_id": 20}, "ph": "X"},
{"name": "Node@launch", "pid": 9440, "tid": 10, "ts": "121.000", "dur": 1, "args": {"level": "node", "connection_id": 21}, "ph": "X"},
{"name": "Node@launch", "pid": 9440, "tid": 10, "ts": "123.000", "dur": 1, "args": {"level": "node", "connection_id": 22}, "ph": "X"},
{"name": "MatMul", "pid": 9632, "tid": 2, "ts": "200.000", "dur": 10, "args": {"Task Type": "AI_CORE", "Physic Stream Id": 2, "connection_id": 20}, "ph": "X"},
{"name": "Add", "pid": 9632, "tid": 2, "ts": "220.000", "dur": 7, "args": {"Task Type": "AI_CORE", "Physic Stream Id": 2, "connection_id": 21}, "ph": "X"},
{"name": "Other", "pid": 9632, "tid": 3, "ts": "220.000", "dur": 5, "args": {"Task Type": "AI_CORE", "Physic Stream Id": 3, "connection_id": 22}, "ph": "X"},
{"name": "MEMCPY_ASYNC", "pid": 9632, "tid": 2, "ts": "240.000", "dur": 3, "args": {"Task Type": "SDMA_SQE", "Physic Stream Id": 2, "connection_id": 99}, "ph": "X"}]
END
tr-sum -q -O tsv --by name,operator,stack --where 'activity in (kernel, memcpy)' --stat sum trace_view.json
echo "== fields"
tr-view -q -O tsv --columns name,operator,launch_ts --where 'activity in (kernel, memcpy)' trace_view.json
echo "== operators"
tr-breakdown -q -O tsv --by operator --columns name,calls,kernels,device_self_us trace_view.json
echo "== a tree"
tr-breakdown -q -O tsv --by tree trace_view.json
echo "== stacks"
tr-flame -q -O folded --weight device trace_view.json
echo "== in batches of one event, the same"
tr-parse --block-events 1 trace_view.json 2>/dev/null | tr-sum -q -O tsv --by name,operator --where 'activity in (kernel, memcpy)' --stat sum
