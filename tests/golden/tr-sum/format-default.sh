# TR_FORMAT is -O of tables, unless -O or --bars is given; truth: the same commands with -O.
cat >t.json <<'J'
{"traceEvents":[{"ph":"X","name":"a","cat":"kernel","pid":0,"tid":7,"ts":0,"dur":3},
{"ph":"X","name":"b","cat":"kernel","pid":0,"tid":7,"ts":4,"dur":1}]}
J
same()
{
    format=$1
    shift
    TR_FORMAT=$format "$@" >one 2>&1
    "$@" -O "$format" >two 2>&1
    cmp one two && echo "$1 with $format: as -O"
}
for f in text tsv csv json md; do same $f tr-sum t.json; done
same json tr-info t.json
same md tr-report t.json
same json tr-report t.json
same json tr-view t.json
same md tr-diff t.json t.json
echo "== -O counts first, an empty value is none"
TR_FORMAT=json tr-sum -O tsv t.json
TR_FORMAT='' tr-sum --stat sum t.json
TR_FORMAT=tsv tr-sum --stat sum --bars t.json
echo "== a database where -o is given"
TR_FORMAT=csv tr-sum -o tables/ t.json
cat tables/*.csv
echo "== where it does not fit, it has no effect"
for f in sqlite xlsx; do TR_FORMAT=$f tr-sum --stat sum t.json; done
TR_FORMAT=svg tr-info t.json | head -n 1
for f in csv md sqlite; do TR_FORMAT=$f tr-view --columns name,dur t.json; done
TR_FORMAT=svg tr-categorize --explain x 2>&1 | head -n 1
echo "== refused"
for f in junk 'TEXT'; do
    TR_FORMAT=$f tr-sum t.json 2>&1
    echo $?
done
TR_FORMAT=perfetto tr-view t.json 2>&1
tr-view -O csv t.json 2>&1
echo "== no matter where nothing is a table"
TR_FORMAT=junk tr-parse t.json | TR_FORMAT=tsv tr-view --columns name
TR_FORMAT=junk tr-sum --help | head -n 1
