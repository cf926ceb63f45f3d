# Truth: by hand; see traces.inc.  Devices are busy for 40 + 42 + 2 of 152, and for 50 + 41 + 2 of 162; the copy has no
# launch.  Of noise: steps are busy for 40 and 42, and for 50 and 41, so sums of two vary by 2 * 2 and 2 * 40.5, and
# 9 / sqrt(85) = 0.98; in steps of 100, 104 and 110, 114 the device is idle for 60, 62 and 60, 73.
. "$GOLDEN/traces.inc"
tr-diff --by headline -O tsv base.json test.json
tr-diff --by headline -O text --unit ms base.json base.json
tr-diff --by headline -O json base.json test.json
echo "== above the rows for people, alone for programs"
tr-diff --by kernel --top 1 -O text base.json test.json
tr-diff --by kernel --top 1 -O csv base.json test.json
echo "== several ranks: their mean"
sed 's/"pid": 1,/"pid": 3,/; s/"dur": 40,/"dur": 50,/' base.json >rank1.json
cp base.json rank0.json
tr-diff --by headline -O tsv --base rank0.json rank1.json --test rank0.json
echo "== a partial result"
tr-diff --by headline,kernel -O tsv base.json test.json >want
tr-diff --by kernel --save-partial b.part base.json
tr-diff --by headline -O tsv --base b.part --test test.json | cmp - want && echo "as the trace"
echo "== selected"
tr-diff --by headline --step 2 -O tsv base.json test.json
echo "== conditions"
gate()
{
    tr-diff --by conditions -O tsv --fail-if "$@" 2>&1 | sed 1d
}
gate 'busy.diff_us > 8.9us && busy.diff_pct > 10.7% && busy.sigma < 1' base.json test.json
gate 'step_time.diff_us == 10us && compute.base_us == 82us && idle.test_us == 69us && exposed_comm.diff_pct == 0' \
    base.json test.json
gate 'step_time_us.diff_us == 10us && step_time_ms.diff_pct > 9.8% && busy_us.base_us == 84us && idle_s.sigma < 1' \
    base.json test.json
gate 'launches.diff != 0' base.json test.json
grep -v '"kernel"\|gpu_memcpy' base.json | sed 's/"correlation": 2}},/"correlation": 2}}/' >host.json
gate 'busy.diff_pct > 5%' base.json host.json
gate 'idle.diff_pct > 5%' host.json base.json
gate 'busy.sigma > 3' --step 2 base.json test.json
grep -v ProfilerStep base.json >none.json
gate 'step_time.diff_pct > 5%' base.json none.json
gate 'busy.diff_pct > 5%' base.json none.json
echo "== refused"
for by in kernel,name headline,kernel,name rows; do
    tr-diff --by $by base.json test.json
    echo "status $?"
done
