# Truth: call trees laid on each other by hand.  The test has a kernel g2 in place of g, another kernel in linear, and
# an operator relu that launches nothing; a copy without a launch is in no tree.
. "$GOLDEN/traces.inc"
for by in tree tree,kernel tree,pair tree,node; do
    echo "== $by"
    tr-diff --by $by -O tsv base.json test.json
done
echo "== as text"
tr-diff --by tree,node -O text base.json test.json
echo "== itself"
tr-diff --by tree -O tsv base.json base.json
echo "== steps of one trace"
tr-diff --strict --by tree --base-where 'step == 1' --test-where 'step == 2' -O tsv --columns change,points,base,test,place base.json
echo "== no device work"
tr-diff --by tree -O tsv "$GOLDEN/../vendors/no-work.json" base.json
tr-diff --by tree,node --columns run -O tsv "$GOLDEN/../vendors/no-work.json" "$GOLDEN/../vendors/no-work.json" | uniq
exec 2>&1
for by in tree,operator tree,pair,node pair kernel,pair table,kernel; do
    tr-diff --by $by base.json test.json
    echo "status $?"
done
head -c 300 base.json >cut.json
tr-diff --by tree -q --strict cut.json test.json
echo "status $?"
