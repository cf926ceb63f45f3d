# Truth: by hand.  A trace as unitrace writes it: names of processes come last, and tell rank and host; calls of Level
# Zero, SYCL, MPI and oneCCL are cpu_op, and so are tasks of the program; a command that waits is no device work.
exec 2>&1
cat >app.77.3.json <<'END'
{ "traceEvents":[
{"ph": "X", "tid": 7, "pid": 77, "name": "PyTorch::aten::mm", "cat": "cpu_op", "ts": 100.000000, "dur": 50.000000, "id": 0},
{"ph": "X", "tid": 7, "pid": 77, "name": "urEnqueueKernelLaunch", "cat": "cpu_op", "ts": 110.000000, "dur": 20.000000, "id": 0},
{"ph": "X", "tid": 7, "pid": 77, "name": "zeCommandListAppendLaunchKernel", "cat": "cpu_op", "ts": 112.000000, "dur": 5.000000, "id": 0},
{"ph": "s", "tid": 7, "pid": 77, "name": "dep", "cat": "Flow_H2D_1_3", "ts": 112.000000, "id": 1},
{"ph": "X", "tid": 7, "pid": 77, "name": "zeCommandListAppendMemoryCopy", "cat": "cpu_op", "ts": 120.000000, "dur": 2.000000, "id": 0},
{"ph": "s", "tid": 7, "pid": 77, "name": "dep", "cat": "Flow_H2D_2_3", "ts": 120.000000, "id": 2},
{"ph": "s", "tid": 7, "pid": 77, "name": "dep", "cat": "Flow_H2D_3_3", "ts": 120.000000, "id": 3},
{"ph": "X", "tid": 7, "pid": 77, "name": "zeEventHostSynchronize", "cat": "cpu_op", "ts": 160.000000, "dur": 40.000000, "id": 0},
{"ph": "t", "tid": 7, "pid": 77, "name": "dep", "cat": "Flow_D2H_1_3", "ts": 160.000000, "id": 1},
{"ph": "X", "tid": 7, "pid": 77, "name": "MPI::MPI_Send", "cat": "cpu_op", "ts": 210.000000, "dur": 4.000000, "args": {"dsize": 64, "dst": 1, "dtag": 9}},
{"ph": "X", "tid": 7, "pid": 77, "name": "MPI::MPI_Comm_rank", "cat": "cpu_op", "ts": 215.000000, "dur": 1.000000, "id": 0},
{"ph": "X", "tid": 7, "pid": 77, "name": "oneCCL::allreduce", "cat": "cpu_op", "ts": 220.000000, "dur": 8.000000, "args": {"count":[1024],"dtype":["float32"]}},
{"ph": "X", "tid": 4294967199, "pid": 4294967199, "name": "gemm(float*)[SIMD32 {64; 2; 1} {256; 1; 1}]", "cat": "gpu_op", "ts": 130.000000, "dur": 30.000000, "args": {"id": "1"}},
{"ph": "t", "tid": 4294967199, "pid": 4294967199, "name": "dep", "cat": "Flow_H2D_1_3", "ts": 130.000000, "id": 1},
{"ph": "s", "tid": 4294967199, "pid": 4294967199, "name": "dep", "cat": "Flow_D2H_1_3", "ts": 130.000000, "id": 1},
{"ph": "X", "tid": 4294967199, "pid": 4294967199, "name": "zeCommandListAppendMemoryCopy(M2D)[4096]", "cat": "gpu_op", "ts": 165.000000, "dur": 10.000000, "args": {"id": "2"}},
{"ph": "t", "tid": 4294967199, "pid": 4294967199, "name": "dep", "cat": "Flow_H2D_2_3", "ts": 165.000000, "id": 2},
{"ph": "X", "tid": 4294967199, "pid": 4294967199, "name": "Tile #1: gemm(float*)[SIMD_ANY {8; 1; 1} {32; 1; 1}]", "cat": "gpu_op", "ts": 180.000000, "dur": 3.000000, "args": {"id": "3"}},
{"ph": "X", "tid": 4294967199, "pid": 4294967199, "name": "zeCommandListAppendBarrier", "cat": "gpu_op", "ts": 185.000000, "dur": 5.000000, "args": {"id": "4"}},
{"ph": "X", "tid": 4294967199, "pid": 4294967199, "name": "zeCommandListAppendMemoryFill[128]", "cat": "gpu_op", "ts": 190.000000, "dur": 1.000000, "args": {"id": "5"}},
{"ph": "X", "tid": 7, "pid": 0, "name": "do_futex", "cat": "os_op", "ts": 161.000000, "dur": 2.000000, "args": {"data": "x"}},
{"ph": "M", "name": "process_name", "pid": 77, "ts": 90.000000, "args": {"name": "RANK 3 HOST<node1>"}},
{"ph": "M", "name": "process_name", "pid": 4294967199, "ts": 91.000000, "args": {"name": "RANK 3 DEVICE<node1>[Intel(R) GPU] 0:29:0:0 #0"}},
{"ph": "M", "name": "thread_name", "pid": 4294967199, "tid": 4294967199, "ts": 92.000000, "args": {"name": "Thread 7 L0 Engine<0,0>"}}
]
}
END
mv app.77.3.json trace.json
tr-info -q -O json trace.json | grep -E '^ *"(rank|rank_from|host|format)"'
tr-view -O tsv --columns ts,dur,stream,activity,kind,name --where 'phase == span' trace.json
tr-overlap -O tsv trace.json
# Arrows lead from calls to their work; a tile has none, but the number of its work; of the last two, nothing tells the call.
tr-view -O tsv --columns ts,name,launch_ts,api --where 'kind == memory || kind == compute || activity == sync' trace.json
tr-view -O tsv --columns ts,name,n_device --where 'activity == driver_api' trace.json
# The same in any order of the file, and of two ranks in one file, whose numbers are the same.
{
    echo '['
    grep '"ph"' trace.json | sed 's/,$//; s/$/,/' | sort -r
    grep '"ph"' trace.json | grep -v Tile | sed 's/,$//; s/$/,/; s/_3", "ts"/_4", "ts"/; s/4294967199/4294967167/g; s/"tid": 7, "pid": 77/"tid": 8, "pid": 88/; s/"ts": 1/"ts": 2/'
    echo '{"ph": "i", "name": "end", "ts": 1, "pid": 1, "tid": 1}]'
} >two.json
tr-view -q -O tsv --columns pid,ts,name,launch_ts,api --where 'kind == memory || kind == compute' two.json
