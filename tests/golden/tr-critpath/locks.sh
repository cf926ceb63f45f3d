# Truth: by hand.  The runtime has a lock for each process: of calls that overlap, those of one process wait for one
# another, and no call waits for one of another process, nor for one of another rank with the same pid and tid.
call() { printf '{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": %s, "tid": %s, "ts": %s, "dur": %s, "args": {"correlation": %s}},\n' "$@"; }
kernel() { printf '{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": %s, "ts": %s, "dur": 5, "args": {"device": 0, "stream": %s, "correlation": %s}}' "$1" "$2" "$1" "$3"; }
rank() { echo "{\"distributedInfo\": {\"rank\": $1}, \"traceEvents\": ["; cat; echo ']}'; }
{ call 1 1 10 10 1; call 1 2 12 18 2; kernel 7 40 1; echo ,; kernel 8 50 2; } | rank 0 >one.json
{ call 1 1 10 10 1; call 2 1 12 18 2; kernel 7 40 1; echo ,; kernel 8 50 2; } | rank 0 >two.json
{ call 1 1 11 30 3; kernel 7 60 3; } | rank 1 >other.json
for files in one.json two.json 'two.json other.json'; do
    echo "== $files"
    # shellcheck disable=SC2086 # several files
    tr-critpath -q --by edge -O tsv $files | cut -f 1-8
done
