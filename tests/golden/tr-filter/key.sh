# Truth: keys are what the page says: a file of 16 to 65536 bytes, line ends at its end not counted; the same key gives
# the same names, another one others, and without a file each run has its own.
echo '{"traceEvents": [{"ph": "X", "name": "secret", "pid": 1, "tid": 1, "ts": 1, "dur": 1}]}' >t.json
names() { tr-filter --redact "$@" true t.json | tr-view -O tsv --columns name | sed 1d; }
key=0123456789abcdef
printf '%s' $key >least
printf '%s\r\n\n' $key >lines
printf '%s' ${key%f}g >another
: >empty
printf '%s\n' ${key%f} >shorter
head -c 65536 /dev/zero >longest
head -c 65537 /dev/zero >longer
least=$(names --redact-key least)
case $least in *secret* | '') echo "the name is told: $least" ;; esac
[ "$(names --redact-key lines)" = "$least" ] || echo "line ends count"
[ "$(names --redact-key another)" != "$least" ] || echo "another key, the same names"
[ "$(names --redact-key longest)" != "$least" ] || echo "the longest key is as another"
[ "$(names)" != "$(names)" ] || echo "two runs have the same key"
for key in empty shorter longer absent .; do
    tr-filter --redact --redact-key $key true t.json 2>&1 >out.trs
    echo "$key: $?"
done
