#!/bin/sh
# SPDX-License-Identifier: MIT
# Time and memory against the number of distinct names, with little memory: what `make names' runs.
#
# A trace of so many kernels, each with a name of its own, becomes a stream, which two programs read again.  One line
# for each number and program, tab separated: names, program, seconds of the processor, microseconds for each name,
# peak memory in MiB.  Ends with status 1 if a program fails, or takes more than 1.6 times as long for a name of the
# largest trace as for one of the trace before.
#
# Variables:
#   TR_BIN     folder of the built programs [../tools]
#   NAMES      numbers of names, the smallest first [2000000 4000000 8000000]; temporary files take some 300 bytes each
#   NAMES_M    memory, as -M takes it [128M]
#   TMPDIR     where files go
LC_ALL=C
export LC_ALL
bin=$(cd "${TR_BIN:-../tools}" 2>/dev/null && pwd)
built=$(pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1

# use N PROGRAM [ARG]...: a line about it
use()
{
    n=$1
    program=$2
    shift 2
    rm -f used
    "$built/bench/measure" used "$bin/$program" "$@" -q -M "${NAMES_M:-128M}" >out ||
        { echo "$program: status $?" >&2; exit 1; }
    awk -F '\t' -v n="$n" -v what="$program" '{
        printf "%d\t%s\t%.1f\t%.2f\t%d\n", n, what, $2 + $3, ($2 + $3) / n * 1e6, $4 / 1024
    }' used | tee -a all
}

printf 'names\tprogram\tcpu_s\tus_per_name\tpeak_MiB\n'
for n in ${NAMES:-2000000 4000000 8000000}; do
    "$built/attack/flood" kernel-names "$n" >trace.json
    use "$n" tr-parse trace.json
    mv out trace.trs
    rm trace.json
    use "$n" tr-info trace.trs
    use "$n" tr-breakdown --by kernel --top 5 trace.trs
done
awk -F '\t' '{ before[$2] = $2 in last ? last[$2] : $4; last[$2] = $4 }
    END {
        for (p in last)
            if (last[p] > 1.6 * before[p]) {
                print p ": not linear" > "/dev/stderr"
                bad = 1
            }
        exit bad
    }' all
