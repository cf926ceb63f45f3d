# Truth: by hand.  Device 0 of a sampled file, after a report: k has two instances, 1 of two rows (bytes 30 in 15 ns, stall
# 10 and 30), 2 of one; a name with quotes and commas; the last has no blank line after it.  Two blank lines are no
# instance.  Device 1 has another set of metrics.  metrics_7.csv has no banner: device 7 by its name; rows of one instance
# on two tiles; names without quotes.  The trace has k of instance 2 (as text) and the one of metrics_7.csv.
cat >two.csv <<'END'
=== Device Timing Summary ===

   Kernel,        Calls,            Time (ns)
   "k[SIMD8]",        1,                   15

=== Device #0 Metrics ===

Kernel, GlobalInstanceId, GpuTime[ns], READ[bytes], STALL[%], QueryBeginTime[ns]
"k[SIMD8]", 1, 10, 10, 10.000000, 1000
"k[SIMD8]", 1, 5, 20, 30.000000, 1050

"k[SIMD8]", 2, 4, 8, 5.500000, 1100


"op<int, "">[SIMD16 {1; 1; 1}]", 3, 0, 7, 0.000000, 1150

=== Device #1 Metrics ===

Kernel, GlobalInstanceId, INST[events]
"k[SIMD8]", 4, 18446744073709551615
"NoKernel(Before k[SIMD8])", 1004, 5
END
printf 'Kernel,GlobalInstanceId,SubDeviceId,GpuTime[ns],READ[bytes],\nf<int, a>[SIMD8],9,0,10,100,\nf<int, a>[SIMD8],9,1,10,60,\n' >metrics_7.csv
for view in list series instance kernel range operator; do
    echo "== $view"
    tr-metrics --by $view -O tsv --columns all two.csv
done
echo "== throughput"
for view in series instance kernel; do
    tr-metrics --by $view --throughput -O tsv --columns all two.csv
done
echo "== a file of a device"
tr-metrics --by instance -O tsv metrics_7.csv
tr-metrics --by list -O tsv --columns process,metric,position,max metrics_7.csv
echo "== chosen"
tr-metrics --by instance --metrics READ --where 'args.instance == 2' -O tsv two.csv
# Blanks after a comma, as in lists of analyzeperfmetrics.py.
tr-metrics --by list --metrics 'READ, GpuTime' -O tsv --columns metric two.csv
tr-metrics --by series --metrics 'STALL[%],INST' --where 'pid == 1' -O tsv --columns name,metric,value two.csv
tr-metrics --by kernel --metrics STALLS two.csv; echo "status $?"
tr-metrics --by series --throughput --metrics STALL two.csv; echo "status $?"
echo "== with a trace"
cat >trace.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 9, "tid": 1, "ts": 0, "dur": 9},
{"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 9, "tid": 1, "ts": 1, "dur": 2, "args": {"correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "k[SIMD8]", "pid": 0, "tid": 7, "ts": 10, "dur": 10, "args": {"correlation": 3, "device": 0, "stream": 7, "id": "2"}},
{"ph": "X", "cat": "kernel", "name": "Tile #1: k[SIMD8]", "pid": 0, "tid": 7, "ts": 11, "dur": 10, "args": {"device": 0, "stream": 7, "id": "2"}},
{"ph": "X", "cat": "kernel", "name": "f", "pid": 0, "tid": 7, "ts": 30, "dur": 5, "args": {"device": 7, "stream": 7, "id": 9}},
{"ph": "X", "cat": "kernel", "name": "unmeasured", "pid": 0, "tid": 7, "ts": 50, "dur": 5, "args": {"device": 7, "stream": 7, "id": 99}}
]}
END
tr-metrics --by instance --metrics READ -O tsv trace.json two.csv metrics_7.csv
tr-metrics --by operator --metrics READ -O tsv trace.json two.csv metrics_7.csv
tr-metrics --by range --metrics READ --time 25..40 -O tsv trace.json metrics_7.csv
cp trace.json rank_4.json
tr-metrics -q --by operator --metrics READ -O tsv rank_4.json two.csv
cp two.csv rank_4.csv
tr-metrics --by operator --metrics READ -O tsv rank_4.json rank_4.csv
tr-metrics --by operator --metrics READ -O tsv trace.json rank_4.csv
sed 's/"mm"/"other"/' trace.json >rank_5.json
tr-metrics --by operator --metrics READ -O tsv rank_4.json rank_5.json two.csv
