# Truth: more names than -M has room for are refused with one line; with room, they are compared.
awk 'BEGIN { print "["; for (i = 0; i < 60000; i++)
    printf "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"a long name of an operator: %d\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": 3},\n", i, 4 * i
    print "{}]" }' | tr-parse -q -o many.trs -
tr-diff -q -M 16M -O tsv -o out many.trs many.trs
echo "status $?"; [ ! -e out ] || echo "there is output"
tr-diff -q -M 128M -O tsv many.trs many.trs | tail -n 1 | cut -f 1-5
tr-diff -q -M 16M --by tree -o out many.trs many.trs
echo "status $?"; [ ! -e out ] || echo "there is output"
tr-diff -q -M 128M --by tree,pair -O tsv many.trs many.trs | tail -n 1 | cut -f 1-5
