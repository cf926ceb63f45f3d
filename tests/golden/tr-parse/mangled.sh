# Truth: bytes that a transfer as text changed, or of which most is missing, give no event: that is no empty trace.  An
# empty one is.
tr-view -q -O perfetto "$SAMPLE/rank0.json.gz" >t.pftrace
LC_ALL=C sed 's/$/\r/' t.pftrace >crlf.pftrace
LC_ALL=C sed 's/[\x80-\xff]/\xef\xbf\xbd/g' t.pftrace >text.pftrace
head -c 30 t.pftrace >cut.pftrace
for f in crlf text cut; do
    tr-parse $f.pftrace -o x.trs 2>&1 | sed 's/byte [0-9]*/byte N/'
    [ -e x.trs ] && echo "$f was taken"
done
# a plane whose length says more than there is
printf '\012\177\022\004host' >cut.xplane.pb
tr-parse --input-format xplane cut.xplane.pb -o x.trs 2>&1
echo "status $?"
tr-parse --no-sort --input-format xplane cut.xplane.pb 2>&1 >x | cat
printf '\012\006\022\004host' >empty.xplane.pb
tr-parse --input-format xplane empty.xplane.pb -o x.trs 2>&1
echo "status $?"
