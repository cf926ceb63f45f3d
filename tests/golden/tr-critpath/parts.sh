# Truth: by hand.  Rank 1 loads for 80 us before it comes to the first all-reduce, whose data takes 10 us.  Rank 0 waits
# for its end, then works for 60 us before it comes to the second one at 155 us, which takes 20 us.  So the path is on
# rank 1 until 80, on rank 0 from there until 155, and ends on rank 1, whose kernel is the first of both that end at 175.
# From partial results it is the same, and in full where the trace is there.
call() { echo "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"$1\", \"pid\": 1, \"tid\": 1, \"ts\": $2, \"dur\": $3, \"args\": {\"correlation\": $4}},"; }
op() { echo "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"$1\", \"pid\": 1, \"tid\": 1, \"ts\": $2, \"dur\": $3},"; }
reduce() { echo "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"ncclDevKernel_AllReduce_Sum_f32_RING_LL\", \"pid\": 0, \"tid\": 20, \"ts\": $1, \"dur\": $2, \"args\": {\"device\": 0, \"stream\": 20, \"correlation\": $3, \"Collective name\": \"allreduce\", \"Process Group Name\": \"0\", \"Group size\": 2, \"Seq\": $3, \"dtype\": \"Float\", \"In msg nelems\": 4, \"Out msg nelems\": 4}}$4"; }
{
    echo '{"distributedInfo": {"rank": 0}, "traceEvents": ['
    op load 0 10
    call cudaLaunchKernelExC 15 5 1
    call cudaDeviceSynchronize 20 70 3
    op work 90 60
    call cudaLaunchKernelExC 150 5 2
    reduce 20 70 1 ,
    reduce 155 20 2
    echo ']}'
} >rank0.json
{
    echo '{"distributedInfo": {"rank": 1}, "traceEvents": ['
    op load 0 75
    call cudaLaunchKernelExC 75 5 1
    call cudaLaunchKernelExC 100 5 2
    reduce 80 10 1 ,
    reduce 105 70 2
    echo ']}'
} >rank1.json
for rank in 0 1; do
    tr-critpath --per all --save-partial $rank.part rank$rank.json
done
each()
{
    echo "== $*"
    tr-critpath --by leg -O tsv "$@"
    tr-critpath --per all -O tsv "$@"
    tr-critpath --per all --by path -O tsv "$@" | cut -f 1-4,6-10
}
each rank0.json rank1.json
each 0.part 1.part
each rank0.json 1.part
echo "== one of both"
tr-critpath --by leg -O tsv 1.part
echo "== refused"
tr-critpath --per all --save-partial x.part --where 'dur > 1us' rank0.json
tr-critpath --per all --save-partial x.part --annotation x rank0.json
tr-critpath --per all --save-partial x.part --what-if 'comm overlap' rank0.json
tr-critpath --per all --by edge --save-partial x.part rank0.json
tr-critpath --per all -O tsv 0.part rank0.json
tr-critpath -O tsv 0.part
tr-critpath --per all --launch-edges -O tsv 0.part
ls
