# Truth: by hand.  A track for each device, direction and stream of copies, beside queue 3 of the same device; an
# event of one time is an instant; samples are left out, but count as records; busy time is the union of all tracks.
cat >t.json <<'END'
{"rocprofiler-sdk-tool": [{"metadata": {"pid": 7}, "agents": [{"id": {"handle": 1}, "type": 1}, {"id": {"handle": 2}, "type": 2, "gpu_index": 0}],
"strings": {"buffer_records": [{"kind": "NONE", "operations": []},
  {"kind": "MEMORY_COPY", "operations": ["NONE", "MEMORY_COPY_HOST_TO_DEVICE", "MEMORY_COPY_DEVICE_TO_HOST"]},
  {"kind": "KFD_QUEUE", "operations": ["KFD_QUEUE_EVICT_SVM"]}]},
"kernel_symbols": [{"kernel_id": 1, "kernel_name": "k"}], "callback_records": {"counter_collection": []},
"buffer_records": {
"pc_sample_host_trap": [{"record": {"timestamp": 1500, "dispatch_id": 1}, "inst_index": 0}, {"record": {"timestamp": 1600, "dispatch_id": 1}, "inst_index": 1}],
"pc_sample_stochastic": [{"record": {"timestamp": 1700, "dispatch_id": 1}, "inst_index": -1}],
"kernel_dispatch": [{"kind": 9, "start_timestamp": 1000, "end_timestamp": 3000, "correlation_id": 1, "stream_id": 3,
  "dispatch_info": {"agent_id": 2, "queue_id": 3, "kernel_id": 1, "dispatch_id": 1}}],
"memory_copy": [
{"kind": 1, "operation": 1, "start_timestamp": 2000, "end_timestamp": 6000, "correlation_id": 2, "src_agent_id": 1, "dst_agent_id": 2, "bytes": 8},
{"kind": 1, "operation": 2, "start_timestamp": 3000, "end_timestamp": 5000, "correlation_id": 3, "src_agent_id": 2, "dst_agent_id": 1, "bytes": 8},
{"kind": 1, "operation": 1, "start_timestamp": 4000, "end_timestamp": 7000, "correlation_id": 4, "src_agent_id": 1, "dst_agent_id": 2, "bytes": 8, "stream_id": {"handle": 3}}],
"kfd_queue": [{"kind": 2, "operation": 0, "thread_id": 70, "timestamp": 4500}]}}]}
END
tr-view -O tsv --columns record,phase,device,stream,pid,tid,ts,dur,name t.json
tr-info -O json t.json | sed -n '/"salvage"/,/\]/p'
tr-breakdown -O tsv t.json
tr-parse --strict t.json
