# Truth: the manual's exit statuses: what is about events is refused for tables, and the other way round.
tables=$GOLDEN/../../spec/accept/tables.trs
for options in '-O chrome --table peaks' '-O jsonl --table peaks' '--fields ts --table peaks' '-n 1 --table peaks' \
    '--columns tflops' '--top 1' '-O csv' '-O md' '--table peaks --columns nix'; do
    # shellcheck disable=SC2086 # several words
    tr-view $options "$tables"
    echo "$options: $?"
done
