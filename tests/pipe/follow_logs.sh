#!/bin/sh
# SPDX-License-Identifier: MIT
# tr-comm --follow FOLDER: logs of NCCL's inspector are watched while they grow.  Each wait is for what must come.
. "$(dirname "$0")/../harness/tap.sh"
[ -x "$bin/tr-comm" ] || skip_all "tr-comm is not built"
PATH=$bin:$PATH

within()
{
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ $tries -lt 1000 ] || return 1
        sleep 0.02
    done
}
says() { grep -q "$1" out; }

line() # comm rank seq us
{
    printf '{"header":{"id":"%s","comm_name":"%s","rank":%s,"n_ranks":2},"metadata":{"hostname":"n","pid":%s},' "$1" "n$1" "$2" "$2"
    printf '"coll_perf":{"coll":"AllReduce","coll_sn":%s,"coll_exec_time_us":%s,"coll_timing_source":"kernel_gpu"}}\n' "$3" "$4"
}
both() # seq
{
    line 0xa 0 "$1" 100 >>logs/n-pid0.log
    line 0xa 1 "$1" 50 >>logs/n-pid1.log
    line 0xb 0 "$1" 10 >>logs/n-pid0.log
}

mkdir logs
both 1
tr-comm --follow --every 20ms logs >out 2>err &
watcher=$!
within says 'slowest: n0xa (0xa): 0.075 ms in collectives on each of 2 ranks, 75.000 us each, in the mean$'
ok $? "the group that takes longest, from the first look on"
line 0xa 1 2 50 >all
head -c 100 all >>logs/n-pid1.log # a line that is not whole yet
line 0xa 0 2 300 >>logs/n-pid0.log
line 0xa 0 3 300 >>logs/n-pid0.log
within says 'behind: rank 1 of n0xa (0xa) by [12] collectives (n-pid1.log)$'
ok $? "a rank that is behind others, and its log"
n=3
while ! says stopped && [ $n -lt 1000 ]; do
    n=$((n + 1))
    line 0xa 0 $n 300 >>logs/n-pid0.log
    sleep 0.05
done
says '^....-..-..T..:..:..Z stopped: rank 1 of n0xa (0xa), at collective 1 (AllReduce); the newest of others is [0-9]* (n-pid1.log)$'
ok $? "a rank that stops while others go on"
tail -c +101 all >>logs/n-pid1.log
within says 'goes on: rank 1 of n0xa (0xa), at collective 2 '
ok $? "a rank that goes on, with a line that came in two parts"
within says 'silent: n0xb (0xb): nothing new of any rank; the newest collective is 1$'
ok $? "a group of which nothing comes"
line 0xc 0 7 20 >logs/m-pid5.log
echo 'no log' >logs/other.log
within says 'slowest: n0xc (0xc)'
ok $? "a log that comes later"
within grep -q 'other.log: no log of' err
ok $? "what is no log is said"
[ "$(grep -c 'stopped: ' out)" = 1 ] && [ "$(grep -c 'other.log' err)" = 1 ]
ok $? "each is said once"
kill -TERM $watcher
wait $watcher
ok $? "a signal ends it"
for option in '--by log' '--align' '-O json' '--top 3' '--rank 1'; do
    # shellcheck disable=SC2086 # several words
    tr-comm --follow $option logs >out 2>err
    [ $? = 2 ] && grep -q 'no options of tables' err
    ok $? "refused: $option"
done
finish
