# Truth: by hand.  trace_view.json of Ascend: args say what a span is.  A collective is a kernel, and the tasks that it
# consists of are annotations, as are the sums of "Overlap Analysis".  A task is launched by the call of its connection.
cat >trace_view.json <<'END'
[{"ph": "X", "name": "aten::mm", "pid": 9, "tid": 9, "ts": "1736408883688177.930", "dur": 145.57, "cat": "cpu_op", "args": {"Sequence number": -1, "Input Dims": "2,2;\r\n2,2"}},
{"ph": "X", "name": "Enqueue", "pid": 9, "tid": 9, "ts": "1736408883688180.090", "dur": 11.3, "cat": "enqueue", "args": {"correlation_id": 5}},
{"ph": "s", "bp": "e", "name": "enqueue_to_dequeue", "id": 5, "pid": 9, "tid": 9, "ts": "1736408883688180.090", "cat": "async_task_queue"},
{"name": "process_name", "pid": 9440, "tid": 0, "args": {"name": "CANN"}, "ph": "M"},
{"name": "process_name", "pid": 9632, "tid": 0, "args": {"name": "Ascend Hardware"}, "ph": "M"},
{"name": "process_name", "pid": 9696, "tid": 0, "args": {"name": "HCCL"}, "ph": "M"},
{"name": "process_name", "pid": 9952, "tid": 0, "args": {"name": "Overlap Analysis"}, "ph": "M"},
{"name": "Node@launch", "pid": 9440, "tid": 10, "ts": "1736408883688200.000", "dur": 3.5, "args": {"level": "node", "item_id": "MatMul", "connection_id": 20}, "ph": "X"},
{"name": "AscendCL@aclrtMemcpyAsync", "pid": 9440, "tid": 10, "ts": "1736408883688210.000", "dur": 3, "args": {"level": "acl", "connection_id": 21}, "ph": "X"},
{"name": "Runtime@LaunchKernel", "pid": 9440, "tid": 10, "ts": "1736408883688220.000", "dur": 3, "args": {"level": "runtime", "connection_id": 22}, "ph": "X"},
{"name": "MatMul", "pid": 9632, "tid": 2, "ts": "1736408883688300.002", "dur": 53.7410625, "args": {"Task Type": "AI_CORE", "Physic Stream Id": 2, "connection_id": 20}, "ph": "X"},
{"name": "MEMCPY_ASYNC", "pid": 9632, "tid": 2, "ts": "1736408883688360.002", "dur": 4.00003125, "args": {"Task Type": "SDMA_SQE", "Physic Stream Id": 2, "connection_id": 21}, "ph": "X"},
{"name": "EVENT_WAIT", "pid": 9632, "tid": 2, "ts": "1736408883688370.002", "dur": 40, "args": {"Task Type": "EVENT_WAIT_SQE", "Physic Stream Id": 2, "connection_id": 23}, "ph": "X"},
{"name": "Notify Wait", "pid": 9632, "tid": 4, "ts": "1736408883688400.002", "dur": 9, "args": {"Task Type": "Notify Wait", "Physic Stream Id": 4, "connection_id": 22}, "ph": "X"},
{"name": "hcom_allReduce__586_0_1", "pid": 9696, "tid": 0, "ts": "1736408883688400.002", "dur": 20, "args": {"connection_id": 22, "data_type": "FP32", "alg_type": "MESH-RING", "count": 4096}, "ph": "X"},
{"name": "Reduce_Inline", "pid": 9696, "tid": 1, "ts": "1736408883688400.002", "dur": 9, "args": {"notify_id": "0", "transport type": "LOCAL", "size(Byte)": 8}, "ph": "X"},
{"name": "Computing", "pid": 9952, "tid": 0, "ts": "1736408883688300.002", "dur": 53.741, "ph": "X"}]
END
tr-parse trace_view.json >a.trs
tr-view -q -O tsv --unit ns --columns name,ts,dur,activity,kind,device,stream,launch_dur --where 'phase == span' a.trs
tr-info -O json a.trs | grep -E "\"(format|linked_pct)\""
# The rank is in the name of a file beside the folder of the trace.
mkdir -p run_ascend_pt/ASCEND_PROFILER_OUTPUT
cp trace_view.json run_ascend_pt/ASCEND_PROFILER_OUTPUT
: >run_ascend_pt/profiler_info_3.json
tr-breakdown -q --columns rank,busy_us,comm_us run_ascend_pt
# A trace whose device is not known says so.
sed 's/"Task Type": "[A-Z_]*", //; s/"connection_id".*"X"/"x": 1}, "ph": "X"/; s/Ascend Hardware/NPU 0/; s/"ts": "\([0-9.]*\)"/"ts": \1/; s/Physic Stream Id/row/; /HCCL/d; /hcom/d; /AscendCL/d; /Node@/d; /Enqueue/d; /enqueue/d' trace_view.json >unknown.json
tr-parse -q unknown.json | tr-info | grep -E '^(format|  rank)'
