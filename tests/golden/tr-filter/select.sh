# Truth: by hand.  A kernel belongs to the step of its launch, meets a window by its own time, and what has no time is in
# every step and window; what is selected and what the expression selects both hold, also with context and turned round.
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
f() { tr-filter -q "$@" | tr-view -q -O tsv --columns rank,record | sed 1d | tr '\t\n' ': '; echo; }
f --rank 1 --step 1 ab.trs
f --rank 1 --step 1 'activity == kernel' ab.trs
f --rank 1 --step 1 -v 'activity == kernel' ab.trs
f --rank 0 --time 65.. --linked 'activity == kernel' ab.trs
f --where 'dur == 10us' -e true ab.trs
f --rank 0 - <ab.trs
f --rank 0 --within 'name == "ProfilerStep#1"' -n 1 'activity == kernel' ab.trs
echo "$(tr-filter -c --rank 0 <ab.trs) $(tr-filter -c --where 'name == none' ab.trs)"
tr-filter --rank 2 ab.trs
echo "status $?"
tr-filter --step 3 -c --children true ab.trs
echo "status $?"
tr-filter --rank 0 'name ==' ab.trs
echo "status $?"
tr-filter --rank 0 --redact true ab.trs | tr-info -O json | grep -c '"rank"'
