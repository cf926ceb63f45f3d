# Truth: by hand.  Sends and receives of IBM's AIU that name one CollGroup are one collective, from the end of the kernel
# that made the data (20 on rank 0, 10 on rank 1, not that of a kernel of the collective) to the end of the last message,
# 50.  All ranks are in it for 30 us: 4000 bytes, so 0.133 GB/s, and as much on the bus, for there are 2 ranks.
# The same messages again are the next collective, 100 us later.  No kernel ends in it, so it starts with its first message.
# And once more, 100 us later, from 200 and 203 to 250.  The clock of rank 1 may be 7 ms late: ends tell so.
# A message of a group without a size has no bandwidth; a rank alone has it alone.
event()
{
    printf '%s\n{"ph": "X", "name": "%s", "pid": %s, "tid": 7, "ts": %s, "dur": %s, "attr": {%s"TS1": "0", "TS2": "0", "TS3": "0", "TS4": "0", "TS5": "0"}}' \
        "$comma" "$2" "$1" "$3" "$4" "$5" >>"aiu-rank_$1-of_2-job-0.json"
}
message() # rank, name, start, dur, bytes
{
    event "$1" "$2" "$3" "$4" "\"CollGroup\": \"AllReduce_all_reduce_1\", \"Bytes\": \"$5\", "
}
comma=[
event 0 'before Cmpt Exec' 0 0.5 ''
event 1 'before Cmpt Exec' 0 0.5 ''
comma=,
message 0 'SenRdmaReceive_3 [4000B] [sync=AllReduce_all_reduce_1_b] DmaI' 0.7 49.3 4000
message 0 'SenRdmaSend_4 [sync=AllReduce_all_reduce_1_a] DmaO' 0.8 29.2 4000
event 0 'sum Cmpt Exec' 1 19 ''
event 0 'AllReduce_all_reduce_1_Add Cmpt Exec' 2 26 '"CollGroup": "AllReduce_all_reduce_1", '
message 1 'SenRdmaReceive_5 [4000B] [sync=AllReduce_all_reduce_1_a] DmaI' 5 25 4000
event 1 'sum Cmpt Exec' 6 4 ''
message 1 'SenRdmaSend_6 [sync=AllReduce_all_reduce_1_b] DmaO' 35 15 4000
message 0 'SenRdmaReceive_7 [4000B] [sync=AllReduce_all_reduce_1_b] DmaI' 100 50 4000
message 0 'SenRdmaSend_8 [sync=AllReduce_all_reduce_1_a] DmaO' 101 29 4000
message 1 'SenRdmaReceive_9 [4000B] [sync=AllReduce_all_reduce_1_a] DmaI' 105 25 4000
message 1 'SenRdmaSend_10 [sync=AllReduce_all_reduce_1_b] DmaO' 135 15 4000
message 0 'SenRdmaReceive_12 [4000B] [sync=AllReduce_all_reduce_1_b] DmaI' 200 50 4000
message 1 'SenRdmaSend_13 [sync=AllReduce_all_reduce_1_b] DmaO' 203 47 4000
event 0 'next Cmpt Exec' 120 100 ''
event 0 'SenRdmaSend_11 [sync=g_a] DmaO' 300 10 '"CollGroup": "AllGather_g_2", '
for rank in 0 1; do
    echo ']' >>aiu-rank_$rank-of_2-job-0.json
done
for by in collective member size straggler; do
    echo "== $by"
    tr-comm -q --by $by -O tsv aiu-*.json
done
echo "== in any order of files"
tr-comm -q --by collective -O tsv aiu-*1-of_2*.json aiu-*0-of_2*.json | cut -f 3-10
echo "== as a counter"
tr-counters -q --by collective-series -O tsv aiu-*.json
tr-counters aiu-*.json | tr-filter 'name =~ "^Collective"' | tr-view -O jsonl | grep -o '"ts_ns".*' | sed 's/"dur_ns.*"name"/"name"/'
echo "== clocks that differ are aligned by their ends"
mkdir late
cp aiu-rank_0* late
awk '{ at = index($0, "\"ts\": ") } at { rest = substr($0, at + 6); $0 = substr($0, 1, at + 5) rest + 7000 substr(rest, index(rest, ",")) } 1' \
    aiu-rank_1-of_2-job-0.json >late/aiu-rank_1-of_2-job-0.json
tr-align -q late/*.json | tr-comm -q -O tsv --columns name,arrival_spread_us,end_spread_us,start_us
