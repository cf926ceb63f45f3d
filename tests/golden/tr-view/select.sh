# Truth: by hand.  A kernel belongs to the step of its launch, meets a window by its own time, and what has no time is in
# every step and window; --limit counts what is selected; what no input has is refused, no hits are an answer.
cat >a.json <<END
{"distributedInfo": {"rank": 0}, "traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 0, "dur": 50},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#2", "pid": 1, "tid": 1, "ts": 50, "dur": 50},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 40, "dur": 4, "args": {"correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "of 1", "pid": 0, "tid": 7, "ts": 60, "dur": 10, "args": {"correlation": 3, "device": 0, "stream": 7}},
{"ph": "X", "cat": "cpu_op", "name": "in 2", "pid": 1, "tid": 1, "ts": 62, "dur": 1},
{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "python"}}
]}
END
sed 's/"rank": 0/"rank": 1/' a.json >b.json
tr-parse -q -o ab.trs a.json b.json
v() { tr-view -O tsv --columns rank,ts,name "$@" ab.trs; echo "status $?"; }
v --rank 1 --step 1
v --rank 0 --time 65..
v --where 'dur >= 10us' --where 'dur < 50us' -n 1
v --where 'name == none'
v --rank 2
v --step 3
v --time 200..
tr-parse --no-sort -q a.json | tr-view --rank 4 -O tsv
echo "status $?"
tr-parse --no-sort -q a.json | tr-view --step 1 -O tsv
echo "status $?"
for format in chrome perfetto json text; do
    tr-view -O $format --rank 0 --where 'dur > 4us' ab.trs >have
    tr-filter 'rank == 0 && dur > 4us' ab.trs | tr-view -O $format | cmp - have && echo "$format: as tr-filter"
done
