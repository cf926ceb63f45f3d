#!/bin/sh
# SPDX-License-Identifier: MIT
# contrib/recipes/aiu-messages.awk: pairs of sends and receives, offsets of clocks that tr-align takes, collectives.
# Three ranks, whose clocks are 0, 100 us and -50 us ahead.  Rank 0 sends to 1, which sends to 2, which sends to both.
. "$(dirname "$0")/../harness/tap.sh"
for t in tr-view tr-align tr-merge; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done
command -v awk >/dev/null || skip_all "no awk"

# event RANK NAME START DUR TYPE [PEER] [BYTES]: at a time of the right clock
event()
{
    [ "$1" = 1 ] && ahead=100 || ahead=0
    [ "$1" = 2 ] && ahead=-50
    printf '%s{"ph": "X", "name": "%s", "pid": %s, "tid": 7, "ts": %s, "dur": %s, "attr": {"CollGroup": "g_1", "Type": "%s"%s%s}}' \
        "$comma" "$2" "$1" $((1000 + $3 + ahead)) "$4" "$5" "${6:+, \"Peer\": \"$6\"}" "${7:+, \"Bytes\": \"$7\"}" >>"job-rank_$1-of_3.json"
}
for rank in 0 1 2; do
    comma='[' && event $rank 'k Cmpt Exec' 0 5 none
done
comma=,
event 0 'Send_1 [sync=a] DmaO' 10 4 SingleCast 1 8000
event 1 'Recv_1 [8000B] [sync=a] DmaI' 2 12 'WDone Barrier' 0 8000
event 1 'Send_2 [sync=b] DmaO' 20 4 SingleCast 2 8000
event 2 'Recv_2 [8000B] [sync=b] DmaI' 3 21 'WDone Barrier' 1 8000
event 2 'Send_3 - Set BcList [sync=c] DmaO' 30 1 'Set BCList'
event 2 'Send_3 Data [sync=c] DmaO' 30 10 MultiCast '' 8000
event 2 'Send_3 - Xseg to rank 0 [sync=c] DmaO' 30 2 'MultiCast XSEG' 0
event 2 'Send_3 - Xseg to rank 1 [sync=c] DmaO' 30 2 'MultiCast XSEG' 1
event 0 'Recv_3 [8000B] [sync=c] DmaI' 4 36 'WDone Barrier' 2 8000
event 1 'Recv_3 [8000B] [sync=c] DmaI' 15 25 'WDone Barrier' 2 8000
event 1 'Send_4 [sync=lost] DmaO' 50 4 SingleCast 0 8000
for rank in 0 1 2; do
    echo ']' >>job-rank_$rank-of_3.json
done
"$bin/tr-merge" -q -o job.trs job-rank_?-of_3.json
messages()
{
    from=$1 && shift
    "$bin/tr-view" -q -O tsv --unit ns --relative --columns rank,name,ts,dur,args.CollGroup,args.Peer,args.Type,args.Bytes \
        "$from" | awk "$@" -f "$root/contrib/recipes/aiu-messages.awk"
}
is "$(messages job.trs | cut -f 2-10 | tr '\t\n' ' ;')" \
"sync src dst bytes send_start_ns send_end_ns recv_start_ns recv_end_ns GBps;\
c 2 0 8000 30000 40000 54000 90000 0.800000;c 2 1 8000 30000 40000 165000 190000 0.800000;\
a 0 1 8000 60000 64000 152000 164000 2.000000;b 1 2 8000 170000 174000 3000 24000 2.000000;" "messages, each on its own clock"
messages job.trs -v by=offsets >offsets
is "$(tr '\t\n' ' ;' <offsets)" "rank offset_us;0 0.000;1 100.000;2 -50.000;" "offsets of the clocks"
"$bin/tr-align" -q --offsets offsets -o aligned.trs job.trs
is "$(messages aligned.trs | awk -F '\t' 'NR > 1 && $7 != $9')" "" "aligned, sends and receives end together"
is "$(messages aligned.trs -v by=collectives | tr '\t\n' ' ;')" \
"group rank start_ns dur_ns sent received bytes;g_1 0 4000 36000 1 1 16000;g_1 1 2000 38000 1 2 24000;g_1 2 3000 37000 2 1 24000;" \
    "collectives by rank"
is "$(messages job-rank_0-of_3.json | wc -l | tr -d ' ')" 1 "a rank alone has no messages"
finish
