# Truth: the tables of views.sh and gate.sh, in other orders and parts; sums of shortened names by hand; see traces.inc.
. "$GOLDEN/traces.inc"
diff() { tr-diff -O tsv "$@"; }
echo "== columns of each table, and nothing is read"
for table in headline steps conditions name; do
    diff --by $table --help-columns nowhere nowhere | cut -f 1-5
done
echo "== the order is the user's; the others and the total stay at the end"
diff --columns name,side,diff,change --sort diff_us base.json test.json
diff --columns name,diff,change,diff_pct --sort base_count:asc --top 2 --changed-only base.json test.json
echo "== rows that short names unite, and a condition that still knows the long ones"
diff --by kernel --short-names --columns name,side,base_count,test_count,base,test,diff,change,noise \
    --fail-if 'name =~ "<" && diff_us > 1h' base.json test.json
echo "== Markdown: the rows alone"
tr-diff -O md --columns name,diff_us --top 1 base.json test.json
echo "== what goes with no table"
tr-diff -O junit --fail-if 'diff_us > 1h' --columns name base.json test.json
echo "status $?"
tr-diff --save-partial - --help-columns base.json
echo "status $?"
tr-diff --columns name,dur base.json test.json
echo "status $?"
tr-diff --by steps --sort name base.json test.json
echo "status $?"
