# Truth: by hand.  Dumps of flight recorders: rank 2 stops before number 3 of the job's group, so ranks 0 and 1 wait there,
# and rank 3 waits for rank 1 in a group of two, which only follows.  Status 1: a fault; 5: not decidable; 0: none.
dump() # rank number state [entry...]
{
    printf '{"version":"2.10","pg_config":{"0":{"name":"0","desc":"default_pg","ranks":"[0, 1, 2, 3]"}%s},' "$1"
    printf '"pg_status":{"0":{"last_enqueued_collective":%s,"last_started_collective":%s,"last_completed_collective":2}},' "$2" "$2"
    shift 2
    printf '"entries":['
    comma=
    for entry; do
        printf '%s%s' "$comma" "$entry"
        comma=,
    done
    echo ']}'
}
call() # number state name sizes time line [group desc id]
{
    printf '{"record_id":%s,"pg_id":%s,"process_group":["%s","%s"],"collective_seq_id":%s,"p2p_seq_id":0,"is_p2p":false,' \
        "$1" "${9:-0}" "${7:-0}" "${8:-default_pg}" "$1"
    printf '"profiling_name":"nccl:%s","input_sizes":%s,"output_sizes":%s,"input_dtypes":["Float"],"output_dtypes":["Float"],' \
        "$3" "$4" "$4"
    printf '"state":"%s","time_created_ns":%s,"thread_id":"7","frames":[{"name":"all_reduce","filename":"/lib/torch/distributed/c.py","line":9},{"name":"step","filename":"train.py","line":%s}]}' \
        "$2" "$5" "$6"
}
two=',"1":{"name":"1","desc":"pair","ranks":"[1, 3]"}'
dump "" 3 "$(call 2 completed all_reduce '[[8]]' 1000000 41)" "$(call 3 started all_reduce '[[4,8]]' 2000000 42)" >trace_0.json
dump "$two" 3 "$(call 2 completed all_reduce '[[8]]' 1000100 41)" "$(call 3 started all_reduce '[[4,8]]' 2000100 42)" >trace_1.json
dump "" 2 "$(call 2 completed all_reduce '[[8]]' 1000200 41)" >trace_2.json
dump "$two" 3 "$(call 2 completed all_reduce '[[8]]' 1000300 41)" "$(call 3 scheduled all_reduce '[[4,8]]' 2000300 42)" \
    "$(call 1 started broadcast '[[8]]' 2000050 55 1 pair 1)" >trace_3.json
tr-comm --by verdict -O text trace_?.json
echo "status $?"
tr-comm --by verdict -q -O json trace_?.json
tr-comm --by verdict -q -O tsv --columns all trace_?.json
echo "# a size, a type, an operation"
sed 's/\[\[4,8\]\]/[[4,9]]/g' trace_0.json >size_0.json
tr-comm --by verdict -O tsv -q --columns verdict,cause,seq,ranks,expected,found size_0.json trace_1.json trace_3.json
sed 's/nccl:all_reduce/nccl:barrier/g' trace_1.json >name_1.json
tr-comm --by verdict -O tsv -q --columns verdict,cause,seq,ranks,expected,found trace_0.json name_1.json trace_3.json
echo "# the dump of rank 2 is missing: nobody knows"
tr-comm --by verdict -q -O tsv --columns verdict,cause,group,seq,ranks,waiting trace_0.json trace_1.json
echo "status $?"
echo "# all is well"
sed 's/"started"/"completed"/' trace_0.json >ok_0.json
dump "" 3 "$(call 3 completed all_reduce '[[4,8]]' 2000000 42)" >ok_1.json
sed 's/, 2, 3\]/]/' ok_0.json >a_0.json
sed 's/, 2, 3\]/]/' ok_1.json >a_1.json
tr-comm --by verdict -q -O tsv --columns verdict,cause a_0.json a_1.json
echo "status $?"
echo "# a dump that is cut keeps its whole entries"
head -c 900 trace_0.json >cut_0.json
tr-parse cut_0.json | tr-view -q -O tsv --columns name,ts,args.state,args.where
