# Truth: by hand.  The row for the others has sums of what can be added up, and nothing where a sum means nothing:
# shares, frequencies, averages.
cat >m.csv <<'END'
Kernel,GlobalInstanceId,GpuTime[ns],XVE_STALL[%],AvgGpuCoreFrequencyMHz[MHz],GPU_MEMORY_BYTE_READ[bytes]
"long",1,70000,20,1500,4096
"middle",2,20000,60,1400,1024
"short",3,10000,90,1300,512
END
tr-metrics -q --by instance --top 1 -O tsv m.csv
tr-metrics -q --by kernel --top 1 -O tsv m.csv
cat >t.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cuda_profiler_range", "name": "first", "pid": 0, "tid": 7, "ts": 10, "dur": 50, "args": {"smsp__inst_executed.sum": 900, "sm__warps_active.avg.pct_of_peak_sustained_active": 40.0, "VALUBusy": 31, "dram__bytes_read.avg": 5}},
{"ph": "X", "cat": "cuda_profiler_range", "name": "second", "pid": 0, "tid": 7, "ts": 80, "dur": 20, "args": {"smsp__inst_executed.sum": 100, "sm__warps_active.avg.pct_of_peak_sustained_active": 70.0, "VALUBusy": 55, "dram__bytes_read.avg": 6}},
{"ph": "X", "cat": "cuda_profiler_range", "name": "third", "pid": 0, "tid": 7, "ts": 110, "dur": 20, "args": {"smsp__inst_executed.sum": 200, "sm__warps_active.avg.pct_of_peak_sustained_active": 80.0, "VALUBusy": 66, "dram__bytes_read.avg": 7}}
]}
END
tr-metrics -q --by instance --top 1 -O tsv t.json
