# Truth: by hand.  Two steps of 50 us, of two ranks; the kernel of the first one runs in the time of the second one.
# Work between the steps belongs to no step.
rank() {
    echo '{"distributedInfo": {"rank": '"$1"'}, "traceEvents": [
    {"ph": "M", "name": "thread_name", "pid": '"$1"', "tid": 1, "ts": 320, "args": {"name": "main"}},'
    for i in 3 4; do
        echo '{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#'$i'", "pid": '"$1"', "tid": 1, "ts": '${i}00', "dur": 50},
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": '"$1"', "tid": 1, "ts": '${i}10', "dur": 5, "args": {"correlation": '$i'}},
        {"ph": "X", "cat": "kernel", "name": "k'$i'", "pid": 0, "tid": 7, "ts": '$((i + 1))05', "dur": 20, "args": {"correlation": '$i', "device": 0, "stream": 7}},
        {"ph": "X", "cat": "cpu_op", "name": "between", "pid": '"$1"', "tid": 1, "ts": '${i}60', "dur": 5},'
    done
    echo '{"ph": "i", "name": "end", "pid": '"$1"', "tid": 1, "ts": 500, "s": "t"}]}'
}
rank 0 >rank0.json
rank 1 >rank1.json
show() { for f; do echo "$f"; tr-view -q -O tsv --columns rank,ts,name "$f" | tail -n +2; done; }
tr-filter --split step -o 'step-%s.trs' 'activity != "cpu_op" || rank == 1' rank0.json rank1.json 2>&1
show step-*.trs
tr-info step-4.trs | sed -n '/^steps/,/^$/p' # the names of threads have times in step 3
tr-filter -q --split rank --step 3 -o '100%%-%s.trs' rank0.json rank1.json
show 100%-*.trs
tr-filter -q --split time:100us --rank 1 -o 'time-%s.trs' rank0.json rank1.json
show time-*.trs
tr-filter --split phase -o 'phase-%s.trs' rank0.json 2>&1
ls phase-* 2>&1
for args in '--split phase' '--split rank -o x.trs' '--split rank -o x%s%s' '--split rank -o x%d' '--split time' '--split time:0us -o %s' \
    '--split time:1ns -o %s' '--split step -o %s -c' '--split step -o %s --closure' '--split step -o %s -n 3'; do
    tr-filter $args true rank0.json
    echo "status $?"
done 2>&1
ls -A
tr-parse -q --no-sort rank0.json | tr-filter --split step -o 'live-%s.trs' 2>&1
echo "status $?"
