#!/bin/sh
# SPDX-License-Identifier: MIT
# map.sh ROUND: a task of the array that round.sh submits.  It saves the parts of K traces.  A part has its name only if
# its program succeeded.

failed=
first=$((SLURM_ARRAY_TASK_ID * K + 1))
mine=$OUT/logs/todo-$1-$SLURM_ARRAY_TASK_ID
sed -n "$first,$((first + K - 1))p" "$OUT/logs/todo-$1" >"$mine" || exit 75
while IFS='	' read -r n trace; do
    part=$OUT/parts/$n.part
    [ ! -f "$part" ] || continue # this task was started again
    new=$OUT/parts/.$n.$SLURM_JOB_ID
    # shellcheck disable=SC2086 # several options
    "${TR}tr-report" -j "${SLURM_CPUS_PER_TASK:-1}" $PART_FLAGS --save-partial "$new" "$trace" 2>"$OUT/logs/$n" </dev/null
    status=$?
    case $status in
    0) mv "$new" "$part" || failed=1 ;;
    2 | 3) : >"$OUT/parts/$n.refused" ;; # it would be again
    *)
        echo "status $status" >>"$OUT/logs/$n"
        failed=1
        ;;
    esac
done <"$mine"
[ "$failed" ] || exit 0
[ "${SLURM_RESTART_COUNT:-0}" -ge 2 ] || exit 75
exit 1
