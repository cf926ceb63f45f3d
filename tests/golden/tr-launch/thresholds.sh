# Truth: by hand.  a: call of 4 us, runs after 6 us; b: call of 2 us, runs 1 us after 18 us.  A cut-off that is met exactly
# is not passed: slow calls and late starts are longer; short kernels are those of calls up to it that run shorter.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 0, "dur": 4, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 20, "dur": 2, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 40, "dur": 1, "args": {"device": 0, "stream": 7, "correlation": 2}},
{"ph": "i", "name": "end", "pid": 1, "tid": 1, "ts": 50, "s": "t"}
]}
END
for cutoff in 1999ns 2us 2001ns 3999ns 4us; do
    echo "calls $cutoff: $(tr-launch -O tsv --cpu-cutoff $cutoff t.json | awk -F '\t' '
        NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        { short += $c["short_kernels"]; slow += $c["slow_calls"] } END { print short, slow }')"
done
for cutoff in 5999ns 6us 6001ns 17999ns 18us; do
    echo "starts $cutoff: $(tr-launch -O tsv --queue-cutoff $cutoff t.json | awk -F '\t' '
        NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { late += $c["late_starts"] } END { print late }')"
done
