# Truth: conditions on call trees, by hand.  There are two points: linear launches another kernel, mm launches g2 in place
# of g; device work takes 82 us in the base and 91 us in the test.
. "$GOLDEN/traces.inc"
exec 2>&1
says()
{
    tr-diff --by tree "$@"
    echo "status $?"
}
says -O tsv --columns change,points,diff,place --fail-if 'total.diff_us > 10us' base.json test.json
says -O tsv --columns change,place --top 1 --fail-if 'total.diff_us > 8us && total.diff_pct > 10%' base.json test.json
says -O tsv --columns change,place --fail-if 'change == differs && diff_us > 5us' base.json test.json
says -O tsv --columns change,place --unit ms --fail-if 'total.points > 0' base.json base.json
says --by conditions,tree -O tsv --fail-if 'total.points > 1' --fail-if 'place =~ "linear" && diff_pct > 20%' --fail-if 'diff_us > 1ms' --fail-if 'total.base_work == 2 && total.test_work == 2' base.json test.json
says -O junit --fail-if 'test_only == g2' base.json test.json
echo "== missing data"
says -O tsv --columns change --fail-if 'diff_us > 1us' "$GOLDEN/../vendors/no-work.json" test.json
head -n 9 base.json >cut.json
says -q -O tsv --columns change --fail-if 'diff_us > 1s' cut.json test.json
echo "== usage"
says --fail-if 'total.us > 1us' base.json test.json
tr-diff --by tree,node --fail-if 'diff_us > 1us' base.json test.json
echo "status $?"
says --save-partial b.part base.json
says --changed-only base.json test.json
