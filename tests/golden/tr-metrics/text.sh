# Truth: by hand.  As text, ranges without operators have room for a metric instead of the empty column top_op; with one
# operator the column is there.
cat >metrics_0.csv <<'END'
Kernel,GlobalInstanceId,AvgGpuCoreFrequencyMHz[MHz],GpuTime[ns]
"main::{lambda(auto:1)#1}[SIMD32 {4096; 1; 1} {256; 1; 1}]",1,1400,5000
END
tr-metrics -q -O text metrics_0.csv
tr-metrics -q -O tsv metrics_0.csv
cat >ranges.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 9},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 2, "dur": 3, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_profiler_range", "name": "gemm", "pid": 0, "tid": 0, "ts": 50, "dur": 9, "args": {"fadd.sum": 8}}
]}
END
tr-metrics -q -O text ranges.json
