# Truth: the manual's exit statuses: what is about events is refused for tables, and the other way round.
tables=$GOLDEN/../../spec/accept/tables.trs
for options in '-O chrome --by peaks' '-O jsonl --by peaks' '--columns ts --by peaks' '-n 1 --by peaks' \
    '--columns tflops' '--top 1' '-O csv' '-O md' '--by peaks --columns nix'; do
    # shellcheck disable=SC2086 # several words
    tr-view $options "$tables"
    echo "$options: $?"
done
