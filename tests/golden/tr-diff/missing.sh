# Truth: by hand.  What was not measured does not pass a gate, whether it would have been faster or slower.
. "$GOLDEN/traces.inc"
gate()
{
    tr-diff -q --by conditions -O tsv "$@" 2>&1 | sed 1d
}
echo '{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": 1, "ts": 1, "dur": 3}]}' >one.json
echo '{"traceEvents": []}' >none.json
head -c 1000 base.json >cut.json
grep -v '"kernel"\|gpu_memcpy' base.json | sed 's/"correlation": 2}},/"correlation": 2}}/' >host.json
gate --fail-if 'step.diff_pct > 5%' base.json one.json
gate --fail-if 'step.diff_pct > 5%' --step 2 base.json test.json
gate --fail-if 'step.sigma > 3' --step 2 base.json test.json
gate --fail-if 'step.base_std_us > 1us' --step 2 base.json test.json
gate --fail-if 'step.diff_pct > 5%' none.json test.json
gate --fail-if 'diff_pct > 5%' base.json none.json
gate --fail-if 'device.diff_pct > 5%' base.json host.json
gate --fail-if 'host.diff_pct > 5%' --by conditions,kernel base.json base.json
gate --fail-if 'diff_pct > 5%' host.json base.json
gate --fail-if 'diff_pct > 5%' base.json cut.json
gate --fail-if 'name == "none" && diff_pct > 5%' base.json test.json
gate --fail-if 'name =~ "relu" && diff_pct > 5%' base.json test.json
gate --fail-if 'name =~ "none" && change == added' base.json test.json
gate --fail-if 'name != "none" && diff_pct > 500%' base.json base.json
echo "== coverage"
tr-diff --min-coverage 0.6 --top 1 -O tsv base.json test.json | cut -f 1-6
tr-diff --min-coverage 0.7 --fail-if 'diff_us > 1us' -o seen base.json test.json
echo "status $?, $(wc -l <seen) lines"
tr-diff --min-coverage 0.7 --save-partial seen.part base.json
echo "status $?"
ls seen.part 2>&1 | sed 's/.*: //'
tr-diff --min-coverage 1 --fail-if 'step.sigma > 3' -o seen base.json one.json
echo "status $?"
