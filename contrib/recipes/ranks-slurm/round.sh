#!/bin/sh
# SPDX-License-Identifier: MIT
# round.sh ROUND: submit an array for all traces that have no part and were not refused, and the job that counts after
# it.  Without such traces there is only that job.  From submit.sh, and from reduce.sh.

unset SLURM_RESTART_COUNT # of the job that this runs in
todo=$OUT/logs/todo-$1
while IFS='	' read -r n trace; do
    [ -f "$OUT/parts/$n.part" ] || [ -f "$OUT/parts/$n.refused" ] || printf '%d\t%s\n' "$n" "$trace"
done <"$OUT/traces" >"$todo"
count=$(wc -l <"$todo")

# job OPTION... SCRIPT ROUND: submit, and print the number of the job
job()
{
    # shellcheck disable=SC2086 # several options
    sbatch --parsable --export=ALL --requeue $SBATCH_FLAGS "$@" | sed 's/;.*//'
}

after=
if [ "$count" -gt 0 ]; then
    array=$(job --job-name=ranks-map --array="0-$(((count - 1) / K))" --output="$OUT/logs/task-%A-%a" "$HERE/map.sh" "$1")
    [ "$array" ] || exit 4
    echo "job $array: parts of $count traces" >&2
    after=--dependency=afterany:$array
fi
# shellcheck disable=SC2086 # an option, or none
reduce=$(job --job-name=ranks-reduce $after --output="$OUT/logs/count-%j" "$HERE/reduce.sh" "$1")
[ "$reduce" ] || { [ ! "$after" ] || scancel "$array"; exit 4; }
echo "job $reduce: count the parts, and make the page $OUT/report.html" >&2
