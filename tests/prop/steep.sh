#!/bin/sh
# SPDX-License-Identifier: MIT
# Traces on which a walk per event along what is open takes minutes: each view ends within seconds of the processor.
# Another kind of spans for each commit.
. "$(dirname "$0")/lib.sh"
. "$root/tests/harness/slice.sh"
need tr-parse tr-breakdown tr-patterns tr-metrics tr-diff tr-critpath tr-cycles tr-counters
[ -x "$built/attack/expand" ] || skip_all "not built: attack/expand"
seconds=${TR_STEEP_SECONDS:-20}
n=60000

# deep CATEGORY: spans each in the one before, and one launch in each whose kernel comes after all
deep()
{
    awk -v n="$n" -v cat="$1" 'BEGIN {
        print "{\"traceEvents\": ["
        for (i = 0; i < n; i++) {
            printf "{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"n%d\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d},\n",
                cat, i % 50, i * 3, 6 * (n - i)
            printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d," \
                "\"dur\":1,\"args\":{\"correlation\":%d}},\n", i * 3 + 1, i + 1
        }
        for (i = 0; i < n; i++)
            printf "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":1," \
                "\"args\":{\"correlation\":%d,\"device\":0,\"stream\":7}}%s\n", (6 * n) + i * 2, i + 1, i < n - 1 ? "," : "]}"
    }'
}

# quick FILE COMMAND...: it ends in time
quick()
{
    file=$1
    shift
    (ulimit -t "$seconds" && "$@" -q -j 1 "$file") >table 2>said
    ok $? "$file: $*"
}

which_slice 3
deep cpu_op | tr-parse -q -o cpu_op.trs
for cat in $(turns 3 cpu_op user_annotation python_function); do
    [ "$cat" = cpu_op ] || deep "$cat" | tr-parse -q -o "$cat.trs"
    quick "$cat.trs" tr-breakdown --by operator
    [ "$(awk -F '\t' '{ n += $9 } END { print n }' table)" = "$n" ]
    ok $? "no work is lost"
    quick "$cat.trs" tr-breakdown --by operator,shape,args,stack,module,category,thread,recompute
    quick "$cat.trs" tr-breakdown --by sequence
    quick "$cat.trs" tr-patterns --op none
    quick "$cat.trs" tr-metrics --by operator,stack
    quick "$cat.trs" tr-diff --by operator cpu_op.trs
done

# 60,000 sources that are all alike
"$built/attack/expand" sources 1 >sources.trs
quick sources.trs tr-cycles
quick sources.trs tr-critpath --mark
quick sources.trs tr-counters
finish
