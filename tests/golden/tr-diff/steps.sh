# Truth: by hand.  Runs with unlike numbers of steps are compared as they are, with a warning.
. "$GOLDEN/traces.inc"
tr-diff -O tsv --by step --where 'step == 1' base.json test.json | cut -f 1-9
grep -v 'ProfilerStep#2' test.json >fewer.json
tr-diff -O tsv --by step base.json fewer.json | cut -f 1-9
