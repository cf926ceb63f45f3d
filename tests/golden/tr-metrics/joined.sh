# Truth: by hand.  An instance of a metric file is the kernel of the trace whose arg id is its GlobalInstanceId.  The
# trace gives its record, times, launch and operators.  Instance 9 is in no trace.
exec 2>&1
cat >app.77.0.json <<'EOF'
{ "traceEvents":[
{"ph": "M", "name": "process_name", "pid": 77, "ts": 90.000000, "args": {"name": "RANK 0 HOST<node0>"}},
{"ph": "X", "tid": 7, "pid": 77, "name": "app::layer", "cat": "cpu_op", "ts": 100.000000, "dur": 50.000000, "id": 0},
{"ph": "X", "tid": 7, "pid": 77, "name": "zeCommandListAppendLaunchKernel", "cat": "cpu_op", "ts": 110.000000, "dur": 5.000000, "id": 0},
{"ph": "s", "tid": 7, "pid": 77, "name": "dep", "cat": "Flow_H2D_7_0", "ts": 110.000000, "id": 7},
{"ph": "X", "tid": 7, "pid": 77, "name": "zeCommandListAppendLaunchKernel", "cat": "cpu_op", "ts": 120.000000, "dur": 5.000000, "id": 0},
{"ph": "s", "tid": 7, "pid": 77, "name": "dep", "cat": "Flow_H2D_8_0", "ts": 120.000000, "id": 8},
{"ph": "X", "tid": 9, "pid": 9, "name": "gemm[SIMD32 {64; 1; 1} {256; 1; 1}]", "cat": "gpu_op", "ts": 130.000000, "dur": 80.000000, "args": {"id": "7"}},
{"ph": "t", "tid": 9, "pid": 9, "name": "dep", "cat": "Flow_H2D_7_0", "ts": 130.000000, "id": 7},
{"ph": "X", "tid": 9, "pid": 9, "name": "gemm[SIMD32 {64; 1; 1} {256; 1; 1}]", "cat": "gpu_op", "ts": 220.000000, "dur": 20.000000, "args": {"id": "8"}},
{"ph": "t", "tid": 9, "pid": 9, "name": "dep", "cat": "Flow_H2D_8_0", "ts": 220.000000, "id": 8}
]
}
EOF
cat >metrics_0.csv <<'EOF'
Kernel,GlobalInstanceId,GpuTime[ns],L3_BYTE_READ[bytes],XVE_STALL[%]
"gemm[SIMD32 {64; 1; 1} {256; 1; 1}]",7,50000,40000000,30.5
"gemm[SIMD32 {64; 1; 1} {256; 1; 1}]",7,30000,8000000,40.5

"gemm[SIMD32 {64; 1; 1} {256; 1; 1}]",8,20000,2000000,10.5

"fill[SIMD32 {64; 1; 1} {256; 1; 1}]",9,10000,1000000,5
EOF
tr-metrics -q --metrics L3_BYTE_READ,XVE_STALL app.77.0.json metrics_0.csv
tr-metrics -q --by operator --metrics L3_BYTE_READ app.77.0.json metrics_0.csv
tr-metrics -q --by kernel --throughput --metrics L3_BYTE_READ --short-names app.77.0.json metrics_0.csv
tr-metrics -q --by instance --metrics GlobalInstanceId app.77.0.json metrics_0.csv
