# Truth: the annotations of the sample.  Steps of which nothing is selected are not part of the output, so that analyses of
# steps are about those that were asked for; with a window, the steps that reach into it.
count() { tr-breakdown --by step -O tsv --columns rank,step "$@"; }
for which in '--step 15..16' '--step 17..' '--rank 1' '--time +10ms..+20ms' '--where kind==comm'; do
    echo "== $which"
    # shellcheck disable=SC2086 # several words
    tr-filter $which "$SAMPLE/rank0.json.gz" "$SAMPLE/rank1.json.gz" | count
done
echo "== compared"
tr-filter -o a.trs --step 15..16 "$SAMPLE/rank0.json.gz"
tr-filter -o b.trs --step 17..18 "$SAMPLE/rank0.json.gz"
tr-diff --by steps -O tsv a.trs b.trs
