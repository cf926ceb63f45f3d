# Truth: by hand; see traces.inc and noise.sh.
. "$GOLDEN/traces.inc"
# gate CONDITION...
gate()
{
    for condition; do
        set -- "$@" --fail-if "$condition"
        shift
    done
    tr-diff --by conditions -O tsv "$@" base.json test.json
    echo "status $?"
}
gate 'step.diff_pct > 9.7%' 'step.diff_pct > 9.9%'
gate 'step.sigma > 3.6' 'step.p50_diff_us > 10us'
gate 'step.sigma > 3.5 && step.diff_us > 9us && step.noise_us < 3us && step.base_mean_us == 102us'
gate 'name == "mm" && diff_pct > 14.9%' 'side == device && change == added'
gate 'side == host && diff_pct < 0 && change == removed'
gate 'diff_pct > 1000% && name =~ "relu|mm"'
gate 'host.diff_count == 1 && device.diff_count == 0 && device.test_us > 0' 'device.diff_us < 0'
gate 'sigma > 0.99 && noise_us > 5.99us && noise_us < 6.01us' 'mean_diff_us > 2.9us && base_count == 2'
tr-diff --fail-if 'diff_us > 1us' -o kept.tsv base.json test.json
echo "status $?, $(wc -l <kept.tsv) lines"
