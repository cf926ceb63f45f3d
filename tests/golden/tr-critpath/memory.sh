# Truth: by construction.  The graph of 200,000 launches and their kernels needs some 70 MiB: with -M 16M it is refused,
# as a table and for --mark, with what it needs and what is allowed.  A window of it fits, and the whole with -M 128M.
awk 'BEGIN {
    print "["
    for (i = 0; i < 200000; i++) {
        printf "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":2,\"args\":{\"correlation\":%d}},\n", i * 10, i
        printf "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":5,\"args\":{\"device\":0,\"stream\":7,\"correlation\":%d}},\n", i * 10 + 3, i
    }
    print "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"last\",\"pid\":0,\"tid\":7,\"ts\":3000000,\"dur\":1,\"args\":{\"device\":0,\"stream\":7}}]" }' >many.json
tr-parse -q -o many.trs many.json
rm many.json
for options in '-M 16M' '-M 16M --by edge' '-M 16M --mark' '-M 32M'; do
    # shellcheck disable=SC2086 # several words
    tr-critpath -q $options many.trs
    echo "status $?"
done
tr-critpath -q -M 16M -O tsv --time 0..20ms many.trs
tr-critpath -q -M 128M -O tsv many.trs
