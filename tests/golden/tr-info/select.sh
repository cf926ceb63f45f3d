# Truth: by hand.  A kernel belongs to the step of its launch; a source of another rank is not shown, and no condition
# is about it; what no input has is refused.
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
tr-info --rank 1 --step 1 ab.trs | sed -n '/^sources/,/^$/p; /^events by activity/,/^$/p; /^notes$/,$p'
tr-info --check --rank 1 --ranks 1 --min-events 7 ab.trs
tr-info --check --rank 1 --where 'dur > 4us' --min-events 4 ab.trs
echo "status $?"
tr-info --rank 1 --step 2 -O json ab.trs | grep -c '"record_rank"\|"rank":'
tr-info --rank 7 ab.trs
echo "status $?"
