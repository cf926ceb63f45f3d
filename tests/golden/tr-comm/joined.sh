# Truth: by hand.  Traces beside dumps of flight recorders: entries are in another order than kernels, and the number of
# the group decides.  Number 7 of the group 0: rank 1 comes 30 us late, both end at 160; the call of rank 0 was made at
# 90.5, and took 61.5 us by the log.  Number 7 of the group tp is another one.  Number 9: a barrier is an all-reduce in the
# log.  Number 10: one entry stands for three of coalesced calls.  Not joined: number 11, which rank 0 has twice in its log;
# 12, another operation; 13 and 14, which one side lacks; a send; the group pp, whose ranks differ on rank 1.
. "$GOLDEN/jobs"
all='[0, 1]'
call() # group number name created_us state [ms [p2p]]
{
    printf '{"process_group":["%s","%s"],"collective_seq_id":%s,"p2p_seq_id":1,"is_p2p":%s,"profiling_name":"nccl:%s",' \
        "$1" "$1" "$2" "${7:-false}" "$3"
    printf '"time_created_ns":1780000000000%s,"state":"%s"%s}' "$4" "$5" "${6:+,\"duration_ms\":$6}"
}
dump() # ranks_of_pp entry...
{
    printf '{"version":"2.10","pg_config":{"0":{"name":"0","desc":"0","ranks":"[0, 1]"},'
    printf '"tp":{"name":"tp","desc":"tp","ranks":"[0, 1]"},"pp":{"name":"pp","desc":"pp","ranks":"%s"}},"entries":[' "$1"
    shift
    comma=
    for entry; do
        printf '%s%s' "$comma" "$entry"
        comma=,
    done
    echo ']}'
}
collective() # start dur group number name
{
    kernel $1 $2 4 nccl "$(meta $5 1000 1000 2 $3 "$all"), \"Seq\": $4"
}
for r in 0 1; do
    begin $r
    collective $((100 + 30 * r)) $((60 - 30 * r)) 0 7 allreduce
    collective $((200 + r)) $((20 - r)) tp 7 allreduce
    collective 300 10 0 9 barrier
    collective 400 10 0 10 coalesced
    collective 500 10 0 11 allreduce
    collective 600 10 0 12 allreduce
    collective 700 10 0 13 allreduce
    collective 800 10 pp 5 allreduce
    kernel 850 10 4 nccl "$(meta all_to_allv 4 4 2 tp "$all"), \"Seq\": 8, \"In split size\": \"[1, 3]\""
    kernel 900 10 4 nccl "$(meta send 10 10 2 0 "$all"), \"Src Rank\": $r, \"Dst Rank\": $((1 - r)), \"Seq\": 7"
    end
    sed -i 's/^{/{"baseTimeNanoseconds": 1780000000000000000, /;t' rank$r.json
done
dump '[0, 1]' "$(call pp 5 all_reduce 790000 completed 0.01)" "$(call tp 7 all_reduce 190000 completed 0.0205)" \
    "$(call tp 8 all_to_all 849000 completed)" "$(call 0 10 all_gather 390000 completed)" "$(call 0 10 all_gather 390500 completed)" \
    "$(call 0 10 coalesced 391000 completed)" "$(call 0 11 all_reduce 490000 completed)" \
    "$(call 0 11 all_reduce 491000 completed)" "$(call 0 12 broadcast 590000 completed)" \
    "$(call 0 14 all_reduce 890000 scheduled)" "$(call 0 7 all_reduce 090500 completed 0.0615)" \
    "$(call 0 9 all_reduce_barrier 290000 started)" "$(call 0 8 'send 0->1' 090000 completed '' true)" >dump_rank0.json
dump '[1, 3]' "$(call 0 7 all_reduce 095000 completed 0.031)" "$(call tp 7 all_reduce 202000 completed)" \
    "$(call 0 9 all_reduce_barrier 290000 completed)" "$(call pp 5 all_reduce 790000 completed)" >dump_rank1.json
tr-comm --by joined -O text rank?.json dump_rank?.json
tr-comm --by joined -O tsv -q --columns all rank?.json dump_rank?.json
echo "# selected members; what they are joined to stays"
tr-comm --by joined -O tsv -q --time +200us..+320us --columns group,seq,rank,delay rank?.json dump_rank?.json
tr-comm --by joined -O tsv --rank 1 --columns group,seq,rank rank?.json dump_rank?.json
echo "# without a time base nobody knows when the call was made; a list of ranks may be short, or be a start and a stride"
sed 's/"baseTimeNanoseconds": [0-9]*, //; s/"Process Group Ranks": "[^"]*"/"Process Group Ranks": "[0, ...]"/' rank0.json >short0.json
sed 's/"Process Group Ranks": "[^"]*"/"Global rank start": 0, "Global rank stride": 1/' rank1.json >start1.json
tr-comm --by joined -O tsv -q --columns group,seq,rank,delay short0.json start1.json dump_rank?.json
echo "# one side alone, and a log that has other numbers"
tr-comm --by joined -O tsv dump_rank?.json
printf '{"header":{"id":"0xab","rank":0,"n_ranks":2},"coll_perf":{"coll":"AllReduce","coll_sn":7,"coll_exec_time_us":5}}\n' >node-pid1.log
tr-comm --by joined -O tsv rank?.json node-pid1.log
echo "# more groups than a remark has room for"
set --
for g in 1 2 3 4 5 6 7 8 9 10; do
    set -- "$@" "$(call a_name_that_is_rather_long_$g 1 all_reduce 100000 completed)"
done
dump '[0, 1]' "$@" >many_rank0.json
tr-comm --by joined -O tsv --columns seq rank0.json many_rank0.json
