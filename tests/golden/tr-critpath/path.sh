# Truth: by hand.  The operator works 10 us, its first call launches gemm, which starts 10 us later; relu queues behind it
# for 1 us, the call waits for both and so weighs nothing, and the operator ends 5 us later: 10 + 10 + 40 + 1 + 29 + 5.
# gemm at half its time takes 20 us off the path.  At no time at all, relu would wait for its own launch: 10 + 5 + 15 us
# of the host's, 29 and 5.  An annotation is no part of the path.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": 1, "ts": 1000, "dur": 100},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 1010, "dur": 5, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 1030, "dur": 4, "args": {"correlation": 2}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamSynchronize", "pid": 1, "tid": 1, "ts": 1050, "dur": 45, "args": {"correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 1020, "dur": 40, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "relu", "pid": 0, "tid": 7, "ts": 1061, "dur": 29, "args": {"device": 0, "stream": 7, "correlation": 2}},
{"ph": "X", "cat": "cuda_sync", "name": "Stream Sync", "pid": 0, "tid": 7, "ts": 1050, "dur": 41, "args": {"device": 0, "stream": 7, "correlation": 3}},
{"ph": "X", "cat": "user_annotation", "name": "forward", "pid": 1, "tid": 1, "ts": 990, "dur": 120}
]}
END
tr-critpath -O tsv t.json
echo "== path"
tr-critpath --by path -O tsv t.json
echo "== edges"
tr-critpath --by edge -O tsv t.json
echo "== counts"
tr-critpath --by count -O tsv t.json
for scale in 1 0.5 0; do
    echo "== gemm times $scale"
    tr-critpath --what-if "name == \"gemm\" scale=$scale" -O tsv t.json
done
echo "== two rules, the first that holds counts"
tr-critpath --what-if 'name == "gemm" scale=2' --what-if 'activity == "kernel" scale=0' -O tsv t.json
echo "== from a stream, in ns"
tr-parse t.json | tr-critpath --annotation forw --unit ns -O tsv
