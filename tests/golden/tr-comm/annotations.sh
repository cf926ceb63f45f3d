# Truth: by hand.  Kernels without metadata, External ids that nothing else has, one name for all.  The annotation around
# the launch, on the same thread, says what each is, and of how many elements of which type; an all-to-all of annotations
# may have parts of any size.  The third is launched outside of any, the last by another thread; a record tells more.
. "$GOLDEN/jobs"
# call NAME TS DUR TID ARGS: of the host; work N LAUNCH START DUR TID: a launch and its kernel
call()
{
    printf ',\n{"ph": "X", "cat": "%s", "name": "%s", "pid": 9, "tid": %s, "ts": %s, "dur": %s, "args": {%s}}' \
        "${6:-user_annotation}" "$1" "$4" "$2" "$3" "$5" >>$file
}
work()
{
    call cudaLaunchKernel $2 5 $5 "\"correlation\": $1" cuda_runtime
    kernel $3 $4 7 'ncclDevKernel_Generic(ncclDevKernelArgs)' "\"correlation\": $1, \"External id\": $1"
}
for rank in 0 1; do
    begin $rank
    call nccl:all_reduce 100 50 9 '"Input Dims": [[1000, 16], [], [384]], "Input type": ["float", "int", "float"], "External id": 3'
    work 1 110 200 100 9
    call nccl:_all_gather_base 400 50 9 '"Input Dims": [[512]], "Input type": ["c10::BFloat16"]'
    work 2 410 500 100 9
    work 3 700 800 50 9
    call nccl:all_to_all 1000 50 9 '"Input Dims": [['$((rank + 5))']], "Input type": ["long int"]'
    work 4 1010 1100 40 9
    call nccl:all_reduce 1300 50 9 '"Input Dims": [[8]], "Input type": ["float"]'
    record 1305 30 "$(meta _reduce_scatter_base 64 32 2 tp '[0, 1]')"
    work 5 1310 1400 30 9
    call nccl:all_reduce 1600 50 9 '"Input Dims": [[8]], "Input type": ["float"]'
    work 6 1610 1700 30 8
    end
done
tr-comm -q -O tsv --columns group,seq,name,bytes,ranks,match,transfer_us rank0.json rank1.json
