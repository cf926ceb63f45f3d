# Truth: by hand.  Kernel k runs 10..20 on device 0 and meets two samples of its load, 12.5 and 17.5, the one at its first
# moment, not the one at its end; power is of pid 0, so of the same device.  On device 1, k runs meanwhile with the load
# 50; l runs 20..25, when no load is taken there and no sample is of its device; m lies between samples and is absent.
cat >t.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 9, "tid": 1, "ts": 0, "dur": 9},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 1, "ts": 1, "dur": 2, "args": {"correlation": 3}},
{"ph": "C", "name": "SM Active (%)", "pid": "GPU 0 Counters", "ts": 10, "args": {"": 12.5}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 10, "dur": 10, "args": {"correlation": 3, "device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 1, "tid": 7, "ts": 10, "dur": 10, "args": {"device": 1, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "l", "pid": 1, "tid": 7, "ts": 20, "dur": 5, "args": {"device": 1, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "m", "pid": 0, "tid": 7, "ts": 30, "dur": 5, "args": {"device": 0, "stream": 7}},
{"ph": "C", "name": "SM Active (%)", "pid": "GPU 0 Counters", "ts": 15, "args": {"": 17.5}},
{"ph": "C", "name": "SM Active (%)", "pid": "GPU 0 Counters", "ts": 20, "args": {"": 99}},
{"ph": "C", "name": "SM Active (%)", "pid": "GPU 1 Counters", "ts": 19, "args": {"": 50}},
{"ph": "C", "name": "power", "pid": 0, "ts": 15, "args": {"watts": 300, "limit": "none", "cap": 700}}
]}
END
for view in list series instance kernel operator operator,stack range; do
    echo "== $view"
    tr-metrics --by $view -O tsv t.json
done
echo "== chosen"
tr-metrics --by kernel --metrics 'power.cap,SM Active' -O tsv t.json
tr-metrics --by list --metrics 'power.watts' -O tsv t.json
tr-metrics --by kernel --where 'device == 1' -O tsv t.json
tr-metrics --by kernel --time 12..16 -O tsv t.json
tr-metrics --by series --relative --where 'name == "power"' -O tsv t.json | cut -f 1-3
for words in "--by kernel --metrics SM" "--by list --metrics power" "--by series --metrics none,power.cap" \
    "--by kernel --throughput" "--by list --throughput" "--by kernel,stack" "--by kernel --time 30..35"; do
    # shellcheck disable=SC2086 # several words
    tr-metrics $words -O tsv t.json 2>&1
    echo "status $?"
done
# Ranges: 640 bytes in the 100 ns that it took by its own measure, and 100 in its duration of 10 us; in sum 740 bytes in
# 10100 ns.  n has no bytes; percentages have no throughput.
cat >r.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cuda_profiler_range", "name": "k", "pid": 0, "tid": 0, "ts": 0, "dur": 10, "args": {"READ[bytes]": 640, "GpuTime[ns]": 100, "n": 50}},
{"ph": "X", "cat": "cuda_profiler_range", "name": "k", "pid": 0, "tid": 0, "ts": 20, "dur": 10, "args": {"READ[bytes]": 100, "Load[%]": 5}},
{"ph": "X", "cat": "cuda_profiler_range", "name": "k", "pid": 0, "tid": 0, "ts": 40, "dur": 10, "args": {"Load[%]": 6}},
{"ph": "X", "cat": "cuda_profiler_range", "name": "none", "pid": 0, "tid": 0, "ts": 60, "dur": 10, "args": {"text": "5"}}
]}
END
echo "== ranges"
for words in "--by list" "--by instance" "--by kernel" "--by range --throughput" "--by instance --throughput" \
    "--by kernel --throughput" "--by kernel --throughput --metrics READ" "--by instance --metrics n" \
    "--by kernel --throughput --metrics Load[%]"; do
    # shellcheck disable=SC2086 # several words
    tr-metrics -q $words -O tsv r.json 2>&1
done
