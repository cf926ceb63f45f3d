# Truth: the page.  Columns are known without a trace; those that are named are shown; a table with a row for the total
# adds nothing up; a stream has no columns.
for view in '' '--by path' '--by edge' '--by count' '--what-if name=="x":scale=2'; do
    echo "== $view"
    # shellcheck disable=SC2086 # several words
    set -- $view
    [ "$1" != --what-if ] || set -- "$1" "$(echo "$2" | tr : ' ')"
    tr-critpath "$@" --help-columns -O tsv | cut -f 1-4
done
echo "== arranged"
set -- --annotation ProfilerStep --instance 1 -O tsv "$SAMPLE/rank0.json.gz"
tr-critpath --columns bound,pct --sort sum "$@"
tr-critpath --columns bound,sum --top 2 "$@"
tr-critpath --by path --columns edge,weight,name --sort weight --top 1 --short-names "$@" | head -n 2
tr-critpath --mark --columns edge "$SAMPLE/rank0.json.gz"
