# Truth: what cannot be meant is refused with one line, and the place in a condition is shown.
. "$GOLDEN/traces.inc"
exec 2>&1
says()
{
    tr-diff "$@"
    echo "status $?"
}
says base.json
says base.json test.json test.json
says --base base.json
says --base base.json --test test.json -- base.json
says --save-partial b.part --fail-if 'diff_us > 1us' base.json
says --save-partial b.part -o c.txt base.json
says --save-partial none/b.part base.json
says --by colour base.json test.json
says -O junit base.json test.json
says --fail-if 'diff_pct > 2% && diff_us > 50' base.json test.json
says --fail-if 'dif_us > 50us' base.json test.json
says --fail-if 'step_time_us.pct > 2%' base.json test.json
says --fail-if 'diff_us > 1us && step > 2%' base.json test.json
says --fail-if 'launches_us.diff > 2' base.json test.json
says --fail-if 'step.median_pct > 2%' base.json test.json
says --fail-if 'diff_us > 50us' --fail-if '' base.json test.json
says --min-coverage 2 base.json test.json
says - -
says none.json test.json
says base.json none.json
