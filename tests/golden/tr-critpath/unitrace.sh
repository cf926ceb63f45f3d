# Truth: by hand.  Arrows of unitrace lead from the start of work to the start of the call that waits for it.  The path
# is the launch of the first kernel (5), the kernel (20), the rest of the call around the wait (1), the launch of the
# second kernel (2) and that kernel (3).  The last arrow is wrong: its call ends before the work does, so it adds nothing.
exec 2>&1
cat >app.77.json <<'EOF'
{ "traceEvents":[
{"ph": "X", "tid": 7, "pid": 7, "name": "zeCommandQueueExecuteCommandLists", "cat": "cpu_op", "ts": 100.000000, "dur": 2.000000, "id": 0},
{"ph": "s", "tid": 7, "pid": 7, "name": "dep", "cat": "Flow_H2D_1_0", "ts": 100.000000, "id": 1},
{"ph": "X", "tid": 9, "pid": 9, "name": "gemm[SIMD32 {64; 1; 1} {256; 1; 1}]", "cat": "gpu_op", "ts": 105.000000, "dur": 20.000000, "args": {"id": "1"}},
{"ph": "t", "tid": 9, "pid": 9, "name": "dep", "cat": "Flow_H2D_1_0", "ts": 105.000000, "id": 1},
{"ph": "s", "tid": 9, "pid": 9, "name": "dep", "cat": "Flow_D2H_1_0", "ts": 105.000000, "id": 1},
{"ph": "X", "tid": 7, "pid": 7, "name": "urEventWait", "cat": "cpu_op", "ts": 110.000000, "dur": 17.000000, "id": 0},
{"ph": "X", "tid": 7, "pid": 7, "name": "zeEventHostSynchronize", "cat": "cpu_op", "ts": 110.000000, "dur": 16.000000, "id": 0},
{"ph": "t", "tid": 7, "pid": 7, "name": "dep", "cat": "Flow_D2H_1_0", "ts": 110.000000, "id": 1},
{"ph": "X", "tid": 7, "pid": 7, "name": "zeCommandQueueExecuteCommandLists", "cat": "cpu_op", "ts": 130.000000, "dur": 1.000000, "id": 0},
{"ph": "s", "tid": 7, "pid": 7, "name": "dep", "cat": "Flow_H2D_2_0", "ts": 130.000000, "id": 2},
{"ph": "X", "tid": 9, "pid": 9, "name": "gemm[SIMD32 {64; 1; 1} {256; 1; 1}]", "cat": "gpu_op", "ts": 132.000000, "dur": 3.000000, "args": {"id": "2"}},
{"ph": "t", "tid": 9, "pid": 9, "name": "dep", "cat": "Flow_H2D_2_0", "ts": 132.000000, "id": 2},
{"ph": "s", "tid": 9, "pid": 9, "name": "dep", "cat": "Flow_D2H_2_0", "ts": 132.000000, "id": 2},
{"ph": "X", "tid": 7, "pid": 7, "name": "zeEventHostSynchronize", "cat": "cpu_op", "ts": 131.500000, "dur": 1.000000, "id": 0},
{"ph": "t", "tid": 7, "pid": 7, "name": "dep", "cat": "Flow_D2H_2_0", "ts": 131.500000, "id": 2},
{"ph": "t", "tid": 7, "pid": 7, "name": "dep", "cat": "Flow_D2H_3_0", "ts": 131.500000, "id": 3}
]
}
EOF
tr-critpath -q app.77.json
tr-critpath -q --by path --columns record,name,edge,weight app.77.json
tr-critpath -q --gaps --by bound app.77.json
# Ranks may come one after the other, each from its begin: the path of each rank is that of its file alone.
early='{"ph": "X", "tid": 8, "pid": 8, "name": "zeMemFree", "cat": "cpu_op", "ts": 1.000000, "dur": 1.000000, "id": 0},'
sed "s/\"ts\": 1/\"ts\": 2/; s/_0\"/_1\"/; s/id\": 7,/id\": 8,/g; s/.*traceEvents.*/&$early/" app.77.json >app.78.1.json
mv app.77.json app.77.0.json
tr-critpath -q app.77.0.json app.78.1.json
tr-critpath -q app.78.1.json
