# Truth: by hand.  Rank 1 comes to the all-reduce at 80 us, 60 us after rank 0, and data takes 10 us from then on.  By
# itself rank 0 seems to spend 70 us in communication.  Together, the path is what rank 1 did until it came: 50 us of
# work and 25 between, then 5 us for the launch and 10 for the data; rank 0 waits, and pays nothing before the end.
rank()
{
    cat >rank$1.json <<END
{"distributedInfo": {"rank": $1}, "traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "load", "pid": 1, "tid": 1, "ts": 0, "dur": $2},
{"ph": "X", "cat": "cpu_op", "name": "reduce", "pid": 1, "tid": 1, "ts": $3, "dur": 8},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernelExC", "pid": 1, "tid": 1, "ts": $3, "dur": 5, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "pid": 0, "tid": 20, "ts": $4, "dur": $5, "args": {"device": 0, "stream": 20, "correlation": 1, "Collective name": "allreduce", "Process Group Name": "0", "Group size": 2, "Seq": 1, "dtype": "Float", "In msg nelems": 4, "Out msg nelems": 4}}
]}
END
}
rank 0 10 15 20 70
rank 1 50 75 80 10
tr-critpath -O tsv rank?.json
echo "== joined"
tr-critpath --per all -O tsv rank?.json
tr-critpath --per all --by path -O tsv rank?.json | cut -f 1-4,7-9
tr-critpath --per all --by edge -O tsv rank?.json | grep collective
echo "== had rank 1 loaded as fast as rank 0"
tr-critpath --per all --what-if 'name == "load" && rank == 1 scale=0.2' -O tsv rank?.json
echo "== clocks that differ"
rank 0 10 15 20 50
tr-critpath --per all -O tsv rank?.json
