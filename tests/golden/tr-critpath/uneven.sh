# Truth: by hand.  Rank 1 comes to an all-to-all of uneven parts at 60 us, 40 us after rank 0, and the data takes 10 us from
# then on.  So the path is that of rank 1 until it came, 55 us of its host and 5 for the launch, then 10 for the data.
# This holds for each name: PyTorch's for one tensor, the one for lists of tensors, which lists the sizes of its parts,
# and that of MPI.  A rank whose parts are empty need not wait: rank 0, which leaves at 45 us, has not waited.  Then its
# 25 us are its own, and nothing leads back in time.
rank()
{
    cat >rank$1.json <<END
{"distributedInfo": {"rank": $1}, "traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "route", "pid": 1, "tid": 1, "ts": 0, "dur": $2},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernelExC", "pid": 1, "tid": 1, "ts": $2, "dur": 2, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_SendRecv", "pid": 0, "tid": 20, "ts": $3, "dur": $4, "args": {"device": 0, "stream": 20, "correlation": 1, "Collective name": "$name", "Process Group Name": "0", "Group size": 2, "Seq": 1, "dtype": "Half", "In msg nelems": $5, "Out msg nelems": $6, "In split size": "$7", "Out split size": "$8"}}
]}
END
}
for name in all_to_allv all_to_all MPI_Alltoallw; do
    rank 0 15 20 50 40 12 '[10, 30]' '[10, 2]'
    rank 1 55 60 10 8 36 '[2, 6]' '[30, 6]'
    echo "== $name"
    tr-critpath --per all -O tsv rank?.json
done
tr-critpath --per all --by path -O tsv rank?.json | cut -f 1-4,7-9
tr-comm -O tsv --columns name,bytes,ranks,match rank?.json
echo "== a rank leaves early"
name=all_to_allv
rank 0 15 20 25 40 0 '[10, 30]' '[0, 0]'
tr-critpath --per all -O tsv rank?.json
tr-critpath --per all --by edge -O tsv rank?.json | awk -F '\t' '$2 == 2 || $5 == 2' | cut -f 1-8
