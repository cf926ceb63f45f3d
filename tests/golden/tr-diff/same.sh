# Truth: a trace is the same as itself: nothing but a header is left, in every view, and a gate passes.
. "$GOLDEN/traces.inc"
for view in name short-name kernel operator step path class; do
    tr-diff --by $view --changed-only -O tsv base.json base.json | cut -f 1,2
    tr-diff --by $view -O tsv base.json base.json | awk -F '\t' -v view=$view '
        NR > 1 && ($7 != 0 || $8 != 0 || $9 != 0 || $10 != "same" || ($11 != "0.00" && $11 != "")) { print view ": " $0 }'
done
tr-diff --changed-only -O text "$SAMPLE/rank0.json.gz" "$SAMPLE/rank0.json.gz"
tr-diff --fail-if 'diff_us > 0 || diff_us < 0 || diff_count != 0 || diff_self_us != 0' --fail-if 'step.diff_us != 0' \
    --by path -o out "$SAMPLE/rank1.json.gz" "$SAMPLE/rank1.json.gz"
echo "status $?"
