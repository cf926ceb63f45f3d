# Truth: by hand.  NCCL's example profiler writes lines like JSON with values without quotes.  Starts and ends become spans;
# a start at 0 has no time.  Collectives have the args of the inspector's logs: the longest channel, 45 us and 12 us, so
# rank 1 came last.  An end without a start, a start without an end, and what is no event are counted.
inputs=$(cd "$GOLDEN/../../fuzz/corpus/nccl_profiler" && pwd)
cp "$inputs"/rank?.json .
tr-view -O tsv --columns name,cat,ts,dur,args.Stream,args.Datatype,args.comm_rank,args.seq,args.bytes,args.exec_ns,args.timing_source,args.peer rank0.json
tr-comm --by log -O tsv rank0.json rank1.json
tr-comm --by log,rank -O tsv rank0.json rank1.json
{
    sed '/"Group API", "cat": "GROUP_API", "ph": "b"/d; /"Send", "cat": "P2P", "ph": "e"/d' rank0.json
    echo 'something else'
} >odd.json
tr-view -O tsv --columns name,phase,ts,dur odd.json
