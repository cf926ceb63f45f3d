# Truth: by hand.  A file that a script merged from the traces of two processes: the operator "linear" of one launches a
# kernel of 70 us, "norm" of the other one of 20 us.  Both launches have the number 9, and both devices are device 0.
# However the script keeps the processes apart, each operator has its own kernel, the devices are two, and the file
# comes back as it was.
# merged HOST0 DEVICE0 HOST1 DEVICE1 [METADATA]: members of pid, as JSON
merged()
{
    cat <<END
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "linear", "pid": $1, "tid": 3, "ts": 100, "dur": 30, "args": {"External id": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": $1, "tid": 3, "ts": 110, "dur": 6, "args": {"correlation": 9}},
{"ph": "s", "id": 9, "cat": "ac2g", "name": "ac2g", "pid": $1, "tid": 3, "ts": 110},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": $2, "tid": 7, "ts": 140, "dur": 70, "args": {"device": 0, "stream": 7, "correlation": 9}},
{"ph": "f", "bp": "e", "id": 9, "cat": "ac2g", "name": "ac2g", "pid": $2, "tid": 7, "ts": 140},
{"ph": "X", "cat": "gpu_user_annotation", "name": "block", "pid": $2, "tid": 7, "ts": 140, "dur": 70, "args": {}},
$5{"ph": "X", "cat": "cpu_op", "name": "norm", "pid": $3, "tid": 3, "ts": 105, "dur": 30, "args": {"External id": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": $3, "tid": 3, "ts": 118, "dur": 6, "args": {"correlation": 9}},
{"ph": "s", "id": 9, "cat": "ac2g", "name": "ac2g", "pid": $3, "tid": 3, "ts": 118},
{"ph": "X", "cat": "kernel", "name": "layer_norm", "pid": $4, "tid": 7, "ts": 150, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 9}},
{"ph": "f", "bp": "e", "id": 9, "cat": "ac2g", "name": "ac2g", "pid": $4, "tid": 7, "ts": 150},
{"ph": "X", "cat": "gpu_user_annotation", "name": "block", "pid": $4, "tid": 7, "ts": 150, "dur": 20, "args": {}}
]}
END
}
name() # PID NAME
{
    echo "{\"ph\": \"M\", \"name\": \"$3\", \"pid\": $1, \"ts\": 0, \"args\": {\"$4\": \"$2\"}},"
}
each()
{
    echo "== $1"
    cat >m.json
    tr-breakdown -q -O tsv --by operator --columns rank,name,device_self_us m.json
    tr-breakdown -q -O tsv --per device --columns rank,device,busy m.json
    jq -cS '.traceEvents[]' m.json | sort >want
    tr-parse -q m.json | tr-view -q -O chrome | jq -cS '.traceEvents[]' | sort | diff want - && echo same
}
merged '"[TP01] 40"' '"[TP01] 0"' '"[TP00] 41"' '"[TP00] 0"' | each "labels in pids"
merged '"[TP01-DP00] 40"' '"[TP01-DP00] 0"' '"[TP01-DP01] 41"' '"[TP01-DP01] 0"' | each "two axes: 1 + 2 * 0, 1 + 2 * 1"
merged '"[TP03-DP01-EP03] 40"' '"[TP03-DP01-EP03] 0"' '"[TP02-DP01-EP02] 41"' '"[TP02-DP01-EP02] 0"' | each "axes that the first one decides"
merged 40 0 41 1 "$(name 40 'Rank 5: python' process_name name; name 0 'Rank 5: GPU 0' process_name name; name 41 'Rank 3: python' process_name name; name 1 'Rank 3: GPU 0' process_name name)" | each "names of processes"
merged 40 0 41 1 "$(name 40 'rank_5' process_labels labels; name 41 'rank_3' process_labels labels)" | each "labels of hosts alone"
merged 40 0 1000041 1000000 | each "pids alone"
merged 40 0 41 0 | each "one pid for all devices"
merged 40 0 41 0 "$(name 40 '[TP01] CPU' process_labels labels; name 0 '[TP01] GPU 0' process_labels labels; name 41 '[TP00] CPU' process_labels labels; name 0 '[TP00] GPU 0' process_labels labels)" | each "one pid with both labels"
echo "== calls of equal times, of three processes"
cat >m.json <<END
{"traceEvents": [
$(for r in 0 1 2; do
    for n in 1 2; do
        echo "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"op$r\", \"pid\": 5$r, \"tid\": 3, \"ts\": ${n}00, \"dur\": 30},"
        echo "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"hipLaunchKernel\", \"pid\": 5$r, \"tid\": 3, \"ts\": ${n}10, \"dur\": 5, \"args\": {\"correlation\": $n}},"
        echo "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": $r, \"tid\": 7, \"ts\": ${n}30, \"dur\": 1$r, \"args\": {\"device\": $r, \"stream\": 7, \"correlation\": $n}},"
    done
done)
{"ph": "M", "name": "x", "pid": 50}
]}
END
tr-breakdown -q -O tsv --by operator --columns rank,name,kernels,device_self_us m.json
echo "== one process with a call in another: no merged file"
cat >one.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 40, "tid": 3, "ts": 100, "dur": 9, "args": {"correlation": 9}},
{"ph": "X", "cat": "cuda_driver", "name": "cuLaunchKernel", "pid": 41, "tid": 3, "ts": 102, "dur": 5, "args": {"correlation": 9}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 140, "dur": 70, "args": {"device": 0, "stream": 7, "correlation": 9}}
]}
END
tr-info -q -O json one.json | jq -c '[.sources[].rank]'
echo "== one rank for all"
merged '"[TP01] 40"' '"[TP01] 0"' '"[TP00] 41"' '"[TP00] 0"' >m.json
tr-parse --rank 4 -o m.trs m.json || echo $?
echo "== in a merge, and with another file"
merged '"[TP01] 40"' '"[TP01] 0"' '"[TP00] 41"' '"[TP00] 0"' >m.json
merged '"[TP03] 40"' '"[TP03] 0"' '"[TP02] 41"' '"[TP02] 0"' >n.json
tr-merge m.json n.json | tr-info -q -O json | jq -c '[.sources[] | [.rank, .mesh, .name, .events]]'
