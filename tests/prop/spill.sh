#!/bin/sh
# SPDX-License-Identifier: MIT
# tr-sum, operators and models in little memory: groups in temporary files give the rows of groups in memory; half of the
# tables for each commit.
. "$(dirname "$0")/lib.sh"
. "$root/tests/harness/slice.sh"
need tr-parse tr-sum tr-breakdown tr-roofline tr-replay
[ -x "$built/bench/measure" ] || skip_all "not built: bench/measure"
measured=yes # sanitizers take memory of their own
grep -q __asan_init "$bin/tr-breakdown" "$bin/.libs/tr-breakdown" 2>/dev/null && measured=
make_traces made --size 150M --no-truth --seed 5
tr-parse -q -o all.trs made/rank0.json

which_slice 2
while read -r options <&3; do
    n_turns=$((n_turns + 1))
    [ "$slice" = all ] || [ $((n_turns % 2)) -eq "$slice" ] || continue
    # shellcheck disable=SC2086 # several words
    tr-sum -q -M 2G $options -O tsv -o whole.tsv all.trs
    ok $? "tr-sum $options: done in memory"
    for memory in 16M 24M; do
        # shellcheck disable=SC2086
        said=$(tr-sum -q -M $memory -T . $options -O tsv -o parts.tsv all.trs 2>&1)
        is "$said" "" "tr-sum -M $memory $options: done"
        same whole.tsv parts.tsv "tr-sum -M $memory $options: the same rows"
    done
    # shellcheck disable=SC2086
    tr-sum -q -M 16M -T absent $options all.trs >/dev/null 2>&1
    is $? 4 "tr-sum -M 16M $options: needs a temporary file"
done 3<<'END'
--by ts,name,tid --value event
--by name,ts --stat count,sum,share,mean,std,min,p50,p99,max,first,last
--by ts,name --value self --stat count,sum,min
--by name,correlation,ts --hist=3
--by operator,module,bin(1us),short(name)
--by args.correlation,ts --value dur --stat sum,p50
END
[ "$(wc -l <whole.tsv)" -gt 1000 ]
ok $? "there are groups enough"

# Operators of which each call has shapes of its own.
cat >shapes.awk <<'END_OF_AWK'
BEGIN {
    print "{\"traceEvents\": ["
    for (i = 0; i < 200000; i++) {
        printf "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":5,", i * 10
        printf "\"args\":{\"Input Dims\":[[%d,%d],[%d,7]],\"Input type\":[\"float\",\"float\"]}},\n", i + 1, i % 9 + 1, i % 9 + 1
        printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,"
        printf "\"ts\":%d,\"dur\":1,\"args\":{\"correlation\":%d}},\n", i * 10 + 1, i + 1
        printf "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":%d,", i * 10 + 4, 1 + i % 7
        printf "\"args\":{\"device\":0,\"stream\":7,\"correlation\":%d}}%s\n", i + 1, i < 199999 ? "," : "]}"
    }
}
END_OF_AWK
awk -f shapes.awk >shapes.json
tr-parse -q -o shapes.trs shapes.json
for command in tr-replay 'tr-breakdown --by operator,args' 'tr-breakdown --by operator,shape,position' 'tr-roofline --by operator,shape' 'tr-roofline --by operator,params'; do
    n_turns=$((n_turns + 1))
    [ "$slice" = all ] || [ $((n_turns % 2)) -eq "$slice" ] || continue
    $command -q -M 2G -O tsv -o whole.tsv shapes.trs
    ok $? "$command: done in memory"
    rm -f used
    # shellcheck disable=SC2086 # several words
    said=$("$built/bench/measure" used $command -q -M 16M -T . -O tsv -o parts.tsv shapes.trs 2>&1)
    is "$said" "" "$command: done in little memory"
    if [ "$measured" ]; then # rows in a file are read and written in their order, not where they are compared
        [ "$(cut -f 6 used)" -lt 500000 ]
        ok $? "$command: not more than a few page faults for each row: $(cut -f 6 used)"
    fi
    if [ "$measured" ] && [ "$command" != tr-replay ]; then # half of it is the least that tables and strings may have
        # shellcheck disable=SC2086 # several words
        "$built/bench/measure" peak $command -q -j 2 -M 64M -T . -O tsv -o parts.tsv shapes.json
        [ "$(cut -f 4 peak)" -lt 102400 ]
        ok $? "$command -M 64M: the process has less than 100 MiB: $(cut -f 4 peak) KiB"
        rm peak
    fi
    same whole.tsv parts.tsv "$command: the same rows"
    [ "$(wc -l <parts.tsv)" -eq 200001 ]
    ok $? "$command: each call has a row"
done
finish
