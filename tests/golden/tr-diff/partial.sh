# Truth: a comparison with the partial result of a trace is that with the trace, in every view of rows, also if it is
# the test, or beside traces of other ranks.  What is cut, of other options or of another program is refused with one
# line.
. "$GOLDEN/traces.inc"
for view in name short-name kernel operator class step path; do
    tr-diff -q --by $view --save-partial b.part base.json
    tr-diff -q --by $view --save-partial t.part test.json
    for table in $view steps headline,$view; do
        tr-diff -q --by $table -O tsv base.json test.json >want
        tr-diff -q --by $table -O tsv b.part test.json | cmp - want
        tr-diff -q --base b.part --by $table -O tsv test.json | cmp - want
        tr-diff -q --by $table -O tsv base.json t.part | cmp - want
    done
    tr-diff -q -O tsv b.part t.part >have
    tr-diff -q --by $view -O tsv base.json test.json | cmp - have && echo "$view"
done
echo "== ranks"
for rank in 0 1; do
    cp base.json rank$rank.json
    tr-diff --by kernel --save-partial $rank.part rank$rank.json
done
tr-diff --by kernel -O tsv --base rank0.json rank1.json --test test.json >want
tr-diff -O tsv --base 1.part 0.part --test test.json | cmp - want && echo "two"
tr-diff -O tsv --base 1.part rank0.json --test test.json | cmp - want && echo "beside a trace"
tr-diff --save-partial both.part 0.part 1.part
tr-diff -O tsv both.part test.json | cmp - want && echo "saved again"
# refused: with one line, status, and no table
refused()
{
    tr-diff "$@" -O tsv
    echo "status $?"
}
exec 2>&1
echo "== refused"
tr-diff --by kernel --save-partial b.part base.json
refused --by name b.part test.json
refused --step 2 b.part test.json
refused --where 'dur > 1us' b.part test.json
refused none.part test.json
refused --base 0.part 0.part --test test.json
refused --base 0.part rank0.json --test test.json
head -c 700 b.part >cut.part
refused cut.part test.json
tr-breakdown --by kernel --save-partial k.part base.json
refused k.part test.json
