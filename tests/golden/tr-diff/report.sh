# Truth: the tables of views.sh, noise.sh and gate.sh in other clothes; escapes of XML by hand.
. "$GOLDEN/traces.inc"
tr-diff -O md --by kernel --fail-if 'step.diff_pct > 20%' --top 1 base.json test.json
echo "== json"
tr-diff -O json --by kernel base.json test.json
echo "== text, ms"
tr-diff -O text --by steps --unit ms base.json test.json
echo "== junit"
sed 's/"g2"/"g\\"<\&>\\u0001\\u00e9"/' test.json >odd.json
tr-diff -O junit --fail-if 'change == added && side == device && name =~ "^g"' --fail-if "name == mm && diff_pct > 90%" \
    --fail-if 'step.diff_us > 1us' --fail-if 'name == "<" && diff_us > 0' base.json odd.json
echo "status $?"
