# Truth: by hand.  A row without members has no columns, so it cannot be the first of a table.
printf '[{},{"name":"a","n":1}]' >a.json
printf '[{"name":"a","n":1}]' >b.json
tr-diff --by table a.json b.json 2>&1
echo "status $?"
tr-diff --by table --keys name -O tsv b.json b.json 2>&1
