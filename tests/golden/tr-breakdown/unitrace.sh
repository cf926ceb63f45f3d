# Truth: by hand.  Kernels of unitrace have their shape at the end of the name, copies their direction and size; tiles
# of a device begin with a prefix.  The trace itself keeps the names.
exec 2>&1
cat >app.77.json <<'EOF'
{ "traceEvents":[
{"ph": "X", "tid": 9, "pid": 9, "name": "void gemm<float>(float*)[SIMD32 {64; 2; 1} {256; 1; 1}]", "cat": "gpu_op", "ts": 100.000000, "dur": 30.000000, "args": {"id": "1"}},
{"ph": "X", "tid": 9, "pid": 9, "name": "void gemm<float>(float*)[SIMD32 {32; 2; 1} {256; 1; 1}]", "cat": "gpu_op", "ts": 140.000000, "dur": 10.000000, "args": {"id": "2"}},
{"ph": "X", "tid": 9, "pid": 9, "name": "Tile #1: void gemm<float>(float*)[SIMD_ANY {8; 1; 1} {32; 1; 1}]", "cat": "gpu_op", "ts": 160.000000, "dur": 2.000000, "args": {"id": "3"}},
{"ph": "X", "tid": 9, "pid": 9, "name": "zeCommandListAppendMemoryCopy(M2D)[4096]", "cat": "gpu_op", "ts": 170.000000, "dur": 2.000000, "args": {"id": "4"}},
{"ph": "X", "tid": 9, "pid": 9, "name": "zeCommandListAppendMemoryCopy(M2D)[6000]", "cat": "gpu_op", "ts": 175.000000, "dur": 3.000000, "args": {"id": "5"}},
{"ph": "X", "tid": 9, "pid": 9, "name": "zeCommandListAppendMemoryCopy(D2M)[1024 bytes]", "cat": "gpu_op", "ts": 180.000000, "dur": 1.000000, "args": {"id": "6"}},
{"ph": "X", "tid": 9, "pid": 9, "name": "zeCommandListAppendMemoryCopy(D2M)", "cat": "gpu_op", "ts": 185.000000, "dur": 1.000000, "args": {"id": "7"}},
{"ph": "X", "tid": 9, "pid": 9, "name": "zeCommandListAppendMemoryFill[128]", "cat": "gpu_op", "ts": 190.000000, "dur": 1.000000, "args": {"id": "8"}}
]
}
EOF
tr-breakdown --by size app.77.json
tr-breakdown --by kernel --short-names --columns kind,name,count,sum,names app.77.json
tr-counters -O tsv --by bandwidth --columns name,max_GBps app.77.json
tr-view -q -O chrome app.77.json | grep -c 'void gemm<float>(float\*)\[SIMD32 {64; 2; 1} {256; 1; 1}\]'
