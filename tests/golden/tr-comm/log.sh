# Truth: by hand.  Logs of NCCL's inspector: of equal number and communicator, the shortest execution is that of the rank
# that came last.  Ways of timing do not mix.  Members may be at the top, times decimal, objects in several lines; a line
# that is torn, and one that is no object, are counted.  Sums of them: a communicator of one rank, and barriers and broadcasts,
# make nobody wait; times of different ways are not added up.
line() # rank seq name us [timing]
{
    printf '{"header":{"id":"0xab","comm_name":"tp","rank":%s,"n_ranks":2,"nnodes":1},' "$1"
    printf '"metadata":{"hostname":"node1","pid":%s},"coll_perf":{"coll":"%s","coll_sn":%s,' "$((900 + $1))" "$3" "$2"
    printf '"coll_msg_size_bytes":1048576,"coll_exec_time_us":%s,"coll_timing_source":"%s",' "$4" "${5:-kernel_gpu}"
    printf '"coll_algobw_gbs":2.5,"coll_busbw_gbs":%s.25}}\n' "$1"
}
{
    line 0 1 AllReduce 430
    line 0 2 AllGather 500
    line 0 3 AllReduce 600 collective_cpu
} >node1-pid900.log
{
    line 1 1 AllReduce 100
    line 1 2 AllGather 500.0
    echo 'something else'
    line 1 3 AllReduce 700
    printf '{"id":"0xab","rank":1,"n_ranks":2,"hostname":"node1","pid":901,\n "p2p_perf":{"p2p":"Send","p2p_sn":7,"p2p_peer":0,'
    printf '"p2p_msg_size_bytes":64,"p2p_exec_time_us":5,"event_trace_ts":{"kernel_events":[{"kernel_start_ts":1000},{"kernel_start_ts":900}]}}}\n'
    line 1 4 AllReduce 10 | head -c 150
} >node1-pid901.log
tr-comm --by log -O tsv --columns all node1-pid90?.log
tr-view -q -O tsv --columns name,phase,ts,dur,pid,host,args.peer,args.bytes node1-pid901.log
line 0 4 Broadcast 70 >>node1-pid900.log
line 1 5 Broadcast 90 >node1-pid902.log
line 0 5 Broadcast 30 >>node1-pid902.log
sed 's/0xab/0xcd/; s/"rank":0/"rank":7/' node1-pid900.log >node1-pid903.log
for by in group name size rank; do
    tr-comm -q --by log,$by -O tsv --columns all node1-pid90?.log
done
tr-comm --by straggler -O tsv node1-pid900.log
