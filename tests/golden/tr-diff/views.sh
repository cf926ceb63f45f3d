# Truth: by hand; see traces.inc.  Self time of a span is without what runs inside it: calls by name, in other views only
# operators, or operators and annotations.  The copy has no launch, so it is nobody's and in no step.
. "$GOLDEN/traces.inc"
for view in name short-name kernel operator step path class; do
    echo "== $view"
    tr-diff --by $view -O tsv base.json test.json | cut -f 1-13
done
echo "== the other way round"
tr-diff --by kernel -O tsv test.json base.json | cut -f 1-10
