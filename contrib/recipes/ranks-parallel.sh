#!/bin/sh
# SPDX-License-Identifier: MIT
# ranks-parallel.sh: the page of tr-report about all ranks of a job, made by GNU parallel on this machine or on several.
#
#     sh ranks-parallel.sh run7/rank*.json.gz
#     PARALLEL='--sshlogin 8/node1,8/node2' sh ranks-parallel.sh run7/rank*.json.gz
#
# Each trace is read by a program of its own, which sends back what the trace adds to the page, 50 KB.  Then the page is
# made of these parts.  OUT/missing names each trace that is not in it, and why.
#
# Run it again with the same OUT and the same traces: only those that failed, or were not reached, are read again.  For
# traces that changed, remove OUT.  Machines have the traces under the same names; nothing is written there.  Names of
# traces must not contain a tab or a line end.  Needs GNU parallel of 2017 or later; other machines need ssh and perl.
#
#   variable      default          meaning
#   PARALLEL                       options of parallel, which reads this by itself: -j 8, --sshlogin, --memfree 4G
#   OUT           reports          folder for all output
#   EXPECT                         ranks that must be there, as 0..1023: those without a trace are missing, too
#   PART_FLAGS    -j 1             options of tr-report for each trace: --where EXPR
#   REPORT_FLAGS                   options of tr-report for the page: --sections all
#   TR                             folder of the programs, with a slash after it, if not on the PATH of the machines
#
#   output        what it is
#   OUT/report.txt, OUT/report.html
#   OUT/missing   traces that have no part, with the reason
#   OUT/parts     a part for each trace: inputs of any later tr-report
#   OUT/joblog    what parallel says of each trace
#
# The status is 0; 5 if something is missing; 3 if nothing is there.

OUT=${OUT:-reports}
PART_FLAGS=${PART_FLAGS--j 1}
[ $# -gt 0 ] || { echo "usage: ranks-parallel.sh TRACE...; variables are described at its top" >&2; exit 2; }
mkdir -p "$OUT/parts" "$OUT/new" || exit 4
n=0
for trace; do
    n=$((n + 1))
    printf '%d\t%s\n' $n "$trace"
done >"$OUT/traces.new" || exit 4
if [ -f "$OUT/traces" ] && ! cmp -s "$OUT/traces" "$OUT/traces.new"; then
    echo "$OUT is of other traces: remove it, or set OUT" >&2
    exit 2
fi
mv "$OUT/traces.new" "$OUT/traces"

# Without SHELL, as under cron, parallel starts nothing on other machines, and says that all went well.
SHELL=${SHELL:-/bin/sh}
export SHELL
parallel --will-cite --workdir "$PWD" --retries 2 --joblog "$OUT/joblog" --resume-failed --results "$OUT/new/{1}" \
    --colsep '\t' -a "$OUT/traces" "${TR-}tr-report $PART_FLAGS --save-partial - {2}" >/dev/null 2>&1

# A part has its name only if its program succeeded: the last line of the log about it counts.
awk -F '\t' 'NR > 1 { status[$1] = $7 + $8 } END { for (n in status) if (status[n] == 0) print n }' "$OUT/joblog" |
    while read -r n; do
        [ ! -f "$OUT/new/$n" ] || mv "$OUT/new/$n" "$OUT/parts/$n.part"
    done
while IFS='	' read -r n trace; do
    [ -f "$OUT/parts/$n.part" ] || printf '%s: %s\n' "$trace" "$(grep . "$OUT/new/$n.err" | tail -n 1 | grep . ||
        awk -F '\t' -v n="$n" '$1 == n { said = "status " $7 ", signal " $8 }
            END { print said ? said : "not reached" }' "$OUT/joblog")"
done <"$OUT/traces" >"$OUT/missing" 2>/dev/null

# page FORMAT FILE
page()
{
    # shellcheck disable=SC2086 # several options
    "${TR-}tr-report" -q ${REPORT_FLAGS-} ${EXPECT:+--expect-ranks "$EXPECT"} -O "$1" -o "$2" "$OUT/parts"
}
page html "$OUT/report.html" 2>/dev/null
page text "$OUT/report.txt" 2>>"$OUT/missing"
status=$?
cat "$OUT/missing" >&2
[ $status -ne 0 ] || [ ! -s "$OUT/missing" ] || status=5
exit $status
