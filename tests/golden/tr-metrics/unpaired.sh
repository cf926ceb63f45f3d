# Truth: two ranges, one launch: which of them it belongs to cannot be told, the counters stay.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cuda_profiler_range", "name": "k1", "pid": 0, "tid": 0, "ts": 1000, "dur": 100, "args": {"x": 5}},
{"ph": "X", "cat": "cuda_profiler_range", "name": "k2", "pid": 0, "tid": 0, "ts": 1100, "dur": 100, "args": {"x": 7}},
{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": 1, "ts": 10, "dur": 30},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 12, "dur": 2}
]}
END
tr-metrics -O tsv t.json
tr-metrics --by operator -q -O tsv t.json
echo '{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": 1, "ts": 10, "dur": 30}]}' >none.json
tr-metrics -O tsv none.json
