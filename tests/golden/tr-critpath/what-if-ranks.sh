# Truth: by hand.  Rank 1 loads for 50 us and comes to the all-reduce 60 us late; data takes 10 us from then on.  The
# others load for 10 and 14 us, and need 5 us more before they launch.
# As the others, rank 1 loads for 12 us and launches 5 later, so rank 2 is the last one: 14 + 5 + 5 + 10.  The median of
# all gives the same.  With the best of all, and if two ranks are as rank 0, it is 10 + 5 + 5 + 10.  What is before the
# first launch is not a part of a graph.
rank()
{
    cat >rank$1.json <<END
{"distributedInfo": {"rank": $1}, "traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "load", "pid": 1, "tid": 1, "ts": 0, "dur": $2},
{"ph": "X", "cat": "cpu_op", "name": "reduce", "pid": 1, "tid": 1, "ts": $3, "dur": 8},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernelExC", "pid": 1, "tid": 1, "ts": $3, "dur": 5, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "pid": 0, "tid": 20, "ts": $4, "dur": $5, "args": {"device": 0, "stream": 20, "correlation": 1, "Collective name": "allreduce", "Process Group Name": "0", "Group size": 3, "Seq": 1, "dtype": "Float", "In msg nelems": 4, "Out msg nelems": 4}}
]}
END
}
rank 0 10 15 20 70
rank 1 50 75 80 10
rank 2 14 19 24 66
for rule in 'rank 1 as median' 'rank 1, 2 as median' ideal ideal:median ideal:best 'name == "load" ideal' 'launch graph'; do
    echo "== $rule"
    tr-critpath --per all --what-if "$rule" -O tsv rank?.json
done
echo "== not for ranks by themselves"
tr-critpath --what-if ideal rank?.json
