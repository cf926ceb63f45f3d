# Truth: by hand.  Time 0 is the call of rank 0 at 10; the job has both ranks on one clock.  Rank 0: gemm 10..25 and 18..35
# on streams 7 and 9, nccl 30..50 on 9; idle to 80, relu 80..85: busy 45 of 75.  Bins of 20 from 10 on, the last one cut at 85.
# Rank 1 has one kernel, 42..52, in two bins.
cat >r0.json <<'END'
{"distributedInfo": {"rank": 0}, "traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 10, "dur": 1, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 10, "dur": 15, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 9, "ts": 18, "dur": 17, "args": {"device": 0, "stream": 9}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "pid": 0, "tid": 9, "ts": 30, "dur": 20, "args": {"device": 0, "stream": 9}},
{"ph": "X", "cat": "kernel", "name": "relu", "pid": 0, "tid": 7, "ts": 80, "dur": 5, "args": {"device": 0, "stream": 7}}
]}
END
cat >r1.json <<'END'
{"distributedInfo": {"rank": 1}, "traceEvents": [
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 42, "dur": 10, "args": {"device": 0, "stream": 7}}
]}
END
tr-util --bin 20us -O tsv r0.json r1.json
tr-util --by stream --bin 40us -O tsv --columns stream,bin_start,busy_pct,window,busy r0.json
# Part of a window is a part of its bins.
tr-util --bin 20us --time 45..65 -O tsv --columns rank,bin_start,busy_pct,window r0.json
# By default, 60 to 150 bins of a round length: here of 0.5 us, of a longer time of 10 us.
tr-util -O tsv --columns bin_start,busy_pct r0.json | sed -n '2,3p;$p'
echo '{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 0, "dur": 1},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 749, "dur": 1}]}' >long.json
tr-util -O tsv --columns bin_start,busy_pct long.json | sed -n '2,3p;$p'
