# Truth: by hand.  A device bears the first number that its agent tells; of a kernel's names the shortest form counts;
# instances of a counter are added up, in whatever order they stand; an operation that is no text keeps its number; a
# list "..._api" that nobody knows holds calls of the runtime, and other lists do not.  Seven objects have something that
# is not understood: an operation 7, an agent, a kernel and a counter without number, a size without z, values that are
# none, and values of no dispatch.
cat >t.json <<'END'
{"rocprofiler-sdk-tool": [{
"metadata": {"pid": 7, "node": {"hostname": "node-a"}, "command": ["/opt/bin/train", "-x/y"]},
"agents": [{"id": {"handle": 1}, "type": 1, "name": "EPYC", "node_id": 0},
 {"id": {"handle": 2}, "type": 2, "name": "MI300", "gpu_index": 3, "logical_node_type_id": 30, "logical_node_id": 31, "node_id": 32},
 {"id": {"handle": 3}, "type": 2, "name": "MI300", "logical_node_type_id": 4, "logical_node_id": 41, "node_id": 42},
 {"id": {"handle": 4}, "type": 2, "logical_node_id": 5, "node_id": 52}, {"id": {"handle": 5}, "type": 2, "node_id": 0},
 {"id": {"handle": 6}, "type": 2}, {"type": 2, "gpu_index": 99}],
"strings": {"buffer_records": [{"kind": "NONE", "operations": []},
  {"kind": "MEMORY_COPY", "operations": [null, "MEMORY_COPY_DEVICE_TO_DEVICE", "MEMORY_COPY_HOST_TO_HOST"]},
  {"kind": "NEW_API", "operations": [7, "newLaunch"]}]},
"kernel_symbols": [
 {"kernel_id": 4, "kernel_name": "mangled"},
 {"kernel_id": 3, "demangled_kernel_name": "demangled", "kernel_name": "mangled"},
 {"kernel_id": 2, "formatted_kernel_name": "formatted", "demangled_kernel_name": "demangled", "kernel_name": "mangled"},
 {"kernel_id": 1, "truncated_kernel_name": "truncated", "formatted_kernel_name": "formatted", "kernel_name": "mangled"},
 {"kernel_id": 5, "kernel_name": ""}, {"kernel_name": "nobody's"}],
"counters": [{"id": {"handle": 12}, "name": "B"}, {"id": {"handle": 11}, "name": "A"}, {"name": "nobody's"}],
"callback_records": {"counter_collection": [
 {"dispatch_data": {"dispatch_info": {"dispatch_id": 2}}, "records": [{"counter_id": {"handle": 11}, "value": 4},
  {"counter_id": {"handle": 12}, "value": 0.25}, {"counter_id": {"handle": 11}, "value": 3}]},
 {"dispatch_data": {"dispatch_info": {"dispatch_id": 1}}, "records": [{"counter_id": {"handle": 12}, "value": -9e15},
  {"counter_id": {"handle": 11}, "value": 1e16}, {"counter_id": {"handle": 13}, "value": 8}, {"value": 9}, 10,
  {"counter_id": {"handle": 12}, "value": "text"}]},
 {"dispatch_data": {"dispatch_info": {"dispatch_id": 2}}, "records": [{"counter_id": {"handle": 12}, "value": 0.5}]},
 {"records": [{"counter_id": {"handle": 11}, "value": 1}]}]},
"buffer_records": {
"kernel_dispatch": [
 {"start_timestamp": 1000, "end_timestamp": 1010, "correlation_id": {"internal": 1, "external": 0},
  "dispatch_info": {"agent_id": {"handle": 2}, "queue_id": {"handle": 1}, "kernel_id": 1, "dispatch_id": 1,
   "grid_size": {"x": 65, "y": 64, "z": 1}, "workgroup_size": {"x": 64, "y": 64, "z": 1}}},
 {"start_timestamp": 1100, "end_timestamp": 1110, "correlation_id": {"internal": 0, "external": 3},
  "dispatch_info": {"agent_id": {"handle": 3}, "queue_id": {"handle": 1}, "kernel_id": 2, "dispatch_id": 2,
   "grid_size": {"x": 0, "y": 1, "z": 1}, "workgroup_size": {"x": 0, "y": 1, "z": 1}}},
 {"start_timestamp": 1200, "end_timestamp": 1200, "dispatch_info": {"agent_id": {"handle": 4}, "kernel_id": 3,
  "grid_size": {"x": 1, "y": 1}}},
 {"start_timestamp": 1300, "end_timestamp": 1310, "dispatch_info": {"agent_id": {"handle": 5}, "kernel_id": 4}},
 {"start_timestamp": 1400, "end_timestamp": 1410, "dispatch_info": {"agent_id": {"handle": 6}, "kernel_id": 5}},
 {"start_timestamp": 1500, "end_timestamp": 1510, "dispatch_info": {"agent_id": {"handle": 77}}}],
"new_api": [{"kind": 2, "operation": 1, "start_timestamp": 900, "end_timestamp": 950, "thread_id": 8, "correlation_id": 1},
 {"kind": 2, "operation": 0, "start_timestamp": 960, "end_timestamp": 970, "thread_id": 8}],
"hsa_api": [{"kind": 2, "operation": 9, "start_timestamp": 980, "end_timestamp": 990, "thread_id": 8}],
"new_apis": [{"kind": 2, "operation": 1, "start_timestamp": 991, "end_timestamp": 992, "thread_id": 8}],
"memory_copy": [
 {"kind": 1, "operation": 1, "start_timestamp": 2000, "end_timestamp": 2010, "src_agent_id": {"handle": 2}, "dst_agent_id": {"handle": 3}},
 {"kind": 1, "operation": 2, "start_timestamp": 2020, "end_timestamp": 2030, "src_agent_id": {"handle": 1}, "dst_agent_id": {"handle": 1}},
 {"kind": 1, "operation": 0, "start_timestamp": 2040, "end_timestamp": 2050, "src_agent_id": {"handle": 2}, "dst_agent_id": {"handle": 1}},
 {"kind": 1, "operation": 1, "start_timestamp": 2060, "end_timestamp": 2059}],
"marker_api": [{"start_timestamp": 0, "end_timestamp": 1}, {"start_timestamp": -1, "end_timestamp": 1}, {"start_timestamp": 5},
 {"timestamp": 0}]
}},
{"metadata": {"pid": 9, "command": ["plain"]}, "agents": [], "strings": {"buffer_records": []}, "kernel_symbols": [],
"callback_records": {}, "buffer_records": {
"kernel_dispatch": [{"start_timestamp": 3000, "end_timestamp": 3010, "dispatch_info": {"agent_id": {"handle": 2}, "kernel_id": 1}}],
"some_api": [{"kind": 2, "operation": 1, "start_timestamp": 3100, "end_timestamp": 3110, "thread_id": 8}]}}]}
END
tr-view -q -O jsonl t.json
tr-info -q -O json t.json | grep -E '"(host|events)"|"cause"'
tr-view -q -O chrome t.json | grep '"process_' | tr -d ' '
echo "== counters that bear the names of other args: the last counts; another process has its own"
cat >same.json <<'EOT'
{"rocprofiler-sdk-tool": [{"counters": [{"id": 5, "name": "device"}, {"id": 6, "name": "grid_size"}, {"id": 7, "name": "X"}],
"callback_records": {"counter_collection": [{"dispatch_data": {"dispatch_info": {"dispatch_id": 1}}, "records": [
 {"counter_id": 5, "value": 30}, {"counter_id": 6, "value": 2.5}, {"counter_id": 7, "value": 7}]}]},
"buffer_records": {"kernel_dispatch": [{"start_timestamp": 10, "end_timestamp": 20, "dispatch_info": {"dispatch_id": 1,
 "agent_id": 4, "queue_id": 2, "grid_size": {"x": 6, "y": 1, "z": 1}, "workgroup_size": {"x": 3, "y": 1, "z": 1}}},
 {"start_timestamp": 30, "end_timestamp": 40, "dispatch_info": {"dispatch_id": 2, "agent_id": 4, "queue_id": 2}}]}},
{"counters": [{"id": 8, "name": "Y"}], "callback_records": {"counter_collection": [
 {"dispatch_data": {"dispatch_info": {"dispatch_id": 2}}, "records": [{"counter_id": 8, "value": 92}]},
 {"dispatch_data": {"dispatch_info": {"dispatch_id": 1}}, "records": [{"counter_id": 8, "value": 91}]}]},
"buffer_records": {"kernel_dispatch": [
 {"start_timestamp": 50, "end_timestamp": 60, "dispatch_info": {"dispatch_id": 1, "agent_id": 4, "queue_id": 2}},
 {"start_timestamp": 70, "end_timestamp": 80, "dispatch_info": {"dispatch_id": 2, "agent_id": 4, "queue_id": 2}}]}}]}
EOT
tr-view -q -O jsonl same.json | tee same.jsonl
tr-parse -q same.json | tr-view -q -O jsonl | cmp - same.jsonl && echo "a stream says the same"
tr-info -q -O json same.json | grep '"cause"'
