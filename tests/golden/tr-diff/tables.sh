# Truth: differences of printed tables, by hand.  A view says its keys; a table of no view is known by its texts.
printf 'name\tnote\tn\tsum_us\na\tx\t1\t10.000\nb\ty\t2\t4.500\n\\x01c\\td\tz\t3\t\n' >a.tsv
printf 'name,note,n,sum_us\r\n"b",y,3,5.000\r\n"a",x,1,12.5\r\n"e,""f""",w,7,1.000\r\n' >b.csv
printf '[\n{"name":"a","note":"x","n":5,"sum_us":0}\n]\n' >c.json
echo "== two"
tr-diff --by table -O tsv a.tsv b.csv
echo "== three, by name"
tr-diff --by table --keys name -O tsv --base a.tsv --test b.csv c.json
echo "== the other way round"
tr-diff --by table --keys name --columns name,run,diff_n,pct_n -O tsv c.json a.tsv
echo "== compressed, and standard input"
gzip -c b.csv | tr-diff --by table --keys name --columns name,diff_sum_us -O tsv a.tsv -
echo "== a view"
tr-breakdown --by timeline -O json -o r0.json "$SAMPLE/rank0.json.gz"
tr-breakdown --by timeline --rank 0 -O csv -o r1.csv "$SAMPLE/rank0.json.gz"
tr-diff --by table --columns rank,type,run,base_time_us,diff_time_us -O tsv r0.json r1.csv
echo "== without rows"
echo '[]' >none.json
tr-diff --by table --keys name,note -O tsv none.json c.json
sed -n 1p a.tsv >header.tsv
tr-diff --by table --keys name -O tsv header.tsv header.tsv
exec 2>&1
refused()
{
    tr-diff --by table "$@"
    echo "status $?"
}
refused a.tsv
refused --keys nme a.tsv b.csv
refused --where 'dur > 1us' a.tsv b.csv
tr-diff --keys name a.tsv b.csv
echo "status $?"
: >empty
refused a.tsv empty
printf 'a\tb\n1\n' >short.tsv
refused a.tsv short.tsv
printf 'a,a\n1,2\n' >twice.csv
refused twice.csv a.tsv
printf 'a,b\n"1,2\n' >quote.csv
refused quote.csv a.tsv
printf '[{"a":1},{"b":1}]' >other.json
refused other.json a.tsv
printf '[{"a":1}' >cut.json
refused cut.json a.tsv
printf 'n\tm\n1\t2\n' >numbers.tsv
refused numbers.tsv numbers.tsv
refused a.tsv none.tsv
