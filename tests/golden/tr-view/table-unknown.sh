# Truth: the manual's exit statuses; the names are those that the sample has.
cp "$GOLDEN/../../spec/accept/tables.trs" tables.trs
tr-view -q --by sample tables.trs
