#!/bin/sh
# SPDX-License-Identifier: MIT
# ranks-slurm: the page of tr-report about all ranks of a job, made by Slurm where the traces are.
#
#     sh ranks-slurm/submit.sh run7/rank*.json.gz
#
# Each task of an array saves what some of the traces add to the page, 50 KB a trace.  Then a job counts these parts.
# Traces without a part go into another array, three times at most.  In the end the page is made of all parts.
# OUT/missing names each trace that is not in it, and why.  Nothing has to be moved but the parts.
#
# A task whose program fails ends with status 75, which Slurm starts again if slurm.conf has RequeueExit=75; if not, the
# job that counts does so.  That job waits for the end of all tasks, not for their success, because Slurm never starts a
# job after a success that cannot come any more.  A trace that is refused is not tried again.
#
# Run it again with the same OUT and the same traces: only what is missing, or older than its trace, is made.  Traces
# and OUT are on a disk that all nodes see.  Names of traces must not contain a tab or a line end.
#
#   variable      default          meaning
#   OUT           reports          folder for all output
#   K             8                traces of a task; more if there would be more than 1000 tasks
#   EXPECT                         ranks that must be there, as 0..1023: those without a trace are missing, too
#   PART_FLAGS                     options of tr-report for each trace: --where EXPR
#   REPORT_FLAGS                   options of tr-report for the page: --sections all
#   SBATCH_FLAGS                   options of sbatch for all jobs: --partition=short --time=10
#   TR                             folder of the programs, with a slash after it, if not on the PATH of the nodes
#
#   output        what it is
#   OUT/status    0; 5 if something is missing; 3 if nothing is there.  Made last: the work is over
#   OUT/report.txt, OUT/report.html
#   OUT/missing   traces that have no part, with the reason
#   OUT/parts     a part for each trace: inputs of any later tr-report
#   OUT/logs      what programs said, for each trace, task and count

OUT=${OUT:-reports}
K=${K:-8}
HERE=$(cd "$(dirname "$0")" && pwd)
export OUT K HERE
export EXPECT="${EXPECT-}" PART_FLAGS="${PART_FLAGS-}" REPORT_FLAGS="${REPORT_FLAGS-}" SBATCH_FLAGS="${SBATCH_FLAGS-}" TR="${TR-}"

[ $# -gt 0 ] || { echo "usage: submit.sh TRACE...; variables are described at its top" >&2; exit 2; }
[ $(($# / K)) -lt 1000 ] || K=$((($# + 999) / 1000))
mkdir -p "$OUT/parts" "$OUT/logs" || exit 4
n=0
for trace; do
    [ -f "$trace" ] || { echo "no such trace: $trace" >&2; exit 2; }
    n=$((n + 1))
    printf '%d\t%s\n' $n "$trace"
    # shellcheck disable=SC3013 # dash and bash have it
    [ ! "$trace" -nt "$OUT/parts/$n.part" ] || rm -f "$OUT/parts/$n.part"
done >"$OUT/traces.new" || exit
if [ -f "$OUT/traces" ] && ! cmp -s "$OUT/traces" "$OUT/traces.new"; then
    echo "$OUT is of other traces: remove it, or set OUT" >&2
    exit 2
fi
mv "$OUT/traces.new" "$OUT/traces"
rm -f "$OUT/status" "$OUT"/parts/*.refused
sh "$HERE/round.sh" 1
