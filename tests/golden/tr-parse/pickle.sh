# Truth: by hand.  A pickle is read as plain data only: what would make an object or call a function is refused, and so is
# one that is cut, or that grows without bound.
printf '\200\002}q\000(X\011\000\000\000pg_configq\001}q\002X\001\000\000\0000q\003}q\004(X\004\000\000\000nameq\005h\003X\004\000\000\000descq\006X\002\000\000\000dpq\007X\005\000\000\000ranksq\010X\006\000\000\000[0, 1]q\011usX\007\000\000\000entriesq\012]q\013}q\014(X\016\000\000\000profiling_nameq\015X\012\000\000\000nccl:bcastq\016X\015\000\000\000process_groupq\017h\003h\007\206q\020X\021\000\000\000collective_seq_idq\021K\005X\017\000\000\000time_created_nsq\022\212\004\000\312\232;X\005\000\000\000stateq\023X\007\000\000\000startedq\024X\006\000\000\000is_p2pq\025\211uau.' >rank_1
tr-parse -q rank_1 | tr-view -q -O tsv --columns name,rank,ts,args.state,args.collective_seq_id,"args.Process Group Ranks"
printf '\200\002cos\nsystem\nq\000(X\016\000\000\000echo pg_config\205q\001Rq\002.' >object_1
tr-parse object_1
printf '\200\002}q\000(X\011\000\000\000pg_configq\001}q\002X\007\000\000\000entri' >cut_1
tr-parse cut_1
# ten lists, each with ten times the one before: 10^10 values in 150 bytes
{
    printf '\200\002(X\011\000\000\000pg_config](K\001K\001K\001K\001K\001K\001K\001K\001K\001K\001eq\000'
    for i in 1 2 3 4 5 6 7 8 9; do
        h=$(printf 'h\\%03o' $((i - 1)))
        printf "](${h}${h}${h}${h}${h}${h}${h}${h}${h}${h}eq\\$(printf %03o $i)"
    done
    printf 't.'
} >large_1
tr-parse large_1
