# Truth: by hand.  Steps take 100, 104 and 110, 114: means 102 and 112, deviations 2.828, noise sqrt(8/2 + 8/2) =
# 2.828, and 10 / 2.828 = 3.54.  Durations of mm are 20, 20 and 26, 20: noise of their sum sqrt(2 * 18) = 6.
. "$GOLDEN/traces.inc"
tr-diff --by steps -O tsv base.json test.json
tr-diff --by operator --where 'name == mm' -O tsv base.json test.json | cut -f 1,2,8,14-
echo "== one rank slower than the other: the longest span of a step is its length"
sed 's/"dur": 104/"dur": 90/; s/"pid": 1,/"pid": 3,/' base.json >other.json
tr-diff -q --renumber --by steps -O tsv --base base.json other.json --test base.json | cut -f 1-6
echo "== selected"
tr-diff --by steps --step 2 -O tsv base.json test.json
tr-diff --by steps --drop-last-step -O tsv base.json test.json | cut -f 1-6
tr-diff -q --by steps --time 50..250 -O tsv base.json test.json | cut -f 1-6
