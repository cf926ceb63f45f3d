# Truth: by hand.  What a kernel does not say itself, the record around its launch does, on the thread of the launch:
# two threads have a record at that time, and only the one of thread 2 has numbers that pair the two ranks.  Rank 1
# counts one further on thread 1.
. "$GOLDEN/jobs"
m=$(meta allreduce 8 8 2 dp '[0, 1]')
record_of() { printf ',\n{"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 9, "tid": %s, "ts": 10, "dur": 50, "args": {%s, "Seq": %s}}' "$1" "$m" "$2" >>$file; }
launch() { printf ',\n{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 2, "ts": 20, "dur": 2, "args": {"correlation": 5}}' >>$file; }
for r in 0 1; do
    begin $r
    record_of 1 $((50 + r))
    record_of 2 7
    launch
    kernel $((100 + r)) 10 1 nccl "$m, \"correlation\": 5"
    end
done
tr-comm -O tsv rank*.json | cut -f 1-8,14
