# Truth: no table comes out of a damaged input, whichever run it is of; what can be salvaged is compared.
. "$GOLDEN/traces.inc"
exec 2>&1
tr-parse -o base.trs base.json
head -c 900 base.trs >cut.trs
tr-diff -O tsv cut.trs test.json
echo "status $?"
tr-diff -O tsv -o out base.trs cut.trs
echo "status $?, $(ls out 2>/dev/null)"
head -c 700 base.json >cut.json
tr-diff --by operator -O tsv base.json cut.json | cut -f 1-6
tr-parse --no-sort -o unsorted.trs base.json
tr-diff -O tsv base.trs unsorted.trs
echo "status $?"
