# Truth: by hand.  Samples of device 0 (pid "GPU 0" or 0) and 1; work of device 0 runs 0..40, of device 1 0..20.  In bins of 20:
# the first has SM 10, 30 on device 0 and 80 on 1: mean 40 of the rank; the second 50 and, at 39, 100.  Tensor: 7.5 in the second.
# The sample at 40 is past the last work, MHz are no percentages, and a stream has no activity of its own.
sample() { printf '{"ph": "C", "name": "%s", "pid": %s, "tid": 0, "ts": %s, "args": {"%s": %s}},\n' "$@"; }
{
    echo '{"distributedInfo": {"rank": 0}, "traceEvents": ['
    echo '{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 0, "dur": 40, "args": {"device": 0, "stream": 7}},'
    echo '{"ph": "X", "cat": "kernel", "name": "b", "pid": 1, "tid": 7, "ts": 0, "dur": 20, "args": {"device": 1, "stream": 7}},'
    sample 'SM Active (%)' '"GPU 0"' 1 '' 10
    sample 'SM Active (%)' 0 10 value 30
    sample 'SMs Active [Throughput %]' '"GPU 1"' 12 value 80
    sample 'SM Active (%)' '"GPU 0"' 20 '' 50
    sample 'SM Active (%)' '"GPU 0"' 39 'SM Active (%)' 100
    sample 'SM Active (%)' '"GPU 0"' 40 '' 3
    sample 'Tensor Active (%)' '"GPU 0"' 30 value 7.5
    sample 'SM Active clock [MHz]' '"GPU 0"' 30 value 900
    echo '{"ph": "M", "name": "x", "pid": 0}]}'
} >t.json
for by in rank stream; do
    tr-util --by $by --bin 20us -O tsv --columns bin_start,busy_pct,sm_pct,tensor_pct t.json
done
tr-util --by device --bin 20us -O tsv --columns device,bin_start,sm_pct,tensor_pct t.json
# Text has the columns only if there are samples.
tr-util --bin 40us -O text t.json
grep -v '"C"' t.json >none.json
tr-util --bin 40us -O text none.json
