# Truth: by hand.  An execution trace beside the trace of the profiler: nodes are joined by their record function id, here
# of aten::linear (3), aten::mm inside it (4), aten::view (5), aten::cat (6).  Work counts for the innermost node around its
# launch, also if it comes before the launch.  A trace of another rank is not joined, one without numbers is said.
inputs=$(cd "$GOLDEN/../../fuzz/corpus" && pwd)
cp "$inputs/pytorch_et/plain_0.json" "$inputs/pytorch_et/linked_1.json" "$inputs/chakra/job.0.et" .
op() # name rf_id ts dur
{
    printf '{"ph":"X","cat":"cpu_op","name":"%s","pid":1,"tid":1,"ts":%s,"dur":%s,"args":{"Record function id":%s}},\n' "$1" "$3" "$4" "$2"
}
launch() # correlation ts kernel_ts kernel_dur
{
    printf '{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":%s,"dur":2,"args":{"correlation":%s}},\n' "$2" "$1"
    printf '{"ph":"X","cat":"kernel","name":"k%s","pid":0,"tid":7,"ts":%s,"dur":%s,"args":{"correlation":%s,"device":0,"stream":7}},\n' "$1" "$3" "$4" "$1"
}
trace() # rank
{
    echo "{\"distributedInfo\":{\"rank\":$1},\"traceEvents\":["
    op aten::linear 3 10 40
    op aten::mm 4 15 20
    launch 1 17 25 30
    launch 2 36 60 5
    op aten::view 5 51 3
    op aten::cat 6 60 12
    launch 3 62 61 7
    launch 4 65 75 1.5
    op other 99 80 4
    launch 5 81 90 50
    echo '{"ph":"M","name":"end","pid":1}]}'
}
trace 0 >rank0.json
trace 1 >rank1.json
tr-breakdown --by node --attach plain_0.json -O tsv rank0.json
tr-critpath --by chain --attach plain_0.json -O tsv rank0.json
tr-breakdown --by node --attach plain_0.json --attach linked_1.json -O tsv --columns rank,node,host,device,work rank1.json
tr-critpath --by chain -O tsv linked_1.json
tr-critpath --by chain -O tsv job.0.et
tr-critpath --by chain -O tsv plain_0.json
sed 's/Record function id/External id/' rank0.json >none.json
tr-breakdown --by node --attach plain_0.json -O tsv --columns node,host none.json
tr-breakdown --by node --attach rank0.json rank0.json
echo "status $?"
tr-breakdown plain_0.json
