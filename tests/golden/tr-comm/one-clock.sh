# Truth: by hand.  Two cards in one file of AIU, whose clocks were not aligned: card 0 is in the allreduce from 100 to 140,
# card 1 from 500 to 520.  Each needs what the other one sends, so by one clock this cannot be: the time in which both
# are in it is not known, and tr-align cannot move a part of a file.  With 110 to 130 on card 1, both are in it for 20 us.
event() # card, number, name, start, end, TS1
{
    attr="\"CollGroup\": \"AllReduce_sum_1\", \"Bytes\": \"4096\", \"TS1\": \"$6\", \"TS2\": \"$6\", \"TS3\": \"$6\", \"TS4\": \"$6\", \"TS5\": \"$6\""
    printf '{"attr": {%s, "Peer": "%d", "Type": "%s"}, "name": "%s", "ph": "B", "pid": %d, "tid": %d, "ts": %d},\n' \
        "$attr" "$((1 - $1))" "$7" "$3" "$1" "$2" "$4"
    printf '{"attr": {%s, "Peer": "%d", "Type": "%s"}, "name": "%s", "ph": "E", "pid": %d, "tid": %d, "ts": %d}%s\n' \
        "$attr" "$((1 - $1))" "$7" "$3" "$1" "$2" "$5" "$8"
}
cards() # start of card 1
{
    echo '['
    event 0 11 'SenRdmaSend_1 [sync=AllReduce_sum_1_s0_r1_0] DmaO' 100 120 1000 SingleCast ,
    event 0 12 'SenRdmaReceive_2 [4096B] [sync=AllReduce_sum_1_s1_r0_1] DmaI' 105 140 1010 'WDone Barrier' ,
    event 1 11 'SenRdmaSend_3 [sync=AllReduce_sum_1_s1_r0_1] DmaO' $(($1 + 5)) $(($1 + 20)) 7000 SingleCast ,
    event 1 12 'SenRdmaReceive_4 [4096B] [sync=AllReduce_sum_1_s0_r1_0] DmaI' "$1" $(($1 + 10)) 7010 'WDone Barrier' ''
    echo ']'
}
for start in 500 110; do
    echo "== $start"
    cards "$start" >both.json
    tr-comm -O tsv --by collective --columns name,ranks,arrival_spread_us,transfer_us,end_spread_us both.json
done
