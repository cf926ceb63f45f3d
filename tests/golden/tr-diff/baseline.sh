# Truth: a comparison with the baseline of a trace is that with the trace; the file by hand, but for squares and
# checksum.  What is cut, changed, foreign or of other options is refused with one line.
. "$GOLDEN/traces.inc"
tr-diff --save-baseline b.txt base.json
cat b.txt
tr-diff -O tsv base.json test.json >want
tr-diff -O tsv --baseline b.txt test.json | cmp - want
tr-diff -O tsv --baseline b.txt --test test.json | cmp - want
tr-diff --by steps -O tsv base.json test.json >want
tr-diff --by steps -O tsv --baseline b.txt test.json | cmp - want
tr-diff --by kernel --step 2.. --rank 0 --where 'dur > 1us' --save-baseline - base.json | cut -f 1-5 | sed 's/\(sha256.\).*/\1.../'
# a baseline of more bytes than are read at a time
awk 'BEGIN { print "["; for (i = 0; i < 1500; i++)
    printf "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"operator_of_a_long_name_%d\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": 5},\n", i, 10 * i
    print "]" }' >many.json
tr-diff -q --save-baseline many.txt many.json
[ "$(wc -c <many.txt)" -gt 65536 ] && echo long
tr-diff -q -O tsv many.json many.json >want && tr-diff -q -O tsv --baseline many.txt many.json | cmp - want
# refused WHAT: with one line, status, and no table
refused()
{
    tr-diff "$@" -O tsv test.json
    echo "status $?"
}
exec 2>&1
refused --baseline b.txt --by kernel
refused --baseline b.txt --step 2
refused --baseline b.txt --where 'dur > 1us'
refused --baseline test.json
refused --baseline none.txt
sed 's/^row.host.1/row	host	2/' b.txt >changed.txt
refused --baseline changed.txt
head -n 5 b.txt >short.txt
refused --baseline short.txt
head -c 300 b.txt >shorter.txt
refused --baseline shorter.txt
sed 's/baseline	3/baseline	4/' b.txt >newer.txt
refused --baseline newer.txt
: >empty.txt
refused --baseline empty.txt
(cat b.txt; echo) >longer.txt
refused --baseline longer.txt
# signed TEXT: a baseline with the right checksum, but not of this program
signed()
{
    printf 'tr-diff-baseline\t3\n%b' "$1" >forged.txt
    sum=$(sha256sum <forged.txt 2>/dev/null) || sum=$(shasum -a 256 <forged.txt)
    printf 'sha256\t%s\n' "${sum%% *}" >>forged.txt
    refused --baseline forged.txt
}
signed 'by\tcolour\n'
signed 'nothing\n'
signed 'by\tname\nrow\thost\t1\t2\n'
signed 'by\tname\nrow\thost\t-1\t2\t2\t2\t2\t00000000000000000000000000000004\tx\n'
signed 'by\tname\nrow\thost\t1\t2\t2\t2\t2\t00000000000000000000000000000004\t\\xzz\n'
signed 'by\tname\nstep\t1\n'
signed 'by\tname\nranks\t-1\n'
signed 'by\tname\nheadline\tspeed\t1\t0\t00000000000000000000000000000000\t00000000000000000000000000000000\n'
signed 'by\tname\nheadline\tbusy\t1\t-1\t00000000000000000000000000000000\t00000000000000000000000000000000\n'
signed 'by\tname\nheadline\tbusy\t1\t0\t0\t00000000000000000000000000000000\n'
signed 'by\tname\nrow\thost\t1\t2\t2\t2\t2\t00000000000000000000000000000004\tx\t\n'
