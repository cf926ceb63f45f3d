# Truth: which files are which run is the same by operands and by options; counts add up over ranks.
. "$GOLDEN/traces.inc"
tr-diff -O tsv --by kernel base.json test.json >want
tr-diff -O tsv --by kernel --base base.json --test test.json | cmp - want
tr-diff -O tsv --test test.json --base base.json --by kernel | cmp - want
tr-diff -O tsv --by kernel base.json - <test.json | cmp - want
tr-diff -O tsv --by kernel --base - --test test.json <base.json | cmp - want
cd "$SAMPLE" || exit
tr-diff --by kernel --top 0 -O tsv --base rank0.json.gz rank1.json.gz --test rank?.json.gz | tail -n 1 | cut -f 1-10
tr-diff --by kernel -O tsv --base rank0.json.gz --base rank1.json.gz --rank 1 --test rank1.json.gz | tail -n 1 | cut -f 1-10
tr-diff --by kernel -O tsv --step 15..16 rank0.json.gz rank1.json.gz | tail -n 1 | cut -f 1-10
