# Truth: the tables as tests/spec/accept/tables.txt tells them, one of rank 3 and one of no source.
tables=$GOLDEN/../../spec/accept/tables.trs
tr-info "$tables" | sed -n '/^tables/,/^$/p'
tr-info -O json "$tables" | sed -n '/"tables"/,/^  ]/p'
tr-merge --ranks 5,4 "$tables" "$tables" | tr-info - | sed -n '/^tables/,/^$/p'
