# Truth: by hand.  An operator whose name no rule takes has the class of the first kernel of its calls, of whatever call
# and group: x::a starts with a reduction in rank 1, at 5, and a product in rank 0, at 10; what is copied or set before
# does not count.  x::outer, around x::gather, launches nothing itself, x::none nothing at all, x::odd a kernel without a
# class.  Collectives are known by their kernels.  aten::mm is known by its name, whatever it launches.
call() { printf '{"ph": "X", "cat": "%s", "name": "%s", "pid": 9, "tid": %s, "ts": %s, "dur": %s, "args": {%s}},\n' "$@"; }
op() { # NAME BEGIN DURATION
    call cpu_op "$1" 9 "$2" "$3" ''
}
n=0
work() { # CATEGORY NAME LAUNCHED BEGIN DURATION
    n=$((n + 1))
    call cuda_runtime cudaLaunchKernel 9 "$3" 1 '"correlation": '$n
    call "$1" "$2" 7 "$4" "$5" '"device": 0, "stream": 7, "correlation": '$n
}
rank() {
    echo '{"distributedInfo": {"rank": '"$1"'}, "traceEvents": ['
    cat
    echo '{"ph": "M", "name": "x", "pid": 0}]}'
}
{
    op x::a 0 8
    work gpu_memset 'Memset (Device)' 1 3 1
    work kernel ampere_sgemm_128x64_nn 2 10 4
    op x::outer 20 20
    op x::gather 22 8
    work kernel 'ncclDevKernel_AllGather_RING_LL(x)' 23 30 9
    op x::none 50 2
    op x::odd 60 5
    work kernel who_knows 61 70 6
    op aten::mm 80 5
    work kernel vectorized_elementwise_kernel 81 90 2
} | rank 0 >r0.json
{
    op x::a 0 8
    work kernel 'void reduce_kernel<float>(x)' 1 5 3
    op x::odd 60 5
    work kernel who_knows 61 70 6
} | rank 1 >r1.json
shown=rank,name,category,device_self
tr-breakdown --by operator,category --columns $shown -O tsv r0.json r1.json
tr-breakdown --by category --columns rank,category,device_self -q -O tsv r0.json r1.json
tr-breakdown --by operator,category --columns $shown -q -O tsv r0.json
tr-breakdown --by operator,category,kernel --columns name,category,kernel -q -O tsv --op x::a r0.json r1.json
tr-breakdown --by operator,args,category --columns rank,name,category -q -O tsv --op x::a r0.json r1.json
tr-roofline --columns rank,name,category,device -q -O tsv r0.json r1.json
for r in 0 1; do
    tr-breakdown --by category --save-partial b$r.trs r$r.json
    tr-roofline --save-partial r$r.trs r$r.json
done
tr-breakdown --by category --columns rank,category,device_self -q -O tsv b1.trs b0.trs
tr-roofline --columns rank,name,category,device -q -O tsv r1.trs r0.trs
