# Truth: by hand.  CUPTI: gemm, two ranges: fp32 (100 + 2 x 50 + 50) x 2 = 500, as SM and its parts count the same; fp64
# 2 + 2 x 4 + 3 = 13; tensor cores 4000 of bf16 and 1000 of fp16; memory 640 x 2: what both directions count, and not
# the reads again.  Ranges have no time, so the two plain gemm of the other trace give it: mean 15 us, of two 30 us.
# fp32 at 20 per us: 25 us.  copy counts bytes alone, and its metric is its time; lone has no time at all.
cat >counted.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cuda_profiler_range", "name": "gemm", "pid": 0, "tid": 0, "ts": 10, "dur": 900, "args": {
 "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum": 100, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum": 50,
 "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum": 50, "sm__sass_thread_inst_executed_op_ffma_pred_on.sum": 50,
 "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum": 2, "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum": 4,
 "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum": 3, "sm__ops_path_tensor_src_bf16_dst_fp32.sum": 4000,
 "dram__bytes.sum": 640, "dram__bytes_read.sum": 600}},
{"ph": "X", "cat": "cuda_profiler_range", "name": "gemm", "pid": 0, "tid": 0, "ts": 1010, "dur": 900, "args": {
 "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum": 100, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum": 50,
 "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum": 50, "sm__ops_path_tensor_src_fp16_dst_fp32.sum": 1000,
 "dram__bytes.sum": 640, "dram__bytes_read.sum": 600}},
{"ph": "X", "cat": "cuda_profiler_range", "name": "copy", "pid": 0, "tid": 0, "ts": 2010, "dur": 900, "args": {
 "dram__bytes_read.sum": 1000, "dram__bytes_write.sum": 500, "gpu__time_duration.sum": 3000}},
{"ph": "X", "cat": "cuda_profiler_range", "name": "lone", "pid": 0, "tid": 0, "ts": 3010, "dur": 900, "args": {
 "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum": 7, "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum": 1}}
]}
END
cat >plain.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 10, "dur": 10, "args": {"stream": 7, "device": 0}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 30, "dur": 20, "args": {"stream": 7, "device": 0}},
{"ph": "X", "cat": "kernel", "name": "copy", "pid": 0, "tid": 7, "ts": 60, "dur": 80, "args": {"stream": 7, "device": 0}},
{"ph": "X", "cat": "kernel", "name": "other", "pid": 0, "tid": 7, "ts": 160, "dur": 80, "args": {"stream": 7, "device": 0}}
]}
END
cat >toy.peaks <<'END'
[toy]
bandwidth = 0.1
matrix_bf16 = 0.001
matrix_fp16 = 0.001
vector_fp32 = 0.00002
vector_fp64 = 0.001
END
columns=name,calls,device,bound,roofline,roofline_pct,spec,flop,vector_fp16_flop,vector_fp32_flop,vector_fp64_flop
columns=$columns,matrix_bf16_flop,matrix_fp16_flop,bytes,flop_per_byte,measured
echo "== with a run without counters"
tr-roofline -q --by kernel --arch ./toy.peaks -O tsv --columns $columns counted.json plain.json | tee one.tsv
tr-roofline -q --by kernel --arch ./toy.peaks -O tsv --columns $columns plain.json counted.json | cmp - one.tsv
tr-roofline -q --by precision --arch ./toy.peaks -O tsv counted.json plain.json
tr-roofline -q --by point --arch ./toy.peaks -O tsv counted.json plain.json
echo "== ranges alone"
tr-roofline --by kernel --arch ./toy.peaks -O tsv --columns name,device,bound,roofline,tflops,measured counted.json 2>&1

# AMD: each instruction of a wave is 64 operations, 512 of matrices.  k: (1 + 1 + 1 + 2 x 2) x 64 = 448 of fp32,
# 512 of bf16, 2 x 512 of fp8, 512 of int8.  Reads: 10 requests, 2 of 32 bytes and 1 of 128: 7 x 64 + 64 + 128 = 640;
# writes: 4, 3 of 64 bytes: 224.  Of copy, the sizes in KiB count, and not the requests that they were computed from.
# torn lacks the number of requests.
echo "== dispatches with counters"
cat >dispatch.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 10, "dur": 2, "args": {"stream": 7, "device": 0,
 "SQ_INSTS_VALU_ADD_F32": 1, "SQ_INSTS_VALU_MUL_F32": 1, "SQ_INSTS_VALU_TRANS_F32": 1, "SQ_INSTS_VALU_FMA_F32": 2,
 "SQ_INSTS_VALU_MFMA_MOPS_BF16": 1, "SQ_INSTS_VALU_MFMA_MOPS_F8": 2, "SQ_INSTS_VALU_MFMA_MOPS_I8": 1,
 "TCC_EA0_RDREQ_sum": 10, "TCC_EA0_RDREQ_32B_sum": 2, "TCC_BUBBLE_sum": 1, "TCC_EA0_WRREQ_sum": 4,
 "TCC_EA0_WRREQ_64B_sum": 3}},
{"ph": "X", "cat": "kernel", "name": "copy", "pid": 0, "tid": 7, "ts": 20, "dur": 4, "args": {"stream": 7, "device": 0,
 "FETCH_SIZE": 1.5, "WRITE_SIZE": 1, "TCC_EA_RDREQ_sum": 24}},
{"ph": "X", "cat": "kernel", "name": "torn", "pid": 0, "tid": 7, "ts": 30, "dur": 1, "args": {"stream": 7, "device": 0,
 "TCC_EA_RDREQ_32B_sum": 24}}
]}
END
columns=name,calls,device,spec,flop,vector_fp32_flop,matrix_bf16_flop,matrix_fp32_flop,matrix_fp64_flop
tr-roofline -q --by kernel -O tsv --columns $columns,matrix_fp8_flop,matrix_int8_flop,bytes,measured dispatch.json
tr-roofline -q --by precision -O tsv dispatch.json
