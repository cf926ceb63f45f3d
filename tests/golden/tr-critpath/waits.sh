# Truth: by hand.  The two ranks run the same program; a step begins every 2,000 us.  Rank 1 computes for 900 us, rank 0
# for 200; then an exchange on another stream waits for the later one and takes 50 us; then rank 0 computes for 30 us and
# rank 1 for 10.  All work of a step is launched ahead, so that no stream is empty when it is.  What follows the exchange
# has waited for it, not for its own stream, which ended long before: the path goes through rank 1 until the exchange
# begins, and nothing but 2 and 4 us a step is in a queue.  After the last work of a step, the host waits and works for
# 1,000 us until it launches the next step: from there to its start, 7 us, it is launched.
rank()
{
    sep=
    printf '{"distributedInfo": {"rank": %d}, "traceEvents": [' $1
    for step in 0 1 2; do
        t=$((2000 * step)) c=$((10 * step))
        cat <<END
$sep{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5, "tid": 5, "ts": $((t)), "dur": 3, "args": {"correlation": $((c + 1))}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5, "tid": 5, "ts": $((t + 4)), "dur": 3, "args": {"correlation": $((c + 2))}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5, "tid": 5, "ts": $((t + 8)), "dur": 3, "args": {"correlation": $((c + 3))}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamSynchronize", "pid": 5, "tid": 5, "ts": $((t + 12)), "dur": $((959 + $3)), "args": {"correlation": $((c + 4))}},
{"ph": "X", "cat": "kernel", "name": "attention", "pid": 0, "tid": 7, "ts": $((t + 7)), "dur": $2, "args": {"device": 0, "stream": 7, "correlation": $((c + 1))}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", "pid": 0, "tid": 9, "ts": $((t + 9 + $2)), "dur": $((950 - $2)), "args": {"device": 0, "stream": 9, "correlation": $((c + 2)), "Collective name": "allreduce", "dtype": "BFloat16", "In msg nelems": 64, "Out msg nelems": 64, "Group size": 2, "Process Group Name": "0", "Process Group Ranks": "[0, 1]", "Seq": $step}},
{"ph": "X", "cat": "kernel", "name": "experts", "pid": 0, "tid": 7, "ts": $((t + 963)), "dur": $3, "args": {"device": 0, "stream": 7, "correlation": $((c + 3))}}
END
        sep=,
    done
    echo ']}'
}
rank 0 200 30 >rank0.json
rank 1 900 10 >rank1.json
tr-critpath --per all -O tsv rank?.json
tr-critpath --per all --by path -O tsv rank?.json | awk -F '\t' 'NR == 1 || $8 > 0' | cut -f 1,4,5,7-10
echo "== rank 0 alone"
tr-critpath --gaps -O tsv rank0.json
echo "== as others define it"
tr-critpath -O tsv rank0.json
echo "== nothing explains a wait of 200 us, or how long a stream of device 1 was empty"
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaGraphLaunch", "pid": 5, "tid": 5, "ts": 10, "dur": 5, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 5, "tid": 5, "ts": 20, "dur": 5, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 30, "dur": 40, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 160, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 7, "ts": 380, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "d", "pid": 1, "tid": 7, "ts": 400, "dur": 20, "args": {"device": 1, "stream": 7, "correlation": 2}}
]}
END
tr-critpath --gaps --by edge -O tsv t.json | awk -F '\t' '$2 > 1 || $5 > 1' | cut -f 2,3,5-8,10,11
