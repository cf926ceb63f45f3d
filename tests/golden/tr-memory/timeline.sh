# Truth: by hand.  Entries of a memory timeline: 1024 bytes of parameters and 100 of unknown use were there before; a
# gradient of 50 turns into a temporary at 2000.5 us and is freed at the same time as 10 bytes of no known category come.
cat >t.raw.json <<END
[[-1, 1, 1024, 0], [-1, 1, 100, 7], [2000000, 2, 50, 5], [2000500, 3, -50, 5], [2000500, 3, 50, 3],
 [2001000, 4, -50, 3], [2001000, 9, 10, 42]]
END
tr-memory -O tsv t.raw.json
for view in '--by peak' '--by end' '--by summary'; do
    echo "== $view"
    tr-memory $view -O tsv t.raw.json
done
echo "== from the entries on that have a time"
tr-memory --time 2000.. -O tsv t.raw.json
echo "== the same through a stream, packed, and as events in JSON"
gzip -c t.raw.json | tr-parse | tr-memory -O tsv >a
tr-view -O chrome t.raw.json | tr-memory -O tsv >b
tr-memory -O tsv t.raw.json | cmp - a && cmp a b && echo equal
echo "== events"
tr-view -O chrome t.raw.json
echo "== beside a trace"
echo '{"traceEvents": [{"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": 2000.2, "args": {"Bytes": 8}}]}' >k.json
tr-memory -O tsv k.json t.raw.json
echo "== a picture: the lower side of the upper area has a step where its upper side has one"
echo '[[1000000, 1, 1000, 0], [1000000, 1, 500, 3], [2500000, 2, 3000, 0], [365000000, 2, 10, 3]]' >steps.raw.json
tr-memory -O svg steps.raw.json | grep '<path class="f-s'
