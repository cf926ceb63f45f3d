# Truth: by hand.  What the name of a kernel or copy says, if no arg says it: grid, block, simd, tile, direction, bytes.
# Without a width, its bracket does not open.  A shape of another form says nothing, and an arg comes before the name.  What is not device work has none of them.
cat >intel.json <<'END'
{ "traceEvents":[
{"ph": "X", "tid": 9, "pid": 9, "name": "void gemm<float>(float*)[SIMD32 {64; 2; 1} {256; 1; 1}]", "cat": "gpu_op", "ts": 100, "dur": 30, "args": {"id": "1"}},
{"ph": "X", "tid": 9, "pid": 9, "name": "Tile #1: say \"a\tb\"[SIMD_ANY {8; 1; 1} {32; 1; 1}]", "cat": "gpu_op", "ts": 140, "dur": 2, "args": {"id": "2"}},
{"ph": "X", "tid": 9, "pid": 9, "name": "narrow[SIMD8]", "cat": "gpu_op", "ts": 150, "dur": 2, "args": {"id": "3"}},
{"ph": "X", "tid": 9, "pid": 9, "name": "f::{lambda()#1} {8; 1; 2} {32; 1; 1}]", "cat": "gpu_op", "ts": 155, "dur": 2, "args": {"id": "9"}},
{"ph": "X", "tid": 9, "pid": 9, "name": "cut[SIMD16 {8; 1} {32; 1; 1}]", "cat": "gpu_op", "ts": 160, "dur": 2, "args": {"id": "4"}},
{"ph": "X", "tid": 9, "pid": 9, "name": "told[SIMD16 {8; 1; 1} {32; 1; 1}]", "cat": "gpu_op", "ts": 170, "dur": 2, "args": {"id": "5", "grid": [9, 9, 9], "block": null}},
{"ph": "X", "tid": 9, "pid": 9, "name": "Tile #0: zeCommandListAppendMemoryCopy(M2D)[4096]", "cat": "gpu_op", "ts": 180, "dur": 2, "args": {"id": "6"}},
{"ph": "X", "tid": 9, "pid": 9, "name": "zeCommandListAppendMemoryFill[128 bytes]", "cat": "gpu_op", "ts": 190, "dur": 1, "args": {"id": "7"}},
{"ph": "X", "tid": 9, "pid": 9, "name": "zeCommandListAppendMemoryCopy(X2Y)", "cat": "gpu_op", "ts": 195, "dur": 1, "args": {"id": "8"}},
{"ph": "X", "tid": 5, "pid": 5, "name": "host[SIMD16 {8; 1; 1} {32; 1; 1}]", "cat": "cpu_op", "ts": 200, "dur": 1, "id": 0}
]}
END
cat >cuda.json <<'END'
{ "traceEvents":[
{"ph": "X", "cat": "kernel", "name": "k2<int>(int)", "pid": 0, "tid": 7, "ts": 0, "dur": 7, "args": {"device": 0, "stream": 7, "grid": [64, 2, 1], "block": [256, 1, 1]}},
{"ph": "X", "cat": "kernel", "name": "graph", "pid": 0, "tid": 7, "ts": 10, "dur": 7, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy DtoH (Device -> Pinned)", "pid": 0, "tid": 7, "ts": 20, "dur": 5, "args": {"device": 0, "stream": 7, "bytes": 100}},
{"ph": "X", "cat": "gpu_memset", "name": "hipMemsetAsync", "pid": 0, "tid": 7, "ts": 30, "dur": 5, "args": {"device": 0, "stream": 7, "bytes": "64"}}
]}
END
cat >rocprof.json <<'END'
{"rocprofiler-sdk-tool": [{"metadata": {"pid": 700}, "agents": [{"id": {"handle": 12}, "type": 2, "logical_node_id": 1, "logical_node_type_id": 0}],
"kernel_symbols": [{"kernel_id": 5, "formatted_kernel_name": "add"}],
"buffer_records": {"kernel_dispatch": [{"correlation_id": {"internal": 1, "external": 0}, "start_timestamp": 100, "end_timestamp": 150, "thread_id": 701,
"dispatch_info": {"agent_id": {"handle": 12}, "queue_id": {"handle": 8}, "kernel_id": 5, "dispatch_id": 1, "grid_size": {"x": 1000, "y": 2, "z": 1}, "workgroup_size": {"x": 256, "y": 1, "z": 1}}}]}}]}
END
fields=kernel,grid,block,simd,tile,direction,bytes
for trace in intel cuda rocprof; do
    tr-view -q -O tsv --columns $fields $trace.json
done
tr-view -q -O jsonl --columns "$fields?" intel.json
tr-view -q -O text --columns $fields intel.json
tr-view -q -O chrome intel.json | grep -c 'Tile #1: say \\"a\\tb\\"\[SIMD_ANY'
